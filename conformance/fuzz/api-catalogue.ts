// The entry points of each face with the kinds of their arguments, as often as their weights say.

import { EXTENSIONS, type ExtensionName, webglName } from '../../src/gl/extensions.ts';
import { ES2, ES3, EXTENSION_POINTS } from '../../src/gles/entry-points.ts';
import { EXTENSION_OBJECTS } from '../../src/webgl/extensions.table.ts';
import { WEBGL1_SIGNATURES, WEBGL2_SIGNATURES } from '../../src/webgl/signatures.table.ts';
import type { FaceName } from './api-arguments.ts';
import {
  EXTENSION_CALLS,
  EXTENSION_CALLS_1,
  EXTENSION_CALLS_2,
  GLES_CALLS,
  SHARED_CALLS,
  WEBGL_CALLS,
  WEBGL_FORMS,
  WEIGHTS,
} from './api-calls.table.ts';

/** A call as often as its weight, for each face. */
type Catalogue = readonly (readonly [call: string, words: string])[];

function weighted(rows: Iterable<readonly [string, string]>): Catalogue {
  return [...rows].flatMap((row) => Array.from({ length: WEIGHTS[row[0]] ?? 1 }, () => row));
}

/** `a b | c ; d` of the WebIDL table as the words of one form. */
function wordsOf(signature: string): string {
  return signature.split('->')[0]!.split(';')[0]!.replace('|', ' ').trim();
}

/** The row of a method of WebGL's extension objects. */
function extensionWords(method: string, signature: string, version: 2 | 3): string {
  const plain = method.replace(/(ANGLE|OES|EXT|WEBGL)$/, '');
  const own = EXTENSION_CALLS[method] ?? (version === 2 ? EXTENSION_CALLS_1 : EXTENSION_CALLS_2)[method];
  return own ?? SHARED_CALLS[plain] ?? WEBGL_CALLS[plain] ?? wordsOf(signature);
}

function webCalls(signatures: Readonly<Record<string, string>>, version: 2 | 3): Catalogue {
  const rows: (readonly [string, string])[] = [];
  for (const [name, signature] of Object.entries(signatures)) {
    rows.push([name, SHARED_CALLS[name] ?? WEBGL_CALLS[name] ?? wordsOf(signature)]);
    if (WEBGL_FORMS[name] !== undefined) rows.push([name, WEBGL_FORMS[name]]);
  }
  for (const [key, object] of Object.entries(EXTENSION_OBJECTS)) {
    const extension = EXTENSIONS[key as ExtensionName] as { readonly webglVersions: readonly number[] };
    if (!extension.webglVersions.includes(version)) continue;
    const { methods = {} } = (version === 3 ? object.webgl2 : undefined) ?? object;
    for (const [method, [signature]] of Object.entries(methods))
      rows.push([`${webglName(key as ExtensionName, version)}.${method}`, extensionWords(method, signature, version)]);
  }
  return weighted(rows);
}

/** The row of a GLES function; undefined: there is none. */
export function glesWords(name: string): string | undefined {
  if (GLES_CALLS[name] !== undefined) return GLES_CALLS[name];
  const plain = `${name[2]!.toLowerCase()}${name.slice(3)}`;
  return SHARED_CALLS[plain];
}

function glesCalls(tables: readonly object[]): Catalogue {
  const names = tables.flatMap((table) => Object.keys(table));
  const rows = names.map((name): [string, string] => [name, glesWords(name) ?? '']);
  return rows.flatMap((row) => {
    const plain = `${row[0][2]!.toLowerCase()}${row[0].slice(3)}`;
    return Array.from({ length: WEIGHTS[plain] ?? 1 }, () => row);
  });
}

export const CATALOGUES: Readonly<Record<FaceName, Catalogue>> = {
  webgl: webCalls(WEBGL1_SIGNATURES, 2),
  webgl2: webCalls({ ...WEBGL1_SIGNATURES, ...WEBGL2_SIGNATURES }, 3),
  gles2: glesCalls([ES2, EXTENSION_POINTS]),
  gles3: glesCalls([ES2, ES3, EXTENSION_POINTS]),
};

/** Every entry point of a face, once. */
export function entryPoints(face: FaceName): string[] {
  return [...new Set(CATALOGUES[face].map(([name]) => name))];
}
