// The intermediate representation between the GLSL front end and every backend: what it means, then its types.
//
// # The contract
//
// ## Values
// An instruction that makes a result IS the value (SSA): its operands (`sources`) are other instructions. A value has
// `components` 1..4 and `bits` 1 (boolean, stored as 0 or 1) or 32 (typeless: the opcode that reads it says whether it
// is float, int or uint). `components` is 0 on an instruction without result. Sources carry no swizzle: `swizzle` and
// `vec` are instructions. Component-wise opcodes take operands that all have the result's component count; there is no
// implicit splat. Value ids and block ids are unique in a shader and below `nextValueId` / `nextBlockId`, so a pass may
// keep side tables in plain arrays.
//
// ## Arithmetic
// Floats are IEEE binary32, round to nearest even, denormals kept; each opcode rounds once, unless `opcodes.table.ts`
// says otherwise. Nothing traps. x/0 is ±Inf, 0/0 is NaN. NaN payload and sign are unspecified until `fcanonical` (used
// for floatBitsTo*) or `storeOutput` of a float output makes them 0x7fc00000. Bits that integers brought are no such NaN:
// unless the shader is exact, a pass may drop an fcanonical of them, and `rawComponents` lets outputs keep them. `fmin(a,b)` is `b<a ? b : a`, `fmax(a,b)`
// is `a<b ? b : a`. Integers wrap. idiv and udiv by zero give all ones, irem and umod by zero give the dividend,
// -2^31 / -1 wraps. Shift counts count modulo 32. f2i and f2u truncate, saturate, and turn NaN into 0.
// `undef` reads as zero everywhere (so that pictures do not depend on a backend), but a pass may choose any value for it
// if it does so in every place.
//
// ## Control flow
// A function body is a list of nodes, and so are both sides of an `if` and the body of a `loop`. Every list starts and
// ends with a block and alternates: block, (if | loop), block, … so there is always a block before and after an if or a
// loop; blocks may be empty. Jumps (`break`, `continue`, `return`) are the last instruction of a block, and a block with
// a jump is the last node of its list. A block without predecessors is unreachable; it is legal and must be empty or
// removable.
//
// A loop repeats `body`, then `continuing`, until a `break`. `continue` goes to the start of `continuing`. `continuing`
// obeys the list invariant when it is not empty ([]), and contains no jump that leaves it (no break/continue of this
// loop, no return). A `break` or `continue` belongs to the innermost loop.
//
// ## Phis and visibility
// Phis stand first in a block, one source per predecessor (`info[i]` is the predecessor block of `sources[i]`):
//  - in the block after an if: the last block of each side that does not end with a jump;
//  - in the first block of a loop's body (the header): the block before the loop, and the last block of the body if it
//    does not end with a jump (a loop with `continue` jumps or a `continuing` list has no phis there);
//  - in the block after a loop: the block of each `break` of that loop.
// All phis of a block read their sources at once, on the edge.
// A value is visible in the rest of its block and in the later nodes of the same list with all they contain, nowhere
// else: what an if or a loop computes leaves it only by a phi of the block behind it (even if that phi has one source).
//
// ## Lanes
// A shader runs for several lanes at once: a 2×2 quad of fragments (0 = left bottom, 1 = right, 2 = above 0, 3 = above
// 1), or any number of vertices. Each lane takes its own way; a block runs if any lane is active in it. `fddx`, `fddy`
// and texture ops with an implicit level of detail read the other lanes of the quad and are defined only where all lanes
// that entered the shader are active. `discard` (a fragment lane whose condition is true, or every lane without
// condition) takes the lane out: it decides no branch any more and stores nothing; straight-line code outside of any
// branch still computes its values, so that its neighbours keep their derivatives. `return` in `main` ends the lane but
// keeps what it stored. An endless loop is ended by whoever runs the shader, by counting back edges.
//
// ## Forms
// *Variable form* (what the front end makes): functions with parameters, `call`, variables with loadVar / storeVar /
// copyVar, return anywhere, continue, continuing; no phis needed.
// *Lowered form* (what `optimizeShader` makes and backends read): one function `main` without parameters, no variables,
// no call, no return, no continue, `continuing` empty: the only jump is `break`; loops have a header with phis of at most
// two sources. Dynamically indexed temporaries have become `locals`.
//
// ## Variables
// A variable holds a tree of types. An access goes down a path: a number selects a struct member, an array element, a
// matrix column or a vector component; a dynamic step selects all but struct members. A dynamic index is clamped as
// unsigned number to the last element. loadVar and storeVar end at a scalar or a vector, copyVar at any type.
// A variable belongs to a function (`locals`, `parameters`) or to the shader (`globals`, mode 'global': GLSL's global
// variables, also where the front end gathers inputs and outputs). It holds zero at the start
// of its owner (an array of a function that is called again may still hold what the call before left).
//
// ## Calls
// A call hands over whole variables of the caller, one per parameter of equal type. The callee works on the caller's
// variable itself: the front end therefore copies each argument into a fresh temporary before the call (`in`, `inout`)
// and out of it after the call (`out`, `inout`, and the function's result, which is one more `out` parameter). No
// variable may be handed over twice in one call, nor a global one. Recursion is not legal.
//
// ## Input and output
// Slots are vec4s of 32-bit components. Inputs and outputs are read and written by constant slot only. Vertex inputs:
// `attribute0…`; varyings: `position`, `pointSize`, `var0…var31`; fragment outputs: `color0…color7` (`color0Secondary`
// for dual-source blending), `depth`, `sampleMask`. `clip0` and `clip1` hold up to eight distances of gl_ClipDistance, then
// those of gl_CullDistance (vertex outputs, fragment inputs; interpolated like smooth varyings). Missing input components are the producer's matter (0,0,0,1).
// Default-block uniforms stand in constant buffer 0, one vec4 slot for each scalar, vector, matrix column and array
// element; uniform blocks are addressed by byte (std140). Offsets are clamped as unsigned numbers: in loadUniform to the
// end of `range`, in loadUbo so that the read ends with the bound buffer.

