// Runs a sequence of API calls. What may come out of a call: nothing but what its specification says; anything else is a `Fault`.

import { createGlesContext, type GlesContext } from '../../src/gles/index.ts';
import { type Canvas, createCanvas } from '../../src/index.ts';
import type { Backend, Screen, ScreenOptions } from '../../src/pipe/pipe.ts';
import type { FaceName } from './api-arguments.ts';
import { RESULTS } from './api-calls.table.ts';
import type { ApiCase, ContextPlan, Step } from './api-sequence.ts';
import { decode, type Objects, ThrownByValue } from './api-values.ts';
import { Fault } from './fault.ts';

type AnyFunction = (...args: unknown[]) => unknown;
type Entries = Record<string, AnyFunction | undefined>;

/** What was called how often in each face, and how often without an error: `webgl2 drawArrays` → [calls, without error]. */
export type CallCounts = Record<string, [number, number]>;

/** TypeErrors that the engine raises for our mistakes, in contrast to those that WebIDL asks for. */
const OWN_MISTAKE =
  /^Cannot (read|set|destructure|perform|add|delete|assign|redefine|define)|is not a (function|constructor)|is not iterable|is not defined|Invalid typed array|is read.?only|out of bounds|offset is outside|WebAssembly/;

function mayThrow(error: unknown): boolean {
  if (error instanceof ThrownByValue) return true;
  // The engine's own conversion of an array without memory to a number.
  if (error instanceof TypeError && /prototype\.\w+ on a detached|out of bounds$/.test(error.message)) return true;
  return error instanceof TypeError && !OWN_MISTAKE.test(error.message);
}

abstract class Player {
  readonly pools = new Map<string, unknown[]>();
  isDisposed = false;
  /** Errors that were recorded. */
  errors = 0;

  abstract call(name: string, args: unknown[]): unknown;
  abstract special(name: string, args: unknown[]): void;
  abstract dispose(): void;
  /** What stands for no object. */
  abstract readonly none: unknown;

  keep(kind: string, object: unknown): void {
    if (object === null || object === undefined) return;
    const pool = this.pools.get(kind);
    if (pool) pool.push(object);
    else this.pools.set(kind, [object]);
  }

  object(kind: string, at: number): unknown {
    const pool = this.pools.get(kind);
    if (!pool) return this.none;
    return at < 0 ? (pool[pool.length + at] ?? this.none) : pool[at % pool.length];
  }
}

class WebPlayer extends Player {
  readonly none = null;
  readonly canvas: Canvas;
  readonly #context: Entries;
  readonly #extensions = new Map<string, Entries | null>();

  constructor(plan: ContextPlan, backend: Backend) {
    super();
    const debug = ({ code }: { code: number }): void => {
      if (code !== 0) this.errors++;
    };
    this.canvas = createCanvas(plan.width, plan.height, { backend, ...(plan.width % 2 === 0 ? { debug } : {}) });
    this.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    let reason = 'null';
    this.canvas.addEventListener('webglcontextcreationerror', (event) => {
      reason = (event as unknown as { statusMessage: string }).statusMessage;
    });
    const context = this.canvas.getContext(plan.face as 'webgl', plan.attributes);
    if (context === null) throw /memory/.test(reason) ? new NoMemory(reason) : new Fault('exception', reason);
    this.#context = context as unknown as Entries;
  }

  call(name: string, args: unknown[]): unknown {
    const dot = name.indexOf('.');
    if (dot >= 0) {
      const extension = this.#extension(name.slice(0, dot));
      const method = extension?.[name.slice(dot + 1)];
      return method?.apply(extension, args);
    }
    const method = this.#context[name];
    return method?.apply(this.#context, args);
  }

  #extension(name: string): Entries | null {
    const found = this.#extensions.get(name);
    if (found !== undefined) return found;
    const extension = this.#context['getExtension']!(name) as Entries | null;
    this.#extensions.set(name, extension);
    return extension;
  }

