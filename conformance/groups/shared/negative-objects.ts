// negative_api of what GLES 3 adds: transform feedback, samplers, queries and sync objects.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { generate } from '../../harness/framebuffer.ts';
import { linkProgram } from '../../harness/program.ts';

const ENUM = 0x500;
const VALUE = 0x501;
const OPERATION = 0x502;
const NO_ENUM = 0x7ffffff0;
const NO_NAME = 0x7ffffff1;

/** Calls and the error that each records; 0: the call is right and changes the state for the next. */
type Calls = readonly (readonly [want: number, call: () => unknown])[];
type Check = (t: CaseContext) => Calls;

const VERTEX =
  '#version 300 es\nin vec4 a_position; out vec4 v_out; void main() { v_out = a_position; gl_Position = a_position; }';
const FRAGMENT = '#version 300 es\nlayout(location = 0) out mediump vec4 o_color; void main() { o_color = vec4(1.0); }';

/** A program in use that captures one varying, and a buffer of 64 bytes for it. */
function useFeedback(t: CaseContext): { program: number; buffer: number } {
  const { gl } = t;
  const program = linkProgram(t, VERTEX, FRAGMENT, (name) =>
    gl.glTransformFeedbackVaryings(name, 1, ['v_out'], gl.GL_INTERLEAVED_ATTRIBS),
  );
  gl.glUseProgram(program);
  const buffer = generate(gl.glGenBuffers);
  gl.glBindBuffer(gl.GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
  gl.glBufferData(gl.GL_TRANSFORM_FEEDBACK_BUFFER, 64, null, gl.GL_STREAM_COPY);
  gl.glBindBufferBase(gl.GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
  return { program, buffer };
}

const CHECKS: Readonly<Record<string, Check>> = {
  'buffer.copy_buffer_sub_data': (t) => {
    const { gl } = t;
    const [from, to] = [gl.GL_COPY_READ_BUFFER, gl.GL_COPY_WRITE_BUFFER];
    const buffers = [from, to].map((target) => {
      const buffer = generate(gl.glGenBuffers);
      gl.glBindBuffer(target, buffer);
      gl.glBufferData(target, 32, null, gl.GL_DYNAMIC_COPY);
      return buffer;
    });
    return [
      [VALUE, () => gl.glCopyBufferSubData(from, to, 0, 0, -4)],
      [VALUE, () => gl.glCopyBufferSubData(from, to, -1, 0, 4)],
      [VALUE, () => gl.glCopyBufferSubData(from, to, 0, -1, 4)],
      [VALUE, () => gl.glCopyBufferSubData(from, to, 29, 0, 4)],
      [VALUE, () => gl.glCopyBufferSubData(from, to, 0, 29, 4)],
      [ENUM, () => gl.glCopyBufferSubData(NO_ENUM, to, 0, 0, 4)],
      [ENUM, () => gl.glCopyBufferSubData(from, NO_ENUM, 0, 0, 4)],
      [OPERATION, () => gl.glCopyBufferSubData(gl.GL_ARRAY_BUFFER, to, 0, 0, 4)],
      [0, () => gl.glCopyBufferSubData(from, to, 28, 0, 4)],
      // Within one buffer the ranges may touch, not overlap.
      [0, () => gl.glBindBuffer(to, buffers[0]!)],
      [VALUE, () => gl.glCopyBufferSubData(from, to, 0, 4, 8)],
      [VALUE, () => gl.glCopyBufferSubData(from, to, 4, 0, 8)],
      [0, () => gl.glCopyBufferSubData(from, to, 0, 8, 8)],
      [0, () => gl.glMapBufferRange(from, 0, 16, gl.GL_MAP_READ_BIT)],
      [OPERATION, () => gl.glCopyBufferSubData(from, to, 0, 16, 8)],
      [0, () => gl.glUnmapBuffer(from)],
    ];
  },
  'shader.begin_transform_feedback': (t) => {
    const { gl } = t;
    const { buffer } = useFeedback(t);
    return [
      [ENUM, () => gl.glBeginTransformFeedback(NO_ENUM)],
      [ENUM, () => gl.glBeginTransformFeedback(gl.GL_TRIANGLE_STRIP)],
      [0, () => gl.glBindBufferBase(gl.GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0)],
      [OPERATION, () => gl.glBeginTransformFeedback(gl.GL_TRIANGLES)],
      [0, () => gl.glBindBufferBase(gl.GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer)],
      [0, () => gl.glUseProgram(0)],
      [OPERATION, () => gl.glBeginTransformFeedback(gl.GL_TRIANGLES)],
      [0, () => gl.glUseProgram(linkProgram(t, VERTEX, FRAGMENT))],
      [OPERATION, () => gl.glBeginTransformFeedback(gl.GL_TRIANGLES)],
      [0, () => useFeedback(t)],
      [0, () => gl.glBeginTransformFeedback(gl.GL_TRIANGLES)],
      [OPERATION, () => gl.glBeginTransformFeedback(gl.GL_TRIANGLES)],
      [OPERATION, () => gl.glUseProgram(0)],
      [OPERATION, () => gl.glDrawArrays(gl.GL_POINTS, 0, 3)],
      [0, () => gl.glEndTransformFeedback()],
    ];
  },
  'shader.end_transform_feedback': (t) => {
    const { gl } = t;
    useFeedback(t);
    return [
      [OPERATION, () => gl.glEndTransformFeedback()],
      [0, () => gl.glBeginTransformFeedback(gl.GL_POINTS)],
      [0, () => gl.glEndTransformFeedback()],
      [OPERATION, () => gl.glEndTransformFeedback()],
    ];
  },
  'shader.pause_transform_feedback': (t) => {
    const { gl } = t;
    useFeedback(t);
    return [
      [OPERATION, () => gl.glPauseTransformFeedback()],
      [0, () => gl.glBeginTransformFeedback(gl.GL_POINTS)],
      [0, () => gl.glPauseTransformFeedback()],
      [OPERATION, () => gl.glPauseTransformFeedback()],
      [0, () => gl.glEndTransformFeedback()],
    ];
  },
  'shader.resume_transform_feedback': (t) => {
    const { gl } = t;
    useFeedback(t);
    return [
      [OPERATION, () => gl.glResumeTransformFeedback()],
      [0, () => gl.glBeginTransformFeedback(gl.GL_POINTS)],
      [OPERATION, () => gl.glResumeTransformFeedback()],
      [0, () => gl.glPauseTransformFeedback()],
      [0, () => gl.glUseProgram(0)],
      [OPERATION, () => gl.glResumeTransformFeedback()],
      [0, () => gl.glEndTransformFeedback()],
    ];
  },
  'shader.bind_transform_feedback': (t) => {
    const { gl } = t;
    const deleted = generate(gl.glGenTransformFeedbacks);
    gl.glDeleteTransformFeedbacks(1, [deleted]);
    useFeedback(t);
    return [
      [ENUM, () => gl.glBindTransformFeedback(NO_ENUM, 0)],
      [OPERATION, () => gl.glBindTransformFeedback(gl.GL_TRANSFORM_FEEDBACK, deleted)],
      [OPERATION, () => gl.glBindTransformFeedback(gl.GL_TRANSFORM_FEEDBACK, NO_NAME)],
      [0, () => gl.glBeginTransformFeedback(gl.GL_POINTS)],
      [OPERATION, () => gl.glBindTransformFeedback(gl.GL_TRANSFORM_FEEDBACK, 0)],
      [0, () => gl.glEndTransformFeedback()],
    ];
  },
  'shader.delete_transform_feedbacks': (t) => {
    const { gl } = t;
    const object = generate(gl.glGenTransformFeedbacks);
    gl.glBindTransformFeedback(gl.GL_TRANSFORM_FEEDBACK, object);
    useFeedback(t);
    return [
      [VALUE, () => gl.glDeleteTransformFeedbacks(-1, [])],
      [0, () => gl.glBeginTransformFeedback(gl.GL_POINTS)],
      [OPERATION, () => gl.glDeleteTransformFeedbacks(1, [object])],
      [0, () => gl.glEndTransformFeedback()],
      [0, () => gl.glDeleteTransformFeedbacks(1, [object])],
    ];
  },
  'shader.gen_transform_feedbacks': ({ gl }) => [[VALUE, () => gl.glGenTransformFeedbacks(-1, [])]],
  'shader.transform_feedback_varyings': (t) => {
    const { gl } = t;
    const { program } = useFeedback(t);
    const shader = gl.glCreateShader(gl.GL_VERTEX_SHADER);
    const most = [0];
    gl.glGetIntegerv(gl.GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, most);
    const many = Array.from({ length: most[0]! + 1 }, (_, i) => `v_${i}`);
    const { GL_SEPARATE_ATTRIBS: separate, GL_INTERLEAVED_ATTRIBS: interleaved } = gl;
    return [
      [ENUM, () => gl.glTransformFeedbackVaryings(program, 1, ['v_out'], NO_ENUM)],
      [VALUE, () => gl.glTransformFeedbackVaryings(program, many.length, many, separate)],
      [VALUE, () => gl.glTransformFeedbackVaryings(NO_NAME, 1, ['v_out'], interleaved)],
      [OPERATION, () => gl.glTransformFeedbackVaryings(shader, 1, ['v_out'], interleaved)],
    ];
  },
  'shader.get_transform_feedback_varying': (t) => {
    const { gl } = t;
    const { program } = useFeedback(t);
    const shader = gl.glCreateShader(gl.GL_VERTEX_SHADER);
    return [
      [VALUE, () => gl.glGetTransformFeedbackVarying(program, 1, 32, [0], [0], [0])],
      [VALUE, () => gl.glGetTransformFeedbackVarying(NO_NAME, 0, 32, [0], [0], [0])],
      [OPERATION, () => gl.glGetTransformFeedbackVarying(shader, 0, 32, [0], [0], [0])],
    ];
  },
  'shader.bind_sampler': ({ gl }) => {
    const units = [0];
    gl.glGetIntegerv(gl.GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, units);
    const sampler = generate(gl.glGenSamplers);
    const deleted = generate(gl.glGenSamplers);
    gl.glDeleteSamplers(1, [deleted]);
    return [
      [VALUE, () => gl.glBindSampler(units[0]!, sampler)],
      [OPERATION, () => gl.glBindSampler(0, deleted)],
      [OPERATION, () => gl.glBindSampler(0, NO_NAME)],
      [0, () => gl.glBindSampler(units[0]! - 1, sampler)],
    ];
  },
  'shader.delete_samplers': ({ gl }) => [[VALUE, () => gl.glDeleteSamplers(-1, [])]],
  'shader.gen_samplers': ({ gl }) => [[VALUE, () => gl.glGenSamplers(-1, [])]],
  'shader.sampler_parameteri': ({ gl }) => {
    const sampler = generate(gl.glGenSamplers);
    return [
      [OPERATION, () => gl.glSamplerParameteri(NO_NAME, gl.GL_TEXTURE_MIN_FILTER, gl.GL_NEAREST)],
      [ENUM, () => gl.glSamplerParameteri(sampler, NO_ENUM, gl.GL_NEAREST)],
      [ENUM, () => gl.glSamplerParameteri(sampler, gl.GL_TEXTURE_BASE_LEVEL, 0)],
      [ENUM, () => gl.glSamplerParameteri(sampler, gl.GL_TEXTURE_WRAP_S, NO_ENUM)],
      [ENUM, () => gl.glSamplerParameteri(sampler, gl.GL_TEXTURE_MAG_FILTER, gl.GL_NEAREST_MIPMAP_LINEAR)],
    ];
  },
  'shader.sampler_parameterf': ({ gl }) => {
    const sampler = generate(gl.glGenSamplers);
    return [
      [OPERATION, () => gl.glSamplerParameterf(NO_NAME, gl.GL_TEXTURE_MIN_LOD, 0)],
      [ENUM, () => gl.glSamplerParameterf(sampler, NO_ENUM, 0)],
      [ENUM, () => gl.glSamplerParameterf(sampler, gl.GL_TEXTURE_WRAP_T, 1)],
    ];
  },
  'shader.get_sampler_parameteriv': ({ gl }) => {
    const sampler = generate(gl.glGenSamplers);
    return [
      [OPERATION, () => gl.glGetSamplerParameteriv(NO_NAME, gl.GL_TEXTURE_MAG_FILTER, [0])],
      [ENUM, () => gl.glGetSamplerParameteriv(sampler, NO_ENUM, [0])],
    ];
  },
  'shader.get_sampler_parameterfv': ({ gl }) => {
    const sampler = generate(gl.glGenSamplers);
    return [
      [OPERATION, () => gl.glGetSamplerParameterfv(NO_NAME, gl.GL_TEXTURE_MAG_FILTER, [0])],
      [ENUM, () => gl.glGetSamplerParameterfv(sampler, NO_ENUM, [0])],
    ];
  },
  'fragment.gen_queries': ({ gl }) => [[VALUE, () => gl.glGenQueries(-1, [])]],
  'fragment.delete_queries': ({ gl }) => [[VALUE, () => gl.glDeleteQueries(-1, [])]],
  'fragment.begin_query': ({ gl }) => {
    const [first, second] = [generate(gl.glGenQueries), generate(gl.glGenQueries)];
    return [
      [ENUM, () => gl.glBeginQuery(NO_ENUM, first)],
      [OPERATION, () => gl.glBeginQuery(gl.GL_ANY_SAMPLES_PASSED, 0)],
      [OPERATION, () => gl.glBeginQuery(gl.GL_ANY_SAMPLES_PASSED, NO_NAME)],
      [0, () => gl.glBeginQuery(gl.GL_ANY_SAMPLES_PASSED, first)],
      [OPERATION, () => gl.glBeginQuery(gl.GL_ANY_SAMPLES_PASSED, second)],
      [OPERATION, () => gl.glBeginQuery(gl.GL_ANY_SAMPLES_PASSED_CONSERVATIVE, second)],
      [OPERATION, () => gl.glBeginQuery(gl.GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, first)],
      [0, () => gl.glEndQuery(gl.GL_ANY_SAMPLES_PASSED)],
      [OPERATION, () => gl.glBeginQuery(gl.GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, first)],
    ];
  },
  'fragment.end_query': ({ gl }) => {
    const query = generate(gl.glGenQueries);
    return [
      [ENUM, () => gl.glEndQuery(NO_ENUM)],
      [OPERATION, () => gl.glEndQuery(gl.GL_ANY_SAMPLES_PASSED)],
      [0, () => gl.glBeginQuery(gl.GL_ANY_SAMPLES_PASSED, query)],
      [OPERATION, () => gl.glEndQuery(gl.GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN)],
      [0, () => gl.glEndQuery(gl.GL_ANY_SAMPLES_PASSED)],
    ];
  },
  'state.get_queryiv': ({ gl }) => [
    [ENUM, () => gl.glGetQueryiv(gl.GL_ANY_SAMPLES_PASSED, NO_ENUM, [0])],
    [ENUM, () => gl.glGetQueryiv(NO_ENUM, gl.GL_CURRENT_QUERY, [0])],
  ],
  'state.get_query_objectuiv': ({ gl }) => {
    const [unused, active] = [generate(gl.glGenQueries), generate(gl.glGenQueries)];
    return [
      [OPERATION, () => gl.glGetQueryObjectuiv(NO_NAME, gl.GL_QUERY_RESULT_AVAILABLE, [0])],
      [OPERATION, () => gl.glGetQueryObjectuiv(unused, gl.GL_QUERY_RESULT, [0])],
      [0, () => gl.glBeginQuery(gl.GL_ANY_SAMPLES_PASSED, active)],
      [OPERATION, () => gl.glGetQueryObjectuiv(active, gl.GL_QUERY_RESULT, [0])],
      [0, () => gl.glEndQuery(gl.GL_ANY_SAMPLES_PASSED)],
      [ENUM, () => gl.glGetQueryObjectuiv(active, NO_ENUM, [0])],
    ];
  },
  'fragment.fence_sync': ({ gl }) => [
    [ENUM, () => gl.glFenceSync(NO_ENUM, 0)],
    [VALUE, () => gl.glFenceSync(gl.GL_SYNC_GPU_COMMANDS_COMPLETE, 0x10)],
  ],
};

function runCalls(t: CaseContext, make: Check): void {
  const calls = make(t);
  t.noError('before the calls');
  for (const [index, [want, call]] of calls.entries()) {
    call();
    t.error(want, `call ${index + 1} (${call.toString().replace(/\s+/g, ' ').slice(0, 120)})`);
  }
}

export function* negativeObjectCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  for (const [name, check] of Object.entries(CHECKS))
    yield functionalCase(3, `negative_api.${name}`, (t) => runCalls(t, check), { width: 16, height: 16 });
}
