// One GLES 2 / 3 context: its rules, limits, state vector, bindings and errors. Functions over it stand in the other files of this folder.
// Rule: every concern is a file of plain functions that take the Context first and GL objects as references, never integer names.

import { listOf } from '../base/list.ts';
import type { Context as PipeContext } from '../pipe/context.ts';
import type { Screen } from '../pipe/screen.ts';
import type { BufferObject, IndexedBufferBinding } from './buffer-object.ts';
import { createIndexedBindings } from './buffer-object.ts';
import { GL } from './constants.ts';
import { DIRTY_ALL } from './dirty.ts';
import { createDrawInfo } from './draw.ts';
import type { DebugMessage } from './errors.ts';
import type { ExtensionName } from './extensions.ts';
import { supportedExtensions } from './extensions.ts';
import type { DefaultFramebufferAttributes } from './framebuffer-object.ts';
import { Framebuffer } from './framebuffer-object.ts';
import type { GlObject } from './gl-object.ts';
import type { Limits } from './limits.ts';
import { createLimits } from './limits.ts';
import type { Program } from './program-object.ts';
import type { QueryObject } from './query-object.ts';
import { TransformFeedbackObject } from './query-object.ts';
import type { Renderbuffer } from './renderbuffer-object.ts';
import type { Sampler } from './sampler-object.ts';
import {
  type Box2D,
  type ClearState,
  type CurrentAttribute,
  createBlendState,
  createClipState,
  createCurrentAttribute,
  createDepthState,
  createMultisampleState,
  createPixelStoreState,
  createRasterizerState,
  createStencilState,
  type HintState,
  type ScissorState,
  type WebglUnpackState,
} from './state.ts';
import { createPipeState, destroyPipeState, type PipeState } from './state-update.ts';
import { Texture } from './texture-object.ts';
import { VertexArrayObject } from './vertex-array-object.ts';

/** Where WebGL and GLES disagree, one named flag a rule. All false is GLES. */
export interface ContextRules {
  /** The GLSL profile, and small rules not worth a flag of their own (enum sets of WebGL getters, 'UNPACK_*_WEBGL'). */
  webgl: boolean;
  /** Vertex and index data must come from buffers (WebGL 1 §6.2); an enabled array without buffer is INVALID_OPERATION at draw. */
  noClientArrays: boolean;
  /** Sampling what is being rendered to is INVALID_OPERATION (WebGL 1 §6.26), as is reading a transform feedback buffer. */
  feedbackLoopIsError: boolean;
  /** drawArrays / drawElements beyond the bound ranges are INVALID_OPERATION (WebGL 1 §6.6); else reads are clamped. */
  indexRangeCheck: boolean;
  /** Element array buffers and other buffers never mix (WebGL 1 §6.1). */
  separateElementBuffers: boolean;
  /** New storage reads as zero (WebGL 1 §4.1). GLES leaves it undefined, which for safety is zero too, but may skip clears of render targets. */
  zeroInitialise: boolean;
  /** Stencil front and back masks and references must agree at draw (WebGL 1 §6.11). */
  stencilFacesAgree: boolean;
  /** Attribute stride ≤ 255, offsets and strides are multiples of the type's size (WebGL 1 §6.4, §6.3). */
  attributeAlignment: boolean;
  /** CONSTANT_COLOR and CONSTANT_ALPHA may not meet in one blendFunc (WebGL 1 §6.13). */
  noMixedConstantBlend: boolean;
  /** depthRange near ≤ far (WebGL 1 §6.12). */
  orderedDepthRange: boolean;
  /** No mapBuffer, no primitive restart enable (always on in API 3), no program binaries (WebGL 2 §5.14 …). */
  fixedPrimitiveRestart: boolean;
  /** Shader text is restricted to WebGL's character set and identifier limits. */
  bindsGenerateNames: boolean;
}

export const GLES_RULES: ContextRules = {
  webgl: false,
  noClientArrays: false,
  feedbackLoopIsError: false,
  indexRangeCheck: false,
  separateElementBuffers: false,
  zeroInitialise: false,
  stencilFacesAgree: false,
  attributeAlignment: false,
  noMixedConstantBlend: false,
  orderedDepthRange: false,
  fixedPrimitiveRestart: false,
  bindsGenerateNames: true,
};

