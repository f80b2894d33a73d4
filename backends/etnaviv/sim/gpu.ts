// The simulated GPU: takes submits (a command stream over mapped buffers) and leaves in memory what hardware would leave.

import { RasterEngine } from '../../../src/raster/engine.ts';
import { OutOfMemoryError } from '../../../src/raster/memory.ts';
import type { CoreInfo } from '../hwdb/core-info.ts';
import { type CoreFacts, coreFacts } from '../hwdb/derived.ts';
import { addressName, REGISTERS, registerAt, STATE_BYTES } from '../registers/registers.ts';
import { BlitEngine } from './blt.ts';
import { type Counters, estimateCycles, noCounts } from './counters.ts';
import { type DrawCall, Drawer } from './draw.ts';
import { type CommandSink, runStream, StreamError, type StreamPosition } from './front-end.ts';
import { Job, resolveTargets, TilePass } from './job.ts';
import { GpuMemory, type MappedBuffer } from './memory.ts';
import { Patience } from './patience.ts';
import { CopyEngine } from './pixel-copy.ts';
import { ProgramCache } from './programs.ts';
import { ResolveEngine } from './rs.ts';
import { GpuState } from './state.ts';
import { TargetReader } from './targets.ts';
import { TextureStateReader } from './texture-state.ts';
import { TextureCache } from './textures.ts';
import { UNSIMULATED_UNITS } from './unsimulated.ts';

const R = REGISTERS;

export interface SubmitResult {
  /** What went wrong, or null; the rest of the submit was then not run. */
  readonly error: Error | null;
  /** Where in the stream it went wrong. */
  readonly position: StreamPosition | null;
  /** Things that happened for the first time and may explain a wrong picture. */
  readonly notices: readonly string[];
}

const PRIMITIVE = {
  1: { topology: 'points', perPrimitive: 1, extra: 0 },
  2: { topology: 'lines', perPrimitive: 2, extra: 0 },
  3: { topology: 'lineStrip', perPrimitive: 1, extra: 1 },
  4: { topology: 'triangles', perPrimitive: 3, extra: 0 },
  5: { topology: 'triangleStrip', perPrimitive: 1, extra: 2 },
  6: { topology: 'triangleFan', perPrimitive: 1, extra: 2 },
  7: { topology: 'lineLoop', perPrimitive: 1, extra: 0 },
} as const;

/** By word: a state that is only kept. */
const IS_PLAIN = new Uint8Array(STATE_BYTES / 4);
const ACTIONS = [
  R.RS_KICKER,
  R.RS_KICKER_INPLACE,
  R.BLT_COMMAND,
  R.GL_OCCLUSION_QUERY_ADDR,
  R.GL_OCCLUSION_QUERY_CONTROL,
].map(({ address }) => address);
for (let address = 0; address < STATE_BYTES; address += 4) {
  const acts = ACTIONS.includes(address) || UNSIMULATED_UNITS.has(address);
  IS_PLAIN[address >>> 2] = Number(!acts && registerAt(address) !== undefined);
}

/** Ends an occlusion query when it is written. */
const OCCLUSION_END = 0x1df5e76;
/** The most vertices that hardware draws in one command. */
const MAX_VERTICES = 1 << 24;

export class SimulatedGpu implements CommandSink {
  readonly core: CoreInfo;
  readonly facts: CoreFacts;
  readonly memory: GpuMemory;
  readonly state = new GpuState();
  readonly counters: Counters = noCounts();
  readonly patience = new Patience();
  private readonly engine: RasterEngine;
  private readonly targets: TargetReader;
  private readonly tilePass: TilePass;
  private readonly programs: ProgramCache;
  private readonly textures: TextureCache;
  private readonly drawer: Drawer;
  private readonly copies: CopyEngine;
  private readonly rs: ResolveEngine;
  private readonly blt: BlitEngine;
  private job: Job | null = null;
  /** Draws of the submit did not come to their pixels. */
  private hasLostDraws = false;
  private jobKey = '';
  /** Version of the state that the job's targets were last read from. */
  private jobVersion = 0;
  private query: { gpuAddress: number; samples: number } | null = null;
  /** By WebAssembly address of the buffer: grows when the buffer's contents change. */
  private readonly versions = new Map<number, number>();
  private clock = 1;
  private readonly reported = new Set<string>();
  private notices: string[] = [];

