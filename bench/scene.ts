// What a scene of the bench is: options, and a set-up that gives something to draw frame by frame.

import type { Matrix } from './gl/matrix.ts';
import type { Program } from './gl/program.ts';
import type { ShaderAdditions } from './gl/shader-source.ts';
import type { Model } from './models/model.ts';
import type { TextureImage } from './textures/texture-image.ts';

export type Gl = WebGLRenderingContext | WebGL2RenderingContext;

export interface OptionRow {
  readonly name: string;
  readonly default: string;
  readonly help: string;
  /** Values that are taken; any when there is no list. */
  readonly values?: readonly string[] | 'models' | 'textures';
}

/** Models, textures and shader templates by name: our own, or those of a folder of glmark2's data. */
export interface BenchData {
  readonly name: string;
  /** A template, as `light-basic.vert`. */
  shader(name: string): string;
  model(name: string): Model;
  texture(name: string): TextureImage;
  readonly models: readonly string[];
  readonly textures: readonly string[];
}

/** Values of an entry's options, all of them checked. */
export interface OptionValues {
  text(name: string): string;
  number(name: string): number;
  flag(name: string): boolean;
}

/** What a scene gets to set itself up with. */
export interface Stage {
  readonly gl: Gl;
  readonly isWebgl2: boolean;
  readonly width: number;
  readonly height: number;
  readonly data: BenchData;
  readonly options: OptionValues;
  /** 60 degrees upright, from 1 to 1024. */
  readonly projection: Matrix;
  /** Links two templates of `data`. */
  program(vertex: string, fragment: string, additions?: ProgramAdditions): Program;
}

export interface ProgramAdditions {
  readonly vertex?: ShaderAdditions;
  readonly fragment?: ShaderAdditions;
}

export interface SceneInstance {
  /** Moves the scene to a time in seconds since its start. */
  update?(elapsed: number): void;
  /** Draws one frame; the default framebuffer is bound and cleared to black. */
  draw(): void;
  dispose?(): void;
}

export interface Scene {
  readonly name: string;
  readonly help: string;
  readonly options: readonly OptionRow[];
  setup(stage: Stage): SceneInstance;
}

export const FLAG = ['false', 'true'] as const;
