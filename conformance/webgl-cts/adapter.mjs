// Lets a Node runner of the Khronos WebGL suite use this package: `createCanvas` and the classes for the page's globals.
// Plain ESM over the built package (`npm run build` first). INDIUM_BACKEND chooses the backend.

import * as indium from 'indium-gl';

const backend = await indium.openBackend();

/** A canvas as the suite's pages need it: synchronous `getContext`, `width` and `height`, events, `present`, `toImageData`. */
export function createCanvas(width, height) {
  return indium.createCanvas(width, height, { backend });
}

/** Pages hand DOM images and canvases to texImage2D: the runner turns them into ImageData. */
export const texSource = 'imagedata';

/** Every class of WebGL that the package exports; events are of the runner's own DOM. */
export const globals = Object.fromEntries(
  Object.entries(indium).filter(([name]) => name.startsWith('WebGL') && name !== 'WebGLContextEvent'),
);
