// The preprocessor: directives in, the parser's tokens and the shader's version, extensions and pragmas out
// (GLSL ES 1.00 §3.3–3.4, GLSL ES 3.00 §3.3–3.5).

import type { PragmaState, ShaderProfile, ShaderStage, ShaderVersion } from './ast.ts';
import type { Diagnostics } from './diagnostics.ts';
import { isExtensionInVersion } from './extensions.table.ts';
import { isExtensionKeyword, keywordsOf } from './keywords.table.ts';
import { Lexer } from './lexer.ts';
import {
  areMacrosEqual,
  EXPANSION_BUDGET,
  expandList,
  MacroExpander,
  type MacroState,
  makeMacro,
} from './macro-expander.ts';
import { evaluateCondition, evaluateLine } from './preprocessor-expression.ts';
import { Token, TokenKind, tokenName } from './tokens.ts';

export interface PreprocessorOptions {
  readonly stage: ShaderStage;
  readonly profile: ShaderProfile;
  /** Highest version accepted. */
  readonly maxVersion: ShaderVersion;
  readonly maxNameLength: number;
  readonly extensions: readonly string[];
}

export interface PreprocessedShader {
  readonly version: ShaderVersion;
  /** The last one is of kind `end`. */
  readonly tokens: readonly Token[];
  readonly pragmas: PragmaState;
  /** Extensions that are turned on. */
  readonly extensions: ReadonlySet<string>;
}

interface Conditional {
  readonly token: Token;
  /** The text around the whole #if … #endif is live. */
  readonly isOuterLive: boolean;
  /** A branch has been taken already. */
  isTaken: boolean;
  isLive: boolean;
  hasElse: boolean;
}

type ExtensionBehavior = 'require' | 'enable' | 'warn' | 'disable';
const EXTENSION_BEHAVIORS = new Set<string>(['require', 'enable', 'warn', 'disable'] satisfies ExtensionBehavior[]);

/** More tokens than any real shader has; a bound on memory. */
const MAX_TOKENS = 1_000_000;

class Preprocessor {
  private readonly options: PreprocessorOptions;
  private readonly diagnostics: Diagnostics;
  private readonly lexer: Lexer;
  private readonly state: MacroState;
  private readonly conditionals: Conditional[] = [];
  private readonly enabled = new Set<string>();
  private readonly pragmas = { optimize: true, debug: false, invariantAll: false };
  private version: ShaderVersion = 100;
  /** Anything but white space and comments has been seen. */
  private hasStarted = false;
  /** A token that is not part of a directive has been seen. */
  private hasTokens = false;
  private isLive = true;

  constructor(source: string, options: PreprocessorOptions, diagnostics: Diagnostics) {
    this.options = options;
    this.diagnostics = diagnostics;
    // The version decides how to read lines, so it is looked for before the directive itself is read and checked.
    // GLSL ES 1.00 has no line continuation; browsers have it in WebGL 1 all the same, and the conformance suite wants it.
    const hasLineContinuation = options.profile === 'webgl' || /^\s*#\s*version\s+3/.test(source);
    this.lexer = new Lexer(source, diagnostics, hasLineContinuation);
    this.state = {
      macros: new Map(),
      diagnostics,
      allowsExpandedDefined: options.profile === 'gles',
      budget: EXPANSION_BUDGET,
    };
    for (const name of ['__LINE__', '__FILE__']) this.predefine(name, undefined);
    this.predefine('__VERSION__', '100');
    this.predefine('GL_ES', '1');
    this.predefine('GL_FRAGMENT_PRECISION_HIGH', '1');
    this.predefineExtensions();
  }

  run(): PreprocessedShader {
    const expander = new MacroExpander(this.state, () => this.readToken());
    const tokens: Token[] = [];
    const keywords = () => keywordsOf(this.options.profile, this.version);
    let table = keywords();
    for (;;) {
      const token = expander.next();
      if (tokens.length === 0) table = keywords();
      tokens.push(token);
      if (token.kind === TokenKind.end) break;
      if (token.kind === TokenKind.identifier) this.classify(token, table);
      else if (token.kind === TokenKind.invalid)
        this.diagnostics.error(token.position, token.text, 'invalid character');
      if (tokens.length > MAX_TOKENS)
        this.diagnostics.fatal(token.position, '', 'shader is too complex: too many tokens');
    }
    for (const { token } of this.conditionals) {
      this.diagnostics.fatal(token.position, `#${token.text}`, 'unterminated conditional');
    }
    return { version: this.version, tokens, pragmas: this.pragmas, extensions: this.enabled };
  }

