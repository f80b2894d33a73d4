// Remembers what names a shader's code beyond this process, for those who keep what they make of it on disk.
import type { Shader } from './ir.ts';

const keys = new WeakMap<Shader, string>();

/** Notes a name that is equal only for equal code. */
export function noteShaderKey(shader: Shader, key: string): void {
  keys.set(shader, key);
}

/** The name of a shader's code; undefined: it has none. */
export function shaderKeyOf(shader: Shader): string | undefined {
  return keys.get(shader);
}