  constructor(core: CoreInfo, memory: GpuMemory = new GpuMemory()) {
    this.core = core;
    this.facts = coreFacts(core);
    this.memory = memory;
    this.engine = new RasterEngine(memory.raster);
    const { state, facts } = this;
    this.targets = new TargetReader(state, memory, facts);
    this.tilePass = new TilePass(memory.raster, this.engine, this.patience);
    this.programs = new ProgramCache(memory.raster);
    this.copies = new CopyEngine(memory.raster, this.engine, this.patience);
    const versionOf = (gpuAddress: number) => this.versionOf(gpuAddress);
    this.textures = new TextureCache(memory, this.targets, versionOf);
    const textureStates = new TextureStateReader(state, memory, facts);
    const { engine, programs, textures, patience } = this;
    const notice = (text: string) => this.notice(text);
    const contentsVersion = () => this.clock;
    this.drawer = new Drawer({
      state,
      memory,
      facts,
      engine,
      programs,
      textures,
      textureStates,
      contentsVersion,
      versionOf,
      patience,
      notice,
    });
    const written = (gpuAddress: number) => this.touch(gpuAddress);
    const { targets, copies } = this;
    this.rs = new ResolveEngine({ state, memory, facts, targets, copies, written });
    this.blt = new BlitEngine({ state, memory, targets, copies, written });
  }

  /** The buffers that the next submits may reach. */
  mapBuffers(buffers: readonly MappedBuffer[]): void {
    this.memory.setMappings(buffers);
    this.clock++;
  }

  /** The same for a part of the address space, whose other parts stay. */
  remapBuffers(gpuAddress: number, sizeBytes: number, buffers: readonly MappedBuffer[]): void {
    this.memory.remap(gpuAddress, sizeBytes, buffers);
    // What was known of the bytes was known of a buffer before.
    for (const { address } of buffers) this.versions.set(address, this.clock);
    this.clock++;
  }

  /** The CPU may have changed a buffer. */
  invalidate(buffer: MappedBuffer): void {
    this.versions.set(buffer.address, this.clock++);
  }

  /** Runs a stream. Never throws: what is wrong with it comes back, and the GPU can take the next one. */
  submit(stream: Uint32Array): SubmitResult {
    this.counters.submits++;
    this.patience.start();
    this.notices = [];
    this.hasLostDraws = false;
    let error: Error | null = null;
    const position: StreamPosition = { offset: 0, word: 0 };
    try {
      runStream(stream, this, position);
      this.finishJob();
    } catch (caught) {
      error = caught as Error;
      this.abandonJob();
    }
    this.drawer.forget();
    this.textures.dropStale();
    this.textures.trim();
    const { counters, drawer, tilePass } = this;
    Object.assign(counters, tilePass.counts);
    counters.vertices = drawer.vertices;
    counters.vertexInstructions = drawer.vertexInstructions;
    counters.textureFetches = drawer.textureFetches + tilePass.counts.textureFetches;
    counters.copyBytes = this.copies.bytesMoved;
    return { error, position: error && position, notices: this.notices };
  }

  /** GPU cycles since the start, as `estimateCycles` guesses them. */
  get cycles(): number {
    return estimateCycles(this.counters, this.core);
  }

  destroy(): void {
    this.abandonJob();
    this.textures.destroy();
    this.programs.destroy();
    this.drawer.destroy();
    this.tilePass.destroy();
    this.copies.destroy();
    this.engine.dispose();
  }

  // -------------------------------------------------------------------------------------------- memory's versions

  private versionOf(gpuAddress: number): number {
    const buffer = this.memory.find(gpuAddress);
    return buffer ? (this.versions.get(buffer.address) ?? 0) : 0;
  }

  private touch(gpuAddress: number): void {
    const buffer = this.memory.find(gpuAddress);
    if (buffer) this.versions.set(buffer.address, this.clock++);
  }

  private notice(text: string): void {
    if (this.reported.has(text)) return;
    this.reported.add(text);
    this.notices.push(text);
  }

  // ------------------------------------------------------------------------------------------------------- states

  loadState(address: number, value: number): void {
    this.counters.stateWords++;
    this.state.write(address, value);
    // Behind the state space there is no entry at all.
    if (IS_PLAIN[address >>> 2] !== 1) this.actOn(address, value);
  }

