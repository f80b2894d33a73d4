// Hands uniform values and uniform buffers of the bound program to the pipe.

import type { LinkedStage } from '../glsl/link-result.ts';
import type { ShaderStage } from '../pipe/defines.ts';
import type { Resource } from '../pipe/resource.ts';
import { boundRangeBytes } from './buffer-bindings.ts';
import { isBoundForFeedback } from './buffer-data.ts';
import type { Context } from './context.ts';
import { invalidOperation } from './errors.ts';
import type { Executable } from './program-executable.ts';

export function updateVertexUniforms(context: Context): void {
  updateUniforms(context, 'vertex');
}

export function updateFragmentUniforms(context: Context): void {
  updateUniforms(context, 'fragment');
}

function updateUniforms(context: Context, stage: ShaderStage): void {
  const executable = context.pipeState.executable;
  if (executable === null || !executable.linked[stage].usesConstants) return;
  writeDepthRange(context, executable);
  context.pipe.setConstants(stage, executable.constants);
}

/** gl_DepthRange: near, far, far − near in a slot each. */
function writeDepthRange(context: Context, executable: Executable): void {
  const slot = executable.linked.depthRangeSlot;
  if (slot < 0) return;
  const { near, far } = context.depth;
  const floats = executable.constantFloats;
  floats[slot * 4] = near;
  floats[slot * 4 + 4] = far;
  floats[slot * 4 + 8] = far - near;
}

export function updateUniformBuffers(context: Context): void {
  const executable = context.pipeState.executable;
  if (executable === null) return;
  bindStage(context, executable, 'vertex', executable.linked.vertex);
  bindStage(context, executable, 'fragment', executable.linked.fragment);
}

/** What `bindStage` hands over; the pipe keeps no hold of it. */
const range = { buffer: null as unknown as Resource, offsetBytes: 0, sizeBytes: 0 };

function bindStage(context: Context, executable: Executable, stage: ShaderStage, linked: LinkedStage): void {
  for (let i = 0; i < linked.uniformBlocks.length; i++) {
    const binding = context.uniformBufferBindings[executable.blockBindings[linked.uniformBlocks[i]!]!]!;
    const sizeBytes = boundRangeBytes(binding);
    const resource = binding.buffer?.resource ?? null;
    if (resource === null || sizeBytes === 0) {
      context.pipe.setConstantBuffer(stage, i + 1, null);
      continue;
    }
    range.buffer = resource;
    range.offsetBytes = binding.offset;
    range.sizeBytes = sizeBytes;
    context.pipe.setConstantBuffer(stage, i + 1, range);
  }
}

/** WebGL 2 §4.1: every active block needs a buffer that is large enough. In GLES missing bytes read as zero. */
export function checkUniformBuffers(context: Context, call: string, executable: Executable): boolean {
  const blocks = executable.linked.uniformBlocks;
  for (let i = 0; i < blocks.length; i++) {
    const binding = context.uniformBufferBindings[executable.blockBindings[i]!]!;
    const buffer = binding.buffer;
    if (buffer?.mapping) {
      invalidOperation(context, call, `the buffer of uniform block ${blocks[i]!.name} is mapped`);
      return false;
    }
    if (context.rules.feedbackLoopIsError && buffer !== null && isBoundForFeedback(context, buffer)) {
      invalidOperation(context, call, `the buffer of uniform block ${blocks[i]!.name} is bound for transform feedback`);
      return false;
    }
    if (!context.rules.webgl || boundRangeBytes(binding) >= blocks[i]!.dataSize) continue;
    invalidOperation(
      context,
      call,
      buffer === null
        ? `no buffer is bound for uniform block ${blocks[i]!.name}`
        : `the buffer of uniform block ${blocks[i]!.name} is smaller than ${blocks[i]!.dataSize} bytes`,
    );
    return false;
  }
  return true;
}