  private classify(token: Token, keywords: ReadonlyMap<string, 'keyword' | 'reserved'>): void {
    const keyword = keywords.get(token.text);
    if (keyword === undefined) return;
    if (keyword === 'keyword' || isExtensionKeyword(token.text, this.enabled)) token.kind = TokenKind.keyword;
    else this.diagnostics.error(token.position, token.text, 'Illegal use of reserved word');
  }

  private predefine(name: string, value: string | undefined): void {
    const body = value === undefined ? [] : [new Token(TokenKind.number, value, 0)];
    this.state.macros.set(name, makeMacro(name, undefined, body, true));
  }

  private predefineExtensions(): void {
    for (const name of this.options.extensions) {
      if (isExtensionInVersion(name, this.version)) this.predefine(name, '1');
      else this.state.macros.delete(name);
    }
  }

  /** The next live token outside of directives. */
  private readToken(): Token {
    for (;;) {
      const token = this.lexer.next(false);
      if (token.text === '#' && token.firstOnLine) {
        this.readDirective();
      } else if (token.kind === TokenKind.end) {
        return token;
      } else if (this.isLive) {
        this.hasStarted = true;
        this.hasTokens = true;
        return token;
      }
    }
  }

  private readLine(): Token[] {
    const line: Token[] = [];
    for (let token = this.lexer.next(true); token.kind !== TokenKind.endOfLine; token = this.lexer.next(true)) {
      line.push(token);
    }
    return line;
  }

  private readDirective(): void {
    const name = this.lexer.next(true);
    if (name.kind === TokenKind.endOfLine) return;
    const line = this.readLine();
    const isVersion = name.text === 'version';
    if (!isVersion || !this.isLive) this.hasStarted = true;
    switch (name.text) {
      case 'if':
      case 'ifdef':
      case 'ifndef':
        return this.startConditional(name, line);
      case 'elif':
      case 'else':
      case 'endif':
        return this.continueConditional(name, line);
    }
    if (!this.isLive) return;
    switch (name.text) {
      case 'version':
        this.readVersion(name, line);
        this.hasStarted = true;
        return;
      case 'define':
        return this.define(name, line);
      case 'undef':
        return this.undefine(name, line);
      case 'error':
        return this.diagnostics.error(name.position, '#error', line.map(spell).join('').trim());
      case 'pragma':
        return this.readPragma(line);
      case 'extension':
        return this.readExtension(name, line);
      case 'line':
        return this.readLineNumber(name, line);
      default:
        this.diagnostics.error(name.position, tokenName(name), 'invalid directive name');
    }
  }

  // ---- conditionals ------------------------------------------------------------------------------------------------

  private startConditional(name: Token, line: Token[]): void {
    let isTaken = false;
    if (this.isLive) isTaken = name.text === 'if' ? this.evaluate(name, line) : this.testDefined(name, line);
    const isOuterLive = this.isLive;
    this.conditionals.push({ token: name, isOuterLive, isTaken, isLive: isTaken, hasElse: false });
    this.isLive = isTaken;
  }

  private testDefined(name: Token, line: Token[]): boolean {
    if (line.length === 0 || line[0].kind !== TokenKind.identifier) {
      this.diagnostics.error(
        name.position,
        line.length > 0 ? tokenName(line[0]) : `#${name.text}`,
        'expected a macro name',
      );
      return false;
    }
    this.expectEnd(name, line, 1);
    return this.state.macros.has(line[0].text) === (name.text === 'ifdef');
  }

  private evaluate(name: Token, line: Token[]): boolean {
    return evaluateCondition(expandList(this.state, line, true), name.position, this.diagnostics) !== 0;
  }

