// Models, textures and shaders of a folder of glmark2's data (Debian's package glmark2-data), loaded at run time.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { load3ds } from './models/load-3ds.ts';
import { loadJobj, loadObj } from './models/load-obj.ts';
import type { Model } from './models/model.ts';
import type { BenchData } from './scene.ts';
import { fromTopDownRgba, type TextureImage } from './textures/texture-image.ts';

const MODEL_LOADERS: Readonly<Record<string, (file: Buffer) => Model>> = {
  '3ds': load3ds,
  obj: (file) => loadObj(file.toString('latin1')),
  jobj: (file) => loadJobj(file.toString('latin1')),
};

/** Kinds of colour of PNG's header that have alpha: grey with alpha, RGBA. */
const PNG_ALPHA_TYPES = [4, 6];
const PNG_COLOR_TYPE_OFFSET = 25;

function decodePng(file: Buffer): TextureImage {
  const { width, height, data } = PNG.sync.read(file);
  return fromTopDownRgba(width, height, data, PNG_ALPHA_TYPES.includes(file[PNG_COLOR_TYPE_OFFSET]!) ? 4 : 3);
}

type JpegDecoder = (file: Buffer, options: object) => { width: number; height: number; data: Uint8Array };

function decodeJpeg(file: Buffer): TextureImage {
  let decode: JpegDecoder;
  try {
    decode = (createRequire(import.meta.url)('jpeg-js') as { decode: JpegDecoder }).decode;
  } catch {
    throw new Error('JPEG textures need the package jpeg-js: npm install jpeg-js');
  }
  const { width, height, data } = decode(file, { useTArray: true });
  return fromTopDownRgba(width, height, data, 3);
}

const TEXTURE_LOADERS: Readonly<Record<string, (file: Buffer) => TextureImage>> = { png: decodePng, jpg: decodeJpeg };

/** Loads by the name without its ending; what is loaded is kept. */
function filesOf<T>(folder: string, loaders: Readonly<Record<string, (file: Buffer) => T>>) {
  const paths = new Map<string, { path: string; load: (file: Buffer) => T }>();
  for (const file of readdirSync(folder).sort()) {
    const dot = file.lastIndexOf('.');
    const ending = file.slice(dot + 1);
    if (Object.hasOwn(loaders, ending)) {
      paths.set(file.slice(0, dot), { path: join(folder, file), load: loaders[ending]! });
    }
  }
  const loaded = new Map<string, T>();
  return {
    names: [...paths.keys()],
    get(name: string): T {
      const known = loaded.get(name);
      if (known !== undefined) return known;
      const entry = paths.get(name);
      if (!entry) throw new Error(`no '${name}' in ${folder}`);
      let value: T;
      try {
        value = entry.load(readFileSync(entry.path));
      } catch (error) {
        throw new Error(`${entry.path}: ${(error as Error).message}`);
      }
      loaded.set(name, value);
      return value;
    },
  };
}

/** Throws when the folder does not look like glmark2's data. */
export function openGlmarkData(folder: string): BenchData {
  for (const part of ['models', 'shaders', 'textures']) {
    if (!existsSync(join(folder, part))) throw new Error(`${folder}: not glmark2's data, it has no folder '${part}'`);
  }
  const models = filesOf(join(folder, 'models'), MODEL_LOADERS);
  const textures = filesOf(join(folder, 'textures'), TEXTURE_LOADERS);
  const shaders = new Map<string, string>();
  return {
    name: folder,
    shader(name) {
      let text = shaders.get(name);
      if (text === undefined) {
        text = readFileSync(join(folder, 'shaders', name), 'utf8');
        shaders.set(name, text);
      }
      return text;
    },
    model: models.get,
    texture: textures.get,
    models: models.names.filter((name) => name !== 'jellyfish'),
    textures: textures.names,
  };
}
