// The cores of a device: each is asked who it is, and the one that draws is taken.

import { decodeFeatures } from '../../hwdb/core-info.ts';
import type { CoreReport } from '../../hwdb/identify.ts';
import type { DrmDevice } from './device.ts';
import { DeviceError } from './device-error.ts';
import { CONSTANTS, type ParamName } from './uapi.table.ts';
import { paramNumber } from './uapi.ts';

export interface ProbedCore {
  /** Its number in requests. */
  readonly pipe: number;
  readonly report: CoreReport;
  /** Lowest address that a program may give to buffers, or null where the kernel gives them. */
  readonly softpinStart: number | null;
}

const FEATURE_WORDS = 13;
/** Models from here on compute for neural networks; some announce a 3D pipe that they can't draw with. */
const FIRST_NEURAL_MODEL = 0x8000;

/** A parameter of a core, or null: no such core, or a kernel that does not know the parameter. */
function readParam(device: DrmDevice, pipe: number, name: ParamName): bigint | null {
  if (device.try('getParam', { pipe, param: paramNumber(name) }) !== 0) return null;
  return BigInt(device.result('getParam')['value']!);
}

function probeCore(device: DrmDevice, pipe: number): ProbedCore | null {
  const model = readParam(device, pipe, 'GPU_MODEL');
  if (model === null) return null;
  const read = (name: ParamName) => Number(readParam(device, pipe, name) ?? 0n);
  const featureWords: number[] = [];
  for (let index = 0; index < FEATURE_WORDS; index++) featureWords.push(read(`GPU_FEATURES_${index}` as ParamName));
  while (featureWords.length > 0 && featureWords[featureWords.length - 1] === 0) featureWords.pop();
  const softpin = readParam(device, pipe, 'SOFTPIN_START_ADDR');
  return {
    pipe,
    report: {
      identity: {
        model: Number(model),
        revision: read('GPU_REVISION'),
        productId: read('GPU_PRODUCT_ID'),
        customerId: read('GPU_CUSTOMER_ID'),
        ecoId: read('GPU_ECO_ID'),
      },
      featureWords,
      limits: {
        streams: read('GPU_STREAM_COUNT'),
        registers: read('GPU_REGISTER_MAX'),
        threads: read('GPU_THREAD_COUNT'),
        shaderCores: read('GPU_SHADER_CORE_COUNT'),
        vertexCache: read('GPU_VERTEX_CACHE_SIZE'),
        vertexOutputBuffer: read('GPU_VERTEX_OUTPUT_BUFFER_SIZE'),
        pixelPipes: read('GPU_PIXEL_PIPES'),
        instructions: read('GPU_INSTRUCTION_COUNT'),
        constants: read('GPU_NUM_CONSTANTS'),
        varyings: read('GPU_NUM_VARYINGS'),
      },
    },
    // A kernel with an old MMU answers with all bits set.
    softpinStart: softpin === null || softpin >= 0xffffffffn ? null : Number(softpin),
  };
}

/** Every core of the device. A gap in the numbers is no end. */
export function probeCores(device: DrmDevice): ProbedCore[] {
  const cores: ProbedCore[] = [];
  for (let pipe = 0; pipe < CONSTANTS.ETNA_MAX_PIPES; pipe++) {
    const core = probeCore(device, pipe);
    if (core) cores.push(core);
  }
  return cores;
}

/** The core that draws. Throws DeviceError when none does. */
export function chooseCore(cores: readonly ProbedCore[], path: string): ProbedCore {
  const drawing = cores.filter(({ report }) => decodeFeatures(report.featureWords).has('PIPE_3D'));
  const chosen = drawing.find(({ report }) => report.identity.model < FIRST_NEURAL_MODEL) ?? drawing[0];
  if (chosen) return chosen;
  const names = cores.map(
    ({ report: { identity } }) => `0x${identity.model.toString(16)}/0x${identity.revision.toString(16)}`,
  );
  throw new DeviceError(`${path} has no core that draws in 3D; its cores: ${names.join(', ') || 'none'}`);
}
