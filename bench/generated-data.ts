// The bench's own models, textures and shaders: generated when they are asked for, and kept.

import { GENERATED_MODELS } from './models/generated-models.ts';
import type { Model } from './models/model.ts';
import type { BenchData } from './scene.ts';
import { SHADERS } from './shaders/shader-table.ts';
import { GENERATED_TEXTURES } from './textures/generated-textures.ts';
import type { TextureImage } from './textures/texture-image.ts';

function kept<T>(what: string, makers: Readonly<Record<string, () => T>>): (name: string) => T {
  const made = new Map<string, T>();
  return (name) => {
    let value = made.get(name);
    if (value === undefined) {
      if (!Object.hasOwn(makers, name)) throw new Error(`no ${what} '${name}'`);
      value = makers[name]!();
      made.set(name, value);
    }
    return value;
  };
}

export const generatedData: BenchData = {
  name: 'generated',
  shader(name) {
    if (!Object.hasOwn(SHADERS, name)) throw new Error(`no shader '${name}'`);
    return SHADERS[name]!;
  },
  model: kept<Model>('model', GENERATED_MODELS),
  texture: kept<TextureImage>('texture', GENERATED_TEXTURES),
  models: Object.keys(GENERATED_MODELS).filter((name) => name !== 'jellyfish'),
  textures: Object.keys(GENERATED_TEXTURES),
};
