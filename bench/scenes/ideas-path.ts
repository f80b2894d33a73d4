// Where camera, lamp and shape of the scene ideas are at a time; each as a smooth function.

/** Seconds of the scene's own time: it starts here, goes on to CYCLE, then back and forth. */
export const START = 0.6;
export const CYCLE = 12;

export interface IdeasPlaces {
  readonly viewFrom: Float32Array;
  readonly viewTo: Float32Array;
  readonly light: Float32Array;
  readonly shape: Float32Array;
  /** Degrees around x, y and z. */
  readonly turn: Float32Array;
}

export function createPlaces(): IdeasPlaces {
  const [viewFrom, viewTo, light, shape, turn] = Array.from({ length: 5 }, () => new Float32Array(3));
  return { viewFrom: viewFrom!, viewTo: viewTo!, light: light!, shape: shape!, turn: turn! };
}

const smooth = (from: number, to: number, t: number) => {
  const part = Math.min(Math.max((t - from) / (to - from), 0), 1);
  return part * part * (3 - 2 * part);
};

function set(out: Float32Array, x: number, y: number, z: number): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/** The camera rises from below the table and circles; the shape comes through the table and turns in the lamp's light. */
export function placesAt(time: number, out: IdeasPlaces): void {
  const around = -0.5 + time * 0.32;
  const height = -1.2 + 3.4 * smooth(0.3, 2.2, time) + 0.6 * Math.sin(time * 0.7);
  const distance = 4.2 - 1.6 * smooth(3, 7, time);
  set(out.viewFrom, Math.sin(around) * distance, height, Math.cos(around) * distance);
  set(out.viewTo, 0.15 * Math.sin(time), 0.15 + 0.35 * smooth(2, 5, time), -0.1);
  set(out.light, 1.4 * Math.sin(time * 0.6 + 1), 2.2 + 0.3 * Math.sin(time), 1.2 * Math.cos(time * 0.6 + 1));
  set(out.shape, 0.3 * Math.sin(time * 0.5), -0.9 + 1.7 * smooth(1.5, 4.5, time), 0.3 * Math.cos(time * 0.4) - 0.2);
  set(out.turn, 30 * Math.sin(time * 0.8), time * 55, 20 * time);
}

/** The scene's own time, which runs forward in even cycles and backward in odd ones. */
export function cycleTime(elapsed: number, speed: number): number {
  const time = elapsed * speed + START;
  const part = time % CYCLE;
  return Math.floor(time / CYCLE) % 2 === 0 ? part : CYCLE - part;
}
