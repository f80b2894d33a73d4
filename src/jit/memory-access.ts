// Loads of uniforms and uniform blocks, and the temporary arrays that are indexed dynamically. Every computed offset is clamped to
// its own range here: contexts share the memory.
//
// Temporary arrays live in scratch memory of the thread: element e, component c, lane set k are one vector at
// ((e · components + c) · width + k) · 16 of the array. Behind them one more vector takes the writes of lanes that are masked out.
import type { Instruction, Intrinsic, Shader, Value } from '../ir/ir.ts';
import { UBO } from '../raster/layout.ts';
import type { Local } from '../wasm/expr.ts';
import type { GlobalHandle } from '../wasm/function-builder.ts';
import type { BodyCompiler } from './body-compiler.ts';

/** Where the arrays of a shader lie in scratch memory. */
export interface LocalMemory {
  /** Bytes needed for one step; 0 if the shader has no arrays. */
  readonly bytes: number;
  /** Byte offset by array. */
  readonly offsets: readonly number[];
  /** The module's variable that holds the address of the thread's scratch memory. */
  readonly address: GlobalHandle<'i32'> | null;
}

export function layoutLocals(shader: Shader, width: number): Omit<LocalMemory, 'address'> {
  let bytes = 0;
  const offsets = shader.locals.map(({ length, components }) => {
    const offset = bytes;
    bytes += length * components * width * 16;
    return offset;
  });
  return { bytes: bytes === 0 ? 0 : bytes + 16, offsets };
}

/** Arrays up to this size are cleared by stores, larger ones by memory.fill (a call into V8). */
const MAX_CLEAR_STORES = 24;

export class MemoryAccess {
  private readonly c: BodyCompiler;
  private readonly scratch: LocalMemory;
  private address: Local<'i32'> | null = null;
  private readonly blocks = new Map<number, { address: Local<'i32'>; size: Local<'i32'> }>();

  constructor(compiler: BodyCompiler, scratch: LocalMemory) {
    this.c = compiler;
    this.scratch = scratch;
  }

  emitPreamble(): void {
    const { f, adapter, shader } = this.c;
    if (this.scratch.address !== null) this.address = f.let(f.global(this.scratch.address));
    for (const block of shader.usage.uniformBlocks) {
      this.blocks.set(block, {
        address: f.let(f.i32.load(adapter.ubos, block * UBO.size + UBO.offset.address)),
        size: f.let(f.i32.load(adapter.ubos, block * UBO.size + UBO.offset.size)),
      });
    }
  }

  /** Arrays hold zeros when an invocation starts. */
  emitClear(): void {
    const { f } = this.c;
    if (this.address === null) return;
    const bytes = this.scratch.bytes - 16;
    if (bytes > MAX_CLEAR_STORES * 16) f.memory.fill(this.address, 0, bytes);
    else for (let offset = 0; offset < bytes; offset += 16) f.v128.store(this.address, f.i32x4.const(0), offset);
  }

  // ---- uniforms

  emitLoadUniform(instruction: Intrinsic<'loadUniform'>): void {
    const { c } = this;
    const { base, range } = instruction.info;
    const index: Value | undefined = instruction.sources[0];
    const { uniforms } = c.adapter;
    const constant = index === undefined ? 0 : c.constant(index, 0);
    if (constant !== undefined) {
      const slot = base + Math.min(constant >>> 0, range - 1);
      this.loadSplats(instruction, uniforms.index, slot * 16);
    } else if (index.uniform) {
      const { f } = c;
      f.scope(() => {
        const last = f.i32.const(range - 1);
        const i = f.let(f.i32x4.extract_lane(c.vector(index, 0, 0), 0));
        const clamped = f.select(f.i32.lt_u(i, last), i, last);
        const address = f.let(f.i32.add(uniforms, f.i32.shl(clamped, 4)));
        this.loadSplats(instruction, address.index, base * 16);
      });
    } else {
      this.loadLanes(instruction, uniforms.index, base * 16, (k) => {
        const { f } = c;
        c.push(index, 0, k);
        f.splatConst(range - 1);
        f.op('i32x4.min_u');
        f.i32Const(4);
        f.op('i32x4.shl');
      });
    }
  }

