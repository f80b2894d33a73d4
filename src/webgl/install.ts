// Puts the specified methods on a context's prototype: each one checks `this`, counts and converts its arguments by the table,
// answers for lost contexts, refuses objects that are not valid, and only then runs.

import type { GlObject } from '../gl/gl-object.ts';
import { type Kind, kindOf } from './conversions.ts';
import type { Face } from './face.ts';
import type { Handle } from './handles.ts';
import type { SignatureTable } from './signatures.table.ts';
import { checkHandle } from './validity.ts';
import type { Conversion } from './webidl.ts';

interface Form {
  readonly kinds: readonly Kind[];
  readonly required: number;
  readonly hasChecked: boolean;
}

interface Signature {
  readonly forms: readonly Form[];
  readonly runsWhenLost: boolean;
  readonly lostResult: unknown;
}

function parseForm(text: string): Form {
  const kinds: Kind[] = [];
  let required = -1;
  let hasChecked = false;
  for (const word of text.split(' ')) {
    if (word === '|') required = kinds.length;
    else if (word !== '') {
      const kind = kindOf(word);
      kinds.push(kind);
      hasChecked ||= kind.isChecked;
    }
  }
  return { kinds, required: required < 0 ? kinds.length : required, hasChecked };
}

const signatures = new Map<string, Signature>();

/** Many methods have the same arguments, and both versions of WebGL most methods. */
function signatureOf(text: string): Signature {
  let signature = signatures.get(text);
  if (signature === undefined) signatures.set(text, (signature = parseSignature(text)));
  return signature;
}

function parseSignature(text: string): Signature {
  const [formsText, result = 'undefined'] = text.split('->').map((part) => part.trim());
  const runsWhenLost = result.startsWith('always');
  const value = runsWhenLost ? result.slice('always'.length).trim() : result;
  const lostResult = value === '' || value === 'undefined' ? undefined : JSON.parse(value);
  return { forms: formsText!.split(';').map(parseForm), runsWhenLost, lostResult };
}

/** The form that takes `count` arguments: what is too much for all is ignored (Web IDL §3.6). */
function chooseForm(forms: readonly Form[], count: number): Form | undefined {
  const longest = forms.at(-1)!;
  if (count >= longest.required) return longest;
  return forms.find((form) => count >= form.required && count <= form.kinds.length);
}

// biome-ignore lint/suspicious/noExplicitAny: methods of every signature
type AnyMethod = (this: any, ...args: any[]) => unknown;
// biome-ignore lint/suspicious/noExplicitAny: `this` is whatever the caller has
type FaceOfThis = (receiver: any) => Face;

function tooFew(name: string, needed: number, given: number): TypeError {
  return new TypeError(`${name}: ${needed} arguments are needed, ${given} were given`);
}

/** Whether all objects among converted arguments are valid; else an error was recorded. */
function checkObjects(face: Face, name: string, form: Form, args: readonly unknown[]): boolean {
  for (let i = 0; i < form.kinds.length; i++) {
    const value = args[i];
    if (form.kinds[i]!.isChecked && value !== null && value !== undefined)
      if (!checkHandle(face, name, value as Handle<GlObject>)) return false;
  }
  return true;
}

/** Methods with several forms, or with many arguments. */
function wrapAny(name: string, method: AnyMethod, signature: Signature, faceOf: FaceOfThis): AnyMethod {
  const { forms, runsWhenLost, lostResult } = signature;
  return function (...args: unknown[]) {
    const face = faceOf(this);
    const form = chooseForm(forms, args.length);
    if (form === undefined) throw tooFew(name, forms.find((one) => one.required > args.length)!.required, args.length);
    const { kinds } = form;
    const count = Math.min(args.length, kinds.length);
    if (args.length > count) args.length = count;
    for (let i = 0; i < count; i++) {
      // A trailing argument that may be left out is left out by undefined.
      if (i >= form.required && args[i] === undefined) continue;
      const { convert } = kinds[i]!;
      if (convert) args[i] = convert(args[i], name, i);
    }
    if (face.isLost && !runsWhenLost) return lostResult;
    if (form.hasChecked && !face.isLost && !checkObjects(face, name, form, args)) return lostResult;
    return method.apply(this, args);
  };
}

