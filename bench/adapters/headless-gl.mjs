// headless-gl (`gl` on npm, not installed with us) as a contestant; it is looked for from the current directory.

import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.cwd(), 'from-here.js'));

export const name = 'headless-gl';

export async function createContext(width, height, { webgl, attrs }) {
  const gl = require('gl')(width, height, { ...attrs, createWebGL2Context: webgl === 2 });
  // Version 8 has no WebGL 2 and gives WebGL 1 instead.
  return webgl === 2 && gl && typeof gl.texStorage2D !== 'function' ? null : gl;
}

export async function destroyContext(gl) {
  gl.getExtension('STACKGL_destroy_context')?.destroy();
}

export function describe(gl) {
  return { version: require('gl/package.json').version, renderer: gl.getParameter(gl.RENDERER) };
}
