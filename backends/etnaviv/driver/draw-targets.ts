// What draws go to: the bound surfaces in the layouts that the pixel engine wants.

import type { Surface } from '../../../src/pipe/pipe.ts';
import type { ShaderKey } from '../compiler/compiled-shader.ts';
import type { EtnavivContext } from './context.ts';
import type { BoundFramebuffer, BoundTarget } from './emit.ts';
import { flushPixelCaches } from './engine.ts';
import type { EtnavivResource } from './resource.ts';
import type { EtnavivRasterizer } from './state-objects.ts';

export class DrawTargets {
  readonly #context: EtnavivContext;
  /** What the draw before was drawn to, in the stream at work. */
  #targets: BoundFramebuffer | null = null;

  constructor(context: EtnavivContext) {
    this.#context = context;
  }

  startStream(): void {
    this.#targets = null;
  }

  /** The draw to come is drawn to these: what caches hold of others reaches memory. */
  switchTo(framebuffer: BoundFramebuffer): void {
    if (this.#targets && !isSameTargets(this.#targets, framebuffer)) flushPixelCaches(this.#context.stream);
    this.#targets = framebuffer;
  }

  #target(surface: Surface, index: number): BoundTarget | null {
    const resource = surface.resource as EtnavivResource;
    const storage = this.#context.copies.renderStorage(resource, surface.level);
    const swapsRedBlue = this.#context.copies.swapsInProgram(resource);
    const { level, firstLayer: layer, format } = surface;
    return storage && { index, storage, level, layer, format, swapsRedBlue };
  }

  /** What is drawn to, in the layouts that the pixel engine wants. Null: out of memory. */
  bound(): BoundFramebuffer | null {
    const { framebuffer } = this.#context.bindings;
    const colors: BoundTarget[] = [];
    for (const [index, surface] of framebuffer.colors.entries()) {
      if (!surface) continue;
      const target = this.#target(surface, index);
      if (!target) return null;
      colors.push(target);
    }
    if (!this.#context.copies.keepsColorStatus(colors.length))
      for (const target of colors) this.#context.copies.writeOutStatus(target);
    const { depthStencil, width, height, samples } = framebuffer;
    const depth = depthStencil && this.#target(depthStencil, 0);
    if (depthStencil && !depth) return null;
    return { colors, depth, width, height, samples };
  }

  /** The draw's targets hold something newer than their other copies. */
  afterDraw({ colors, depth }: BoundFramebuffer): void {
    const { framebuffer } = this.#context.bindings;
    for (const { index, storage, level } of colors) {
      this.#context.copies.markWritten(framebuffer.colors[index]!.resource as EtnavivResource, storage, level);
    }
    if (!depth) return;
    const resource = framebuffer.depthStencil!.resource as EtnavivResource;
    this.#context.copies.markWritten(resource, depth.storage, depth.level);
  }

  /** Private resources need no exchange of red and blue in programs. */
  fragmentKey(): ShaderKey {
    const state = this.#context.bindings.rasterizer as EtnavivRasterizer;
    let fragRbSwap = 0;
    for (const [index, surface] of this.#context.bindings.framebuffer.colors.entries()) {
      if (surface && this.#context.copies.swapsInProgram(surface.resource as EtnavivResource)) fragRbSwap |= 1 << index;
    }
    return { fragRbSwap, clipHalfZ: false, frontClockwise: !state.description.frontCounterClockwise };
  }
}

function isSameTargets(a: BoundFramebuffer, b: BoundFramebuffer): boolean {
  const isSame = (one: BoundTarget | null | undefined, other: BoundTarget | null | undefined) =>
    one?.storage.buffer === other?.storage.buffer && one?.level === other?.level && one?.layer === other?.layer;
  return (
    a.colors.length === b.colors.length &&
    a.colors.every((one, i) => isSame(one, b.colors[i])) &&
    isSame(a.depth, b.depth)
  );
}
