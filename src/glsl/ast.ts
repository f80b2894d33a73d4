// The typed, checked AST that the front end hands to the linker and the lowering.
// Every name is resolved to a symbol object, every expression has its type, and whatever GLSL calls a constant
// expression carries its value. A tree exists only for shaders without errors, so consumers need not check again.
// Depth is bounded: expressions nest at most MAX_EXPRESSION_DEPTH deep (left spines of `a + b + c` included) and
// statements at most MAX_STATEMENT_DEPTH, so walking by recursion is safe.

import type { Precision, StructType, Type } from './types.ts';

export type ShaderStage = 'vertex' | 'fragment';
export type ShaderVersion = 100 | 300;
export type ShaderProfile = 'gles' | 'webgl';

export const MAX_EXPRESSION_DEPTH = 512;
export const MAX_STATEMENT_DEPTH = 500;

/** Line and source-string number in one number: string × 2^32 + line. Both follow `#line`. */
export type SourcePosition = number;

export function makePosition(string: number, line: number): SourcePosition {
  return string * 0x1_0000_0000 + line;
}

export function positionLine(position: SourcePosition): number {
  return position % 0x1_0000_0000;
}

export function positionString(position: SourcePosition): number {
  return Math.floor(position / 0x1_0000_0000);
}

/**
 * A constant's scalars, flat: array elements and struct members in order, matrices column by column; length is
 * `componentCount(type)`. float: a float32-exact number (NaN and infinities possible); int: −2^31…2^31−1;
 * uint: 0…2^32−1; bool: 0 or 1.
 */
export type ConstantValue = readonly number[];

// ---- symbols ------------------------------------------------------------------------------------------------------

/**
 * Where a variable lives. GLSL ES 1.00's `attribute` and `varying` appear as `in` and `out` of their stage.
 * `const`: its value is in `constant` (a `const` parameter is a `parameter`).
 */
export type StorageQualifier = 'const' | 'in' | 'out' | 'uniform' | 'global' | 'local' | 'parameter';

export type ParameterDirection = 'in' | 'out' | 'inout';

export type Interpolation = 'smooth' | 'flat' | 'noperspective';

export interface LayoutQualifier {
  /** `layout(location = n)`: vertex inputs and fragment outputs. */
  location?: number;
  /** EXT_blend_func_extended: `layout(index = n)`. */
  index?: number;
  /** Not in GLSL ES 3.00; a slot for 3.10. */
  binding?: number;
}

/** How large a shader makes one of the arrays of distances (EXT_clip_cull_distance): as declared, or as indexed. */
export interface DistanceArray {
  declaredSize: number | undefined;
  /** One past the highest constant index. */
  indexedSize: number;
}

export interface VariableSymbol {
  readonly kind: 'variable';
  readonly name: string;
  readonly type: Type;
  /** gl_ClipDistance, gl_CullDistance. */
  readonly distances: DistanceArray | undefined;
  readonly storage: StorageQualifier;
  /** For `parameter`. A `const in` parameter is `in` with `isReadOnly`. */
  readonly direction: ParameterDirection;
  readonly precision: Precision | undefined;
  readonly interpolation: Interpolation;
  readonly isCentroid: boolean;
  /** `sample in`, `sample out`. */
  readonly isSample: boolean;
  /** By `invariant` at the declaration, a later `invariant name;`, or `#pragma STDGL invariant(all)`. */
  isInvariant: boolean;
  readonly layout: LayoutQualifier;
  /** A variable the language provides (`gl_Position`, `gl_FragData`, …). */
  readonly isBuiltin: boolean;
  /** `const` parameters and everything else that is not an l-value by declaration. */
  readonly isReadOnly: boolean;
  /**
   * Members of a block without instance name: the block and the member's index in `block.type.members`.
   * The instance variable of a block with instance name: the block, with `blockMember` = −1; its type is `block.type`
   * or an array of it.
   */
  readonly block: InterfaceBlock | undefined;
  readonly blockMember: number;
  /** Value of a `const` variable. */
  readonly constant: ConstantValue | undefined;
  /** Initialiser of a global or local that is not `const`. */
  initializer: Expression | undefined;
  /** Named anywhere in the code after preprocessing ("static use"), unreachable code and uncalled functions included. */
  isStaticallyUsed: boolean;
  /** Statically assigned somewhere: =, op=, ++, --, or passed as an out/inout argument. */
  isStaticallyAssigned: boolean;
  readonly position: SourcePosition;
}