  special(name: string, args: unknown[]): void {
    const lose = this.#extension('WEBGL_lose_context');
    if (name === '@resize') {
      this.canvas.width = smallSize(args[0]);
      this.canvas.height = smallSize(args[1]);
    } else if (name === '@small') this.canvas.width = this.canvas.width === 3 ? 4 : 3;
    else if (name === '@present') this.canvas.present();
    else if (name === '@image') this.#readImage();
    else if (name === '@url') this.canvas.toDataURL();
    else if (name === '@blob') this.canvas.toBlob(() => {});
    else if (name === '@context') this.canvas.getContext('webgl2', { alpha: false });
    else if (name === '@lose') lose?.['loseContext']?.call(lose);
    else if (name === '@restore') lose?.['restoreContext']?.call(lose);
    else if (name === '@dispose') this.dispose();
  }

  #readImage(): void {
    try {
      this.canvas.toImageData();
    } catch (error) {
      if (!/^no memory/.test((error as Error).message)) throw error;
    }
  }

  dispose(): void {
    this.canvas.dispose();
    this.isDisposed = true;
  }
}

/** There is too little memory even for a context. */
class NoMemory extends Error {}

/** Drawing buffers of random sizes; huge ones would only cost time. */
function smallSize(value: unknown): number {
  const size = Number(value) >>> 0;
  return size > 2048 && size < 0x7fffffff ? size % 2048 : size;
}

class GlesPlayer extends Player {
  readonly none = 0;
  readonly #gl: GlesContext;
  readonly #functions: Entries;

  constructor(plan: ContextPlan, target: { backend: Backend } | { screen: Screen }) {
    super();
    const { face, width, height, attributes } = plan;
    const debug = ({ code }: { code: number }): void => {
      if (code !== 0) this.errors++;
    };
    const options = { width, height, api: face === 'gles2' ? (2 as const) : (3 as const), ...attributes };
    this.#gl = createGlesContext({ ...options, ...target, ...(width % 2 === 0 ? { debug } : {}) });
    this.#functions = this.#gl as unknown as Entries;
  }

  /** `name` is a GLES function, or a WebGL name that stands for one. */
  call(name: string, args: unknown[]): unknown {
    if (name.startsWith('gl')) return this.#direct(name, args);
    const adapt = ADAPTED[name];
    if (adapt !== undefined) return adapt(this.#functions, args);
    const created = /^create(?!Shader$|Program$)(.*)/.exec(name)?.[1];
    if (created !== undefined) {
      const names: number[] = [];
      this.#functions[`glGen${plural(created)}`]?.(1, names);
      return names[0];
    }
    const deleted = /^delete(?!Shader$|Program$|Sync$)(.*)/.exec(name)?.[1];
    if (deleted !== undefined) return this.#functions[`glDelete${plural(deleted)}`]?.(1, args);
    return this.#direct(`gl${name[0]!.toUpperCase()}${name.slice(1)}`, args);
  }

  #direct(name: string, args: unknown[]): unknown {
    const generated = /^glGen(?!erateMipmap)(.*)s$/.exec(name)?.[1];
    const result = this.#functions[name]?.(...args);
    if (generated !== undefined)
      for (const object of args[1] as Iterable<unknown>) if (object !== 0) this.keep(objectKind(generated), object);
    // What is mapped is written to, later too.
    if (result instanceof Uint8Array) result.fill(7);
    return result;
  }

  special(name: string, args: unknown[]): void {
    if (name === '@resize') {
      try {
        this.#gl.resize(smallSize(args[0]), smallSize(args[1]));
      } catch (error) {
        if (!/no memory|at least|size/.test((error as Error).message)) throw error;
      }
    } else if (name === '@present') this.#gl.swapBuffers();
    else if (name === '@dispose') this.dispose();
  }

  dispose(): void {
    this.#gl.dispose();
    this.isDisposed = true;
  }
}

