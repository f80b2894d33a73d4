// buffer.map.while_drawn: a buffer is mapped and written while a draw that reads it may still be pending. The draw before sees the old
// contents, the one behind the new ones, and what an invalidated range leaves out stays (ES 3.0.6 §2.9.3).

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { makeBuffer } from '../../harness/draw.ts';
import { colorProgram } from '../../harness/program.ts';

/** Points in each half of the picture: a pixel and four bytes each. */
const SIDE = 8;
const POINTS = SIDE * SIDE;
const SURFACE = { width: SIDE * 2, height: SIDE, depth: false, stencil: false };
const [OFFSET, LENGTH] = [52, 140];

const ACCESSES = {
  write: ['GL_MAP_WRITE_BIT'],
  read_write: ['GL_MAP_READ_BIT', 'GL_MAP_WRITE_BIT'],
  invalidate_range: ['GL_MAP_WRITE_BIT', 'GL_MAP_INVALIDATE_RANGE_BIT'],
  invalidate_buffer: ['GL_MAP_WRITE_BIT', 'GL_MAP_INVALIDATE_BUFFER_BIT'],
  invalidate_both: ['GL_MAP_WRITE_BIT', 'GL_MAP_INVALIDATE_RANGE_BIT', 'GL_MAP_INVALIDATE_BUFFER_BIT'],
  explicit_flush: ['GL_MAP_WRITE_BIT', 'GL_MAP_FLUSH_EXPLICIT_BIT'],
  invalidate_range_explicit_flush: ['GL_MAP_WRITE_BIT', 'GL_MAP_INVALIDATE_RANGE_BIT', 'GL_MAP_FLUSH_EXPLICIT_BIT'],
} as const;

/** Centres of the pixels of a half. */
function centers(half: number): Float32Array {
  return Float32Array.from({ length: POINTS * 2 }, (_, at) => {
    const k = at >> 1;
    return at % 2 === 0 ? (half * SIDE + (k % SIDE) + 0.5) / SIDE - 1 : ((Math.floor(k / SIDE) + 0.5) / SIDE) * 2 - 1;
  });
}

function runMap(t: CaseContext, access: readonly (keyof CaseContext['gl'])[], usage: number): void {
  const { gl, random, width, height } = t;
  const bytes = (size: number) => Uint8Array.from({ length: size }, () => random.int(0, 255));
  colorProgram(t);
  const positions = [0, 1].map((half) => makeBuffer(t, gl.GL_ARRAY_BUFFER, centers(half)));
  const contents = bytes(POINTS * 4);
  const colors = makeBuffer(t, gl.GL_ARRAY_BUFFER, contents);
  gl.glBufferData(gl.GL_ARRAY_BUFFER, contents.length, contents, usage);
  gl.glEnableVertexAttribArray(0);
  gl.glEnableVertexAttribArray(1);
  gl.glClearColor(0, 0, 0, 0);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  const draw = (half: number) => {
    gl.glBindBuffer(gl.GL_ARRAY_BUFFER, positions[half]!);
    gl.glVertexAttribPointer(0, 2, gl.GL_FLOAT, false, 0, 0);
    gl.glBindBuffer(gl.GL_ARRAY_BUFFER, colors);
    gl.glVertexAttribPointer(1, 4, gl.GL_UNSIGNED_BYTE, true, 0, 0);
    gl.glDrawArrays(gl.GL_POINTS, 0, POINTS);
  };
  const picture = new Uint8Array(width * height * 4);
  const ignore = new Uint8Array(width * height);
  const expect = (half: number) => {
    for (let k = 0; k < POINTS; k++)
      picture.set(contents.subarray(k * 4, k * 4 + 4), (Math.floor(k / SIDE) * width + half * SIDE + (k % SIDE)) * 4);
  };
  draw(0);
  expect(0);
  const bits = access.reduce((all, name) => all | (gl[name] as number), 0);
  const mapped = gl.glMapBufferRange(gl.GL_ARRAY_BUFFER, OFFSET, LENGTH, bits) as Uint8Array | null;
  if (!mapped) return t.fail('the buffer cannot be mapped');
  if (access.includes('GL_MAP_READ_BIT'))
    t.near(mapped, contents.subarray(OFFSET, OFFSET + LENGTH), 0, 'what the map shows');
  const written = bytes(LENGTH);
  mapped.set(written);
  if (access.includes('GL_MAP_FLUSH_EXPLICIT_BIT')) gl.glFlushMappedBufferRange(gl.GL_ARRAY_BUFFER, 0, LENGTH);
  t.check(Boolean(gl.glUnmapBuffer(gl.GL_ARRAY_BUFFER)), 'glUnmapBuffer says that the contents are lost');
  contents.set(written, OFFSET);
  draw(1);
  expect(1);
  // An invalidated buffer holds nothing beside what was written.
  if (access.includes('GL_MAP_INVALIDATE_BUFFER_BIT'))
    for (let k = 0; k < POINTS; k++)
      if (k * 4 < OFFSET || k * 4 >= OFFSET + LENGTH) ignore[Math.floor(k / SIDE) * width + SIDE + (k % SIDE)] = 1;
  t.noError('drawing');
  t.comparePicture(t.readPixels(), { width, height, data: picture }, { tolerance: 1, ignore });
}

export function* bufferMapCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  for (const [usageName, usage] of Object.entries({ static_draw: 0x88e4, stream_draw: 0x88e0 }))
    for (const [name, access] of Object.entries(ACCESSES))
      yield functionalCase(3, `buffer.map.while_drawn.${name}_${usageName}`, (t) => runMap(t, access, usage), SURFACE);
}
