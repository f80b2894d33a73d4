// The text form of a shader, made to be read and to be parsed again by parse.ts.
//
//   shader fragment "name"
//   input smooth float4 var0 "v_color"
//   output float4 color0 "color"
//   function main() {
//     temporary sum: float4[3]
//   b0:
//     %0:4 = loadInput var0              a value of 4 components; `:b` marks booleans
//     %1 = swizzle %0.x
//     %2 = const 0.5                     a literal with a point is a float pattern
//     %3:b = flt %1 %2
//     if %3 {
//     b1:
//       storeVar sum[1] %0 mask xy       path: [n] is a constant step, [%n] a dynamic one
//     } else {
//     b2:
//     }
//   b3:
//     %4 = phi b1 %1, b2 %2
//   }
import {
  type BodyNode,
  dynamicStepSource,
  type Instruction,
  type IrFunction,
  type IrType,
  type Path,
  type Shader,
  type Value,
  type Variable,
} from './ir.ts';
import { forEachInstruction } from './walk.ts';

const LETTERS = 'xyzw';
const floatBits = new Float32Array(1);
const intBits = new Uint32Array(floatBits.buffer);

/** The text of a shader. Values and blocks are numbered anew in text order. */
export function printShader(shader: Shader): string {
  return new Printer(shader).print();
}

function printType(type: IrType): string {
  if (type.kind === 'vector') return type.components === 1 ? type.base : `${type.base}${type.components}`;
  if (type.kind === 'matrix') return `mat${type.columns}x${type.rows}`;
  if (type.kind === 'array') return `${printType(type.element)}[${type.length}]`;
  return `${type.name}{${type.members.map((member) => `${member.name}: ${printType(member.type)}`).join(', ')}}`;
}

class Printer {
  readonly shader: Shader;
  readonly lines: string[] = [];
  readonly values = new Map<Value, string>();
  readonly blocks = new Map<BodyNode, string>();
  readonly variables = new Map<Variable, string>();
  readonly functions = new Map<IrFunction, string>();
  nextValue = 0;

  constructor(shader: Shader) {
    this.shader = shader;
  }

  print(): string {
    const { shader, lines } = this;
    const functionNames = new Set<string>();
    for (const fn of shader.functions) this.functions.set(fn, uniqueName(fn.name, functionNames));
    const names = new Set<string>();
    for (const variable of shader.globals) this.variables.set(variable, uniqueName(variable.name, names));
    for (const fn of shader.functions) {
      for (const variable of [...fn.parameters, ...fn.locals]) {
        this.variables.set(variable, uniqueName(variable.name, names));
      }
    }
    lines.push(`shader ${shader.stage} ${JSON.stringify(shader.name)}`);
    if (shader.isExact) lines.push('exact');
    if (shader.earlyFragmentTests) lines.push('earlyFragmentTests');
    if (shader.clipDistances + shader.cullDistances > 0)
      lines.push(`distances ${shader.clipDistances} ${shader.cullDistances}`);
    if (shader.sampleShading) lines.push('sampleShading');
    for (const [kind, slots] of [['input', shader.inputs] as const, ['output', shader.outputs] as const]) {
      for (const s of slots) {
        const type = `${s.base}${s.components === 1 ? '' : s.components}`;
        const raw = s.rawComponents ? ` raw ${s.rawComponents}` : '';
        const how = `${s.interpolation}${s.centroid ? ' centroid' : ''}${s.sample ? ' sample' : ''}${raw}`;
        lines.push(`${kind} ${how} ${type} ${s.slot} ${JSON.stringify(s.name)}`);
      }
    }
    for (const s of shader.samplers) {
      lines.push(`sampler ${s.dim}${s.shadow ? ' shadow' : ''} ${s.resultType} ${JSON.stringify(s.name)}`);
    }
    for (const block of shader.uniformBlocks) lines.push(`ubo ${block.sizeBytes} ${JSON.stringify(block.name)}`);
    if (shader.uniformSlots > 0) lines.push(`uniforms ${shader.uniformSlots}`);
    for (const l of shader.locals) lines.push(`local ${l.length} ${l.components} ${JSON.stringify(l.name)}`);
    for (const variable of shader.globals) lines.push(this.declaration(variable));
    for (const fn of shader.functions) this.printFunction(fn);
    return `${lines.join('\n')}\n`;
  }