/** An argument that may be left out. */
function optional(convert: Conversion): Conversion {
  return (value, name, index) => (value === undefined ? undefined : convert(value, name, index));
}

const pass: Conversion = (value) => value;

/** Most arguments of `wrapShort`. */
const SHORT = 6;

/** One form of up to six arguments: written out without arrays, as draws and state changes come by the thousand. */
function wrapShort(name: string, method: AnyMethod, signature: Signature, faceOf: FaceOfThis): AnyMethod {
  const { runsWhenLost, lostResult } = signature;
  const { kinds, required } = signature.forms[0]!;
  const conversionOf = (index: number): Conversion => {
    const convert = kinds[index]?.convert ?? pass;
    return index < required || index >= kinds.length ? convert : optional(convert);
  };
  const c0 = conversionOf(0);
  const c1 = conversionOf(1);
  const c2 = conversionOf(2);
  const c3 = conversionOf(3);
  const c4 = conversionOf(4);
  const c5 = conversionOf(5);
  const isChecked = (index: number): boolean => kinds[index]?.isChecked === true;
  const k0 = isChecked(0);
  const k1 = isChecked(1);
  const k2 = isChecked(2);
  const k3 = isChecked(3);
  const k4 = isChecked(4);
  const isBad = (face: Face, handle: unknown): boolean =>
    // What runs on lost contexts has objects from before the loss.
    handle !== null && !face.isLost && !checkHandle(face, name, handle as Handle<GlObject>);
  switch (kinds.length) {
    case 0:
      return function () {
        return faceOf(this).isLost && !runsWhenLost ? lostResult : method.call(this);
      };
    case 1:
      return function (a) {
        const face = faceOf(this);
        // biome-ignore lint/complexity/noArguments: only its length, without an array
        if (arguments.length < required) throw tooFew(name, required, arguments.length);
        const x = c0(a, name, 0);
        if (face.isLost && !runsWhenLost) return lostResult;
        if (k0 && isBad(face, x)) return lostResult;
        return method.call(this, x);
      };
    case 2:
      return function (a, b) {
        const face = faceOf(this);
        // biome-ignore lint/complexity/noArguments: only its length, without an array
        if (arguments.length < required) throw tooFew(name, required, arguments.length);
        const x = c0(a, name, 0);
        const y = c1(b, name, 1);
        if (face.isLost && !runsWhenLost) return lostResult;
        if ((k0 && isBad(face, x)) || (k1 && isBad(face, y))) return lostResult;
        return method.call(this, x, y);
      };
    case 3:
      return function (a, b, c) {
        const face = faceOf(this);
        // biome-ignore lint/complexity/noArguments: only its length, without an array
        if (arguments.length < required) throw tooFew(name, required, arguments.length);
        const x = c0(a, name, 0);
        const y = c1(b, name, 1);
        const z = c2(c, name, 2);
        if (face.isLost && !runsWhenLost) return lostResult;
        if ((k0 && isBad(face, x)) || (k1 && isBad(face, y)) || (k2 && isBad(face, z))) return lostResult;
        return method.call(this, x, y, z);
      };
    case 4:
      return function (a, b, c, d) {
        const face = faceOf(this);
        // biome-ignore lint/complexity/noArguments: only its length, without an array
        if (arguments.length < required) throw tooFew(name, required, arguments.length);
        const x = c0(a, name, 0);
        const y = c1(b, name, 1);
        const z = c2(c, name, 2);
        const w = c3(d, name, 3);
        if (face.isLost && !runsWhenLost) return lostResult;
        if ((k0 && isBad(face, x)) || (k2 && isBad(face, z)) || (k3 && isBad(face, w))) return lostResult;
        return method.call(this, x, y, z, w);
      };
    case 5:
      return function (a, b, c, d, e) {
        const face = faceOf(this);
        // biome-ignore lint/complexity/noArguments: only its length, without an array
        if (arguments.length < required) throw tooFew(name, required, arguments.length);
        const x = c0(a, name, 0);
        const y = c1(b, name, 1);
        const z = c2(c, name, 2);
        const w = c3(d, name, 3);
        const v = c4(e, name, 4);
        if (face.isLost && !runsWhenLost) return lostResult;
        if ((k2 && isBad(face, z)) || (k3 && isBad(face, w)) || (k4 && isBad(face, v))) return lostResult;
        return method.call(this, x, y, z, w, v);
      };
    default:
      return function (a, b, c, d, e, g) {
        const face = faceOf(this);
        // biome-ignore lint/complexity/noArguments: only its length, without an array
        if (arguments.length < required) throw tooFew(name, required, arguments.length);
        const x = c0(a, name, 0);
        const y = c1(b, name, 1);
        const z = c2(c, name, 2);
        const w = c3(d, name, 3);
        const v = c4(e, name, 4);
        const u = c5(g, name, 5);
        if (face.isLost && !runsWhenLost) return lostResult;
        return method.call(this, x, y, z, w, v, u);
      };
  }
}