export type BlockStorage = 'std140' | 'shared' | 'packed';

/** A uniform block (GLSL ES 3.00 §4.3.7). */
export interface InterfaceBlock {
  readonly name: string;
  /** Empty when the block has no instance name. */
  readonly instanceName: string;
  /** 0 for a single block, else the number of instances (`Block name[3]`). */
  readonly arraySize: number;
  readonly blockStorage: BlockStorage;
  /** The members; `isRowMajor` of each is resolved from block and member qualifiers. */
  readonly type: StructType;
  isStaticallyUsed: boolean;
  readonly position: SourcePosition;
}

export interface FunctionSymbol {
  readonly kind: 'function';
  readonly name: string;
  readonly returnType: Type;
  readonly returnPrecision: Precision | undefined;
  /** Those of the definition, once it has been seen: the ones the body refers to. */
  parameters: readonly VariableSymbol[];
  /** Absent for a prototype that is never called (calling an undefined function is a compile error here). */
  body: BlockStatement | undefined;
  /** Functions it calls directly. There is no recursion: checked. */
  readonly callees: Set<FunctionSymbol>;
  readonly position: SourcePosition;
}

// ---- built-in functions -------------------------------------------------------------------------------------------

/** What an argument of a texture function is for. */
export type TextureRole = 'sampler' | 'coord' | 'bias' | 'lod' | 'ddx' | 'ddy' | 'offset';

export interface TextureCall {
  readonly op: 'sample' | 'bias' | 'lod' | 'grad' | 'fetch' | 'size';
  /**
   * Coordinate is to be divided by its last component (…Proj). For a shadow sampler the compare value is divided too:
   * it is coord.z then (and coord.w the divisor).
   */
  readonly isProjected: boolean;
  /** The role of each argument. A shadow sampler's compare value is the component of coord after the coordinates. */
  readonly roles: readonly TextureRole[];
}

/** One overload of a built-in function, with the generic types filled in. */
export interface BuiltinFunction {
  readonly name: string;
  readonly parameterTypes: readonly Type[];
  /** Direction of each parameter; only `modf` has an `out`. */
  readonly directions: readonly ParameterDirection[];
  readonly returnType: Type;
  readonly texture: TextureCall | undefined;
}

// ---- expressions --------------------------------------------------------------------------------------------------

interface ExpressionBase {
  readonly type: Type;
  readonly position: SourcePosition;
  /** The value, when this is a constant expression (then evaluating has no side effects). Look here first. */
  readonly constant: ConstantValue | undefined;
  /** Height of the tree below and including this node. */
  readonly depth: number;
}

/** A literal, or any folded constant expression of whatever form (the original tree is not kept). */
export interface ConstantExpression extends ExpressionBase {
  readonly kind: 'constant';
  readonly constant: ConstantValue;
}

/** A variable's name. For a `const` variable of array or struct type `constant` is set and shared by all its uses. */
export interface VariableExpression extends ExpressionBase {
  readonly kind: 'variable';
  readonly symbol: VariableSymbol;
}

/** `object.member` of a struct, or of an instance of a named block. */
export interface MemberExpression extends ExpressionBase {
  readonly kind: 'member';
  readonly object: Expression;
  readonly memberIndex: number;
}

/** `object.xyz`: components of a vector. */
export interface SwizzleExpression extends ExpressionBase {
  readonly kind: 'swizzle';
  readonly object: Expression;
  /** 1 to 4 component indices of `object`. Repeated ones only where it is not assigned to. */
  readonly components: readonly number[];
}

