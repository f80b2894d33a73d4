// A framebuffer object, the default framebuffer included (ES 3.0.6 §4.4): what is attached, and which buffers are drawn and read.

import type { Resource } from '../pipe/resource.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { GlObject } from './gl-object.ts';
import type { Renderbuffer } from './renderbuffer-object.ts';
import type { Texture } from './texture-object.ts';

/** Attributes of the default framebuffer. */
export interface DefaultFramebufferAttributes {
  width: number;
  height: number;
  alpha: boolean;
  depth: boolean;
  stencil: boolean;
  /** 0 or 1: none. */
  samples: number;
}

/** One attached image. Holds a reference to its object. */
export interface TextureAttachment {
  readonly kind: 'texture';
  readonly texture: Texture;
  readonly level: number;
  /** Cube map face 0…5, else 0. */
  readonly face: number;
  /** Slice or layer of framebufferTextureLayer, else 0. */
  readonly layer: number;
}

export interface RenderbufferAttachment {
  readonly kind: 'renderbuffer';
  readonly renderbuffer: Renderbuffer;
}

export type Attachment = TextureAttachment | RenderbufferAttachment;

/** Storage of the default framebuffer; made when it is first needed. */
export interface DefaultStorage {
  readonly color: Resource;
  readonly depthStencil: Resource | null;
  /** Single-sampled copy that a multisampled colour buffer is resolved to for reading; made when needed. */
  resolved: Resource | null;
  readonly width: number;
  readonly height: number;
  readonly samples: number;
}

/** Completeness as it was when the tokens had these values. */
export interface FramebufferStatus {
  readonly code: number;
  /** Why it is not complete, in words. */
  readonly reason: string;
  readonly epoch: number;
  readonly extensionCount: number;
}

export class Framebuffer extends GlObject {
  readonly isDefault: boolean;
  /** Bound once: isFramebuffer is true. */
  wasBound = false;
  readonly colors: (Attachment | null)[] = [];
  depth: Attachment | null = null;
  stencil: Attachment | null = null;
  /** WebGL 1's separate DEPTH_STENCIL_ATTACHMENT point (WebGL 1 §6.8); elsewhere that name sets both of the others. */
  depthStencil: Attachment | null = null;
  /** By draw buffer: NONE, BACK (default framebuffer) or COLOR_ATTACHMENTi. */
  drawBuffers: number[];
  readBuffer: number;
  defaultStorage: DefaultStorage | null = null;
  /** Kept by `framebuffer-completeness.ts`; null: to be found again. */
  status: FramebufferStatus | null = null;

  constructor(isDefault = false) {
    super();
    this.isDefault = isDefault;
    this.drawBuffers = [isDefault ? GL.BACK : GL.COLOR_ATTACHMENT0];
    this.readBuffer = isDefault ? GL.BACK : GL.COLOR_ATTACHMENT0;
  }

  /** Every attachment point that is in use. */
  attachments(): Attachment[] {
    return [...this.colors, this.depth, this.stencil, this.depthStencil].filter(
      (one) => one !== null && one !== undefined,
    );
  }

  protected destroy(context: Context): void {
    for (const attachment of this.attachments()) attachmentObject(attachment).release(context);
    this.colors.length = 0;
    this.depth = this.stencil = this.depthStencil = null;
    this.defaultStorage?.color.destroy();
    this.defaultStorage?.depthStencil?.destroy();
    this.defaultStorage?.resolved?.destroy();
    this.defaultStorage = null;
  }
}

export function attachmentObject(attachment: Attachment): Texture | Renderbuffer {
  return attachment.kind === 'texture' ? attachment.texture : attachment.renderbuffer;
}
