// buffer of GLES 2, which cannot read buffers: what was written is drawn as colours, or as indices, and compared.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { makeBuffer } from '../../harness/draw.ts';
import { generate } from '../../harness/framebuffer.ts';
import { colorProgram } from '../../harness/program.ts';

const SIDE = 32;
const SURFACE = { width: SIDE, height: SIDE, depth: false, stencil: false };
const MOST_BYTES = SIDE * SIDE * 4;
const CLEAR = 90;

const TARGETS = { array: 0x8892, element_array: 0x8893 } as const;
const USAGES = { stream_draw: 0x88e0, static_draw: 0x88e4, dynamic_draw: 0x88e8 } as const;
type TargetName = keyof typeof TARGETS;
type UsageName = keyof typeof USAGES;

/** The centre of pixel k. */
function centers(count: number): Float32Array {
  return Float32Array.from({ length: count * 2 }, (_, at) => {
    const k = at >> 1;
    const pixel = at % 2 === 0 ? k % SIDE : Math.floor(k / SIDE);
    return ((pixel + 0.5) / SIDE) * 2 - 1;
  });
}

class DrawnBuffer {
  readonly t: CaseContext;
  readonly name: number;
  contents = new Uint8Array(0);

  constructor(t: CaseContext) {
    this.t = t;
    this.name = generate(t.gl.glGenBuffers);
  }

  specify(target: number, size: number, usage: number, isEmpty = false): void {
    const { gl } = this.t;
    this.contents = isEmpty ? new Uint8Array(size) : this.random(size);
    gl.glBindBuffer(target, this.name);
    gl.glBufferData(target, size, isEmpty ? null : this.contents, usage);
  }

  write(target: number, at: number, size: number): void {
    const { gl } = this.t;
    const bytes = this.random(size);
    gl.glBindBuffer(target, this.name);
    gl.glBufferSubData(target, at, size, bytes);
    this.contents.set(bytes, at);
  }

  random(size: number): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length: size }, () => this.t.random.int(0, 255));
  }

  /** Four bytes are the colour of one point. */
  checkAsVertices(): void {
    const { t } = this;
    const { gl } = t;
    const count = this.contents.length >> 2;
    this.begin(count);
    gl.glBindBuffer(gl.GL_ARRAY_BUFFER, this.name);
    gl.glEnableVertexAttribArray(1);
    gl.glVertexAttribPointer(1, 4, gl.GL_UNSIGNED_BYTE, true, 0, 0);
    gl.glDrawArrays(gl.GL_POINTS, 0, count);
    const wanted = new Uint8Array(MOST_BYTES).fill(CLEAR);
    wanted.set(this.contents.subarray(0, count * 4));
    this.end(wanted);
  }

  /** Each byte is an index: the pixels that are named by one are drawn. */
  checkAsIndices(): void {
    const { t } = this;
    const { gl } = t;
    this.begin(256);
    gl.glDisableVertexAttribArray(1);
    gl.glVertexAttrib4f(1, 0, 1, 0.2, 1);
    gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, this.name);
    gl.glDrawElements(gl.GL_POINTS, this.contents.length, gl.GL_UNSIGNED_BYTE, 0);
    const wanted = new Uint8Array(MOST_BYTES).fill(CLEAR);
    for (const index of this.contents) wanted.set([0, 255, 51, 255], index * 4);
    this.end(wanted);
  }

  private begin(points: number): void {
    const { t } = this;
    const { gl } = t;
    t.check(points > 0 && points * 4 <= MOST_BYTES, 'the buffer does not fit the picture');
    colorProgram(t);
    gl.glClearColor(CLEAR / 255, CLEAR / 255, CLEAR / 255, CLEAR / 255);
    gl.glClear(gl.GL_COLOR_BUFFER_BIT);
    makeBuffer(t, gl.GL_ARRAY_BUFFER, centers(points));
    gl.glEnableVertexAttribArray(0);
    gl.glVertexAttribPointer(0, 2, gl.GL_FLOAT, false, 0, 0);
  }

  private end(wanted: Uint8Array): void {
    const { t } = this;
    t.noError('drawing');
    t.comparePicture(t.readPixels(), { width: SIDE, height: SIDE, data: wanted }, { tolerance: 1 });
  }
}

type Step = (buffer: DrawnBuffer, target: number, usage: number) => void;