/** `object[index]`: array element, matrix column, vector component, or instance of a block array. `index` is int or uint. */
export interface IndexExpression extends ExpressionBase {
  readonly kind: 'index';
  readonly object: Expression;
  readonly index: Expression;
}

export interface UnaryExpression extends ExpressionBase {
  readonly kind: 'unary';
  /** Unary plus is dropped by the parser. */
  readonly operator: '-' | '!' | '~';
  readonly operand: Expression;
}

/** ++ and --: component-wise on scalars, vectors and matrices of float, int or uint. */
export interface IncrementExpression extends ExpressionBase {
  readonly kind: 'increment';
  readonly operator: '++' | '--';
  /** `++x` gives the new value; otherwise `x++` gives the old one. */
  readonly isPrefix: boolean;
  /** An l-value. */
  readonly operand: Expression;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '&' | '|' | '^';
export type CompareOperator = '==' | '!=' | '<' | '>' | '<=' | '>=';
export type LogicalOperator = '&&' | '||' | '^^';
export type BinaryOperator = ArithmeticOperator | CompareOperator | LogicalOperator;

/**
 * Operands as GLSL ES §5.9 allows: for + - / either equal types or a scalar with a vector/matrix of the same base;
 * `*` also the linear-algebra products (vector×matrix, matrix×vector, matrix×matrix); `==` and `!=` on any type,
 * structs and arrays included, give one bool; && and || evaluate the right side only when needed. Shifts may mix int and uint.
 */
export interface BinaryExpression extends ExpressionBase {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `target = value` or, with an operator, `target op= value` (meaning as in BinaryExpression). Value: the new value. */
export interface AssignExpression extends ExpressionBase {
  readonly kind: 'assign';
  readonly operator: ArithmeticOperator | undefined;
  /** An l-value: a variable, or member/index/swizzle steps that end in one. */
  readonly target: Expression;
  readonly value: Expression;
}

/** `condition ? whenTrue : whenFalse`: only one branch is evaluated. */
export interface ConditionalExpression extends ExpressionBase {
  readonly kind: 'conditional';
  readonly condition: Expression;
  readonly whenTrue: Expression;
  readonly whenFalse: Expression;
}

/** `a, b, c`: all evaluated in order; the value is the last one's. */
export interface CommaExpression extends ExpressionBase {
  readonly kind: 'comma';
  readonly expressions: readonly Expression[];
}

/**
 * `type(arguments)`. For a scalar, vector or matrix (GLSL ES §5.4): one scalar fills a vector or the diagonal of a matrix;
 * one matrix gives a matrix's upper left (rest from identity); else the arguments' components are taken in order,
 * converted to the base type, surplus ones dropped. For a struct or array: one argument each member or element, types equal.
 */
export interface ConstructorExpression extends ExpressionBase {
  readonly kind: 'construct';
  readonly arguments: readonly Expression[];
}

export interface CallExpression extends ExpressionBase {
  readonly kind: 'call';
  readonly callee: FunctionSymbol;
  readonly arguments: readonly Expression[];
}

export interface BuiltinCallExpression extends ExpressionBase {
  readonly kind: 'builtin';
  readonly builtin: BuiltinFunction;
  readonly arguments: readonly Expression[];
}

export type Expression =
  | ConstantExpression
  | VariableExpression
  | MemberExpression
  | SwizzleExpression
  | IndexExpression
  | UnaryExpression
  | IncrementExpression
  | BinaryExpression
  | AssignExpression
  | ConditionalExpression
  | CommaExpression
  | ConstructorExpression
  | CallExpression
  | BuiltinCallExpression;

// ---- statements ---------------------------------------------------------------------------------------------------

interface StatementBase {
  readonly position: SourcePosition;
}

export interface BlockStatement extends StatementBase {
  readonly kind: 'block';
  readonly statements: readonly Statement[];
}

/** Local variables in order; each has its `initializer` (or is undefined at first). `const` ones need no code. */
export interface DeclarationStatement extends StatementBase {
  readonly kind: 'declaration';
  readonly variables: readonly VariableSymbol[];
}

export interface ExpressionStatement extends StatementBase {
  readonly kind: 'expression';
  readonly expression: Expression;
}

export interface IfStatement extends StatementBase {
  readonly kind: 'if';
  readonly condition: Expression;
  readonly thenBranch: Statement;
  readonly elseBranch: Statement | undefined;
}

/**
 * `while (bool v = e)` and the like: `conditionVariable` is `v`, `condition` is `e`, and each test stores to `v` first
 * (`v.initializer` stays undefined).
 */
export interface ForStatement extends StatementBase {
  readonly kind: 'for';
  readonly initializer: DeclarationStatement | ExpressionStatement | undefined;
  /** Undefined: loops for ever. */
  readonly condition: Expression | undefined;
  readonly conditionVariable: VariableSymbol | undefined;
  /** Runs after the body and after `continue`. */
  readonly update: Expression | undefined;
  readonly body: Statement;
}

export interface WhileStatement extends StatementBase {
  readonly kind: 'while';
  readonly condition: Expression;
  readonly conditionVariable: VariableSymbol | undefined;
  readonly body: Statement;
}

export interface DoWhileStatement extends StatementBase {
  readonly kind: 'doWhile';
  readonly body: Statement;
  /** `continue` jumps to its evaluation. */
  readonly condition: Expression;
}

export interface SwitchClause {
  /** The values of the labels before the statements, `'default'` among them for the default label. */
  readonly labels: readonly (number | 'default')[];
  /** Falls through into the next clause unless it ends in a jump. All clauses share one scope. */
  readonly statements: readonly Statement[];
}

export interface SwitchStatement extends StatementBase {
  readonly kind: 'switch';
  /** int or uint; label values are in that type's number form. */
  readonly selector: Expression;
  readonly clauses: readonly SwitchClause[];
}

export interface ReturnStatement extends StatementBase {
  readonly kind: 'return';
  readonly value: Expression | undefined;
}

/** `break` leaves the innermost loop or switch, `continue` belongs to the innermost loop. */
export interface JumpStatement extends StatementBase {
  readonly kind: 'break' | 'continue' | 'discard';
}

export type Statement =
  | BlockStatement
  | DeclarationStatement
  | ExpressionStatement
  | IfStatement
  | ForStatement
  | WhileStatement
  | DoWhileStatement
  | SwitchStatement
  | ReturnStatement
  | JumpStatement;

// ---- the whole shader ---------------------------------------------------------------------------------------------

export interface PragmaState {
  /** `#pragma optimize(off)` makes it false. */
  readonly optimize: boolean;
  /** `#pragma debug(on)` makes it true. */
  readonly debug: boolean;
  /** `#pragma STDGL invariant(all)`: already applied to every `out` symbol's `isInvariant`. */
  readonly invariantAll: boolean;
}

export interface CheckedShader {
  readonly stage: ShaderStage;
  readonly version: ShaderVersion;
  readonly profile: ShaderProfile;
  readonly pragmas: PragmaState;
  /** Extensions that an `#extension` line turned on, e.g. `GL_EXT_frag_depth`. */
  readonly extensions: ReadonlySet<string>;
  /** Struct types declared at global scope, in order. */
  readonly structs: readonly StructType[];
  /**
   * The shader's own global variables in order: uniforms, ins, outs, consts, plain globals (whose initialisers run, in this
   * order, before main), members of blocks without instance name, and instance variables of blocks with one.
   */
  readonly globals: readonly VariableSymbol[];
  readonly blocks: readonly InterfaceBlock[];
  /** Built-in variables (not constants) that the shader uses or redeclares, e.g. `gl_FragCoord`, `gl_DepthRange`. */
  readonly builtinVariables: readonly VariableSymbol[];
  /** Defined functions, each after those it calls (callees first). */
  readonly functions: readonly FunctionSymbol[];
  readonly main: FunctionSymbol;
}