export const WEBGL_RULES: ContextRules = {
  webgl: true,
  noClientArrays: true,
  feedbackLoopIsError: true,
  indexRangeCheck: true,
  separateElementBuffers: true,
  zeroInitialise: true,
  stencilFacesAgree: true,
  attributeAlignment: true,
  noMixedConstantBlend: true,
  orderedDepthRange: true,
  fixedPrimitiveRestart: true,
  bindsGenerateNames: false,
};

export interface ContextOptions {
  version: 2 | 3;
  rules?: ContextRules;
  framebuffer: DefaultFramebufferAttributes;
  /** Extensions enabled from the start: GLES enables all that are supported, WebGL those asked for by getExtension. */
  enableAllExtensions?: boolean;
  debugSink?: (message: DebugMessage) => void;
}

/** Order of the bindings in a texture unit. */
const TEXTURE_TARGETS = [GL.TEXTURE_2D, GL.TEXTURE_CUBE_MAP, GL.TEXTURE_3D, GL.TEXTURE_2D_ARRAY] as const;

/** Index of a texture target in `TextureUnit.textures`, −1 for anything else. */
export function textureTargetIndex(target: number): number {
  switch (target) {
    case GL.TEXTURE_2D:
      return 0;
    case GL.TEXTURE_CUBE_MAP:
      return 1;
    case GL.TEXTURE_3D:
      return 2;
    case GL.TEXTURE_2D_ARRAY:
      return 3;
    default:
      return -1;
  }
}

export interface TextureUnit {
  /** By `TEXTURE_TARGETS`; the context's default texture of the target where the application bound 0. */
  readonly textures: Texture[];
  sampler: Sampler | null;
}

export class Context {
  readonly version: 2 | 3;
  readonly rules: ContextRules;
  readonly screen: Screen;
  /** Replaced when a lost context is restored. */
  pipe: PipeContext;
  readonly limits: Limits;
  #supportedExtensions: ReadonlySet<ExtensionName> | undefined;
  /** What is in force now; always a subset of the supported ones. */
  readonly extensions: Set<ExtensionName>;
  debugSink: ((message: DebugMessage) => void) | null;
  readonly pendingErrors: number[] = [];
  /** Every GL object with storage that is not yet destroyed, so that `dispose` gives everything back. */
  readonly objects = new Set<GlObject>();
  disposed = false;

  readonly rasterizer = createRasterizerState();
  readonly clip = createClipState();
  readonly depth = createDepthState();
  readonly stencil = createStencilState();
  readonly blend;
  readonly multisample = createMultisampleState();
  readonly scissor: ScissorState;
  readonly viewport: Box2D;
  readonly clear: ClearState = { color: new Float32Array(4), depth: 1, stencil: 0 };
  readonly pack = createPixelStoreState();
  readonly unpack = createPixelStoreState();
  readonly webglUnpack: WebglUnpackState = {
    flipY: false,
    premultiplyAlpha: false,
    colorspaceConversion: GL.BROWSER_DEFAULT_WEBGL,
  };
  readonly hints: HintState = { generateMipmap: GL.DONT_CARE, fragmentShaderDerivative: GL.DONT_CARE };
  readonly currentAttributes: readonly CurrentAttribute[];

  arrayBuffer: BufferObject | null = null;
  copyReadBuffer: BufferObject | null = null;
  copyWriteBuffer: BufferObject | null = null;
  pixelPackBuffer: BufferObject | null = null;
  pixelUnpackBuffer: BufferObject | null = null;
  uniformBuffer: BufferObject | null = null;
  transformFeedbackBuffer: BufferObject | null = null;
  readonly uniformBufferBindings: readonly IndexedBufferBinding[];

  /** Changes when a buffer gets other storage: what named the old one is stale. */
  bufferEpoch = 0;
  readonly defaultVertexArray: VertexArrayObject;
  vertexArray: VertexArrayObject;

  readonly defaultTextures: readonly Texture[];
  readonly textureUnits: readonly TextureUnit[];
  /** Index, not the TEXTUREi enum. */
  activeTexture = 0;

