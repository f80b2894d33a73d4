// Macro definitions and their expansion (GLSL ES 3.00 §3.4, as in C++98 without # and ##).
// Expansion reads from a stack of token lists; a macro is disabled while its own replacement list is on the stack.

import { positionLine, positionString, type SourcePosition } from './ast.ts';
import type { Diagnostics } from './diagnostics.ts';
import { Token, TokenKind, tokenName } from './tokens.ts';

export interface Macro {
  readonly name: string;
  /** Undefined for an object-like macro. */
  readonly parameters: readonly string[] | undefined;
  readonly body: readonly Token[];
  /** For each body token the index of the parameter it names, or −1. */
  readonly bodyParameters: readonly number[];
  readonly isPredefined: boolean;
  isDisabled: boolean;
}

export function makeMacro(
  name: string,
  parameters: readonly string[] | undefined,
  body: readonly Token[],
  isPredefined = false,
): Macro {
  const bodyParameters = body.map((token) =>
    parameters !== undefined && token.kind === TokenKind.identifier ? parameters.indexOf(token.text) : -1,
  );
  return { name, parameters, body, bodyParameters, isPredefined, isDisabled: false };
}

/** Same parameters, tokens and white space: the only redefinition that is allowed. */
export function areMacrosEqual(a: Macro, b: Macro): boolean {
  if ((a.parameters === undefined) !== (b.parameters === undefined)) return false;
  if (a.parameters?.join() !== b.parameters?.join() || a.body.length !== b.body.length) return false;
  return a.body.every((token, index) => {
    const other = b.body[index];
    return token.text === other.text && (index === 0 || token.spaceBefore === other.spaceBefore);
  });
}

/** What all expanders of one compilation share. */
export interface MacroState {
  readonly macros: Map<string, Macro>;
  readonly diagnostics: Diagnostics;
  /** Whether `defined` may come out of a macro (WebGL forbids it). */
  readonly allowsExpandedDefined: boolean;
  /** Tokens that may still be made by expansion: a bound on "billion laughs". */
  budget: number;
}

export const EXPANSION_BUDGET = 1_000_000;
const MAX_ARGUMENT_DEPTH = 128;
/** Replacement lists open at once, `#define A1 A0`, `#define A2 A1`, …: a bound on memory only. */
const MAX_CONTEXTS = 10_000;

interface Context {
  readonly tokens: readonly Token[];
  index: number;
  readonly macro: Macro | undefined;
}

const END = new Token(TokenKind.end, '', 0);

export class MacroExpander {
  private readonly state: MacroState;
  private readonly source: () => Token;
  private readonly contexts: Context[] = [];
  /** In a condition `defined X` is an operator and its operand is not expanded. */
  private readonly inCondition: boolean;
  private readonly depth: number;

  constructor(state: MacroState, source: () => Token, inCondition = false, depth = 0) {
    this.state = state;
    this.source = source;
    this.inCondition = inCondition;
    this.depth = depth;
  }

  private push(tokens: readonly Token[], macro: Macro | undefined, position: SourcePosition): void {
    this.state.budget -= tokens.length + 1;
    if (this.state.budget < 0 || this.contexts.length >= MAX_CONTEXTS) {
      this.state.diagnostics.fatal(position, macro?.name ?? '', 'macro expansion is too complex');
    }
    if (macro !== undefined) macro.isDisabled = true;
    this.contexts.push({ tokens, index: 0, macro });
  }

  private read(): Token {
    while (this.contexts.length > 0) {
      const context = this.contexts[this.contexts.length - 1];
      if (context.index < context.tokens.length) return context.tokens[context.index++];
      if (context.macro !== undefined) context.macro.isDisabled = false;
      this.contexts.pop();
    }
    return this.source();
  }

