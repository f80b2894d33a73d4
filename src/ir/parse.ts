// Reads the text form that print.ts writes. Block labels may be left out where no phi names them.
import {
  arrayType,
  type BaseType,
  type Block,
  type BodyNode,
  createBlock,
  createVariable,
  type IfNode,
  type IrFunction,
  type IrType,
  type LoopNode,
  MAX_NESTING,
  matrixType,
  type Shader,
  type Slot,
  type SlotInfo,
  type Stage,
  structType,
  type Variable,
  type VariableMode,
  vectorType,
} from './ir.ts';
import { InstructionParser } from './parse-instruction.ts';

/** Parses a shader; throws an Error that names the line. */
export function parseShader(text: string): Shader {
  return new Parser(text).parse();
}

class Parser extends InstructionParser {
  parse(): Shader {
    const { shader } = this;
    shader.functions.length = 0;
    shader.nextBlockId = 0;
    for (const line of this.lines) {
      const name = /^\s*function\s+(\w+)/.exec(line)?.[1];
      if (name) this.functions.set(name, { name, parameters: [], locals: [], body: [] });
    }
    while (this.nextLine()) this.parseTopLevel();
    const main = this.functions.get('main');
    if (main === undefined) throw new Error('no function main');
    shader.main = main;
    return shader;
  }

  // ----------------------------------------------------------------------------------------------------- top level

  parseTopLevel(): void {
    const { shader } = this;
    const word = this.next();
    switch (word) {
      case 'shader':
        (shader as { stage: Stage }).stage = this.next() as Stage;
        if (this.peek()) shader.name = this.string();
        return;
      case 'exact':
        shader.isExact = true;
        return;
      case 'earlyFragmentTests':
        shader.earlyFragmentTests = true;
        return;
      case 'distances':
        shader.clipDistances = this.integer();
        shader.cullDistances = this.integer();
        return;
      case 'sampleShading':
        shader.sampleShading = true;
        return;
      case 'input':
        shader.inputs.push(this.slotInfo());
        return;
      case 'output':
        shader.outputs.push(this.slotInfo());
        return;
      case 'sampler': {
        const dim = this.dim();
        const shadow = this.accept('shadow');
        const resultType = this.next() as 'float' | 'int' | 'uint';
        shader.samplers.push({ name: this.string(), dim, shadow, resultType });
        return;
      }
      case 'ubo': {
        const sizeBytes = this.integer();
        shader.uniformBlocks.push({ name: this.string(), sizeBytes });
        return;
      }
      case 'uniforms':
        shader.uniformSlots = this.integer();
        return;
      case 'local': {
        const length = this.integer();
        const components = this.integer();
        shader.locals.push({ name: this.string(), length, components });
        return;
      }
      case 'global':
        shader.globals.push(this.declaration('global'));
        return;
      case 'function':
        this.parseFunction();
        return;
      default:
        this.fail(`unexpected ${word}`);
    }
  }

  slotInfo(): SlotInfo {
    const interpolation = this.next() as SlotInfo['interpolation'];
    const centroid = this.accept('centroid');
    const sample = this.accept('sample');
    const rawComponents = this.accept('raw') ? this.integer() : undefined;
    const type = this.type();
    if (type.kind !== 'vector' || type.base === 'bool') this.fail('a slot holds a float, int or uint vector');
    const slot = this.next() as Slot;
    const name = this.peek() ? this.string() : slot;
    const info: SlotInfo = { name, slot, components: type.components, base: type.base, interpolation, centroid };
    if (sample) info.sample = true;
    if (rawComponents !== undefined) info.rawComponents = rawComponents;
    return info;
  }

  declaration(mode: VariableMode): Variable {
    let name = this.next();
    let precision: Variable['precision'] = 'high';
    if (this.peek() !== ':') {
      precision = name as Variable['precision'];
      name = this.next();
    }
    this.expect(':');
    const variable = createVariable(name, this.type(), mode, precision);
    this.variables.set(name, variable);
    return variable;
  }

  type(): IrType {
    const word = this.next();
    let type: IrType;
    const vector = /^(float|int|uint|bool)([234])?$/.exec(word);
    const matrix = /^mat([234])x([234])$/.exec(word);
    if (vector) type = vectorType(vector[1] as BaseType, Number(vector[2] ?? 1));
    else if (matrix) type = matrixType(Number(matrix[1]), Number(matrix[2]));
    else {
      const members: { name: string; type: IrType }[] = [];
      this.expect('{');
      while (!this.accept('}')) {
        const name = this.next();
        this.expect(':');
        members.push({ name, type: this.type() });
        this.accept(',');
      }
      type = structType(word, members);
    }
    while (this.accept('[')) {
      type = arrayType(type, this.integer());
      this.expect(']');
    }
    return type;
  }

  // ----------------------------------------------------------------------------------------------------- functions

  parseFunction(): void {
    const fn = this.functions.get(this.next())!;
    this.shader.functions.push(fn);
    this.expect('(');
    while (!this.accept(')')) {
      fn.parameters.push(this.declaration(this.next() as VariableMode));
      this.accept(';');
    }
    this.expect('{');
    this.parseList(fn, fn.body, 0);
    for (const { instruction, index, name, line } of this.fixups) {
      const value = this.values.get(name);
      if (value === undefined) throw new Error(`line ${line}: ${name} is not defined`);
      instruction.sources[index] = value;
    }
    const [label] = this.pendingPhis.keys();
    if (label !== undefined) this.fail(`no block ${label} in this function`);
    this.fixups.length = 0;
    this.values.clear();
    this.blocks.clear();
  }

  /** Reads lines up to the one that starts with `}`, whose other tokens remain to be read. */
  parseList(fn: IrFunction, list: BodyNode[], depth: number): void {
    if (depth > MAX_NESTING) this.fail('nested too deeply');
    let block = createBlock(this.shader);
    list.push(block);
    while (this.nextLine()) {
      if (this.accept('}')) return;
      if (this.tokens[1] === ':' && this.tokens.length === 2) {
        this.blocks.set(this.next(), block);
        this.nameBlock(this.tokens[0]!, block);
      } else if (this.accept('temporary')) fn.locals.push(this.declaration('temporary'));
      else if (this.peek() === 'if' || this.peek() === 'loop') {
        this.parseNode(fn, list, depth);
        block = createBlock(this.shader);
        list.push(block);
      } else this.parseInstruction(block);
    }
    this.fail('missing }');
  }

  parseNode(fn: IrFunction, list: BodyNode[], depth: number): void {
    if (this.next() === 'loop') {
      const node: LoopNode = { kind: 'loop', body: [], continuing: [], uniform: false };
      list.push(node);
      this.expect('{');
      this.parseList(fn, node.body, depth + 1);
      if (this.accept('continuing')) this.parseList(fn, node.continuing, depth + 1);
      return;
    }
    const name = this.next();
    const condition = this.values.get(name) ?? this.fail(`${name} is not defined`);
    const node: IfNode = { kind: 'if', condition, thenBody: [], elseBody: [], uniform: false };
    list.push(node);
    this.expect('{');
    this.parseList(fn, node.thenBody, depth + 1);
    if (this.accept('else')) this.parseList(fn, node.elseBody, depth + 1);
    else node.elseBody.push(createBlock(this.shader));
  }

  nameBlock(name: string, block: Block): void {
    for (const { info, index } of this.pendingPhis.get(name) ?? []) info[index] = block;
    this.pendingPhis.delete(name);
  }
}