// ---------------------------------------------------------------------------------------------------------- types

export type BaseType = 'float' | 'int' | 'uint' | 'bool';

/** A scalar is a vector of one component. */
export interface VectorType {
  readonly kind: 'vector';
  readonly base: BaseType;
  readonly components: number;
}

/** Float matrix: `columns` vectors of `rows` components. */
export interface MatrixType {
  readonly kind: 'matrix';
  readonly columns: number;
  readonly rows: number;
}

export interface ArrayType {
  readonly kind: 'array';
  readonly element: IrType;
  readonly length: number;
}

export interface StructType {
  readonly kind: 'struct';
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly type: IrType }[];
}

export type IrType = VectorType | MatrixType | ArrayType | StructType;

const VECTOR_TYPES: Record<BaseType, VectorType[]> = { float: [], int: [], uint: [], bool: [] };
for (const base of ['float', 'int', 'uint', 'bool'] as const) {
  for (let components = 0; components <= 4; components++) VECTOR_TYPES[base].push({ kind: 'vector', base, components });
}

/** The (shared) vector type of a base type and component count. */
export function vectorType(base: BaseType, components = 1): VectorType {
  return VECTOR_TYPES[base][components]!;
}

export function matrixType(columns: number, rows: number): MatrixType {
  return { kind: 'matrix', columns, rows };
}

export function arrayType(element: IrType, length: number): ArrayType {
  return { kind: 'array', element, length };
}

export function structType(name: string, members: readonly { name: string; type: IrType }[]): StructType {
  return { kind: 'struct', name, members };
}