  private continueConditional(name: Token, line: Token[]): void {
    const conditional = this.conditionals[this.conditionals.length - 1];
    if (conditional === undefined)
      this.diagnostics.fatal(name.position, `#${name.text}`, 'found without a matching #if');
    if (name.text === 'endif') {
      if (conditional.isOuterLive) this.expectEnd(name, line, 0);
      this.conditionals.pop();
      this.isLive = conditional.isOuterLive;
      return;
    }
    if (conditional.hasElse) this.diagnostics.error(name.position, `#${name.text}`, 'found after #else');
    if (name.text === 'else') {
      if (conditional.isOuterLive) this.expectEnd(name, line, 0);
      conditional.hasElse = true;
      conditional.isLive = conditional.isOuterLive && !conditional.isTaken;
    } else {
      conditional.isLive = conditional.isOuterLive && !conditional.isTaken && this.evaluate(name, line);
    }
    if (conditional.isLive) conditional.isTaken = true;
    this.isLive = conditional.isLive;
  }

  private expectEnd(name: Token, line: Token[], from: number): void {
    if (line.length > from) {
      this.diagnostics.error(name.position, tokenName(line[from]), `unexpected token after #${name.text}`);
    }
  }

  // ---- macros ------------------------------------------------------------------------------------------------------

  private checkMacroName(name: Token, line: Token[]): boolean {
    const macro = line[0];
    if (macro === undefined || macro.kind !== TokenKind.identifier) {
      this.diagnostics.error(
        name.position,
        macro === undefined ? `#${name.text}` : tokenName(macro),
        'expected a macro name',
      );
      return false;
    }
    const { text, position } = macro;
    if (this.state.macros.get(text)?.isPredefined) {
      const verb = name.text === 'define' ? 'redefined' : 'undefined';
      this.diagnostics.error(position, text, `predefined macro cannot be ${verb}`);
      return false;
    }
    if (text.startsWith('GL_') || (text === 'defined' && this.options.profile === 'webgl')) {
      this.diagnostics.error(position, text, 'macro name is reserved');
      return false;
    }
    if (name.text === 'define' && text.includes('__')) {
      this.diagnostics.warning(position, text, 'macro names with two consecutive underscores (__) are reserved');
    }
    return true;
  }

  private define(name: Token, line: Token[]): void {
    if (!this.checkMacroName(name, line)) return;
    const { maxNameLength } = this.options;
    for (const token of line) {
      if (token.kind === TokenKind.identifier && token.text.length > maxNameLength) {
        this.diagnostics.error(
          token.position,
          tokenName(token),
          `identifier is longer than ${maxNameLength} characters`,
        );
      }
    }
    let body = line.slice(1);
    let parameters: string[] | undefined;
    if (body.length > 0 && body[0].text === '(' && !body[0].spaceBefore) {
      parameters = [];
      let index = 1;
      while (body[index]?.text !== ')') {
        const parameter = body[index];
        if (parameter === undefined || parameter.kind !== TokenKind.identifier) {
          return this.diagnostics.error(name.position, line[0].text, 'expected a macro parameter name');
        }
        if (parameters.includes(parameter.text)) {
          return this.diagnostics.error(parameter.position, parameter.text, 'duplicate macro parameter name');
        }
        parameters.push(parameter.text);
        const separator = body[index + 1]?.text;
        if (separator === ',' && body[index + 2]?.text !== ')') index += 2;
        else if (separator === ')') index++;
        else
          return this.diagnostics.error(name.position, line[0].text, "expected ',' or ')' in the macro parameter list");
      }
      body = body.slice(index + 1);
    }
    const macro = makeMacro(line[0].text, parameters, body);
    const old = this.state.macros.get(macro.name);
    if (old !== undefined && !areMacrosEqual(old, macro)) {
      return this.diagnostics.error(line[0].position, macro.name, 'macro redefined');
    }
    if (old === undefined) this.state.macros.set(macro.name, macro);
  }

  private undefine(name: Token, line: Token[]): void {
    if (!this.checkMacroName(name, line)) return;
    this.expectEnd(name, line, 1);
    this.state.macros.delete(line[0].text);
  }

  // ---- version, extensions, pragmas, lines ------------------------------------------------------------------------

  private readVersion(name: Token, line: Token[]): void {
    const { diagnostics } = this;
    if (this.hasStarted) {
      diagnostics.fatal(
        name.position,
        '#version',
        'must occur before anything else, except for comments and white space',
      );
    }
    const text = line.map((token) => token.text).join(' ');
    if (text === '100') return;
    if (line.length === 0 || line[0].kind !== TokenKind.number || !/^[0-9]+$/.test(line[0].text)) {
      diagnostics.fatal(name.position, '#version', 'expected a version number');
    }
    if (text !== '300 es') {
      const problem = text === '300' || text === '300 ES' ? "must be followed by 'es'" : 'version number not supported';
      diagnostics.fatal(name.position, text, problem);
    }
    if (this.options.maxVersion < 300) diagnostics.fatal(name.position, text, 'version number not supported');
    if (this.lexer.physicalLine !== 1) {
      diagnostics.fatal(name.position, '#version', '#version 300 es must occur on the first line of the shader');
    }
    this.version = 300;
    this.predefine('__VERSION__', '300');
    this.predefineExtensions();
  }

