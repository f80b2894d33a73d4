// Opens a WebGL context on a canvas: screen, face, context object, and what the canvas needs of them.

import { hud, profile } from '../base/profile.ts';
import type { Canvas, CanvasSurface, ContextType } from '../canvas/canvas.ts';
import { blankImage } from '../canvas/image.ts';
import type { DebugMessage } from '../gl/errors.ts';
import { clearDefaultFramebuffer } from '../gl/framebuffer-default.ts';
import { drawHud } from '../gl/hud.ts';
import { FLUSH } from '../pipe/query.ts';
import type { Backend, Screen } from '../pipe/screen.ts';
import { convertAttributes } from './attributes.ts';
import { loseContext } from './context-loss.ts';
import { chooseSize, readImage } from './drawing-buffer.ts';
import { Face } from './face.ts';
import { createRenderingContext } from './rendering-context.ts';

export interface SurfaceOptions {
  readonly backend: Backend;
  readonly threads?: number;
  /** Hears every GL error and warning in words. */
  readonly debug?: ((message: DebugMessage) => void) | undefined;
}

function openScreen(options: SurfaceOptions, version: 1 | 2): Screen {
  const { backend, threads } = options;
  const screen = backend.createScreen(threads === undefined ? {} : { threads });
  const needed = version === 1 ? 2 : 3;
  if (screen.caps.glesVersion >= needed) return screen;
  screen.destroy();
  throw new Error(`backend '${backend.name}' has GLES ${screen.caps.glesVersion} only, which is enough for 'webgl'`);
}

/** Throws an error that names what was tried. */
export function openSurface(
  canvas: Canvas,
  type: ContextType,
  attributes: unknown,
  options: SurfaceOptions,
): CanvasSurface {
  const requested = convertAttributes(attributes);
  const version = type === 'webgl' ? 1 : 2;
  const screen = openScreen(options, version);
  let face: Face;
  try {
    face = new Face(
      screen,
      { canvas, dispatch: (name, message) => canvas.sendEvent(name, message) },
      {
        version,
        attributes: requested,
        width: canvas.width,
        height: canvas.height,
        debug: options.debug ?? null,
      },
    );
  } catch (error) {
    screen.destroy();
    throw new Error(`no ${type} context on backend '${options.backend.name}': ${(error as Error).message}`);
  }
  const stopListening = screen.onLost((reason) => {
    if (!face.isLost) loseContext(face, false, reason);
  });
  const dispose = (): void => {
    if (face.isDisposed) return;
    stopListening();
    face.dispose();
    screen.destroy();
  };
  return {
    type,
    context: createRenderingContext(face, () => canvas.dispose()),
    resize: (width, height) => resize(face, width, height),
    present: () => present(face),
    readImage: () => {
      if (face.isLost) return blankImage(canvas.width, canvas.height);
      showHud(face);
      return readImage(face.context, requested.premultipliedAlpha, 'straight');
    },
    sourcePixels: () => {
      if (face.isLost) {
        const blank = blankImage(canvas.width, canvas.height);
        return blank && { ...blank, premultiplied: false };
      }
      const image = readImage(face.context, requested.premultipliedAlpha, 'stored');
      return image && { ...image, premultiplied: requested.premultipliedAlpha && requested.alpha };
    },
    dispose,
  };
}

function resize(face: Face, width: number, height: number): void {
  face.canvasSize = { width, height };
  if (!face.isLost) chooseSize(face.context, face.canvasSize);
}

/** The overlay belongs to the picture: it is there once a frame, before the picture is taken or at the frame's end. */
function showHud(face: Face): void {
  if (!hud.isOn || face.hasHud) return;
  face.hasHud = true;
  drawHud(face.context);
}

function present(face: Face): void {
  if (face.isLost) return;
  showHud(face);
  face.hasHud = false;
  face.context.pipe.flush(FLUSH.END_OF_FRAME);
  profile.endFrame();
  if (!face.requested.preserveDrawingBuffer) clearDefaultFramebuffer(face.context);
}
