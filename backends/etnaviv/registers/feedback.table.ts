// Transform feedback states. Facts: rnndb of the etnaviv project.

import { register } from './register.ts';

// biome-ignore format: a table is read by its columns
export const FEEDBACK_REGISTERS = {
  TFB_CONFIG: register(0x1c000, { RASTERIZER_DISCARD: [0, 0] }),
  TFB_COMMAND: register(0x1c004, {}),
  TFB_CONTEXT_BUFFER: register(0x1c008, {}, { kind: 'address' }),
  TFB_FLUSH: register(0x1c00c, {}),
  TFB_QUERY_COMMAND: register(0x1c010, {}),
  TFB_QUERY_BUFFER: register(0x1c014, {}, { kind: 'address' }),
  TFB_BUFFER_ADDR: register(0x1c040, {}, { kind: 'address', repeat: [[4, 0x4]] }),
  TFB_BUFFER_SIZE: register(0x1c080, {}, { repeat: [[4, 0x4]] }),
  TFB_BUFFER_STRIDE: register(0x1c0c0, {}, { repeat: [[4, 0x4]] }),
  TFB_DESCRIPTOR_COUNT: register(0x1c100, {}, { repeat: [[4, 0x4]] }),
  TFB_DESCRIPTOR: register(0x1c800, { OUTPUT_BUFFER: [0, 1], INPUT_REGISTER: [8, 15], COMPONENT_OFFSET: [16, 17], COMPONENT_MASK: [20, 21] }, { repeat: [[512, 0x4]] }),
} as const;