  /** A state that does more than last, or that nobody knows. */
  private actOn(address: number, value: number): void {
    if (!registerAt(address)) this.notice(`a state that no table names: ${addressName(address)}`);
    const unit = UNSIMULATED_UNITS.get(address);
    if (unit && value !== 0) this.notice(unit);
    switch (address) {
      case R.RS_KICKER.address:
        this.finishJob();
        this.counters.copies++;
        this.withRoom(() => this.rs.kick());
        break;
      case R.RS_KICKER_INPLACE.address:
        this.finishJob();
        this.rs.kickInPlace(value);
        break;
      case R.BLT_COMMAND.address:
        this.finishJob();
        this.counters.copies++;
        this.withRoom(() => this.blt.run(value & 15));
        break;
      case R.GL_OCCLUSION_QUERY_ADDR.address:
        this.finishJob();
        this.query = value === 0 ? null : { gpuAddress: value, samples: 0 };
        break;
      case R.GL_OCCLUSION_QUERY_CONTROL.address:
        if (value === OCCLUSION_END) this.endQuery();
        break;
      default:
    }
  }

  private endQuery(): void {
    this.finishJob();
    const { query } = this;
    this.query = null;
    if (!query) return;
    const address = this.memory.resolve(query.gpuAddress, 8, 'occlusion query');
    const { u32 } = this.memory.raster;
    u32[address >>> 2] = query.samples >>> 0;
    u32[(address >>> 2) + 1] = Math.floor(query.samples / 2 ** 32);
    this.touch(query.gpuAddress);
  }

  // -------------------------------------------------------------------------------------------------------- draws

  drawPrimitives(type: number, start: number, primitives: number): void {
    this.draw(type, (row) => ({
      count: vertexCount(row, primitives),
      firstVertex: start,
      isIndexed: false,
      firstIndex: 0,
      instances: 1,
    }));
  }

  drawIndexed(type: number, start: number, primitives: number, baseVertex: number): void {
    this.draw(type, (row) => ({
      count: vertexCount(row, primitives),
      firstVertex: baseVertex,
      isIndexed: true,
      firstIndex: start,
      instances: 1,
    }));
  }

  drawInstanced(type: number, isIndexed: boolean, instances: number, vertices: number, start: number): void {
    this.draw(type, () => ({ count: vertices, firstVertex: start, isIndexed, firstIndex: 0, instances }));
  }

  private draw(type: number, make: (row: (typeof PRIMITIVE)[1]) => Omit<DrawCall, 'topology'>): void {
    const row = PRIMITIVE[type as keyof typeof PRIMITIVE];
    if (!row) throw new StreamError(`primitives of type ${type}`, 0, type);
    const call: DrawCall = { topology: row.topology, ...make(row as (typeof PRIMITIVE)[1]) };
    if (call.count > MAX_VERTICES) throw new StreamError(`a draw of ${call.count} vertices`, 0, call.count);
    this.counters.draws++;
    this.withRoom(() => this.drawer.draw(call, this.currentJob(), this.query !== null));
  }

  /** Where memory is short, what was gathered and kept for later is given up, and it is tried once more. */
  private withRoom(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof OutOfMemoryError) || this.hasLostDraws) throw error;
      this.finishJob();
      this.drawer.forget();
      this.textures.clear();
      work();
    }
  }

  /** The job of the targets in force; another one is finished first. */
  private currentJob(): Job {
    const { drawVersion } = this.state;
    if (this.job && this.jobVersion === drawVersion) return this.job;
    const targets = this.targets.read();
    this.jobVersion = drawVersion;
    if (this.job && this.jobKey === targets.key) return this.job;
    this.finishJob();
    resolveTargets(this.memory.raster, targets, targets.width, targets.height);
    this.job = new Job(this.memory.raster, targets);
    this.jobKey = targets.key;
    return this.job;
  }

  private finishJob(): void {
    const { job } = this;
    if (!job) return;
    this.job = null;
    this.hasLostDraws = true;
    try {
      this.tilePass.run(job);
      this.hasLostDraws = false;
      if (this.query) this.query.samples += job.samplesPassed;
      for (const address of job.targets.gpuAddresses) this.touch(address);
    } finally {
      job.release();
      this.textures.endPass();
    }
  }

  private abandonJob(): void {
    this.job?.release();
    this.job = null;
    this.textures.endPass();
  }

  // --------------------------------------------------------------------------------------------- the other commands

  stall(): void {}

  event(): void {}

  fetch(gpuAddress: number, words: number): Uint32Array {
    const address = this.memory.resolve(gpuAddress, words * 4, 'command buffer');
    return this.memory.raster.u32.slice(address >>> 2, (address >>> 2) + words);
  }
}

function vertexCount(row: { perPrimitive: number; extra: number }, primitives: number): number {
  return primitives === 0 ? 0 : primitives * row.perPrimitive + row.extra;
}