/** The type one path step below `type`; `step` matters only for structs. Undefined when nothing is below. */
export function childType(type: IrType, step: number): IrType | undefined {
  if (type.kind === 'array') return type.element;
  if (type.kind === 'matrix') return vectorType('float', type.rows);
  if (type.kind === 'struct') return type.members[step]?.type;
  return type.components > 1 ? vectorType(type.base, 1) : undefined;
}

/** How many children a type has: members, elements, columns, components (0 for a scalar). */
export function childCount(type: IrType): number {
  if (type.kind === 'array') return type.length;
  if (type.kind === 'matrix') return type.columns;
  if (type.kind === 'struct') return type.members.length;
  return type.components > 1 ? type.components : 0;
}

export function typesEqual(a: IrType, b: IrType): boolean {
  if (a === b) return true;
  if (a.kind === 'vector') return b.kind === 'vector' && a.base === b.base && a.components === b.components;
  if (a.kind === 'matrix') return b.kind === 'matrix' && a.columns === b.columns && a.rows === b.rows;
  if (a.kind === 'array') return b.kind === 'array' && a.length === b.length && typesEqual(a.element, b.element);
  if (b.kind !== 'struct' || a.members.length !== b.members.length) return false;
  return a.members.every((member, i) => typesEqual(member.type, b.members[i]!.type));
}

// ------------------------------------------------------------------------------------------------------ variables

export type VariableMode = 'global' | 'temporary' | 'in' | 'out' | 'inout';
export type Precision = 'low' | 'medium' | 'high';

export interface Variable {
  /** For people: need not be unique (the printer makes it so). */
  name: string;
  readonly type: IrType;
  /** `temporary` for a function's locals, `in` / `out` / `inout` for its parameters, `global` for the shader's. */
  readonly mode: VariableMode;
  /** A hint for backends with small floats. */
  readonly precision: Precision;
}

// --------------------------------------------------------------------------------------------------- instructions

export type Bits = 1 | 32;

/** Every instruction object has exactly these fields in this order, whatever its kind: passes stay monomorphic. */
interface InstructionShape<Kind extends string, Op extends string, Info> {
  readonly kind: Kind;
  op: Op;
  id: number;
  components: number;
  bits: Bits;
  sources: Value[];
  /** Set by gather-uniform: the same in all lanes of a draw (depends on constants and uniforms only). */
  uniform: boolean;
  /** What is special to the kind and op. */
  info: Info;
}

/** An operation of `opcodes.table.ts`. `info` holds the component selection of a `swizzle`, else null. */
export interface AluInstruction extends InstructionShape<'alu', string, readonly number[] | null> {}

/** A constant; `info` holds one 32-bit pattern per component (0 or 1 for booleans). Never written after creation. */
export interface ConstInstruction extends InstructionShape<'const', 'const', Uint32Array> {}

export interface UndefInstruction extends InstructionShape<'undef', 'undef', null> {}

/** `info[i]` is the predecessor from which `sources[i]` comes. */
export interface PhiInstruction extends InstructionShape<'phi', 'phi', Block[]> {}

/** Reads and writes of the outside world and of variables; see `intrinsics.ts` for each op's sources and info. */
export type IntrinsicInstruction = {
  [Op in IntrinsicName]: InstructionShape<'intrinsic', Op, IntrinsicInfo[Op]>;
}[IntrinsicName];

/** The instruction of one intrinsic op. */
export type Intrinsic<Op extends IntrinsicName> = InstructionShape<'intrinsic', Op, IntrinsicInfo[Op]>;

export interface TexInstruction extends InstructionShape<'tex', TexOp, TexInfo> {}

export interface JumpInstruction extends InstructionShape<'jump', JumpKind, null> {}

/** Calls `info.callee` with whole variables, one per parameter. No sources. */
export interface CallInstruction extends InstructionShape<'call', 'call', CallInfo> {}

export type Instruction =
  | AluInstruction
  | ConstInstruction
  | UndefInstruction
  | PhiInstruction
  | IntrinsicInstruction
  | TexInstruction
  | JumpInstruction
  | CallInstruction;

