// buffer: contents after writes, copies and maps of every target and usage; read_pixels and pbo: pixels into memory.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { generate } from '../../harness/framebuffer.ts';
import { FragmentScript } from '../../harness/script.ts';
import { randomRect } from './depth-stencil.ts';

const SURFACE = { width: 16, height: 16 };

const TARGETS: Readonly<Record<string, number>> = {
  array: 0x8892,
  element_array: 0x8893,
  copy_read: 0x8f36,
  copy_write: 0x8f37,
  pixel_pack: 0x88eb,
  pixel_unpack: 0x88ec,
  transform_feedback: 0x8c8e,
  uniform: 0x8a11,
};
const USAGES: Readonly<Record<string, number>> = {
  stream_draw: 0x88e0,
  stream_read: 0x88e1,
  stream_copy: 0x88e2,
  static_draw: 0x88e4,
  static_read: 0x88e5,
  static_copy: 0x88e6,
  dynamic_draw: 0x88e8,
  dynamic_read: 0x88e9,
  dynamic_copy: 0x88ea,
};

function randomBytes(t: CaseContext, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, () => t.random.int(0, 255));
}

/** A buffer that was first bound to a target, and what it should hold. */
class CheckedBuffer {
  readonly t: CaseContext;
  readonly name: number;
  contents: Uint8Array = new Uint8Array(0);

  constructor(t: CaseContext, target: number) {
    this.t = t;
    this.name = generate(t.gl.glGenBuffers);
    t.gl.glBindBuffer(target, this.name);
  }

  /** The contents by a map for reading; GLES 2 has them checked by drawing with them. */
  check(what: string): void {
    const { t } = this;
    const { gl } = t;
    gl.glBindBuffer(gl.GL_COPY_READ_BUFFER, this.name);
    const size = [0];
    gl.glGetBufferParameteriv(gl.GL_COPY_READ_BUFFER, gl.GL_BUFFER_SIZE, size);
    t.equal(size[0]!, this.contents.length, `size after ${what}`);
    const mapped = gl.glMapBufferRange(gl.GL_COPY_READ_BUFFER, 0, this.contents.length, gl.GL_MAP_READ_BIT);
    if (!mapped) t.fail(`${what}: the buffer cannot be mapped`);
    t.near(mapped as Uint8Array, this.contents, 0, what);
    gl.glUnmapBuffer(gl.GL_COPY_READ_BUFFER);
    t.noError(what);
  }
}

function fill(buffer: CheckedBuffer, target: number, size: number, usage: number, isSub: boolean): void {
  const { t } = buffer;
  const { gl } = t;
  const bytes = randomBytes(t, size);
  gl.glBufferData(target, size, isSub ? null : bytes, usage);
  if (isSub)
    for (let at = 0; at < size; at += 37)
      gl.glBufferSubData(target, at, Math.min(37, size - at), bytes.subarray(at, Math.min(at + 37, size)));
  buffer.contents = bytes;
}

function* writeCases(): Generator<CaseDefinition> {
  for (const [targetName, target] of Object.entries(TARGETS))
    for (const [usageName, usage] of Object.entries(USAGES))
      for (const [group, isSub] of [
        ['basic', false],
        ['basic_subdata', true],
      ] as const)
        yield functionalCase(
          3,
          `buffer.write.${group}.${targetName}_${usageName}`,
          (t) => {
            const buffer = new CheckedBuffer(t, target);
            fill(buffer, target, 1020, usage, isSub);
            buffer.check('the write');
          },
          SURFACE,
        );
  for (let index = 0; index < 10; index++)
    yield functionalCase(
      3,
      `buffer.write.random.${index}`,
      (t) => {
        const { gl, random } = t;
        const target = random.pick(Object.values(TARGETS));
        const buffer = new CheckedBuffer(t, target);
        fill(buffer, target, random.int(1, 3000), random.pick(Object.values(USAGES)), false);
        for (let step = 0; step < 8; step++) {
          const size = buffer.contents.length;
          if (random.bool(0.2)) {
            fill(buffer, target, random.int(1, 3000), random.pick(Object.values(USAGES)), false);
            continue;
          }
          const at = random.int(0, size - 1);
          const bytes = randomBytes(t, random.int(1, size - at));
          gl.glBufferSubData(target, at, bytes.length, bytes);
          buffer.contents.set(bytes, at);
        }
        buffer.check('random writes');
      },
      SURFACE,
    );
}