  declaration(variable: Variable): string {
    const precision = variable.precision === 'high' ? '' : ` ${variable.precision}`;
    return `${variable.mode}${precision} ${this.variables.get(variable)}: ${printType(variable.type)}`;
  }

  printFunction(fn: IrFunction): void {
    forEachInstruction(fn.body, (instruction) => {
      if (instruction.components > 0) this.values.set(instruction, `%${this.nextValue++}`);
    });
    const parameters = fn.parameters.map((parameter) => this.declaration(parameter)).join('; ');
    this.lines.push(`function ${this.functions.get(fn)}(${parameters}) {`);
    for (const variable of fn.locals) this.lines.push(`  ${this.declaration(variable)}`);
    this.numberBlocks(fn.body);
    this.printList(fn.body, '');
    this.lines.push('}');
  }

  numberBlocks(list: readonly BodyNode[]): void {
    for (const node of list) {
      if (node.kind === 'block') this.blocks.set(node, `b${this.blocks.size}`);
      else if (node.kind === 'if') {
        this.numberBlocks(node.thenBody);
        this.numberBlocks(node.elseBody);
      } else {
        this.numberBlocks(node.body);
        this.numberBlocks(node.continuing);
      }
    }
  }

  printList(list: readonly BodyNode[], indent: string): void {
    const inner = `${indent}  `;
    for (const node of list) {
      if (node.kind === 'block') {
        this.lines.push(`${indent}${this.blocks.get(node)}:`);
        for (const instruction of node.instructions) this.lines.push(`${inner}${this.printInstruction(instruction)}`);
      } else if (node.kind === 'if') {
        this.lines.push(`${inner}if ${this.value(node.condition)} {${node.uniform ? ' # uniform' : ''}`);
        this.printList(node.thenBody, inner);
        this.lines.push(`${inner}} else {`);
        this.printList(node.elseBody, inner);
        this.lines.push(`${inner}}`);
      } else {
        this.lines.push(`${inner}loop {${node.uniform ? ' # uniform' : ''}`);
        this.printList(node.body, inner);
        if (node.continuing.length > 0) {
          this.lines.push(`${inner}} continuing {`);
          this.printList(node.continuing, inner);
        }
        this.lines.push(`${inner}}`);
      }
    }
  }

  value(value: Value): string {
    return this.values.get(value) ?? `%?${value.id}`;
  }

  path(variable: Variable, path: Path, sources: readonly Value[]): string {
    const name = this.variables.get(variable) ?? `?${variable.name}`;
    const steps = path.map((s) => (s >= 0 ? `[${s}]` : `[${this.value(sources[dynamicStepSource(s)]!)}]`));
    return name + steps.join('');
  }

  printInstruction(instruction: Instruction): string {
    const text = this.operation(instruction);
    if (instruction.components === 0) return text;
    const size = `${instruction.components === 1 ? '' : instruction.components}${instruction.bits === 1 ? 'b' : ''}`;
    const uniform = instruction.uniform && instruction.kind !== 'const' ? ' # uniform' : '';
    return `${this.values.get(instruction)}${size && `:${size}`} = ${text}${uniform}`;
  }

