// getExtension and getSupportedExtensions: enabling extensions, and the objects that scripts get for them (WebGL 1 §5.14.14).

import { webglName } from '../gl/extensions.ts';
import { EXTENSION_OBJECTS, type ExtensionObjectRow } from './extensions.table.ts';
import { type Face, SURVIVES_LOSS } from './face.ts';
import { installConstants, installMethods } from './install.ts';

let faceOf!: (extension: ExtensionObject) => Face;

/** Base of all extension objects; they see nothing of it. */
class ExtensionObject {
  readonly #face: Face;
  /** The face as the object sees it after a loss: lost for good, restored or not (WebGL 1 §5.15.3). */
  readonly #lostFace: Face;
  readonly #generation: number;

  static {
    faceOf = (extension) =>
      extension.#generation === extension.#face.generation ? extension.#face : extension.#lostFace;
  }

  constructor(face: Face, survivesLoss: boolean) {
    this.#face = face;
    this.#generation = face.generation;
    this.#lostFace = survivesLoss ? face : Object.create(face, { isLost: { value: true } });
  }
}

type ExtensionClass = new (face: Face, survivesLoss: boolean) => ExtensionObject;

/** A class with one flat prototype of constants and methods, named as the extension is. */
function makeClass(name: string, row: ExtensionObjectRow): ExtensionClass {
  const type = { [name]: class extends ExtensionObject {} }[name]!;
  const runners: Record<string, unknown> = {};
  const signatures: Record<string, string> = {};
  for (const [method, [signature, run]] of Object.entries(row.methods ?? {})) {
    signatures[method] = signature;
    runners[method] = function (this: ExtensionObject, ...args: unknown[]): unknown {
      return run(faceOf(this), ...args);
    };
  }
  installMethods(type.prototype, runners, signatures, faceOf);
  installConstants([type.prototype], row.constants?.() ?? {});
  Object.defineProperty(type.prototype, Symbol.toStringTag, { value: name, configurable: true });
  delete (type.prototype as { constructor?: unknown }).constructor;
  Object.setPrototypeOf(type.prototype, Object.prototype);
  return type;
}

/** By name in WebGL. */
const classes = new Map<string, ExtensionClass>();

function classOf(name: string, row: ExtensionObjectRow): ExtensionClass {
  let type = classes.get(name);
  if (type === undefined) {
    type = makeClass(name, row);
    classes.set(name, type);
  }
  return type;
}

/** Names in the order of the alphabet; null while the context is lost. */
export function supportedExtensionNames(face: Face): string[] | null {
  if (face.isLost) return null;
  const { supportedExtensions, version } = face.context;
  return [...supportedExtensions].map((key) => webglName(key, version)).sort();
}

/** The extension object of a name, the same one each time; enables the extension. */
export function enableExtension(face: Face, name: string): object | null {
  const wanted = name.toLowerCase();
  const { context } = face;
  for (const key of context.supportedExtensions) {
    const webgl = webglName(key, context.version);
    if (webgl.toLowerCase() !== wanted) continue;
    let extension = face.extensions.get(webgl);
    if (extension === undefined) {
      const object = EXTENSION_OBJECTS[key] ?? {};
      const row = (context.version === 3 ? object.webgl2 : undefined) ?? object;
      extension = new (classOf(webgl, row))(face, webgl === SURVIVES_LOSS);
      face.extensions.set(webgl, extension);
      context.extensions.add(key);
      for (const other of row.enables ?? []) if (context.supportedExtensions.has(other)) context.extensions.add(other);
    }
    return extension;
  }
  return null;
}
