// What the options show-fps and title write over the frames of an entry while it is timed.

import type { Entry } from './entry.ts';
import { createText, type Text } from './gl/text.ts';
import { createTexture } from './gl/texture.ts';
import { createStage, type StageOptions } from './stage.ts';

export interface Decoration {
  /** Called at the end of each frame. */
  draw(frames: number, elapsedSeconds: number): void;
  dispose(): void;
}

/** Seconds for which a number of frames a second stays. */
const FPS_INTERVAL = 0.5;

function titleText({ scene, given, options }: Entry): string {
  const text = options.text('title');
  if (text === '#name#') return scene.name;
  if (text !== '#info#') return text;
  const set = [...given].filter(([name]) => scene.options.some((row) => row.name === name));
  return `[${scene.name}] ${set.map(([name, value]) => `${name}=${value}`).join(':') || '<default>'}`;
}

/** Null for an entry without. Call after the scene's set-up. */
export function decorate(entry: Entry, stageOptions: StageOptions): Decoration | null {
  const { options } = entry;
  const showsFps = options.flag('show-fps');
  const title = titleText(entry);
  if (!showsFps && title === '') return null;
  const { gl, width, height, data } = stageOptions;
  const used = gl.getParameter(gl.CURRENT_PROGRAM) as WebGLProgram | null;
  const bound = gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture | null;
  const program = createStage(entry, stageOptions).program('text-renderer.vert', 'text-renderer.frag');
  const atlas = createTexture(gl, data.texture('glyph-atlas'), {
    minFilter: gl.LINEAR_MIPMAP_LINEAR,
    magFilter: gl.LINEAR,
  });
  gl.bindTexture(gl.TEXTURE_2D, bound);
  gl.useProgram(used);
  const place = (kind: 'fps' | 'title') => {
    const [x = 0, y = 0] = options.text(`${kind}-pos`).split(',').map(Number);
    return { x, y, glyphWidth: options.number(`${kind}-size`), aspect: width / height };
  };
  const texts: Text[] = [];
  const add = (kind: 'fps' | 'title', content: string): Text => {
    const text = createText(gl, program, atlas, place(kind));
    text.set(content);
    texts.push(text);
    return text;
  };
  const fps = showsFps ? add('fps', 'FPS: 0') : null;
  if (title !== '') add('title', title);
  let nextFps = FPS_INTERVAL;
  return {
    draw(frames, elapsedSeconds) {
      if (fps && elapsedSeconds >= nextFps) {
        fps.set(`FPS: ${Math.floor(frames / elapsedSeconds)}`);
        nextFps = elapsedSeconds + FPS_INTERVAL;
      }
      for (const text of texts) text.draw();
    },
    dispose() {
      for (const text of texts) text.dispose();
      program.dispose();
      gl.deleteTexture(atlas);
    },
  };
}
