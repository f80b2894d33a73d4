// fbo.level: images of any level, face and layer as attachments. What is drawn, cleared, read, copied or tested there is that image, and all
// others stay (ES 3.0.6 §4.4.2.4).

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawRects } from '../../harness/draw.ts';
import { generate, requireComplete } from '../../harness/framebuffer.ts';
import { colorProgram } from '../../harness/program.ts';
import { levelSize, targetValue, uploadImage } from '../../harness/texture.ts';
import { checkTexture } from '../../harness/texture-levels.ts';
import { fillTexels, formatNamed, SIZED_FORMATS } from '../../reference/texture-formats.ts';
import { decodeImage, type ReferenceImage, type TextureTarget } from '../../reference/texture-lookup.ts';

const SIDE = 16;
const SURFACE = { width: SIDE, height: SIDE, depth: false, stencil: false };
const LEVELS = 5;
const DEPTH = 4;
const FORMAT = formatNamed(SIZED_FORMATS, 'rgba8');

type Bytes = readonly [number, number, number, number];

/** A texture with random texels, and what each of its images should hold. */
class LevelledTexture {
  readonly t: CaseContext;
  readonly target: TextureTarget;
  readonly name: number;
  readonly images: ReferenceImage[][] = [];

  constructor(t: CaseContext, target: TextureTarget) {
    const { gl, random } = t;
    this.t = t;
    this.target = target;
    this.name = generate(gl.glGenTextures);
    gl.glBindTexture(targetValue(target), this.name);
    gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1);
    const shape = { target, width: SIDE, height: SIDE, depth: target === '3d' || target === '2d_array' ? DEPTH : 1 };
    for (let face = 0; face < (target === 'cube' ? 6 : 1); face++) {
      this.images.push([]);
      for (let level = 0; level < LEVELS; level++) {
        const size = levelSize(shape, level);
        const bytes = fillTexels(FORMAT, random, size.width * size.height * size.depth);
        uploadImage(t, target, face, level, FORMAT, size, bytes);
        this.images[face]!.push(decodeImage(FORMAT, bytes, size.width, size.height, size.depth));
      }
    }
    // Else levels that the sampler leaves out would leave the attachment incomplete (§4.4.4.1).
    gl.glTexParameteri(targetValue(target), gl.GL_TEXTURE_MIN_FILTER, gl.GL_NEAREST_MIPMAP_NEAREST);
  }

  /** Face or layer that is attached at a level: not the first where there are several. */
  slice(level: number): number {
    if (this.target === 'cube') return (level + 2) % 6;
    return this.target === '2d' ? 0 : this.images[0]![level]!.depth - 1;
  }

  attach(framebufferTarget: number, level: number): void {
    const { gl } = this.t;
    const slice = this.slice(level);
    if (this.target === '3d' || this.target === '2d_array')
      gl.glFramebufferTextureLayer(framebufferTarget, gl.GL_COLOR_ATTACHMENT0, this.name, level, slice);
    else {
      const image = this.target === 'cube' ? gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + slice : gl.GL_TEXTURE_2D;
      gl.glFramebufferTexture2D(framebufferTarget, gl.GL_COLOR_ATTACHMENT0, image, this.name, level);
    }
  }

  /** The attached image of a level: its side and its texels, four numbers each. */
  image(level: number): { side: number; texels: Float64Array } {
    const slice = this.slice(level);
    const image = this.target === 'cube' ? this.images[slice]![level]! : this.images[0]![level]!;
    const count = image.width * image.height * 4;
    const first = this.target === 'cube' ? 0 : slice * count;
    return { side: image.width, texels: image.texels.subarray(first, first + count) };
  }

  fill(level: number, color: Bytes, columns = this.image(level).side): void {
    const { side, texels } = this.image(level);
    for (let pixel = 0; pixel < side * side; pixel++)
      if (pixel % side < columns)
        texels.set(
          color.map((byte) => byte / 255),
          pixel * 4,
        );
  }

  check(): void {
    const { gl } = this.t;
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0);
    gl.glDisable(gl.GL_DEPTH_TEST);
    gl.glBindTexture(targetValue(this.target), this.name);
    checkTexture(this.t, { target: this.target, format: FORMAT, images: this.images });
  }
}

const CLEAR: Bytes = [51, 102, 153, 255];
const DRAWN: Bytes = [204, 0, 119, 85];
const glColor = (bytes: Bytes) => bytes.map((byte) => byte / 255) as [number, number, number, number];

function bindFramebuffer({ gl }: CaseContext, target: number): void {
  gl.glBindFramebuffer(target, generate(gl.glGenFramebuffers));
}

function clearAll({ gl }: CaseContext): void {
  gl.glClearColor(...glColor(CLEAR));
  gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT);
}

/** The left columns of a target, at a depth. */
function drawColumns(t: CaseContext, side: number, columns: number, depth = 0): void {
  t.gl.glViewport(0, 0, side, side);
  drawRects(t, [{ x: 0, y: 0, width: columns, height: side, color: glColor(DRAWN), depth }], side, side);
}

