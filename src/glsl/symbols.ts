// Scopes: which name means what where, and which default precision holds.

import type { FunctionSymbol, InterfaceBlock, SourcePosition, VariableSymbol } from './ast.ts';
import type { Precision, StructType } from './types.ts';

/** All user functions of one name; overloads by `overloadKey` of their parameter types. */
export interface FunctionGroup {
  readonly kind: 'functions';
  readonly name: string;
  readonly overloads: Map<string, FunctionSymbol>;
}

export interface StructSymbol {
  readonly kind: 'struct';
  readonly name: string;
  readonly type: StructType;
}

/** A block's name: it cannot be used for anything, but it is taken. */
export interface BlockSymbol {
  readonly kind: 'block';
  readonly name: string;
  readonly block: InterfaceBlock;
}

export type ScopeEntry = VariableSymbol | FunctionGroup | StructSymbol | BlockSymbol;

interface Scope {
  readonly entries: Map<string, ScopeEntry>;
  /** Default precision by type name (`float`, `int`, sampler names); made on the first `precision` statement. */
  precisions: Map<string, Precision> | undefined;
}

export class SymbolTable {
  private readonly scopes: Scope[] = [];

  push(): void {
    this.scopes.push({ entries: new Map(), precisions: undefined });
  }

  pop(): void {
    this.scopes.pop();
  }

  /** Whether the innermost scope is the global one (the scope below it holds the built-in variables). */
  get isGlobal(): boolean {
    return this.scopes.length === 2;
  }

  lookup(name: string): ScopeEntry | undefined {
    for (let index = this.scopes.length - 1; index >= 0; index--) {
      const entry = this.scopes[index].entries.get(name);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  lookupInnermost(name: string): ScopeEntry | undefined {
    return this.scopes[this.scopes.length - 1].entries.get(name);
  }

  lookupGlobal(name: string): ScopeEntry | undefined {
    return this.scopes[1].entries.get(name) ?? this.scopes[0].entries.get(name);
  }

  /** Declares in the innermost scope; the caller has checked that the name is free there. */
  declare(entry: ScopeEntry, name: string = entry.name): void {
    this.scopes[this.scopes.length - 1].entries.set(name, entry);
  }

  setDefaultPrecision(typeName: string, precision: Precision): void {
    const scope = this.scopes[this.scopes.length - 1];
    scope.precisions ??= new Map();
    scope.precisions.set(typeName, precision);
  }

  defaultPrecision(typeName: string): Precision | undefined {
    for (let index = this.scopes.length - 1; index >= 0; index--) {
      const precision = this.scopes[index].precisions?.get(typeName);
      if (precision !== undefined) return precision;
    }
    return undefined;
  }
}

/** A variable with the usual values for whatever is not given. */
export function makeVariable(
  fields: Pick<VariableSymbol, 'name' | 'type' | 'storage'> & Partial<VariableSymbol> & { position: SourcePosition },
): VariableSymbol {
  return {
    kind: 'variable',
    name: fields.name,
    type: fields.type,
    distances: fields.distances,
    storage: fields.storage,
    direction: fields.direction ?? 'in',
    precision: fields.precision,
    interpolation: fields.interpolation ?? 'smooth',
    isCentroid: fields.isCentroid ?? false,
    isSample: fields.isSample ?? false,
    isInvariant: fields.isInvariant ?? false,
    layout: fields.layout ?? {},
    isBuiltin: fields.isBuiltin ?? false,
    isReadOnly: fields.isReadOnly ?? false,
    block: fields.block,
    blockMember: fields.blockMember ?? -1,
    constant: fields.constant,
    initializer: fields.initializer,
    isStaticallyUsed: false,
    isStaticallyAssigned: false,
    position: fields.position,
  };
}