/** Arguments that `wrapShort` does not check, by their number. */
const UNCHECKED: readonly (readonly number[])[] = [[], [], [], [], [1], [0, 1], [0, 1, 2, 3, 4, 5]];

/** Whether `wrapShort` checks the objects of this form: it has a place for those that occur. */
function isShort({ forms }: Signature): boolean {
  const { kinds } = forms[0]!;
  if (forms.length > 1 || kinds.length > SHORT) return false;
  return (UNCHECKED[kinds.length] ?? []).every((index) => !kinds[index]!.isChecked);
}

/** What was made around a method: WebGL 2 has most of WebGL 1's methods, with the same arguments. */
const wrappers = new WeakMap<AnyMethod, { readonly text: string; readonly wrapped: AnyMethod }>();

function wrapMethod(name: string, method: AnyMethod, text: string, faceOf: FaceOfThis): AnyMethod {
  const known = wrappers.get(method);
  if (known?.text === text && known.wrapped.name === name) return known.wrapped;
  const signature = signatureOf(text);
  const wrapped = (isShort(signature) ? wrapShort : wrapAny)(name, method, signature, faceOf);
  const length = Math.min(...signature.forms.map((form) => form.required));
  Object.defineProperty(wrapped, 'length', { value: length, configurable: true });
  Object.defineProperty(wrapped, 'name', { value: name, configurable: true });
  wrappers.set(method, { text, wrapped });
  return wrapped;
}

/** Defines the methods that `signatures` names on `prototype`, each around the one that `source` (or its ancestors) has. */
export function installMethods(
  prototype: object,
  source: object,
  signatures: SignatureTable,
  faceOf: FaceOfThis,
): void {
  for (const [name, text] of Object.entries(signatures)) {
    const method = (source as Record<string, unknown>)[name];
    if (typeof method !== 'function') throw new Error(`signatures: there is no method ${name}`);
    Object.defineProperty(prototype, name, {
      value: wrapMethod(name, method as AnyMethod, text, faceOf),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}

/** Copies accessors of `source` as the enumerable attributes that WebIDL makes of them. */
export function installAttributes(prototype: object, source: object): void {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(source)))
    if (descriptor.get) Object.defineProperty(prototype, name, { ...descriptor, enumerable: true, configurable: true });
}

/**
 * Makes V8 keep an object's properties in a hash table, as it does once a property in the middle is gone. Else each of hundreds of
 * constants copies the list of those before it: 18 MB of garbage and a third of the time to import the package. V8 undoes it for an
 * object whose properties have been read, so this comes first of all.
 */
function useHashTable(target: object): void {
  const names = ['first', 'second'].map((name) => Symbol(name));
  for (const name of names) Reflect.set(target, name, 0);
  for (const name of names) Reflect.deleteProperty(target, name);
}

/** Constants stand on an interface's class and on its prototype, and can't be changed. */
export function installConstants(
  targets: readonly object[],
  values: Readonly<Record<string, number>>,
  names: readonly string[] = Object.keys(values),
): void {
  for (const target of targets) {
    useHashTable(target);
    const descriptor = { value: 0, enumerable: true, configurable: false, writable: false };
    for (const name of names) {
      descriptor.value = values[name]!;
      Object.defineProperty(target, name, descriptor);
    }
  }
}