  /** The object of name 0. Its storage is made by the framebuffer files from `framebufferAttributes`. */
  readonly defaultFramebuffer: Framebuffer;
  readonly framebufferAttributes: DefaultFramebufferAttributes;
  drawFramebuffer: Framebuffer;
  readFramebuffer: Framebuffer;
  renderbuffer: Renderbuffer | null = null;

  program: Program | null = null;

  /** ANY_SAMPLES_PASSED and …_CONSERVATIVE share one slot (ES 3.0.6 §2.14). */
  occlusionQuery: QueryObject | null = null;
  feedbackQuery: QueryObject | null = null;
  timeQuery: QueryObject | null = null;

  readonly defaultTransformFeedback: TransformFeedbackObject;
  transformFeedback: TransformFeedbackObject;
  /** All of them: an active one that is not bound still locks its program. */
  readonly feedbackObjects = new Set<TransformFeedbackObject>();

  /** DIRTY bits of what changed since a draw was last found right; `draw-checks.ts` looks at what it names, and clears it. */
  unchecked = DIRTY_ALL;
  #dirty = DIRTY_ALL;
  /** Vertices that every array read by the program holds: a draw of so many needs no closer look (`draw-checks.ts`). */
  checkedVertices = 0;
  /** Reused by every draw. */
  readonly drawInfo = createDrawInfo();
  /** What the pipe was last given; `state-update.ts` owns it. */
  readonly pipeState: PipeState;

  constructor(screen: Screen, options: ContextOptions) {
    this.version = options.version;
    this.rules = options.rules ?? GLES_RULES;
    this.screen = screen;
    this.pipe = screen.createContext();
    this.debugSink = options.debugSink ?? null;
    this.limits = createLimits(screen);
    this.extensions = new Set(options.enableAllExtensions ? this.supportedExtensions : []);

    const limits = this.limits;
    this.blend = createBlendState(limits.maxDrawBuffers);
    const { width, height } = options.framebuffer;
    this.scissor = { enabled: false, x: 0, y: 0, width, height };
    this.viewport = { x: 0, y: 0, width, height };
    this.currentAttributes = listOf(limits.maxVertexAttribs, createCurrentAttribute);
    this.uniformBufferBindings = createIndexedBindings(limits.maxUniformBufferBindings);
    this.vertexArray = this.defaultVertexArray = new VertexArrayObject(limits.maxVertexAttribs);
    this.defaultTextures = TEXTURE_TARGETS.map((target) => new Texture(target));
    this.textureUnits = listOf(limits.maxCombinedTextureImageUnits, () => ({
      textures: [...this.defaultTextures],
      sampler: null,
    }));
    this.framebufferAttributes = { ...options.framebuffer };
    this.defaultFramebuffer = new Framebuffer(true);
    this.drawFramebuffer = this.readFramebuffer = this.defaultFramebuffer;
    this.transformFeedback = this.defaultTransformFeedback = new TransformFeedbackObject(
      limits.maxTransformFeedbackSeparateAttribs,
    );
    this.feedbackObjects.add(this.defaultTransformFeedback);
    this.pipeState = createPipeState(this);
  }

  /** Asked of the screen when it is first wanted: that takes some hundred questions about formats. */
  get supportedExtensions(): ReadonlySet<ExtensionName> {
    this.#supportedExtensions ??= supportedExtensions(this.screen, this.version, this.rules.webgl);
    return this.#supportedExtensions;
  }

  /** DIRTY bits not yet handed to the pipe. */
  get dirty(): number {
    return this.#dirty;
  }

  set dirty(bits: number) {
    this.#dirty = bits;
    this.unchecked |= bits;
  }

  /** The pipe has what these DIRTY bits name. */
  clean(bits: number): void {
    this.#dirty &= ~bits;
  }

  /** Registers a new GL object for `dispose`. */
  track<T extends GlObject>(object: T): T {
    this.objects.add(object);
    return object;
  }

  isEnabled(extension: ExtensionName): boolean {
    return this.extensions.has(extension);
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const object of this.objects) object.dispose(this);
    for (const texture of this.defaultTextures) texture.dispose(this);
    this.defaultFramebuffer.dispose(this);
    this.defaultVertexArray.dispose(this);
    this.defaultTransformFeedback.dispose(this);
    destroyPipeState(this);
    this.pipe.destroy();
  }
}