  // ---- uniform blocks

  emitLoadUbo(instruction: Intrinsic<'loadUbo'>): void {
    const { c } = this;
    const { f } = c;
    const { block, base } = instruction.info;
    const range = this.blocks.get(block);
    if (range === undefined) throw new Error(`uniform block ${block} is not in the shader's usage`);
    const bytes = instruction.components * 4;
    const offset: Value | undefined = instruction.sources[0];
    f.scope(() => {
      // The highest offset from which the whole read stays inside.
      const room = f.let(f.i32.sub(range.size, bytes));
      const limit = f.let(f.select(f.i32.ge_u(range.size, bytes), room, 0));
      const constant = offset === undefined ? 0 : c.constant(offset, 0);
      if (constant !== undefined || offset.uniform) {
        const dynamic = constant ?? f.i32x4.extract_lane(c.vector(offset, 0, 0), 0);
        const start = f.let(
          typeof dynamic === 'number' ? f.i32.const((dynamic + base) >>> 0) : f.i32.add(dynamic, base | 0),
        );
        const clamped = f.i32.and(f.select(f.i32.lt_u(start, limit), start, limit), -4);
        const address = f.let(f.i32.add(range.address, clamped));
        this.loadSplats(instruction, address.index, 0);
      } else {
        this.loadLanes(instruction, range.address.index, 0, (k) => {
          c.push(offset, 0, k);
          f.splatConst(base);
          f.op('i32x4.add');
          f.localGet(limit.index);
          f.op('i32x4.splat');
          f.op('i32x4.min_u');
          f.splatConst(-4);
          f.op('v128.and');
        });
      }
    });
  }

  /** Components from consecutive words, the same for all lanes. */
  private loadSplats(instruction: Instruction, address: number, offset: number): void {
    this.c.define(instruction, (component) => {
      this.c.f.localGet(address);
      this.c.f.op('v128.load32_splat', offset + component * 4);
    });
  }

  /** Components from consecutive words at an offset of each lane's own. */
  private loadLanes(instruction: Instruction, base: number, offset: number, pushOffsets: (k: number) => void): void {
    const { c } = this;
    const sets = c.isWide(instruction) ? 2 : 1;
    const addresses: number[][] = [];
    for (let k = 0; k < sets; k++) addresses.push(this.laneAddresses(base, () => pushOffsets(k)));
    c.define(instruction, (component, k) => this.pushGather(addresses[k], offset + component * 4));
    for (const lane of addresses.flat()) c.f.freeLocal(lane);
  }

  /** Four address locals: base + each lane of the vector that `push` leaves. */
  private laneAddresses(base: number, push: () => void): number[] {
    const { f } = this.c;
    const offsets = f.newLocal('v128');
    push();
    f.localSet(offsets);
    const addresses: number[] = [];
    for (let lane = 0; lane < 4; lane++) {
      f.localGet(offsets);
      f.op('i32x4.extract_lane', lane);
      f.localGet(base);
      f.op('i32.add');
      const address = f.newLocal('i32');
      f.localSet(address);
      addresses.push(address);
    }
    f.freeLocal(offsets);
    return addresses;
  }

  private pushGather(addresses: readonly number[], offset: number): void {
    const { f } = this.c;
    for (let lane = 3; lane >= 0; lane--) f.localGet(addresses[lane]);
    f.op('v128.load32_zero', offset);
    for (let lane = 1; lane < 4; lane++) f.op('v128.load32_lane', lane, offset);
  }

  // ---- temporary arrays