function plural(kind: string): string {
  if (kind === 'Query') return 'Queries';
  return kind === 'VertexArray' ? 'VertexArrays' : `${kind}s`;
}

function objectKind(name: string): string {
  if (name === 'Querie') return 'Query';
  return name === 'VertexArray' ? 'VertexArrayObject' : name;
}

function bytesOf(data: unknown): number {
  return typeof data === 'number' ? data : ((data as ArrayBufferView | null)?.byteLength ?? 0);
}

/** The size of the blocks before the blocks. */
function withSize(args: unknown[]): unknown[] {
  return [...args.slice(0, -1), bytesOf(args.at(-1)), args.at(-1)];
}

const listLength = (list: unknown): number => (list as ArrayLike<unknown>).length;

/** Calls of WebGL that GLES spells with other arguments. */
const ADAPTED: Readonly<Record<string, (gl: Entries, args: unknown[]) => unknown>> = {
  compressedTexImage2D: (gl, args) => gl['glCompressedTexImage2D']!(...withSize(args)),
  compressedTexImage3D: (gl, args) => gl['glCompressedTexImage3D']!(...withSize(args)),
  compressedTexSubImage2D: (gl, args) => gl['glCompressedTexSubImage2D']!(...withSize(args)),
  compressedTexSubImage3D: (gl, args) => gl['glCompressedTexSubImage3D']!(...withSize(args)),
  bufferData: (gl, [target, data, usage]) =>
    gl['glBufferData']!(target, bytesOf(data), typeof data === 'number' ? null : data, usage),
  shaderSource: (gl, [shader, text]) => gl['glShaderSource']!(shader, 1, text),
  uniformMatrix4fv: (gl, [location, transpose, values]) => gl['glUniformMatrix4fv']!(location, 1, transpose, values),
  drawBuffers: (gl, [list]) => gl['glDrawBuffers']!(listLength(list), list),
  transformFeedbackVaryings: (gl, [program, names, mode]) =>
    gl['glTransformFeedbackVaryings']!(program, listLength(names), names, mode),
};

export interface ApiRun {
  /** The step that runs; −1 while contexts are made. */
  step: number;
}

/** Makes screens of little memory, and looks after them. */
class Screens implements Backend {
  readonly name: string;
  readonly #backend: Backend;
  readonly #memoryLimitBytes: number;
  readonly #made: Screen[] = [];
  #shared: Screen | null = null;

  constructor(backend: Backend, memoryLimitBytes: number) {
    this.name = backend.name;
    this.#backend = backend;
    this.#memoryLimitBytes = memoryLimitBytes;
  }

  createScreen(options: ScreenOptions): Screen {
    const screen = this.#backend.createScreen({ ...options, memoryLimitBytes: this.#memoryLimitBytes });
    this.#made.push(screen);
    return screen;
  }

  get shared(): Screen {
    this.#shared ??= this.createScreen({});
    return this.#shared;
  }

  /** All contexts are disposed: nothing may be left. */
  check(): void {
    this.#shared?.destroy();
    for (const screen of this.#made) {
      const { liveBytes } = screen.memoryStatistics();
      if (liveBytes !== 0) throw new Fault('memory', `a screen whose contexts are gone holds ${liveBytes} bytes`);
    }
  }
}

/** Null: there is too little memory even for the context. */
function createPlayer(plan: ContextPlan, screens: Screens, sharesScreen: boolean): Player | null {
  const isWeb = plan.face === 'webgl' || plan.face === 'webgl2';
  try {
    if (isWeb) return new WebPlayer(plan, screens);
    return new GlesPlayer(plan, sharesScreen ? { screen: screens.shared } : { backend: screens });
  } catch (error) {
    if (error instanceof Error && !(error instanceof TypeError) && /memory/.test(error.message)) return null;
    throw error;
  }
}

