// Lets a Node runner of the Khronos WebGL suite use this package: `createCanvas` and the classes for the page's globals.
// Plain ESM over the built package (`npm run build` first). INDIUM_BACKEND chooses the backend.

import * as indium from 'indium-gl';

const backend = await indium.openBackend();

/** A canvas as the suite's pages need it: synchronous `getContext`, `width` and `height`, events, `present`, `toImageData`. */
export function createCanvas(width, height) {
  const canvas = indium.createCanvas(width, height, { backend });
  const getContext = canvas.getContext.bind(canvas);
  canvas.getContext = (...args) => {
    const context = getContext(...args);
    // The runner redefines `canvas` as its DOM element and would make it a name that `for … in` does not list.
    if (context && !Object.hasOwn(context, 'canvas'))
      Object.defineProperty(context, 'canvas', { configurable: true, enumerable: true, get: () => canvas });
    return context;
  };
  return canvas;
}

/** Every class of WebGL that the package exports; events are of the runner's own DOM. */
export const globals = Object.fromEntries(
  Object.entries(indium).filter(([name]) => name.startsWith('WebGL') && name !== 'WebGLContextEvent'),
);

const UPLOADS = ['texImage2D', 'texSubImage2D', 'texImage3D', 'texSubImage3D'];

/** Colours of a DOM source as ImageData has them. */
function straight({ data, premultiplied }) {
  if (!premultiplied) return data;
  const result = new Uint8ClampedArray(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3];
    for (let c = 0; c < 3; c++) result[i + c] = alpha === 0 ? 0 : (data[i + c] * 255) / alpha;
    result[i + 3] = alpha;
  }
  return result;
}

/** Pages hand DOM images and canvases to the texture uploads: their pixels come from the runner's document. */
export function setup({ resolveSource, isDomSource }) {
  for (const type of [indium.WebGLRenderingContext, indium.WebGL2RenderingContext]) {
    const { getParameter } = type.prototype;
    const hasUnpackBuffer = (gl) =>
      type === indium.WebGL2RenderingContext && getParameter.call(gl, type.PIXEL_UNPACK_BUFFER_BINDING) !== null;
    for (const name of UPLOADS) {
      const upload = type.prototype[name];
      if (!upload) continue;
      const wrapped = function (...args) {
        const source = args.at(-1);
        const pixels = isDomSource(source) ? resolveSource(source) : null;
        if (pixels) args[args.length - 1] = { width: pixels.width, height: pixels.height, data: straight(pixels) };
        else if (isDomSource(source)) {
          // An element that is not loaded yet is INVALID_VALUE in browsers, as a negative level is; what a bound buffer forbids comes first.
          if (!hasUnpackBuffer(this)) args[1] = -1;
          args[args.length - 1] = { width: 0, height: 0, data: new Uint8Array(0) };
        }
        return upload.apply(this, args);
      };
      Object.defineProperty(type.prototype, name, {
        value: wrapped,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
}