  private readExtension(name: Token, line: Token[]): void {
    const { diagnostics } = this;
    const [extension, colon, behavior] = line;
    if (extension === undefined || extension.kind !== TokenKind.identifier) {
      return diagnostics.error(name.position, '#extension', 'expected an extension name');
    }
    if (colon?.text !== ':')
      return diagnostics.error(name.position, extension.text, "expected ':' after the extension name");
    if (behavior === undefined || !EXTENSION_BEHAVIORS.has(behavior.text)) {
      return diagnostics.error(name.position, behavior?.text ?? extension.text, 'invalid extension behavior');
    }
    this.expectEnd(name, line, 3);
    if (this.hasTokens) {
      const message = 'extension directive must occur before any non-preprocessor tokens';
      // Browsers accept this in WebGL 1, where much published code does it.
      if (this.version === 100 && this.options.profile === 'webgl')
        diagnostics.warning(name.position, 'extension', message);
      else diagnostics.error(name.position, 'extension', message);
    }
    this.setExtension(extension, behavior.text as ExtensionBehavior);
  }

  private setExtension(extension: Token, behavior: ExtensionBehavior): void {
    const { diagnostics, options } = this;
    const name = extension.text;
    if (name === 'all') {
      if (behavior === 'require' || behavior === 'enable') {
        return diagnostics.error(extension.position, 'all', `extension 'all' cannot have '${behavior}' behavior`);
      }
      if (behavior === 'disable') return this.enabled.clear();
      for (const each of options.extensions) if (isExtensionInVersion(each, this.version)) this.enabled.add(each);
      return;
    }
    if (!options.extensions.includes(name) || !isExtensionInVersion(name, this.version)) {
      if (behavior === 'require') diagnostics.error(extension.position, name, 'extension is not supported');
      else diagnostics.warning(extension.position, name, 'extension is not supported');
      return;
    }
    if (behavior === 'disable') this.enabled.delete(name);
    else this.enabled.add(name);
  }

  private readPragma(line: Token[]): void {
    // Not macro-expanded; what is not known is ignored.
    const text = line.map((token) => token.text).join(' ');
    const toggle = /^(optimize|debug) \( (on|off) \)$/.exec(text);
    if (toggle !== null) {
      this.pragmas[toggle[1] as 'optimize' | 'debug'] = toggle[2] === 'on';
    } else if (text === 'STDGL invariant ( all )') {
      if (this.version === 300 && this.options.stage === 'fragment') {
        this.diagnostics.error(line[0].position, '#pragma STDGL invariant(all)', 'not allowed in a fragment shader');
      }
      this.pragmas.invariantAll = true;
    } else if (line.length > 0 && line[0].text !== 'STDGL') {
      this.diagnostics.warning(line[0].position, tokenName(line[0]), 'unrecognized pragma');
    }
  }

  private readLineNumber(name: Token, line: Token[]): void {
    const tokens = expandList(this.state, line, false);
    const given = evaluateLine(tokens, name.position, this.diagnostics);
    if (given === null || given.line < 0 || (given.string ?? 0) < 0) {
      return this.diagnostics.error(
        name.position,
        '#line',
        'expected a line number and an optional source string number',
      );
    }
    // The line after the directive has the given number; its line end has not been counted yet.
    this.lexer.line = given.line - 1;
    if (given.string !== undefined) this.lexer.string = Math.min(given.string, 0x1f_ffff);
  }
}

function spell(token: Token): string {
  return (token.spaceBefore ? ' ' : '') + token.text;
}

/** Preprocesses a whole shader. Throws `CompilationAborted` after a fatal error; other errors are in `diagnostics`. */
export function preprocess(source: string, options: PreprocessorOptions, diagnostics: Diagnostics): PreprocessedShader {
  return new Preprocessor(source, options, diagnostics).run();
}
