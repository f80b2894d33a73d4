// Makes the module of a vertex shader: `vertices(draw, ids, count, out, instance)` fetches the attributes of four vertices at a time,
// runs the shader and writes one record a vertex (VERTEX and the varying slots of src/raster/layout.ts).
import type { Shader, Slot, SystemValue } from '../ir/ir.ts';
import { ATTRIBUTE, DRAW, VERTEX, VERTEX_ENTRY, vertexStride, vertexVarying } from '../raster/layout.ts';
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { BodyCompiler, loadResources, type StageAdapter } from './body-compiler.ts';
import type { VertexKey } from './keys.ts';
import type { Vec, Vec4Locals } from './pixel-math.ts';
import { prepareShader } from './prepare-shader.ts';
import type { SamplerKey } from './sample.ts';
import { buildShaderModule, type CompileOptions, type ShaderGlobals, type ShaderModule } from './shader-module.ts';
import { emitVertexFetch } from './vertex-format.ts';

const LANES = 4;

export function compileVertexProgram(ir: Shader, key: VertexKey, options: CompileOptions): ShaderModule {
  const shader = prepareShader(ir);
  return buildShaderModule(shader, 1, options, VERTEX_ENTRY, 5, (f, globals) => {
    new VertexProgram(f, shader, key, globals).emit();
  });
}

/** An attribute as it is fetched: addresses of the lanes follow from the vertex ids. */
interface Attribute {
  readonly slot: Slot;
  readonly location: number;
  readonly base: Local<'v128'>;
  readonly stride: Local<'v128'>;
  readonly maxIndex: Local<'v128'>;
}

class VertexProgram implements StageAdapter {
  readonly uniforms: Local<'i32'>;
  readonly ubos: Local<'i32'>;
  readonly textures: Local<'i32'>;
  private readonly f: FunctionBuilder;
  private readonly key: VertexKey;
  private readonly shader: Shader;
  private readonly draw: Local<'i32'>;
  private readonly out: Local<'i32'>;
  private readonly instance: Local<'i32'>;
  private readonly ids: Local<'v128'>;
  private readonly body: BodyCompiler;
  private readonly values = new Map<Slot, Vec4Locals>();

  constructor(f: FunctionBuilder, shader: Shader, key: VertexKey, { scratch, sink }: ShaderGlobals) {
    this.f = f;
    this.key = key;
    this.shader = shader;
    this.draw = f.param('i32', 0);
    this.out = f.param('i32', 3);
    this.instance = f.param('i32', 4);
    this.ids = f.local('v128');
    const resources = loadResources(f, this.draw, 'vertex');
    this.uniforms = resources.uniforms;
    this.ubos = resources.ubos;
    this.textures = resources.textures;
    const status = f.let(f.i32.load(this.draw, DRAW.offset.status));
    // The count is never negative.
    const never = f.let(f.i32.shr_u(f.param('i32', 2), 31));
    this.body = new BodyCompiler({ f, shader, width: 1, adapter: this, status, never, sink }, scratch);
  }

  emit(): void {
    const { f, body } = this;
    const ids = f.param('i32', 1);
    const count = f.param('i32', 2);
    const attributes = this.prepareAttributes();
    body.emitPreamble();
    const end = f.let(f.i32.add(ids, f.i32.shl(count, 2)));
    f.beginAhead();
    body.openTimeout();
    f.doWhile(count, f.i32.lt_u(ids, end), () => {
      f.set(this.ids, f.v128.load(ids));
      for (const attribute of attributes) this.fetch(attribute);
      body.emitStep({ exec: null, alive: null });
      this.storeRecords();
      f.set(ids, f.i32.add(ids, LANES * 4));
      f.set(this.out, f.i32.add(this.out, LANES * vertexStride(this.key.varyingSlots)));
    });
    body.closeTimeout();
    f.endAhead();
  }

  samplerKey(sampler: number): SamplerKey | null {
    return this.key.textures[sampler] ?? null;
  }

  input(slot: Slot): (component: number) => Vec {
    const value = this.values.get(slot);
    if (value !== undefined) return (component) => value[component];
    // An attribute that nothing is bound to.
    return (component) => this.f.words(component === 3 ? this.oneOf(slot) : 0);
  }

  inputAt(): never {
    throw new Error('vertex inputs are not interpolated');
  }

  private oneOf(slot: Slot): number {
    return this.shader.inputs.find((input) => input.slot === slot)?.base === 'float' ? 0x3f800000 : 1;
  }

  directTarget(): null {
    return null;
  }

  pushSystemValue(name: SystemValue): void {
    const { f, draw } = this;
    if (name === 'vertexId') this.ids.emit(f);
    else if (name === 'instanceId') f.i32x4.splat(this.instance).emit(f);
    else if (name === 'drawId' || name === 'baseVertex' || name === 'baseInstance')
      f.i32x4.splat(f.i32.load(draw, DRAW.offset[name])).emit(f);
    else throw new Error(`${name} is no value of a vertex shader`);
  }