function* copyCases(): Generator<CaseDefinition> {
  for (const [sourceName, source] of Object.entries(TARGETS))
    for (const [destinationName, destination] of Object.entries(TARGETS)) {
      if (source === destination) continue;
      const name = `${sourceName}_${destinationName}`;
      yield functionalCase(
        3,
        `buffer.copy.basic.${name}`,
        (t) => {
          const from = new CheckedBuffer(t, source);
          fill(from, source, 513, USAGES['static_draw']!, false);
          const to = new CheckedBuffer(t, destination);
          fill(to, destination, 600, USAGES['static_draw']!, false);
          t.gl.glBindBuffer(source, from.name);
          t.gl.glCopyBufferSubData(source, destination, 13, 77, 400);
          to.contents.set(from.contents.subarray(13, 413), 77);
          to.check('the copy');
          from.check('the source');
        },
        SURFACE,
      );
      yield functionalCase(
        3,
        `buffer.copy.single_buffer.${name}`,
        (t) => {
          const buffer = new CheckedBuffer(t, source);
          fill(buffer, source, 1000, USAGES['static_draw']!, false);
          t.gl.glBindBuffer(destination, buffer.name);
          t.gl.glCopyBufferSubData(source, destination, 0, 500, 400);
          buffer.contents.set(buffer.contents.slice(0, 400), 500);
          buffer.check('the copy');
        },
        SURFACE,
      );
    }
}

/** Writes through a map of a range, with the flags of a group. */
function runMapWrite(t: CaseContext, target: number, usage: number, kind: string, isPartial: boolean): void {
  const { gl } = t;
  const size = 513;
  const buffer = new CheckedBuffer(t, target);
  fill(buffer, target, size, usage, false);
  const [offset, length] = isPartial ? [17, 301] : [0, size];
  let access: number = gl.GL_MAP_WRITE_BIT;
  if (kind === 'explicit_flush') access |= gl.GL_MAP_FLUSH_EXPLICIT_BIT;
  if (kind === 'invalidate') access |= gl.GL_MAP_INVALIDATE_RANGE_BIT;
  if (kind === 'unsynchronized') access |= gl.GL_MAP_UNSYNCHRONIZED_BIT;
  if (kind === 'read_write') access |= gl.GL_MAP_READ_BIT;
  const mapped = gl.glMapBufferRange(target, offset, length, access) as Uint8Array | null;
  if (!mapped) t.fail('the buffer cannot be mapped');
  if (kind === 'read_write')
    t.near(mapped!, buffer.contents.subarray(offset, offset + length), 0, 'what a map for reading and writing shows');
  const bytes = randomBytes(t, length);
  mapped!.set(bytes);
  if (kind === 'explicit_flush') gl.glFlushMappedBufferRange(target, 0, length);
  t.check(Boolean(gl.glUnmapBuffer(target)), 'glUnmapBuffer says that the contents are lost');
  buffer.contents.set(bytes, offset);
  buffer.check('a write through a map');
}

function* mapCases(): Generator<CaseDefinition> {
  for (const [targetName, target] of Object.entries(TARGETS)) {
    const make = (path: string, run: (t: CaseContext) => void) => functionalCase(3, `buffer.map.${path}`, run, SURFACE);
    for (const [usageName, usage] of Object.entries(USAGES)) {
      yield make(`write.usage_hints.${targetName}_${usageName}`, (t) => runMapWrite(t, target, usage, 'write', false));
      yield make(`read_write.usage_hints.${targetName}_${usageName}`, (t) =>
        runMapWrite(t, target, usage, 'read_write', false),
      );
      yield make(`read.usage_hints.${targetName}_${usageName}`, (t) => {
        const buffer = new CheckedBuffer(t, target);
        fill(buffer, target, 513, usage, false);
        buffer.check('a map');
      });
    }
    for (const [end, isPartial] of [
      ['full', false],
      ['partial', true],
    ] as const) {
      yield make(`read_write.map_read.${targetName}_${end}`, (t) =>
        runMapWrite(t, target, USAGES['dynamic_draw']!, 'read_write', isPartial),
      );
      yield make(`read.sub_data.${targetName}_${end}`, (t) => {
        const buffer = new CheckedBuffer(t, target);
        fill(buffer, target, 513, USAGES['dynamic_draw']!, true);
        const bytes = randomBytes(t, isPartial ? 99 : 513);
        t.gl.glBufferSubData(target, isPartial ? 40 : 0, bytes.length, bytes);
        buffer.contents.set(bytes, isPartial ? 40 : 0);
        buffer.check('glBufferSubData');
      });
      yield make(`read.map_write.${targetName}_${end}`, (t) =>
        runMapWrite(t, target, USAGES['dynamic_read']!, 'write', isPartial),
      );
      yield make(`write.map_read.${targetName}_${end}`, (t) =>
        runMapWrite(t, target, USAGES['static_read']!, 'write', isPartial),
      );
    }
    for (const [end, isPartial] of [
      ['all', false],
      ['partial', true],
    ] as const) {
      yield make(`write.explicit_flush.${targetName}_${end}`, (t) =>
        runMapWrite(t, target, USAGES['stream_draw']!, 'explicit_flush', isPartial),
      );
      yield make(`write.invalidate.${targetName}_write_${end}`, (t) =>
        runMapWrite(t, target, USAGES['static_draw']!, 'invalidate', isPartial),
      );
      yield make(`write.partial_invalidate.${targetName}_write_${end}`, (t) =>
        runMapWrite(t, target, USAGES['static_draw']!, 'invalidate', true),
      );
    }
    yield make(`write.unsynchronized.${targetName}`, (t) =>
      runMapWrite(t, target, USAGES['static_draw']!, 'unsynchronized', false),
    );
  }
}