/** A value is the instruction that makes it (an instruction with `components` > 0). */
export type Value = Instruction;

export type JumpKind = 'break' | 'continue' | 'return';

export interface CallInfo {
  callee: IrFunction;
  arguments: Variable[];
}

/**
 * A path from a variable to a part of it. A step >= 0 is a constant index; a step < 0 is dynamic: the index is
 * `sources[dynamicStepSource(step)]` of the instruction, an int scalar.
 */
export type Path = readonly number[];

export function dynamicStep(sourceIndex: number): number {
  return -1 - sourceIndex;
}

export function dynamicStepSource(step: number): number {
  return -1 - step;
}

/** The info of each intrinsic; its sources and result are in the comment. */
export interface IntrinsicInfo {
  /** sources: the dynamic indices. Result: the vector at the path. */
  loadVar: { variable: Variable; path: Path };
  /** sources: value, then the dynamic indices. Bit i of writeMask writes component i of the vector at the path. */
  storeVar: { variable: Variable; path: Path; writeMask: number };
  /** sources: the dynamic indices of both paths. Copies a part of any type from `source` to `variable`. */
  copyVar: { variable: Variable; path: Path; source: Variable; sourcePath: Path };
  /** no sources. Result: `components` components of the slot from `component` on. */
  loadInput: { slot: Slot; component: number };
  /** sources: value (32 bits), written to the slot's components from `component` on. */
  storeOutput: { slot: Slot; component: number };
  /**
   * Fragment stage: as loadInput, but interpolated elsewhere than the input's qualifiers say. sources: none for 'centroid', the
   * number of a sample (int scalar) for 'sample', an offset from the pixel's centre (two floats) for 'offset'.
   */
  loadInputAt: { slot: Slot; component: number; at: InterpolationPlace };
  /**
   * sources: none, or one int scalar (offset in slots, clamped to `range` - 1). Result: the first components of slot
   * `base` + offset of constant buffer 0.
   */
  loadUniform: { base: number; range: number };
  /** sources: none, or one int scalar (byte offset added to `base`). Result: that many consecutive 32-bit words. */
  loadUbo: { block: number; base: number };
  /** sources: index (int scalar). Result: the element of `shader.locals[array]`. */
  loadLocal: { array: number };
  /** sources: index, value. */
  storeLocal: { array: number; writeMask: number };
  /** no sources. Components and bits: see `SYSTEM_VALUES` in `intrinsics.ts`. */
  sysval: { name: SystemValue };
  /** sources: none (always), or one boolean scalar. Fragment stage. */
  discard: null;
}

export type InterpolationPlace = 'centroid' | 'sample' | 'offset';

export type IntrinsicName = keyof IntrinsicInfo;

export type SystemValue =
  | 'vertexId'
  | 'instanceId'
  | 'drawId'
  | 'baseVertex'
  | 'baseInstance'
  | 'fragCoord'
  | 'frontFacing'
  | 'pointCoord'
  | 'sampleId'
  | 'samplePosition'
  | 'sampleMaskIn'
  | 'sampleCount';

// -------------------------------------------------------------------------------------------------------- texture

export type TexOp = 'sample' | 'bias' | 'lod' | 'grad' | 'fetch' | 'size';
export type TexDim = '2d' | '3d' | 'cube' | '2dArray';

/** What each source of a texture instruction is. */
export type TexRole = 'coord' | 'comparator' | 'bias' | 'lod' | 'ddx' | 'ddy';

/**
 * sample: implicit level of detail (level 0 in a vertex shader). bias: the same plus `bias`. lod: explicit `lod`. grad:
 * from `ddx`, `ddy`. fetch: integer `coord` and `lod`, no filtering. size: `lod` (int) → ints (width, height[, depth or
 * layers]).
 * Coordinates have 2 components for 2d, 3 else (2dArray: layer last, as float, rounded to nearest even by the sampler;
 * fetch: all ints). Projection is already divided out. The result has 4 components, with `shadow` 1.
 */
