// A texture object: its images by face and level, its parameters, and the pipe resources that hold the images.
// Rule: every image knows where its pixels are. Images that fit the texture's main resource live there; any other has a
// resource of its own until the texture is used and `texture-storage.ts` brings what is needed together.

import { listOf } from '../base/list.ts';
import type { Resource, SamplerView } from '../pipe/resource.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import type { InternalFormatRow } from './gl-formats.table.ts';
import type { StorageChoice } from './gl-formats.ts';
import { GlObject } from './gl-object.ts';
import { createSamplingState, type SamplingState } from './sampler-state.ts';

/** One image: a level of one face. */
export interface TextureImage {
  readonly width: number;
  readonly height: number;
  /** Slices of a 3D texture, layers of an array, else 1. */
  readonly depth: number;
  /** As the application named it: sized, unsized or compressed. */
  readonly internalFormat: number;
  /** The effective sized format. */
  readonly row: InternalFormatRow;
  readonly storage: StorageChoice;
  /** Null only for images without texels. */
  resource: Resource | null;
  resourceLevel: number;
  /** Layer of the resource where the image starts: the face in a cube resource, else 0. */
  resourceLayer: number;
}

/** What sampling needs to know of the levels, derived from images and parameters; see `texture-completeness.ts`. */
export interface TextureLevels {
  readonly firstLevel: number;
  /** Last level of the unbroken chain that starts at `firstLevel`. */
  readonly lastLevel: number;
  /** The base level exists, with six equal square faces for a cube. */
  readonly baseComplete: boolean;
  /** The chain reaches as far as mipmapping needs. */
  readonly mipmapComplete: boolean;
  readonly isPowerOfTwo: boolean;
}

export const CUBE_FACES = 6;

export class Texture extends GlObject {
  /** Target of the first bind, 0 before: isTexture is false. Default textures have their target from the start. */
  target: number;
  /** By face (one for all targets but cubes), then level. */
  images: (TextureImage | undefined)[][];
  readonly sampling: SamplingState = createSamplingState();
  baseLevel = 0;
  maxLevel = 1000;
  readonly swizzle: number[] = [GL.RED, GL.GREEN, GL.BLUE, GL.ALPHA];
  /** DEPTH_STENCIL_TEXTURE_MODE: which part of packed depth and stencil is sampled. */
  depthStencilMode: number = GL.DEPTH_COMPONENT;
  /** Levels given to texStorage; 0: mutable. */
  immutableLevels = 0;
  /** Holds the images of consecutive levels from `resourceFirstLevel` on. */
  resource: Resource | null = null;
  resourceFirstLevel = 0;
  /** Grows when images or parameters other than `sampling` change: what was derived is stale. */
  version = 0;
  levels: TextureLevels | null = null;
  levelsVersion = -1;
  view: SamplerView | null = null;
  viewVersion = -1;
  /** Only in default textures: what an incomplete texture of the target samples as, by the sampler's result kind. */
  readonly blanks = new Map<string, SamplerView>();

  constructor(target = 0) {
    super();
    this.target = target;
    this.images = emptyImages(target);
  }

  /** The first bind decides what it is. */
  setTarget(target: number): void {
    this.target = target;
    this.images = emptyImages(target);
    this.version++;
  }

  image(face: number, level: number): TextureImage | undefined {
    return this.images[face]?.[level];
  }

  protected destroy(_context: Context): void {
    this.view?.destroy();
    this.view = null;
    for (const view of this.blanks.values()) {
      view.destroy();
      view.resource.destroy();
    }
    this.blanks.clear();
    for (const resource of this.resources()) resource.destroy();
    this.resource = null;
    this.images = emptyImages(this.target);
  }

  /** Every resource that it holds, once. */
  resources(): Set<Resource> {
    const all = new Set<Resource>();
    if (this.resource) all.add(this.resource);
    for (const levels of this.images) for (const image of levels) if (image?.resource) all.add(image.resource);
    return all;
  }
}

function emptyImages(target: number): (TextureImage | undefined)[][] {
  return listOf(target === GL.TEXTURE_CUBE_MAP ? CUBE_FACES : 1, () => []);
}
