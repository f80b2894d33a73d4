// clear: nothing but the clear that starts every frame.

import type { Scene } from '../scene.ts';

export const clear: Scene = {
  name: 'clear',
  help: 'clears the picture',
  options: [],
  setup: () => ({ draw() {} }),
};
