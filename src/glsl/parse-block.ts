// Uniform blocks and default layouts (GLSL ES 3.00 §4.3.7, §4.3.8.3).

import type { InterfaceBlock, VariableSymbol } from './ast.ts';
import {
  isInterpolated,
  makeArray,
  parseArraySize,
  parseMembers,
  parseQualifiers,
  type Qualifiers,
} from './parse-type.ts';
import type { Parser } from './parser.ts';
import { makeVariable } from './symbols.ts';
import { type Token, TokenKind } from './tokens.ts';
import { containsSampler, type StructMember, structType, type Type } from './types.ts';

/** `layout(std140) uniform;` sets the defaults for the blocks that follow. */
export function applyLayoutDefaults(p: Parser, qualifiers: Qualifiers): void {
  const { layout, position } = qualifiers;
  const isPlain = !qualifiers.isInvariant && !isInterpolated(qualifiers);
  if (layout === undefined || qualifiers.storage !== 'uniform' || !isPlain || qualifiers.precision !== undefined) {
    p.diagnostics.fatal(position, '', 'syntax error: qualifiers without a declaration');
  }
  if (layout.location !== undefined) p.error(position, 'location', 'invalid layout qualifier: not for uniforms');
  checkBlockStorage(p, qualifiers);
  if (layout.blockStorage !== undefined) p.defaultBlockStorage = layout.blockStorage;
  if (layout.isRowMajor !== undefined) p.defaultIsRowMajor = layout.isRowMajor;
}

/** WebGL 2 §5.37: std140 is the only layout. */
function checkBlockStorage(p: Parser, { layout }: Qualifiers): void {
  if (p.profile !== 'webgl' || layout?.blockStorage === undefined || layout.blockStorage === 'std140') return;
  p.error(layout.position, layout.blockStorage, 'only std140 layout is supported in WebGL');
}

function parseBlockMembers(p: Parser, isBlockRowMajor: boolean): StructMember[] {
  const members: StructMember[] = [];
  const names = new Set<string>();
  while (p.token.text !== '}') {
    if (p.token.text === 'struct') p.error(p.token.position, 'struct', 'struct definitions are not allowed in blocks');
    const qualifiers = parseQualifiers(p, false);
    const { layout, position, storage } = qualifiers;
    if (storage !== undefined && storage !== 'uniform')
      p.error(position, storage, 'invalid qualifier of a block member');
    if (qualifiers.isInvariant || isInterpolated(qualifiers)) {
      p.error(position, '', 'invalid qualifier of a block member');
    }
    if (layout?.blockStorage !== undefined || layout?.location !== undefined) {
      p.error(position, 'layout', 'invalid layout qualifier of a block member');
    }
    const first = members.length;
    parseMembers(p, members, names, qualifiers, layout?.isRowMajor ?? isBlockRowMajor);
    for (let index = first; index < members.length; index++) {
      if (containsSampler(members[index].type)) {
        p.error(position, members[index].name, 'samplers are not allowed in blocks');
      }
    }
  }
  return members;
}

/** `Name { … } instance[n];` after its qualifiers. */
export function parseBlock(p: Parser, qualifiers: Qualifiers, name: Token): void {
  const { position } = name;
  p.checkName(name);
  if (qualifiers.storage !== 'uniform') {
    p.error(position, name.text, 'blocks must be uniform');
  }
  if (qualifiers.isInvariant || isInterpolated(qualifiers)) {
    p.error(position, name.text, 'invalid qualifier of a block');
  }
  if (qualifiers.precision !== undefined) p.error(position, name.text, 'a block cannot have a precision');
  if (qualifiers.layout?.location !== undefined) p.error(position, 'location', 'invalid layout qualifier of a block');
  if (p.symbols.lookupInnermost(name.text) !== undefined) p.error(position, name.text, 'redefinition');
  checkBlockStorage(p, qualifiers);
  p.expect('{');
  const members = parseBlockMembers(p, qualifiers.layout?.isRowMajor ?? p.defaultIsRowMajor);
  p.expect('}');
  if (members.length === 0) p.error(position, name.text, 'a block must have at least one member');

  let instance: Token | undefined;
  let arraySize = 0;
  if (p.token.kind === TokenKind.identifier) {
    instance = p.advance();
    p.checkName(instance);
    if (p.token.text === '[') {
      const size = parseArraySize(p);
      if (size === 'unsized') p.error(instance.position, instance.text, 'array must have a size');
      else if (size !== undefined) arraySize = size;
    }
  }
  p.expect(';');
  const block: InterfaceBlock = {
    name: name.text,
    instanceName: instance?.text ?? '',
    arraySize,
    blockStorage: qualifiers.layout?.blockStorage ?? p.defaultBlockStorage,
    type: structType(name.text, members, true),
    isStaticallyUsed: false,
    position,
  };
  p.blocks.push(block);
  p.symbols.declare({ kind: 'block', name: name.text, block });
  if (instance === undefined) {
    for (let index = 0; index < members.length; index++) declareMember(p, block, index, position);
  } else {
    let type: Type = block.type;
    if (arraySize > 0) type = makeArray(p, type, arraySize, instance.text, position);
    declareBlockVariable(p, instance.text, {
      ...blockVariable(instance.text, type, block, instance.position),
    });
  }
}

function blockVariable(name: string, type: Type, block: InterfaceBlock, position: number): VariableSymbol {
  return makeVariable({ name, type, storage: 'uniform', isReadOnly: true, block, position });
}

function declareMember(p: Parser, block: InterfaceBlock, index: number, position: number): void {
  const { name, type, precision } = block.type.members[index];
  declareBlockVariable(p, name, { ...blockVariable(name, type, block, position), precision, blockMember: index });
}

function declareBlockVariable(p: Parser, name: string, variable: VariableSymbol): void {
  if (p.symbols.lookupInnermost(name) !== undefined) p.error(variable.position, name, 'redefinition');
  p.symbols.declare(variable);
  p.globals.push(variable);
}
