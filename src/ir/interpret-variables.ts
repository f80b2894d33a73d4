// The interpreter's memory of variables: one word per component and lane, and the walk down access paths.
import type { Register } from './evaluate.ts';
import {
  childCount,
  childType,
  dynamicStepSource,
  type Instruction,
  type Intrinsic,
  type IrType,
  type Path,
  type Shader,
  type Value,
  type Variable,
} from './ir.ts';

/** The storage of the variables that one call of a function sees. */
export type Frame = Map<Variable, Uint32Array>;

/** What the memory needs of the machine. */
interface Registers {
  read(value: Value): Register;
  write(value: Value): Register;
}

export class VariableMemory {
  readonly lanes: number;
  readonly registers: Registers;
  readonly globals: Frame = new Map();
  readonly sizes = new Map<IrType, number>();
  frame: Frame = new Map();

  constructor(shader: Shader, lanes: number, registers: Registers) {
    this.lanes = lanes;
    this.registers = registers;
    for (const variable of shader.globals) this.globals.set(variable, this.newStorage(variable));
  }

  sizeOf(type: IrType): number {
    const known = this.sizes.get(type);
    if (known !== undefined) return known;
    let size = 0;
    if (type.kind === 'vector') size = type.components;
    else if (type.kind === 'struct') for (const member of type.members) size += this.sizeOf(member.type);
    else size = childCount(type) * this.sizeOf(childType(type, 0)!);
    this.sizes.set(type, size);
    return size;
  }

  newStorage(variable: Variable): Uint32Array {
    return new Uint32Array(this.sizeOf(variable.type) * this.lanes);
  }

  storage(variable: Variable): Uint32Array {
    const words = this.frame.get(variable) ?? this.globals.get(variable);
    if (words === undefined) throw new Error(`variable ${variable.name} is not in scope`);
    return words;
  }

  /** Word offset of a path within one lane's copy of the variable. */
  resolve(type: IrType, path: Path, instruction: Instruction, lane: number): { offset: number; type: IrType } {
    let current = type;
    let offset = 0;
    for (const step of path) {
      const index =
        step >= 0
          ? step
          : Math.min(
              this.registers.read(instruction.sources[dynamicStepSource(step)]!).u[lane]!,
              childCount(current) - 1,
            );
      if (current.kind === 'struct') {
        for (let i = 0; i < index; i++) offset += this.sizeOf(current.members[i]!.type);
      } else offset += index * this.sizeOf(childType(current, 0)!);
      current = childType(current, index)!;
    }
    return { offset, type: current };
  }

  access(instruction: Intrinsic<'loadVar'> | Intrinsic<'storeVar'> | Intrinsic<'copyVar'>, mask: number): void {
    const { variable, path } = instruction.info;
    const words = this.storage(variable);
    const stride = this.sizeOf(variable.type);
    const copied: Uint32Array[] = [];
    for (let lane = 0; lane < this.lanes; lane++) {
      const { offset, type } = this.resolve(variable.type, path, instruction, lane);
      const first = lane * stride + offset;
      if (instruction.op === 'loadVar') {
        const n = instruction.components;
        this.registers.write(instruction).u.set(words.subarray(first, first + n), lane * n);
      } else if (instruction.op === 'storeVar') {
        if (!((mask >> lane) & 1)) continue;
        const value = this.registers.read(instruction.sources[0]!);
        for (let c = 0; c < value.components; c++) {
          if ((instruction.info.writeMask >> c) & 1) words[first + c] = value.u[lane * value.components + c]!;
        }
      } else {
        const { source, sourcePath } = instruction.info;
        const from = lane * this.sizeOf(source.type) + this.resolve(source.type, sourcePath, instruction, lane).offset;
        copied[lane] = this.storage(source).slice(from, from + this.sizeOf(type));
        if ((mask >> lane) & 1) words.set(copied[lane]!, first);
      }
    }
  }
}
