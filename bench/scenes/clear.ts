// clear: the clear that starts every frame, and if wanted clears of parts of the picture after it.

import type { Scene } from '../scene.ts';

export const clear: Scene = {
  name: 'clear',
  help: 'clears the picture',
  options: [
    { name: 'rectangles', default: '0', help: 'clears of a part of the picture that follow' },
    { name: 'area', default: '0.25', help: 'what each of them covers, 1 is all' },
  ],
  setup({ gl, width, height, options }) {
    const rectangles = options.number('rectangles');
    const edge = Math.sqrt(options.number('area'));
    const [rectangleWidth, rectangleHeight] = [Math.round(width * edge), Math.round(height * edge)];
    const place = (index: number, room: number): number => Math.round((room * (index + 1)) / (rectangles + 1));
    return {
      draw() {
        if (rectangles === 0) return;
        gl.enable(gl.SCISSOR_TEST);
        for (let index = 0; index < rectangles; index++) {
          const left = place(index, width - rectangleWidth);
          gl.scissor(left, place(index, height - rectangleHeight), rectangleWidth, rectangleHeight);
          gl.clearColor(0.2, (index % 3) / 2, 0.8, 1);
          gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        }
        gl.disable(gl.SCISSOR_TEST);
      },
    };
  },
};
