// Our own shader templates by name. Names, attributes, uniforms and holes are those of glmark2's data, so that the
// scenes run with either; the shaders themselves are ours.

import { BUMP_SHADERS } from './bump.ts';
import { DEPTH_SHADERS } from './depth.ts';
import { IDEAS_SHADERS } from './ideas.ts';
import { IMAGE_SHADERS } from './image.ts';
import { LANDSCAPE_SHADERS } from './landscape.ts';
import { LIGHTING_SHADERS } from './lighting.ts';
import { STEP_SHADERS } from './steps.ts';

export const SHADERS: Readonly<Record<string, string>> = {
  ...LIGHTING_SHADERS,
  ...BUMP_SHADERS,
  ...IMAGE_SHADERS,
  ...STEP_SHADERS,
  ...DEPTH_SHADERS,
  ...LANDSCAPE_SHADERS,
  ...IDEAS_SHADERS,
};
