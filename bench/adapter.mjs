// Indium as a contestant of the micro scenes: the adapter contract of the scenes' runner. Needs `npm run build`.

import { createContext as createIndiumContext } from 'indium-gl';

export const name = 'indium';

const backendName = process.env.INDIUM_BACKEND ?? 'soft';

/** A context of WebGL 1 or 2 with a drawing buffer of exactly this size. */
export async function createContext(width, height, { webgl, attrs }) {
  return createIndiumContext(width, height, { ...attrs, api: webgl === 2 ? 'webgl2' : 'webgl' });
}

export async function destroyContext(gl) {
  gl.dispose();
}

export function describe(gl) {
  return { version: gl.getParameter(gl.VERSION), renderer: gl.getParameter(gl.RENDERER), backend: backendName };
}