export interface TexInfo {
  /** Index into the program's sampler list. */
  sampler: number;
  dim: TexDim;
  shadow: boolean;
  resultType: 'float' | 'int' | 'uint';
  /** Parallel to `sources`. */
  roles: readonly TexRole[];
  /** Constant texel offset, 2 or 3 ints, or null. */
  offset: readonly number[] | null;
}

/** The source of a texture instruction in a role, or undefined. */
export function texSource(instruction: TexInstruction, role: TexRole): Value | undefined {
  const index = instruction.info.roles.indexOf(role);
  return index < 0 ? undefined : instruction.sources[index];
}

// ---------------------------------------------------------------------------------------------------------- nodes

export interface Block {
  readonly kind: 'block';
  id: number;
  instructions: Instruction[];
}

export interface IfNode {
  readonly kind: 'if';
  /** Boolean scalar. */
  condition: Value;
  thenBody: BodyNode[];
  elseBody: BodyNode[];
  /** Set by gather-uniform: all lanes that come here go the same way. */
  uniform: boolean;
}

export interface LoopNode {
  readonly kind: 'loop';
  body: BodyNode[];
  /** Empty ([]) in lowered form. */
  continuing: BodyNode[];
  /** Set by gather-uniform: all lanes that come here leave in the same iteration by the same break. */
  uniform: boolean;
}

export type BodyNode = Block | IfNode | LoopNode;

export interface IrFunction {
  name: string;
  parameters: Variable[];
  locals: Variable[];
  body: BodyNode[];
}

// --------------------------------------------------------------------------------------------------------- shader

export type Stage = 'vertex' | 'fragment';

export type Slot =
  | 'position'
  | 'pointSize'
  | 'depth'
  | 'sampleMask'
  | `attribute${number}`
  | `var${number}`
  | `clip${number}`
  | `color${number}`
  | `color${number}Secondary`;

export type Interpolation = 'smooth' | 'flat' | 'noperspective';

/** One slot of a stage's interface. */
export interface SlotInfo {
  /** The GLSL name (with [i] for a part), for messages. */
  name: string;
  slot: Slot;
  components: number;
  base: 'float' | 'int' | 'uint';
  /** Of varyings; `smooth` elsewhere. */
  interpolation: Interpolation;
  centroid: boolean;
  /** Interpolated at the sample that is being shaded; implies `sampleShading`. */
  sample?: boolean;
  /** Of a float output, bit c: component c holds integer bits, which are kept even where they are those of a NaN. */
  rawComponents?: number;
}

export interface SamplerInfo {
  name: string;
  dim: TexDim;
  shadow: boolean;
  resultType: 'float' | 'int' | 'uint';
}

export interface UniformBlockInfo {
  name: string;
  sizeBytes: number;
}

/** A dynamically indexed temporary of the lowered form: `length` elements of `components` 32-bit words, zero at start. */
export interface LocalArray {
  name: string;
  length: number;
  components: number;
}

/** Facts that gather-info writes; before that they are empty. */
export interface ShaderUsage {
  discard: boolean;
  writesDepth: boolean;
  writesSampleMask: boolean;
  /** fddx/fddy or an implicit level of detail: whole quads must run. */
  derivatives: boolean;
  sysvals: Set<SystemValue>;
  inputs: Set<Slot>;
  outputs: Set<Slot>;
  samplers: Set<number>;
  uniformBlocks: Set<number>;
  /** One past the last uniform slot that may be read. */
  uniformSlots: number;
  instructions: number;
  loops: number;
}