/** Stores that are specified without data, then filled by parts in some order: [offset, size] of 1,024 bytes. */
const PARTS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  whole_1: [[0, 1024]],
  whole_2: [
    [0, 600],
    [600, 424],
  ],
  whole_3: [
    [500, 524],
    [0, 500],
  ],
  whole_4: [
    [0, 700],
    [300, 724],
  ],
  low_1: [[0, 513]],
  low_2: [
    [0, 300],
    [300, 211],
  ],
  low_3: [
    [200, 311],
    [0, 200],
  ],
  high_1: [[513, 511]],
  high_2: [
    [513, 200],
    [713, 311],
  ],
  high_3: [
    [713, 311],
    [513, 200],
  ],
  middle_1: [[251, 511]],
  middle_2: [
    [251, 250],
    [501, 261],
  ],
  middle_3: [
    [501, 261],
    [251, 250],
  ],
};

const RECREATIONS: Readonly<Record<string, Step>> = {
  identical_1: (buffer, target, usage) => buffer.specify(target, 996, usage),
  identical_2: (buffer, target, usage) => {
    for (let index = 0; index < 5; index++) buffer.specify(target, 996, usage);
  },
  different_usage: (buffer, target) => {
    for (const usage of Object.values(USAGES)) buffer.specify(target, 996, usage);
  },
  different_size: (buffer, target, usage) => {
    for (const size of [400, 2000, 64, 1200]) buffer.specify(target, size, usage);
  },
  different_target_1: (buffer, _, usage) => buffer.specify(TARGETS.element_array, 996, usage),
  different_target_2: (buffer, _, usage) => {
    buffer.specify(TARGETS.element_array, 1200, usage);
    buffer.specify(TARGETS.array, 996, usage);
  },
};

function randomStep(buffer: DrawnBuffer): void {
  const { random } = buffer.t;
  const target = random.pick(Object.values(TARGETS));
  const size = buffer.contents.length;
  if (size === 0 || random.bool(0.3)) {
    buffer.specify(target, random.int(1, 800) * 4, random.pick(Object.values(USAGES)), random.bool(0.2));
    return;
  }
  const at = random.int(0, size - 1);
  buffer.write(target, at, random.int(1, size - at));
}

export function* drawnBufferCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 3) return;
  const make = (path: string, run: (t: CaseContext, buffer: DrawnBuffer) => void) =>
    functionalCase(2, `buffer.write.${path}`, (t) => run(t, new DrawnBuffer(t)), SURFACE);
  for (const targetName of Object.keys(TARGETS) as TargetName[])
    for (const usageName of Object.keys(USAGES) as UsageName[]) {
      const [target, usage] = [TARGETS[targetName], USAGES[usageName]];
      yield make(`basic.${targetName}_${usageName}`, (_, buffer) => {
        buffer.specify(target, 1020, usage);
        buffer.checkAsVertices();
      });
      yield make(`basic_subdata.${targetName}_${usageName}`, (_, buffer) => {
        buffer.specify(target, 1020, usage, true);
        for (let at = 0; at < 1020; at += 37) buffer.write(target, at, Math.min(37, 1020 - at));
        buffer.checkAsVertices();
      });
    }
  for (const [name, parts] of Object.entries(PARTS))
    yield make(`partial_specify.${name}`, (_, buffer) => {
      buffer.specify(TARGETS.array, 1024, USAGES.static_draw, true);
      for (const [at, size] of parts) buffer.write(TARGETS.array, at, size);
      buffer.checkAsVertices();
    });
  for (const [name, step] of Object.entries(RECREATIONS))
    yield make(`recreate_store.${name}`, (_, buffer) => {
      buffer.specify(TARGETS.array, 996, USAGES.static_draw);
      buffer.checkAsVertices();
      step(buffer, TARGETS.array, USAGES.static_draw);
      buffer.checkAsVertices();
    });
  for (let index = 0; index < 4; index++)
    yield make(`recreate_store.random_${index + 1}`, (t, buffer) => {
      for (let round = 0; round < 4; round++) {
        const target = t.random.pick(Object.values(TARGETS));
        buffer.specify(target, t.random.int(1, 900) * 4, t.random.pick(Object.values(USAGES)));
        buffer.checkAsVertices();
      }
    });
  for (let index = 0; index < 10; index++)
    yield make(`random.${index}`, (_, buffer) => {
      for (let step = 0; step < 9; step++) randomStep(buffer);
      buffer.checkAsVertices();
    });
  // A buffer serves both uses, whatever it was bound to first.
  for (const first of Object.keys(TARGETS) as TargetName[]) {
    yield make(`use.vertex_array.${first}`, (_, buffer) => {
      buffer.specify(TARGETS[first], 1600, USAGES.static_draw);
      buffer.checkAsVertices();
    });
    yield make(`use.index_array.${first}`, (_, buffer) => {
      buffer.specify(TARGETS[first], 100, USAGES.static_draw);
      buffer.checkAsIndices();
      buffer.write(TARGETS[first], 20, 50);
      buffer.checkAsIndices();
    });
  }
}