type Operation = (t: CaseContext, texture: LevelledTexture, level: number) => void;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  clear: (t, texture, level) => {
    bindFramebuffer(t, t.gl.GL_FRAMEBUFFER);
    texture.attach(t.gl.GL_FRAMEBUFFER, level);
    requireComplete(t);
    clearAll(t);
    texture.fill(level, CLEAR);
  },
  draw: (t, texture, level) => {
    const { side } = texture.image(level);
    bindFramebuffer(t, t.gl.GL_FRAMEBUFFER);
    texture.attach(t.gl.GL_FRAMEBUFFER, level);
    requireComplete(t);
    colorProgram(t);
    drawColumns(t, side, Math.ceil(side / 2));
    texture.fill(level, DRAWN, Math.ceil(side / 2));
  },
  // Every level in turn, through one framebuffer object.
  draw_all: (t, texture) => {
    bindFramebuffer(t, t.gl.GL_FRAMEBUFFER);
    colorProgram(t);
    for (let level = LEVELS - 1; level >= 0; level--) {
      texture.attach(t.gl.GL_FRAMEBUFFER, level);
      requireComplete(t);
      drawColumns(t, texture.image(level).side, level + 1);
      texture.fill(level, DRAWN, level + 1);
    }
  },
  read: (t, texture, level) => {
    const { side, texels } = texture.image(level);
    bindFramebuffer(t, t.gl.GL_FRAMEBUFFER);
    texture.attach(t.gl.GL_FRAMEBUFFER, level);
    requireComplete(t);
    const data = Uint8Array.from(texels, (texel) => Math.round(texel * 255));
    t.near(t.readPixels(0, 0, side, side).data, data, 0, 'pixels of the level');
  },
  blit: (t, texture, level) => {
    const { gl } = t;
    const to = (level + 1) % LEVELS;
    const [from, drawn] = [texture.image(level), texture.image(to)];
    const side = Math.min(from.side, drawn.side);
    for (const [target, at] of [
      [gl.GL_READ_FRAMEBUFFER, level],
      [gl.GL_DRAW_FRAMEBUFFER, to],
    ] as const) {
      bindFramebuffer(t, target);
      texture.attach(target, at);
    }
    gl.glBlitFramebuffer(0, 0, side, side, 0, 0, side, side, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST);
    for (let y = 0; y < side; y++)
      drawn.texels.set(from.texels.subarray(y * from.side * 4, (y * from.side + side) * 4), y * drawn.side * 4);
  },
  copy: (t, texture, level) => {
    const { gl } = t;
    bindFramebuffer(t, gl.GL_FRAMEBUFFER);
    texture.attach(gl.GL_FRAMEBUFFER, level);
    const { side, texels } = texture.image(level);
    const copied = new LevelledTexture(t, '2d');
    gl.glCopyTexSubImage2D(gl.GL_TEXTURE_2D, level, 0, 0, 0, 0, side, side);
    copied.image(level).texels.set(texels);
    copied.check();
  },
  // Depths of another level would let the draw behind pass.
  depth: (t, texture, level) => {
    const { gl } = t;
    const { side } = texture.image(level);
    const depth = generate(gl.glGenTextures);
    gl.glBindTexture(gl.GL_TEXTURE_2D, depth);
    gl.glTexStorage2D(gl.GL_TEXTURE_2D, LEVELS, gl.GL_DEPTH_COMPONENT16, SIDE, SIDE);
    bindFramebuffer(t, gl.GL_FRAMEBUFFER);
    gl.glDepthMask(true);
    for (const [at, value] of [
      [level, 0.25],
      [(level + 1) % LEVELS, 1],
    ] as const) {
      gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_DEPTH_ATTACHMENT, gl.GL_TEXTURE_2D, depth, at);
      gl.glClearDepthf(value);
      gl.glClear(gl.GL_DEPTH_BUFFER_BIT);
    }
    gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_DEPTH_ATTACHMENT, gl.GL_TEXTURE_2D, depth, level);
    texture.attach(gl.GL_FRAMEBUFFER, level);
    requireComplete(t);
    gl.glEnable(gl.GL_DEPTH_TEST);
    colorProgram(t);
    drawColumns(t, side, side, 0);
    drawColumns(t, side, Math.ceil(side / 2), -0.75);
    texture.fill(level, DRAWN, Math.ceil(side / 2));
  },
};

export function* framebufferLevelCases(api: 2 | 3): Generator<CaseDefinition> {
  // GLES 2 attaches level 0 alone.
  if (api === 2) return;
  for (const target of ['2d', 'cube', '3d', '2d_array'] as const)
    for (const [name, operation] of Object.entries(OPERATIONS))
      for (const level of name === 'draw_all' ? [0] : [1, 2, LEVELS - 1])
        yield functionalCase(
          3,
          `fbo.level.${target}.${name}${name === 'draw_all' ? '' : `_${level}`}`,
          (t) => {
            const texture = new LevelledTexture(t, target);
            operation(t, texture, level);
            t.noError(name);
            texture.check();
          },
          SURFACE,
        );
}