  operation(instruction: Instruction): string {
    const { kind, op, sources } = instruction;
    const operands = sources.map((source) => ` ${this.value(source)}`).join('');
    switch (kind) {
      case 'alu':
        return instruction.info ? `${op}${operands}.${letters(instruction.info)}` : op + operands;
      case 'const':
        return `const ${[...instruction.info].map((w) => printWord(w, instruction.bits === 1)).join(' ')}`;
      case 'phi': {
        const parts = instruction.info.map((block, i) => ` ${this.blocks.get(block)} ${this.value(sources[i]!)}`);
        return `phi${parts.join(',')}`;
      }
      case 'undef':
      case 'jump':
        return op;
      case 'call': {
        const args = instruction.info.arguments.map((variable) => this.variables.get(variable));
        return `call ${this.functions.get(instruction.info.callee)}(${args.join(', ')})`;
      }
      case 'tex': {
        const { sampler, dim, shadow, resultType, roles, offset } = instruction.info;
        const named = roles.map((role, i) => ` ${role} ${this.value(sources[i]!)}`).join('');
        const shift = offset ? ` offset ${offset.join(' ')}` : '';
        return `tex ${op} ${sampler} ${dim}${shadow ? ' shadow' : ''} ${resultType}${named}${shift}`;
      }
      case 'intrinsic':
        return this.intrinsic(instruction, operands);
    }
  }

  intrinsic(instruction: Extract<Instruction, { kind: 'intrinsic' }>, operands: string): string {
    const { op, sources } = instruction;
    switch (op) {
      case 'loadVar':
        return `loadVar ${this.path(instruction.info.variable, instruction.info.path, sources)}`;
      case 'storeVar': {
        const target = this.path(instruction.info.variable, instruction.info.path, sources);
        return `storeVar ${target} ${this.value(sources[0]!)}${mask(instruction.info.writeMask, sources[0]!)}`;
      }
      case 'copyVar': {
        const { variable, path, source, sourcePath } = instruction.info;
        return `copyVar ${this.path(variable, path, sources)} ${this.path(source, sourcePath, sources)}`;
      }
      case 'loadInput':
      case 'storeOutput': {
        const { slot, component } = instruction.info;
        return `${op} ${slot}${component > 0 ? `@${component}` : ''}${operands}`;
      }
      case 'loadInputAt': {
        const { slot, component, at } = instruction.info;
        return `${op} ${at} ${slot}${component > 0 ? `@${component}` : ''}${operands}`;
      }
      case 'loadUniform': {
        const { base, range } = instruction.info;
        return `loadUniform ${base}${operands}${sources.length > 0 ? ` range ${range}` : ''}`;
      }
      case 'loadUbo':
        return `loadUbo ${instruction.info.block} ${instruction.info.base}${operands}`;
      case 'loadLocal':
        return `loadLocal ${instruction.info.array}${operands}`;
      case 'storeLocal':
        return `storeLocal ${instruction.info.array}${operands}${mask(instruction.info.writeMask, sources[1]!)}`;
      case 'sysval':
        return `sysval ${instruction.info.name}`;
      case 'discard':
        return `discard${operands}`;
    }
  }
}

function letters(selection: readonly number[]): string {
  return selection.map((c) => LETTERS[c]).join('');
}

function mask(writeMask: number, value: Value): string {
  if (writeMask === (1 << value.components) - 1) return '';
  return ` mask ${letters([0, 1, 2, 3].filter((c) => (writeMask >> c) & 1)) || 'none'}`;
}

/** A name made of word characters that is not yet in `taken`. */
function uniqueName(wanted: string, taken: Set<string>): string {
  const base = wanted.replace(/\W/g, '_').replace(/^(?=\d|$)/, '_');
  let name = base;
  for (let i = 1; taken.has(name); i++) name = `${base}_${i}`;
  taken.add(name);
  return name;
}

/** A literal that parses back to the same bits: a float where that looks like one, else an integer. */
function printWord(word: number, isBool: boolean): string {
  if (isBool) return word ? 'true' : 'false';
  intBits[0] = word;
  const value = floatBits[0]!;
  if (word === 0x7f800000) return 'inf';
  if (word === 0xff800000) return '-inf';
  const exponent = (word >>> 23) & 0xff;
  if (exponent > 67 && exponent < 187) return shortest(value);
  return word === 0 ? '0' : String(word | 0);
}

/** The shortest decimal that rounds to the same float, always with a point. */
function shortest(value: number): string {
  for (let digits = 1; digits <= 9; digits++) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === value) return /[.]/.test(text) ? text : text.replace(/(e|$)/, '.0$1');
  }
  return String(value);
}