function runStep(step: Step, player: Player, players: readonly (Player | null)[]): void {
  const objects: Objects = {
    object: (kind, at, from) => (players[from ?? step.context] ?? player).object(kind, at),
    canvas: (context) => {
      const other = players[context % players.length];
      return other instanceof WebPlayer ? other.canvas : null;
    },
    act: (name) => player.special(name, []),
  };
  const args = step.args.map((value) => decode(value, objects));
  if (step.call.startsWith('@')) {
    player.special(step.call, args);
    return;
  }
  const result = player.call(step.call, args);
  // makeXRCompatible is refused by a promise.
  if (result instanceof Promise) result.catch(() => {});
  const name = step.call.slice(step.call.indexOf('.') + 1);
  const plain = name.replace(/^gl(?=[A-Z])/, '').replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  const kind = RESULTS[plain];
  if (kind !== undefined) player.keep(kind, result);
}

/** A turn of the event loop: events of lost and restored contexts come. */
function yieldToEvents(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export interface ApiOptions {
  readonly run?: ApiRun;
  /** Gathers what was called. */
  readonly counts?: CallCounts | undefined;
}

/** Runs a case; throws a Fault for what may not happen. `run` tells afterwards how far it came. */
export async function runApiCase(theCase: ApiCase, backend: Backend, options: ApiOptions = {}): Promise<void> {
  const { run = { step: -1 }, counts } = options;
  const screens = new Screens(backend, theCase.memoryLimitBytes);
  const players = theCase.contexts.map((plan) => createPlayer(plan, screens, theCase.sharesScreen));
  for (const [index, step] of theCase.steps.entries()) {
    run.step = index;
    const player = players[step.context];
    // A call after dispose is an error of the caller in GLES, and a lost context in WebGL.
    if (!player || (player.isDisposed && player instanceof GlesPlayer)) continue;
    const errors = player.errors;
    let isThrown = false;
    try {
      runStep(step, player, players);
    } catch (error) {
      isThrown = true;
      const isWeb = player instanceof WebPlayer;
      if (!(isWeb && mayThrow(error))) throw Fault.from(error, `step ${index}: ${step.call}`);
    }
    if (counts) countCall(counts, theCase.contexts[step.context]!, step.call, !isThrown && player.errors === errors);
    if (step.call === '@yield') await yieldToEvents();
  }
  run.step = theCase.steps.length;
  for (const player of players) if (player && !player.isDisposed) player.dispose();
  await yieldToEvents();
  screens.check();
  checkOthersLive(new Screens(backend, 64 << 20));
}

/** The function that a step means: sequences name by WebGL what both have. */
function functionName(face: FaceName, call: string): string {
  if (face.startsWith('webgl') || /^gl[A-Z]|^@/.test(call)) return call;
  const made = /^(create|delete)(?!Shader$|Program$|Sync$)(.*)/.exec(call);
  if (made) return `gl${made[1] === 'create' ? 'Gen' : 'Delete'}${plural(made[2]!)}`;
  return `gl${call[0]!.toUpperCase()}${call.slice(1)}`;
}

/** Contexts of odd width have nobody who hears of their errors. */
function countCall(counts: CallCounts, { face, width }: ContextPlan, call: string, isGood: boolean): void {
  const name = `${face} ${functionName(face, call)}`;
  counts[name] ??= [0, 0];
  const count = counts[name]!;
  count[0]++;
  if (isGood && width % 2 === 0) count[1]++;
}

/** Whatever happened, a new context draws. */
function checkOthersLive(backend: Backend): void {
  const gl = createGlesContext({ width: 4, height: 4, api: 3, backend });
  gl.glClearColor(0.2, 0.4, 0.6, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  const pixels = new Uint8Array(64);
  gl.glReadPixels(0, 0, 4, 4, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, pixels);
  gl.dispose();
  if (pixels[0] !== 51 || pixels[61] !== 102) throw new Fault('others', 'a context made afterwards does not draw');
}