export interface Shader {
  name: string;
  readonly stage: Stage;
  functions: IrFunction[];
  /** One of `functions`, without parameters. */
  main: IrFunction;
  globals: Variable[];
  inputs: SlotInfo[];
  outputs: SlotInfo[];
  samplers: SamplerInfo[];
  uniformBlocks: UniformBlockInfo[];
  /** Size of constant buffer 0 in vec4 slots. */
  uniformSlots: number;
  locals: LocalArray[];
  /** `invariant` or the like is in force: no rewrite may change a float result by a bit. */
  isExact: boolean;
  earlyFragmentTests: boolean;
  /** All arithmetic is on scalars (lower-to-scalars has run). */
  isScalar: boolean;
  /** Vertex shader: how many distances in `clip0`, `clip1` clip, and how many behind those cull. */
  clipDistances: number;
  cullDistances: number;
  /** The fragment shader runs once for each covered sample. */
  sampleShading: boolean;
  usage: ShaderUsage;
  nextValueId: number;
  nextBlockId: number;
}

/** Lists nested deeper than this, or more instructions than this, are refused as too complex. */
export const MAX_NESTING = 256;
export const MAX_INSTRUCTIONS = 400_000;
/** What inlining and splitting variables may make of a shader; far beyond what the later passes take. */
export const MAX_EXPANSION = 100_000;

// ------------------------------------------------------------------------------------------------------- creation

export function createUsage(): ShaderUsage {
  return {
    discard: false,
    writesDepth: false,
    writesSampleMask: false,
    derivatives: false,
    sysvals: new Set(),
    inputs: new Set(),
    outputs: new Set(),
    samplers: new Set(),
    uniformBlocks: new Set(),
    uniformSlots: 0,
    instructions: 0,
    loops: 0,
  };
}

/** An empty shader; its `main` has one empty block. */
export function createShader(stage: Stage, name = 'shader'): Shader {
  const main: IrFunction = { name: 'main', parameters: [], locals: [], body: [] };
  const shader: Shader = {
    name,
    stage,
    functions: [main],
    main,
    globals: [],
    inputs: [],
    outputs: [],
    samplers: [],
    uniformBlocks: [],
    uniformSlots: 0,
    locals: [],
    isExact: false,
    earlyFragmentTests: false,
    isScalar: false,
    clipDistances: 0,
    cullDistances: 0,
    sampleShading: false,
    usage: createUsage(),
    nextValueId: 0,
    nextBlockId: 0,
  };
  main.body.push(createBlock(shader));
  return shader;
}

/** Adds a function with one empty block; parameters may be pushed afterwards. */
export function createFunction(shader: Shader, name: string, parameters: Variable[] = []): IrFunction {
  const result: IrFunction = { name, parameters, locals: [], body: [createBlock(shader)] };
  shader.functions.push(result);
  return result;
}

export function createVariable(
  name: string,
  type: IrType,
  mode: VariableMode = 'temporary',
  precision: Precision = 'high',
): Variable {
  return { name, type, mode, precision };
}

export function createBlock(shader: Shader): Block {
  return { kind: 'block', id: shader.nextBlockId++, instructions: [] };
}

/** The one place where instruction objects are made. `Kind`, `op` and `info` must belong together. */
export function createInstruction(
  shader: Shader,
  kind: Instruction['kind'],
  op: string,
  components: number,
  bits: Bits,
  sources: Value[],
  info: Instruction['info'],
): Instruction {
  return { kind, op, id: shader.nextValueId++, components, bits, sources, uniform: false, info } as Instruction;
}

/** Whether a node list ends with a jump (so that what follows it cannot be reached from its end). */
export function endsWithJump(list: readonly BodyNode[]): boolean {
  const last = list[list.length - 1];
  if (last === undefined || last.kind !== 'block') return false;
  const instruction = last.instructions[last.instructions.length - 1];
  return instruction !== undefined && instruction.kind === 'jump';
}

export function firstBlock(list: readonly BodyNode[]): Block {
  return list[0] as Block;
}

export function lastBlock(list: readonly BodyNode[]): Block {
  return list[list.length - 1] as Block;
}