  /** Loads what stays the same for all vertices; fetches instanced attributes once and for all. */
  private prepareAttributes(): Attribute[] {
    const { f, draw } = this;
    const attributes: Attribute[] = [];
    const list = f.let(f.i32.load(draw, DRAW.offset.attributes));
    for (const [slot, components] of this.body.analysis.inputs) {
      const location = Number(slot.slice('attribute'.length));
      const key = this.key.attributes[location];
      if (!key) continue;
      const { address, stride, maxIndex, divisor } = ATTRIBUTE.offset;
      const field = (offset: number): Expr<'i32'> => f.i32.load(list, location * ATTRIBUTE.size + offset);
      if (key.isInstanced) {
        f.scope(() => {
          const step = f.let(f.i32.div_u(this.instance, this.atLeastOne(field(divisor))));
          const index = f.let(f.i32.add(f.i32.load(draw, DRAW.offset.baseInstance), step));
          const last = f.let(field(maxIndex));
          const clamped = f.select(f.i32.lt_u(index, last), index, last);
          const at = f.let(f.i32.add(field(address), f.i32.mul(clamped, field(stride))));
          const fetched = emitVertexFetch(f, key.format, [at, at, at, at], components);
          this.keep(slot, fetched);
        });
      } else {
        attributes.push({
          slot,
          location,
          base: f.let(f.i32x4.splat(field(address))),
          stride: f.let(f.i32x4.splat(field(stride))),
          maxIndex: f.let(f.i32x4.splat(field(maxIndex))),
        });
      }
    }
    return attributes;
  }

  /** Copies results out of the scope they were made in. */
  private keep(slot: Slot, fetched: Vec4Locals): void {
    const { f } = this;
    const kept = this.values.get(slot) ?? ([0, 0, 0, 0].map(() => this.newVariable()) as unknown as Vec4Locals);
    this.values.set(slot, kept);
    for (let c = 0; c < 4; c++) f.set(kept[c], fetched[c]);
  }

  private newVariable(): Local<'v128'> {
    return this.f.outerLocal('v128');
  }

  private atLeastOne(x: Expr<'i32'>): Expr<'i32'> {
    return this.f.i32.add(x, this.f.i32.eqz(x));
  }

  private fetch({ slot, location, base, stride, maxIndex }: Attribute): void {
    const { f } = this;
    f.scope(() => {
      const index = f.i32x4.min_u(this.ids, maxIndex);
      const addresses = f.let(f.i32x4.add(base, f.i32x4.mul(index, stride)));
      const lane = (i: number): Local<'i32'> => f.let(f.i32x4.extract_lane(addresses, i));
      const key = this.key.attributes[location]!;
      const components = this.body.analysis.inputs.get(slot)!;
      this.keep(slot, emitVertexFetch(f, key.format, [lane(0), lane(1), lane(2), lane(3)], components));
    });
  }

  /** Writes the records of the four vertices; what the shader did not write is zero, so nothing old shows. */
  private storeRecords(): void {
    const { f, body, out } = this;
    const stride = vertexStride(this.key.varyingSlots);
    this.storeSlot('position', VERTEX.offset.position, stride);
    const size = body.output('pointSize', 0, 0);
    for (let lane = 0; lane < LANES; lane++) {
      const offset = lane * stride + VERTEX.offset.pointSize;
      if (size === null) f.f32.store(out, 1, offset);
      else f.v128.store32_lane(out, size, lane, offset);
    }
    const { varyingSlots, distanceSlots = 0 } = this.key;
    const firstDistance = varyingSlots - distanceSlots;
    for (let slot = 0; slot < varyingSlots; slot++) {
      const name: Slot = slot < firstDistance ? `var${slot}` : `clip${slot - firstDistance}`;
      this.storeSlot(name, vertexVarying(slot), stride);
    }
  }

  /** Transposes a slot's four component vectors into one vector a vertex. */
  private storeSlot(slot: Slot, offset: number, stride: number): void {
    const { f, out } = this;
    const zero = f.i32x4.const(0);
    if (this.body.output(slot, 0, 0) === null) {
      for (let lane = 0; lane < LANES; lane++) f.v128.store(out, zero, lane * stride + offset);
      return;
    }
    f.scope(() => {
      const [x, y, z, w] = [0, 1, 2, 3].map((c) => this.outputComponent(slot, c));
      const lowXy = f.let(f.shuffle32(x, y, [0, 4, 1, 5]));
      const highXy = f.let(f.shuffle32(x, y, [2, 6, 3, 7]));
      const lowZw = f.let(f.shuffle32(z, w, [0, 4, 1, 5]));
      const highZw = f.let(f.shuffle32(z, w, [2, 6, 3, 7]));
      f.v128.store(out, f.shuffle32(lowXy, lowZw, [0, 1, 4, 5]), offset);
      f.v128.store(out, f.shuffle32(lowXy, lowZw, [2, 3, 6, 7]), stride + offset);
      f.v128.store(out, f.shuffle32(highXy, highZw, [0, 1, 4, 5]), 2 * stride + offset);
      f.v128.store(out, f.shuffle32(highXy, highZw, [2, 3, 6, 7]), 3 * stride + offset);
    });
  }

  private outputComponent(slot: Slot, component: number): Vec {
    const { f } = this;
    const value = this.body.output(slot, component, 0)!;
    const output = this.shader.outputs.find((each) => each.slot === slot);
    const isFloat = (output?.base ?? 'float') === 'float' && !(((output?.rawComponents ?? 0) >> component) & 1);
    if (!this.key.capturesOutputs || !isFloat) return value;
    return f.v128.bitselect(value, f.words(0x7fc00000), f.f32x4.eq(value, value));
  }
}