  emitLoadLocal(instruction: Intrinsic<'loadLocal'>): void {
    const { c } = this;
    const { array } = instruction.info;
    const index: Value = instruction.sources[0];
    const { stride, offset, last } = this.arrayOf(array);
    const constant = c.constant(index, 0);
    const place = (component: number, k: number): number => offset + (component * c.width + k) * 16;
    if (constant !== undefined || index.uniform) {
      const base = this.elementAddress(constant, index, stride, last);
      c.define(instruction, (component, k) => {
        c.f.localGet(base.address);
        c.f.op('v128.load', base.offset + place(component, k));
      });
      if (base.isOwn) c.f.freeLocal(base.address);
      return;
    }
    const addresses: number[][] = [];
    for (let k = 0; k < c.width; k++) addresses.push(this.ownLaneAddresses(index, k, stride, last));
    c.define(instruction, (component, k) => this.pushGather(addresses[k], place(component, k)));
    for (const lane of addresses.flat()) c.f.freeLocal(lane);
  }

  emitStoreLocal(instruction: Intrinsic<'storeLocal'>, exec: readonly number[] | null): void {
    const { c } = this;
    const { f } = c;
    const { array, writeMask } = instruction.info;
    const [index, value]: readonly Value[] = instruction.sources;
    const { stride, offset, last, components } = this.arrayOf(array);
    const constant = c.constant(index, 0);
    const place = (component: number, k: number): number => offset + (component * c.width + k) * 16;
    const written = [0, 1, 2, 3].filter((component) => component < components && (writeMask >> component) & 1);
    if (constant !== undefined || index.uniform) {
      const base = this.elementAddress(constant, index, stride, last);
      for (const component of written) {
        for (let k = 0; k < c.width; k++) {
          f.localGet(base.address);
          c.push(value, component, k);
          if (exec !== null) {
            f.localGet(base.address);
            f.op('v128.load', base.offset + place(component, k));
            f.localGet(exec[k]);
            f.op('v128.bitselect');
          }
          f.op('v128.store', base.offset + place(component, k));
        }
      }
      if (base.isOwn) f.freeLocal(base.address);
      return;
    }
    for (let k = 0; k < c.width; k++) {
      for (const component of written) {
        const addresses = this.ownLaneAddresses(index, k, stride, last, place(component, k), exec?.[k]);
        for (let lane = 0; lane < 4; lane++) {
          f.localGet(addresses[lane]);
          c.push(value, component, k);
          f.op('v128.store32_lane', lane, 0);
          f.freeLocal(addresses[lane]);
        }
      }
    }
  }

  private arrayOf(array: number): { stride: number; offset: number; last: number; components: number } {
    const { length, components } = this.c.shader.locals[array];
    const stride = components * this.c.width * 16;
    return { stride, offset: this.scratch.offsets[array], last: length - 1, components };
  }

  /** Address local and constant offset of an element that is the same for all lanes. */
  private elementAddress(
    constant: number | undefined,
    index: Value,
    stride: number,
    last: number,
  ): { address: number; offset: number; isOwn: boolean } {
    const { c } = this;
    const { f } = c;
    if (constant !== undefined) {
      return { address: this.address!.index, offset: Math.min(constant >>> 0, last) * stride, isOwn: false };
    }
    const address = f.newLocal('i32');
    c.push(index, 0, 0);
    f.op('i32x4.extract_lane', 0);
    f.localTee(address);
    f.i32Const(last);
    f.localGet(address);
    f.i32Const(last);
    f.op('i32.lt_u');
    f.emitSelect();
    f.i32Const(stride);
    f.op('i32.mul');
    f.localGet(this.address!.index);
    f.op('i32.add');
    f.localSet(address);
    return { address, offset: 0, isOwn: true };
  }

  /** Addresses of each lane's own word: element index · stride + `place` + 4 · lane; lanes out of the mask go to the spare vector. */
  private ownLaneAddresses(index: Value, k: number, stride: number, last: number, place = 0, mask?: number): number[] {
    const { c } = this;
    const { f } = c;
    return this.laneAddresses(this.address!.index, () => {
      c.push(index, 0, k);
      f.splatConst(last);
      f.op('i32x4.min_u');
      f.splatConst(stride);
      f.op('i32x4.mul');
      f.i32x4.const(place, place + 4, place + 8, place + 12).emit(f);
      f.op('i32x4.add');
      if (mask === undefined) return;
      f.splatConst(this.scratch.bytes - 16);
      f.localGet(mask);
      f.op('v128.bitselect');
    });
  }
}