interface Pack {
  readonly alignment?: number;
  readonly rowLength?: number;
  readonly skipRows?: number;
  readonly skipPixels?: number;
}

/** Reads a picture of rectangles under pack state and looks at every byte, those in between too. */
function runReadPixels(t: CaseContext, kind: string, pack: Pack): void {
  const { gl, api } = t;
  const script = new FragmentScript(t);
  script.clear({ color: [0.2, 0.4, 0.6, 0.8] });
  script.draw(Array.from({ length: 4 }, () => randomRect(t)));
  const { alignment = 4, rowLength = 0, skipRows = 0, skipPixels = 0 } = pack;
  gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, alignment);
  if (api === 3) {
    gl.glPixelStorei(gl.GL_PACK_ROW_LENGTH, rowLength);
    gl.glPixelStorei(gl.GL_PACK_SKIP_ROWS, skipRows);
    gl.glPixelStorei(gl.GL_PACK_SKIP_PIXELS, skipPixels);
  }
  let [format, type]: [number, number] = [gl.GL_RGBA, gl.GL_UNSIGNED_BYTE];
  if (kind === 'choose') {
    const chosen = [0];
    gl.glGetIntegerv(gl.GL_IMPLEMENTATION_COLOR_READ_FORMAT, chosen);
    format = chosen[0]!;
    gl.glGetIntegerv(gl.GL_IMPLEMENTATION_COLOR_READ_TYPE, chosen);
    type = chosen[0]!;
    const isKnown =
      (format === gl.GL_RGBA || format === gl.GL_RGB || format === gl.GL_BGRA_EXT) && type === gl.GL_UNSIGNED_BYTE;
    if (!isKnown) t.skip(`format 0x${format.toString(16)}, type 0x${type.toString(16)} are not judged here`);
  }
  const channels = format === gl.GL_RGB ? 3 : 4;
  const [x, y, w, h] = [2, 3, 13, 9];
  const rowBytes = Math.ceil(((rowLength || w) * channels) / alignment) * alignment;
  const memory = new Uint8Array((h + skipRows + 1) * rowBytes + (skipPixels + w) * channels).fill(0xa5);
  gl.glReadPixels(x, y, w, h, format, type, memory);
  t.noError('glReadPixels');
  const picture = script.reference.picture();
  const expected = new Uint8Array(memory.length).fill(0xa5);
  for (let row = 0; row < h; row++)
    for (let column = 0; column < w; column++) {
      const from = ((y + row) * t.width + x + column) * 4;
      const color = [...picture.data.subarray(from, from + channels)];
      if (format === gl.GL_BGRA_EXT) [color[0], color[2]] = [color[2]!, color[0]!];
      expected.set(color, (skipRows + row) * rowBytes + (skipPixels + column) * channels);
    }
  t.pictureComparisons++;
  t.near(memory, expected, 1, 'memory');
}

function* readPixelsCases(api: 2 | 3): Generator<CaseDefinition> {
  const make = (path: string, kind: string, pack: Pack) =>
    functionalCase(api, `read_pixels.${path}`, (t) => runReadPixels(t, kind, pack), SURFACE);
  for (const alignment of [1, 2, 4, 8])
    for (const kind of ['rgba_ubyte', 'choose'])
      yield make(api === 2 ? `${kind}_align_${alignment}` : `alignment.${kind}_${alignment}`, kind, { alignment });
  if (api === 2) return;
  for (const kind of ['rgba_ubyte', 'choose']) {
    for (const rowLength of [17, 19, 23, 29]) yield make(`rowlength.${kind}_${rowLength}`, kind, { rowLength });
    for (const [skipPixels, skipRows] of [
      [0, 3],
      [3, 0],
      [3, 3],
      [3, 5],
    ] as const)
      yield make(`skip.${kind}_${skipPixels}_${skipRows}`, kind, { skipPixels, skipRows, rowLength: 17 });
  }
}

export function* bufferCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* readPixelsCases(api);
  if (api === 2) return;
  yield* writeCases();
  yield* copyCases();
  yield* mapCases();
}
