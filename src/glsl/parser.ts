// The state of one parse: token cursor, scopes, what has been declared so far. The grammar is in the parse-*.ts files,
// the rules of types in the check-*.ts files; both take this object first.

import type {
  BlockStorage,
  Expression,
  FunctionSymbol,
  InterfaceBlock,
  PragmaState,
  ShaderProfile,
  ShaderStage,
  ShaderVersion,
  SourcePosition,
  VariableSymbol,
} from './ast.ts';
import { BuiltinFunctions } from './builtin-functions.ts';
import { makeBuiltinVariables } from './builtin-variables.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { ShaderLimits } from './limits.ts';
import type { Layout } from './parse-type.ts';
import type { PreprocessedShader } from './preprocessor.ts';
import { SymbolTable } from './symbols.ts';
import { type Token, TokenKind, tokenName } from './tokens.ts';
import type { StructType } from './types.ts';

/** Depth of recursion in expressions (parentheses, arguments, right sides): bounds the JavaScript stack. */
const MAX_EXPRESSION_NESTING = 256;
/** Scalars that constant folding may make in one shader: bounds memory and time. */
const FOLD_BUDGET = 16_000_000;

export interface ParserOptions {
  readonly stage: ShaderStage;
  readonly profile: ShaderProfile;
  readonly maxNameLength: number;
  readonly limits: ShaderLimits;
}

export class Parser {
  readonly version: ShaderVersion;
  readonly stage: ShaderStage;
  readonly profile: ShaderProfile;
  readonly limits: ShaderLimits;
  private readonly maxNameLength: number;
  readonly pragmas: PragmaState;
  readonly extensions: ReadonlySet<string>;
  readonly diagnostics: Diagnostics;
  readonly symbols = new SymbolTable();
  readonly builtins: BuiltinFunctions;
  readonly builtinVariables: readonly VariableSymbol[];

  // What the shader has declared.
  readonly globals: VariableSymbol[] = [];
  readonly blocks: InterfaceBlock[] = [];
  readonly structs: StructType[] = [];
  readonly functions: FunctionSymbol[] = [];

  /** Layout defaults set by `layout(…) uniform;`. */
  defaultBlockStorage: BlockStorage;
  defaultIsRowMajor = false;

  // Where in the shader the parser is.
  currentFunction: FunctionSymbol | undefined;
  /** Of gl_FragDepth, where the shader declares it again. */
  depthLayout: Layout['depth'];
  loopDepth = 0;
  switchDepth = 0;
  statementDepth = 0;
  /** Of binary operators, those of all expressions that are open: see parseBinary. */
  readonly operands: Expression[] = [];
  readonly operators: Token[] = [];
  private expressionNesting = 0;
  private foldBudget = FOLD_BUDGET;

  private readonly tokens: readonly Token[];
  private index = 0;
  token: Token;

  constructor(shader: PreprocessedShader, options: ParserOptions, diagnostics: Diagnostics) {
    this.version = shader.version;
    this.stage = options.stage;
    this.profile = options.profile;
    this.limits = options.limits;
    this.maxNameLength = options.maxNameLength;
    // WebGL 2 §5.37 has no other layout.
    this.defaultBlockStorage = options.profile === 'webgl' ? 'std140' : 'shared';
    this.pragmas = shader.pragmas;
    this.extensions = shader.extensions;
    this.diagnostics = diagnostics;
    this.tokens = shader.tokens;
    this.token = shader.tokens[0];
    this.builtins = new BuiltinFunctions(shader.version, options.stage, shader.extensions);
    this.builtinVariables = makeBuiltinVariables(this);
    this.symbols.push();
    for (const variable of this.builtinVariables) this.symbols.declare(variable);
    this.declareDefaultPrecisions();
    this.symbols.push();
  }

  /** GLSL ES 3.00 §4.5.3: a fragment shader has no default precision for float, nor any shader for most samplers. */
  private declareDefaultPrecisions(): void {
    const isVertex = this.stage === 'vertex';
    if (isVertex) this.symbols.setDefaultPrecision('float', 'highp');
    this.symbols.setDefaultPrecision('int', isVertex ? 'highp' : 'mediump');
    this.symbols.setDefaultPrecision('sampler2D', 'lowp');
    this.symbols.setDefaultPrecision('samplerCube', 'lowp');
  }

  // ---- tokens ------------------------------------------------------------------------------------------------------

  advance(): Token {
    const { token } = this;
    if (token.kind !== TokenKind.end) this.token = this.tokens[++this.index];
    return token;
  }

  peek(distance: number): Token {
    return this.tokens[Math.min(this.index + distance, this.tokens.length - 1)];
  }

  accept(text: string): boolean {
    if (this.token.text !== text) return false;
    this.advance();
    return true;
  }

  expect(text: string): Token {
    if (this.token.text !== text) this.syntaxError();
    return this.advance();
  }

  expectIdentifier(): Token {
    if (this.token.kind !== TokenKind.identifier) this.syntaxError();
    return this.advance();
  }

  // ---- errors ------------------------------------------------------------------------------------------------------

  syntaxError(): never {
    return this.diagnostics.fatal(this.token.position, tokenName(this.token), 'syntax error');
  }

  error(position: SourcePosition, token: string, message: string): void {
    this.diagnostics.error(position, token, message);
  }

  tooComplex(position: SourcePosition, token: string, what: string): never {
    return this.diagnostics.fatal(position, token, `${what} is too complex`);
  }

  // ---- bounds ------------------------------------------------------------------------------------------------------

  enterExpression(): void {
    if (++this.expressionNesting > MAX_EXPRESSION_NESTING) {
      this.tooComplex(this.token.position, tokenName(this.token), 'expression');
    }
  }

  leaveExpression(): void {
    this.expressionNesting--;
  }

  /** Accounts for a folded value of so many scalars. */
  spendFolding(count: number): void {
    this.foldBudget -= count;
    if (this.foldBudget < 0) this.tooComplex(this.token.position, '', 'constant folding');
  }

  /** Reports names that are reserved (GLSL ES 3.00 §3.8, WebGL 1 §6.3.3, WebGL 1 §6.22 and WebGL 2 §4.3.1 on lengths). */
  checkName(token: Token): void {
    const { text, position } = token;
    const isWebGl = this.profile === 'webgl';
    if (text.startsWith('gl_')) this.error(position, text, "reserved built-in name: 'gl_'");
    if (isWebGl && (text.startsWith('webgl_') || text.startsWith('_webgl_'))) {
      this.error(position, text, "reserved built-in name: 'webgl_' and '_webgl_'");
    }
    if (text.includes('__')) {
      const message = 'identifiers with two consecutive underscores (__) are reserved';
      // Why: GLSL ES 1.00 §3.8 keeps them as future keywords, and browsers refuse them; 3.00 says that they are no error.
      if (isWebGl && this.version === 100) this.error(position, text, message);
      else this.diagnostics.warning(position, text, message);
    }
    if (text.length > this.maxNameLength) {
      this.error(position, tokenName(token), `identifier is longer than ${this.maxNameLength} characters`);
    }
  }
}
