// The two public classes. Their methods are typed TypeScript in the `methods*` files; here they get their WebIDL shape:
// one flat prototype each, directly on Object.prototype, with what the specification names and nothing else.

import { GL } from '../gl/constants.ts';
import {
  WEBGL1_NAMES,
  WEBGL2_NAMES,
  WEBGL2_VALUES,
  type Webgl1Constants,
  type Webgl2Constants,
} from './constants.table.ts';
import { CONTEXT_TOKEN, ContextBase, faceOf } from './context-base.ts';
import type { Face } from './face.ts';
import { installAttributes, installConstants, installMethods } from './install.ts';
import { FramebufferMethods } from './methods-framebuffers.ts';
import { Program2Methods } from './methods2-programs.ts';
import { WEBGL1_SIGNATURES, WEBGL2_SIGNATURES } from './signatures.table.ts';

type Dom1 = globalThis.WebGLRenderingContext;
type Dom2 = globalThis.WebGL2RenderingContext;

/** Only the constants merge: what is a method of the DOM's type must be one of the class. */
export interface WebGLRenderingContext extends Webgl1Constants {}
export interface WebGL2RenderingContext extends Webgl1Constants, Webgl2Constants {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: constants are defined below, on the prototype
export class WebGLRenderingContext extends FramebufferMethods implements Dom1 {}
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: constants are defined below, on the prototype
export class WebGL2RenderingContext extends Program2Methods implements Dom2 {}

/** `dispose` gives everything back; in no specification, so it does not show in enumerations. */
function dispose(this: ContextBase): void {
  disposers.get(faceOf(this))?.();
}

/** How a context's owner takes it down. */
const disposers = new WeakMap<Face, () => void>();

type ContextClass = { readonly prototype: object; readonly name: string };

function shape(type: ContextClass, source: object, tables: readonly Readonly<Record<string, string>>[]): void {
  const { prototype } = type;
  installAttributes(prototype, ContextBase.prototype);
  for (const table of tables) installMethods(prototype, source, table, faceOf);
  for (const name of ['dispose', Symbol.dispose ?? Symbol.for('Symbol.dispose')])
    Object.defineProperty(prototype, name, { value: dispose, enumerable: false, configurable: true, writable: true });
  Object.defineProperty(prototype, Symbol.toStringTag, { value: type.name, configurable: true });
  // Construction still follows the classes; instances see one flat prototype.
  Object.setPrototypeOf(prototype, Object.prototype);
}

const CLASS1 = [WebGLRenderingContext, WebGLRenderingContext.prototype];
const CLASS2 = [WebGL2RenderingContext, WebGL2RenderingContext.prototype];
installConstants(CLASS1, GL, WEBGL1_NAMES);
installConstants(CLASS2, GL, WEBGL1_NAMES);
installConstants(CLASS2, GL, WEBGL2_NAMES);
installConstants(CLASS2, WEBGL2_VALUES);
shape(WebGLRenderingContext, FramebufferMethods.prototype, [WEBGL1_SIGNATURES]);
shape(WebGL2RenderingContext, Program2Methods.prototype, [WEBGL1_SIGNATURES, WEBGL2_SIGNATURES]);

/** Makes the object that scripts see. `onDispose`: what its `dispose` does. */
export function createRenderingContext(
  face: Face,
  onDispose: () => void,
): WebGLRenderingContext | WebGL2RenderingContext {
  disposers.set(face, onDispose);
  return face.version === 1
    ? new WebGLRenderingContext(CONTEXT_TOKEN, face)
    : new WebGL2RenderingContext(CONTEXT_TOKEN, face);
}