  /** The next token after expansion; of kind `end` when the source has ended. */
  next(): Token {
    for (;;) {
      const isFromMacro = this.contexts.length > 0;
      const token = this.read();
      if (token.kind !== TokenKind.identifier || token.isPainted) return token;
      if (this.inCondition && token.text === 'defined') return this.evaluateDefined(token, isFromMacro);
      const macro = this.state.macros.get(token.text);
      if (macro === undefined) return token;
      if (macro.isDisabled) {
        const painted = new Token(token.kind, token.text, token.position);
        painted.isPainted = true;
        return painted;
      }
      if (macro.isPredefined && macro.body.length === 0) {
        // __LINE__ and __FILE__: where the token ended up.
        const value = macro.name === '__LINE__' ? positionLine(token.position) : positionString(token.position);
        return new Token(TokenKind.number, String(value), token.position);
      }
      if (macro.parameters === undefined) {
        this.push(relocate(macro.body, token.position), macro, token.position);
        continue;
      }
      const open = this.read();
      if (open.text !== '(') {
        this.push([open], undefined, token.position);
        return token;
      }
      this.expandCall(macro, token);
    }
  }

  private expandCall(macro: Macro, name: Token): void {
    const { diagnostics } = this.state;
    const collected: Token[][] = [[]];
    let nesting = 0;
    let token = this.read();
    for (; nesting > 0 || token.text !== ')'; token = this.read()) {
      if (token.kind === TokenKind.end) {
        diagnostics.fatal(name.position, macro.name, 'unterminated macro invocation');
      }
      if (token.text === '(') nesting++;
      else if (token.text === ')') nesting--;
      if (token.text === ',' && nesting === 0) collected.push([]);
      else collected[collected.length - 1].push(token);
    }
    const parameters = macro.parameters as readonly string[];
    if (parameters.length === 0 && collected.length === 1 && collected[0].length === 0) collected.pop();
    if (collected.length !== parameters.length) {
      const problem = collected.length < parameters.length ? 'too few' : 'too many';
      diagnostics.fatal(name.position, macro.name, `${problem} arguments for macro`);
    }
    const expanded = collected.map((list, index) =>
      macro.bodyParameters.includes(index) ? this.expandArgument(list, name) : [],
    );
    // Line numbers inside the replacement are those of the closing parenthesis.
    const replacement: Token[] = [];
    for (let index = 0; index < macro.body.length; index++) {
      const parameter = macro.bodyParameters[index];
      if (parameter < 0) replacement.push(relocateToken(macro.body[index], token.position));
      else for (const argument of expanded[parameter]) replacement.push(argument);
      if (replacement.length > this.state.budget) break;
    }
    this.push(replacement, macro, token.position);
  }

  private expandArgument(list: readonly Token[], name: Token): Token[] {
    if (!list.some((token) => token.kind === TokenKind.identifier && this.state.macros.has(token.text))) {
      return list as Token[];
    }
    if (this.depth >= MAX_ARGUMENT_DEPTH) {
      this.state.diagnostics.fatal(name.position, name.text, 'macro expansion is too complex');
    }
    return expandList(this.state, list, false, this.depth + 1);
  }

  private evaluateDefined(keyword: Token, isFromMacro: boolean): Token {
    const { diagnostics, macros } = this.state;
    if (isFromMacro && !this.state.allowsExpandedDefined) {
      diagnostics.fatal(keyword.position, 'defined', 'must not come from a macro');
    }
    let operand = this.read();
    const isParenthesized = operand.text === '(';
    if (isParenthesized) operand = this.read();
    if (operand.kind !== TokenKind.identifier) {
      diagnostics.fatal(keyword.position, tokenName(operand), "'defined' expects an identifier");
    }
    if (isParenthesized && this.read().text !== ')') {
      diagnostics.fatal(keyword.position, operand.text, "missing ')' after 'defined'");
    }
    return new Token(TokenKind.number, macros.has(operand.text) ? '1' : '0', keyword.position);
  }
}

function relocateToken(token: Token, position: SourcePosition): Token {
  return new Token(token.kind, token.text, position, false, token.spaceBefore);
}

function relocate(tokens: readonly Token[], position: SourcePosition): Token[] {
  return tokens.map((token) => relocateToken(token, position));
}

/** Expands a complete list of tokens, such as the rest of an `#if` line. */
export function expandList(state: MacroState, list: readonly Token[], inCondition: boolean, depth = 0): Token[] {
  let index = 0;
  const expander = new MacroExpander(state, () => (index < list.length ? list[index++] : END), inCondition, depth);
  const result: Token[] = [];
  for (let token = expander.next(); token.kind !== TokenKind.end; token = expander.next()) result.push(token);
  return result;
}
