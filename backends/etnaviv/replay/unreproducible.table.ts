// Recorded cases whose expected picture no GPU could make of the stream: the recording driver left out what the program asked
// for. They still count as wrong; this table only says why.

export interface Reason {
  readonly case: string;
  /** GPU folders, without `etnaviv-`. */
  readonly gpus: readonly string[];
  readonly reason: string;
}

const OLD = ['gc400', 'gc880', 'gc2000', 'gc3000'];

export const UNREPRODUCIBLE: readonly Reason[] = [
  {
    case: 'es3_clearbuffer',
    gpus: ['gc880', 'gc2000', 'gc3000', 'gc7000'],
    reason: 'each glClearBuffer was recorded as a clear of all targets, so target 0 ends with the colour of target 1',
  },
  { case: 'es3_flat', gpus: OLD, reason: 'no state of the stream says that a varying is flat' },
  {
    case: 'attr_int',
    gpus: OLD,
    reason: 'no state of the stream says that a varying is flat; no integers before HALTI2',
  },
  {
    case: 'instancing_idx',
    gpus: ['gc3000', 'gc7000'],
    reason: 'the vertex program hands on gl_VertexID (component x) instead of gl_InstanceID (component y)',
  },
  { case: 'target_srgb', gpus: OLD, reason: 'the stream is that of a target without sRGB, its clear colour, too' },
  {
    case: 'copyteximage',
    gpus: ['gc2000'],
    reason: 'the copy reads the texture behind the render target, which was never brought up to date',
  },
  {
    case: 'es3_primrestart',
    gpus: ['gc400'],
    reason: 'the restart index is left out of the indices, which makes one strip of two',
  },
  {
    case: 'cubemap',
    gpus: ['gc400'],
    reason: 'sin and cos are polynomials of the driver; their error moves the look-up by more than the rule allows',
  },
];

/** Why a case can't be right, or null. `folder` is the GPU folder's name. */
export function unreproducibleReason(folder: string, name: string): string | null {
  const gpu = folder.replace(/^etnaviv-/, '').replace(/-no_ts$/, '');
  return UNREPRODUCIBLE.find((row) => row.case === name && row.gpus.includes(gpu))?.reason ?? null;
}
