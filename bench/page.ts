// The bench in a browser's page: runs entries on a canvas. Served from the built package by the chromium peer.

import { parseEntries } from './entry.ts';
import { generatedData } from './generated-data.ts';
import type { ColoredModel, Model } from './models/model.ts';
import { type EntryResult, type FrameEnd, runEntry } from './run-entry.ts';
import type { BenchData } from './scene.ts';
import type { TextureImage } from './textures/texture-image.ts';

export interface PageRequest {
  readonly entry: string;
  readonly width: number;
  readonly height: number;
  readonly frameEnd: FrameEnd;
  /** Names of models and textures when the server has glmark2's data. */
  readonly served: { readonly models: readonly string[]; readonly textures: readonly string[] } | null;
  readonly attributes: WebGLContextAttributes;
}

/** Bytes from the server; waits for them, as scenes set themselves up in one go. */
function fetchBytes(path: string): Uint8Array {
  const request = new XMLHttpRequest();
  request.open('GET', path, false);
  request.overrideMimeType('text/plain; charset=x-user-defined');
  request.send();
  if (request.status !== 200) throw new Error(`${path}: ${request.status}`);
  return Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0) & 0xff);
}

/** JSON with typed arrays written as { type, base64 }. */
function fetchModel(path: string): Model | ColoredModel {
  const text = new TextDecoder().decode(fetchBytes(path));
  return JSON.parse(text, (_, value: unknown) => {
    const array = value as { floats?: number[]; indices?: number[]; shorts?: number[] } | null;
    if (array?.floats) return Float32Array.from(array.floats);
    if (array?.indices) return Uint32Array.from(array.indices);
    return array?.shorts ? Uint16Array.from(array.shorts) : value;
  }) as Model;
}

function fetchTexture(path: string): TextureImage {
  const bytes = fetchBytes(path);
  const view = new DataView(bytes.buffer);
  const [width, height, channels] = [0, 4, 8].map((at) => view.getUint32(at, true));
  return { width: width!, height: height!, channels: channels as 3 | 4, data: bytes.subarray(12) };
}

function servedData(names: NonNullable<PageRequest['served']>): BenchData {
  return {
    name: 'served',
    shader: (name) => new TextDecoder().decode(fetchBytes(`/data/shaders/${name}`)),
    model: (name) => fetchModel(`/data/models/${name}`),
    texture: (name) => fetchTexture(`/data/textures/${name}`),
    models: names.models,
    textures: names.textures,
  };
}

export function runInPage(request: PageRequest): EntryResult & { renderer: string } {
  const { width, height, frameEnd, served, attributes } = request;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const gl = canvas.getContext('webgl2', attributes);
  if (!gl) throw new Error('no WebGL 2');
  const data = served ? servedData(served) : generatedData;
  const named = gl.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(gl.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  try {
    const [entry] = parseEntries([request.entry], data);
    return { ...runEntry(gl, entry!, { width, height, data, frameEnd }), renderer };
  } finally {
    gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}
