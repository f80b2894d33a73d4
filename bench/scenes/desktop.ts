// desktop: windows that move over a picture and blur what is below them, or cast shadows on it.

import { FLAG, type Scene, type Stage } from '../scene.ts';
import { type BlurDirection, bellWeights, blurText } from './convolution.ts';
import { DesktopPainter, type QuadProgram, type Surface } from './desktop-painter.ts';

const MAX_WINDOWS = 64;
const MAX_RADIUS = 32;

interface Window {
  readonly surface: Surface;
  x: number;
  y: number;
  speedX: number;
  speedY: number;
}

interface Effect {
  drawWindow(window: Window, desktop: Surface): void;
}

function createBlur(stage: Stage, painter: DesktopPainter, contents: Surface): Effect {
  const { gl, width, height, options } = stage;
  const radius = options.number('blur-radius');
  const passes = options.number('passes');
  if (!Number.isInteger(radius) || radius < 0 || radius > MAX_RADIUS) throw new Error(`blur-radius=${radius}`);
  if (!Number.isInteger(passes) || passes < 0 || passes > 100) throw new Error(`passes=${passes}`);
  const blur = (direction: BlurDirection): QuadProgram => {
    const constants: Record<string, number> = { TextureStepX: 1 / width, TextureStepY: 1 / height };
    for (const [at, weight] of bellWeights(radius, radius / 3).entries()) constants[`Kernel${at}`] = weight;
    const holes = { CONVOLUTION: blurText(radius, direction, 'TextureStepX', 'TextureStepY') };
    return painter.quadProgram(stage.program('desktop.vert', 'desktop-blur.frag', { fragment: { constants, holes } }));
  };
  const isSeparable = options.flag('separable');
  const [first, second] = isSeparable ? [blur('horizontal'), blur('vertical')] : [blur('both'), painter.plain];
  return {
    drawWindow({ surface, x, y }, desktop) {
      for (let pass = 0; pass < passes; pass++) {
        if (isSeparable) {
          painter.grab(surface, desktop, x, y, first);
          painter.draw(surface, desktop, x, y, 0, second);
        } else if (pass % 2 === 0) painter.grab(surface, desktop, x, y, first);
        else painter.draw(surface, desktop, x, y, 0, first);
      }
      if (!isSeparable && passes % 2 === 1) painter.draw(surface, desktop, x, y, 0, painter.plain);
      gl.enable(gl.BLEND);
      gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
      painter.draw(contents, desktop, x, y, 0, painter.plain);
      gl.disable(gl.BLEND);
    },
  };
}

function createShadow(stage: Stage, painter: DesktopPainter, contents: Surface): Effect {
  const { gl, options } = stage;
  const size = options.number('shadow-size');
  if (!(size >= 1 && size < contents.width)) throw new Error(`shadow-size=${size}: 1 to the window's size`);
  const side = painter.imageSurface('desktop-shadow', contents.width - size, size);
  const corner = painter.imageSurface('desktop-shadow-corner', size, size);
  const { plain } = painter;
  return {
    drawWindow({ surface, x, y }, desktop) {
      const [right, top] = [x + surface.width, y + surface.height];
      gl.enable(gl.BLEND);
      gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
      painter.draw(side, desktop, x + size, y - size, 0, plain);
      painter.draw(side, desktop, right + size, y, 1, plain);
      painter.draw(corner, desktop, right, y - size, 0, plain);
      painter.draw(corner, desktop, right + size, top - size, 1, plain);
      painter.draw(corner, desktop, x, y, -1, plain);
      painter.draw(contents, desktop, x, y, 0, plain);
      gl.disable(gl.BLEND);
    },
  };
}

export const desktop: Scene = {
  name: 'desktop',
  help: 'windows over a picture, with effects',
  options: [
    { name: 'effect', default: 'blur', values: ['blur', 'shadow'], help: 'effect of the windows' },
    { name: 'windows', default: '4', help: 'number of windows' },
    { name: 'window-size', default: '0.35', help: "a window's side as a part of the shorter side of the picture" },
    { name: 'passes', default: '1', help: 'times the blur is done' },
    { name: 'blur-radius', default: '5', help: 'radius of the blur in pixels' },
    { name: 'separable', default: 'true', values: FLAG, help: 'blur along rows, then along columns' },
    { name: 'shadow-size', default: '20', help: 'size of the shadow in pixels' },
  ],
  setup(stage) {
    const { gl, width, height, options } = stage;
    const count = options.number('windows');
    if (!Number.isInteger(count) || count < 0 || count > MAX_WINDOWS) throw new Error(`windows=${count}`);
    const size = Math.min(width, height) * options.number('window-size');
    if (!(size >= 1 && size <= Math.min(width, height))) throw new Error('window-size: above 0, at most 1');
    gl.clearColor(0, 0, 0, 0);
    gl.disable(gl.DEPTH_TEST);
    gl.depthMask(false);
    const painter = new DesktopPainter(stage);
    const screen: Surface = { target: null, width, height };
    const background = painter.image('effect-2d');
    const picture = painter.surface(width, height);
    const contents = painter.imageSurface('desktop-window', size, size);
    const windows = Array.from({ length: count }, (_, index): Window => {
      const [place, way] = [(2 * Math.PI * index) / count, 0.1 + (index * Math.PI) / 6];
      return {
        surface: painter.surface(size, size),
        x: width * (0.5 + 0.25 * Math.cos(place)) - size / 2,
        y: height * (0.5 + 0.25 * Math.sin(place)) - size / 2,
        speedX: (Math.cos(way) * width) / 3,
        speedY: (Math.sin(way) * height) / 3,
      };
    });
    const effect = options.text('effect') === 'blur' ? createBlur : createShadow;
    const { drawWindow } = effect(stage, painter, contents);
    let last = 0;
    return {
      update(elapsed) {
        const step = elapsed - last;
        last = elapsed;
        for (const window of windows) {
          const [x, y] = [window.x + window.speedX * step, window.y + window.speedY * step];
          // A window that would leave turns and waits a frame.
          const leavesX = x < 0 || x + size > width;
          const leavesY = y < 0 || y + size > height;
          if (leavesX) window.speedX = -window.speedX;
          if (leavesY) window.speedY = -window.speedY;
          if (leavesX || leavesY) continue;
          window.x = x;
          window.y = y;
        }
      },
      draw() {
        gl.clearColor(0, 0, 0, 0);
        painter.clearTo(picture, background);
        for (const window of windows) drawWindow(window, picture);
        painter.draw(picture, screen, 0, 0, 0, painter.plain);
      },
      dispose: () => painter.dispose(),
    };
  },
};
