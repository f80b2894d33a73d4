// negative_api: wrong calls record exactly the error that the specification names, and change nothing.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { generate } from '../../harness/framebuffer.ts';
import { linkProgram } from '../../harness/program.ts';

const SURFACE = { width: 16, height: 16 };
const ENUM = 0x500;
const VALUE = 0x501;
const OPERATION = 0x502;
const FRAMEBUFFER = 0x506;
/** An enumerant of nothing. */
const NO_ENUM = 0x7ffffff0;
/** A name that nobody generated. */
const NO_NAME = 0x7ffffff1;

type Check = (t: CaseContext) => void;

/** Calls in turn, each of which must record one error. */
function expectAll(t: CaseContext, calls: readonly (readonly [want: number, call: () => unknown])[]): void {
  t.noError('before the wrong calls');
  for (const [index, [want, call]] of calls.entries()) {
    call();
    t.error(want, `wrong call ${index + 1} (${call.toString().replace(/\s+/g, ' ').slice(0, 120)})`);
  }
  t.noError('after the wrong calls');
}

function plainProgram(t: CaseContext): number {
  const isEs3 = t.api === 3;
  const vertex = isEs3
    ? '#version 300 es\nin vec4 a_position;\nvoid main() { gl_Position = a_position; }'
    : 'attribute vec4 a_position; void main() { gl_Position = a_position; }';
  const head = isEs3
    ? '#version 300 es\nlayout(location = 0) out mediump vec4 o_color;\n#define gl_FragColor o_color\n'
    : '';
  const uniforms =
    'uniform mediump vec4 u_vec4; uniform mediump int u_int; uniform mediump mat4 u_mat4; uniform sampler2D u_sampler;\n';
  const sample = isEs3 ? 'texture' : 'texture2D';
  return linkProgram(
    t,
    vertex,
    `${head}${uniforms}void main() { gl_FragColor = u_vec4 + float(u_int) + u_mat4[0] + ${sample}(u_sampler, u_vec4.xy); }`,
  );
}

/** Checks that both versions have. */
function commonChecks(): Record<string, Check> {
  const checks: Record<string, Check> = {};
  const add = (name: string, make: (t: CaseContext) => readonly (readonly [number, () => unknown])[]) => {
    checks[name] = (t) => expectAll(t, make(t));
  };
  add('buffer.bind_buffer', ({ gl }) => [[ENUM, () => gl.glBindBuffer(NO_ENUM, 0)]]);
  add('buffer.delete_buffers', ({ gl }) => [[VALUE, () => gl.glDeleteBuffers(-1, [])]]);
  add('buffer.gen_buffers', ({ gl }) => [[VALUE, () => gl.glGenBuffers(-1, [])]]);
  add('buffer.buffer_data', ({ gl }) => [
    [ENUM, () => gl.glBufferData(NO_ENUM, 0, null, gl.GL_STREAM_DRAW)],
    [OPERATION, () => gl.glBufferData(gl.GL_ARRAY_BUFFER, 0, null, gl.GL_STREAM_DRAW)],
    [ENUM, () => gl.glBufferData(gl.GL_ARRAY_BUFFER, 0, null, NO_ENUM)],
    [
      VALUE,
      () => {
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, generate(gl.glGenBuffers));
        gl.glBufferData(gl.GL_ARRAY_BUFFER, -1, null, gl.GL_STREAM_DRAW);
      },
    ],
  ]);
  add('buffer.buffer_sub_data', ({ gl }) => [
    [ENUM, () => gl.glBufferSubData(NO_ENUM, 0, 1, new Uint8Array(1))],
    [OPERATION, () => gl.glBufferSubData(gl.GL_ARRAY_BUFFER, 0, 1, new Uint8Array(1))],
  ]);
  add('buffer.buffer_sub_data_size_offset', ({ gl }) => {
    gl.glBindBuffer(gl.GL_ARRAY_BUFFER, generate(gl.glGenBuffers));
    gl.glBufferData(gl.GL_ARRAY_BUFFER, 10, null, gl.GL_STREAM_DRAW);
    const data = new Uint8Array(16);
    return [
      [VALUE, () => gl.glBufferSubData(gl.GL_ARRAY_BUFFER, -1, 1, data)],
      [VALUE, () => gl.glBufferSubData(gl.GL_ARRAY_BUFFER, 0, -1, data)],
      [VALUE, () => gl.glBufferSubData(gl.GL_ARRAY_BUFFER, 15, 1, data)],
      [VALUE, () => gl.glBufferSubData(gl.GL_ARRAY_BUFFER, 0, 11, data)],
      [VALUE, () => gl.glBufferSubData(gl.GL_ARRAY_BUFFER, 8, 3, data)],
    ];
  });
  add('buffer.clear', ({ gl }) => [
    [VALUE, () => gl.glClear(NO_ENUM)],
    [VALUE, () => gl.glClear(0x200)],
  ]);
  add('buffer.bind_framebuffer', ({ gl }) => [
    [ENUM, () => gl.glBindFramebuffer(NO_ENUM, 0)],
    [ENUM, () => gl.glBindFramebuffer(gl.GL_RENDERBUFFER, 0)],
  ]);
  add('buffer.delete_framebuffers', ({ gl }) => [[VALUE, () => gl.glDeleteFramebuffers(-1, [])]]);
  add('buffer.gen_framebuffers', ({ gl }) => [[VALUE, () => gl.glGenFramebuffers(-1, [])]]);
  add('buffer.bind_renderbuffer', ({ gl }) => [
    [ENUM, () => gl.glBindRenderbuffer(NO_ENUM, 0)],
    [ENUM, () => gl.glBindRenderbuffer(gl.GL_FRAMEBUFFER, 0)],
  ]);
  add('buffer.delete_renderbuffers', ({ gl }) => [[VALUE, () => gl.glDeleteRenderbuffers(-1, [])]]);
  add('buffer.gen_renderbuffers', ({ gl }) => [[VALUE, () => gl.glGenRenderbuffers(-1, [])]]);
  add('buffer.check_framebuffer_status', ({ gl }) => [
    [ENUM, () => gl.glCheckFramebufferStatus(NO_ENUM)],
    [ENUM, () => gl.glCheckFramebufferStatus(gl.GL_RENDERBUFFER)],
  ]);
  add('buffer.framebuffer_texture2d', ({ gl }) => {
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, generate(gl.glGenFramebuffers));
    const texture = generate(gl.glGenTextures);
    gl.glBindTexture(gl.GL_TEXTURE_2D, texture);
    return [
      [ENUM, () => gl.glFramebufferTexture2D(NO_ENUM, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, 0, 0)],
      [ENUM, () => gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, NO_ENUM, texture, 0)],
      [ENUM, () => gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, NO_ENUM, gl.GL_TEXTURE_2D, texture, 0)],
      [
        OPERATION,
        () => gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, NO_NAME, 0),
      ],
      [
        OPERATION,
        () =>
          gl.glFramebufferTexture2D(
            gl.GL_FRAMEBUFFER,
            gl.GL_COLOR_ATTACHMENT0,
            gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X,
            texture,
            0,
          ),
      ],
      [
        OPERATION,
        () => {
          gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0);
          gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, texture, 0);
        },
      ],
    ];
  });
  add('buffer.framebuffer_renderbuffer', ({ gl }) => {
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, generate(gl.glGenFramebuffers));
    const renderbuffer = generate(gl.glGenRenderbuffers);
    gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, renderbuffer);
    return [
      [ENUM, () => gl.glFramebufferRenderbuffer(NO_ENUM, gl.GL_COLOR_ATTACHMENT0, gl.GL_RENDERBUFFER, 0)],
      [ENUM, () => gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, NO_ENUM, renderbuffer)],
      [ENUM, () => gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, NO_ENUM, gl.GL_RENDERBUFFER, renderbuffer)],
      [
        OPERATION,
        () => gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_RENDERBUFFER, NO_NAME),
      ],
      [
        OPERATION,
        () => {
          gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0);
          gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_RENDERBUFFER, renderbuffer);
        },
      ],
    ];
  });
  add('buffer.renderbuffer_storage', ({ gl }) => {
    gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, generate(gl.glGenRenderbuffers));
    const largest = [0];
    gl.glGetIntegerv(gl.GL_MAX_RENDERBUFFER_SIZE, largest);
    return [
      [ENUM, () => gl.glRenderbufferStorage(NO_ENUM, gl.GL_RGBA4, 1, 1)],
      [ENUM, () => gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, NO_ENUM, 1, 1)],
      [VALUE, () => gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, gl.GL_RGBA4, -1, 1)],
      [VALUE, () => gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, gl.GL_RGBA4, 1, -1)],
      [VALUE, () => gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, gl.GL_RGBA4, largest[0]! + 1, 1)],
      [VALUE, () => gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, gl.GL_RGBA4, 1, largest[0]! + 1)],
    ];
  });
  add('buffer.read_pixels', ({ gl }) => {
    const data = new Uint8Array(16);
    return [
      [VALUE, () => gl.glReadPixels(0, 0, -1, 1, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, data)],
      [VALUE, () => gl.glReadPixels(0, 0, 1, -1, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, data)],
      [
        FRAMEBUFFER,
        () => {
          gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, generate(gl.glGenFramebuffers));
          gl.glReadPixels(0, 0, 1, 1, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, data);
        },
      ],
    ];
  });
  const factors = (gl: CaseContext['gl']) => [gl.GL_ONE, gl.GL_ZERO] as const;
  add('fragment.scissor', ({ gl }) => [
    [VALUE, () => gl.glScissor(0, 0, -1, 0)],
    [VALUE, () => gl.glScissor(0, 0, 0, -1)],
  ]);
  add('fragment.viewport', ({ gl }) => [
    [VALUE, () => gl.glViewport(0, 0, -1, 1)],
    [VALUE, () => gl.glViewport(0, 0, 1, -1)],
  ]);
  add('fragment.depth_func', ({ gl }) => [[ENUM, () => gl.glDepthFunc(NO_ENUM)]]);
  add('fragment.cull_face', ({ gl }) => [[ENUM, () => gl.glCullFace(NO_ENUM)]]);
  add('fragment.front_face', ({ gl }) => [[ENUM, () => gl.glFrontFace(NO_ENUM)]]);
  add('fragment.line_width', ({ gl }) => [
    [VALUE, () => gl.glLineWidth(0)],
    [VALUE, () => gl.glLineWidth(-1)],
  ]);
  add('fragment.stencil_func', ({ gl }) => [[ENUM, () => gl.glStencilFunc(NO_ENUM, 0, 1)]]);
  add('fragment.stencil_func_separate', ({ gl }) => [
    [ENUM, () => gl.glStencilFuncSeparate(NO_ENUM, gl.GL_NEVER, 0, 1)],
    [ENUM, () => gl.glStencilFuncSeparate(gl.GL_FRONT, NO_ENUM, 0, 1)],
  ]);
  add('fragment.stencil_mask_separate', ({ gl }) => [[ENUM, () => gl.glStencilMaskSeparate(NO_ENUM, 0)]]);
  add('fragment.stencil_op', ({ gl }) => [
    [ENUM, () => gl.glStencilOp(NO_ENUM, gl.GL_ZERO, gl.GL_REPLACE)],
    [ENUM, () => gl.glStencilOp(gl.GL_KEEP, NO_ENUM, gl.GL_REPLACE)],
    [ENUM, () => gl.glStencilOp(gl.GL_KEEP, gl.GL_ZERO, NO_ENUM)],
  ]);
  add('fragment.stencil_op_separate', ({ gl }) => [
    [ENUM, () => gl.glStencilOpSeparate(NO_ENUM, gl.GL_KEEP, gl.GL_ZERO, gl.GL_REPLACE)],
    [ENUM, () => gl.glStencilOpSeparate(gl.GL_FRONT, NO_ENUM, gl.GL_ZERO, gl.GL_REPLACE)],
    [ENUM, () => gl.glStencilOpSeparate(gl.GL_FRONT, gl.GL_KEEP, NO_ENUM, gl.GL_REPLACE)],
    [ENUM, () => gl.glStencilOpSeparate(gl.GL_FRONT, gl.GL_KEEP, gl.GL_ZERO, NO_ENUM)],
  ]);
  add('fragment.blend_equation', ({ gl }) => [[ENUM, () => gl.glBlendEquation(NO_ENUM)]]);
  add('fragment.blend_equation_separate', ({ gl }) => [
    [ENUM, () => gl.glBlendEquationSeparate(NO_ENUM, gl.GL_FUNC_ADD)],
    [ENUM, () => gl.glBlendEquationSeparate(gl.GL_FUNC_ADD, NO_ENUM)],
  ]);
  add('fragment.blend_func', ({ gl }) => [
    [ENUM, () => gl.glBlendFunc(NO_ENUM, factors(gl)[0])],
    [ENUM, () => gl.glBlendFunc(factors(gl)[0], NO_ENUM)],
  ]);
  add('fragment.blend_func_separate', ({ gl }) =>
    [0, 1, 2, 3].map(
      (wrong) =>
        [
          ENUM,
          () => {
            const args = [0, 1, 2, 3].map((at) => (at === wrong ? NO_ENUM : gl.GL_ONE));
            gl.glBlendFuncSeparate(args[0]!, args[1]!, args[2]!, args[3]!);
          },
        ] as const,
    ),
  );
  add('shader.create_shader', ({ gl }) => [[ENUM, () => gl.glCreateShader(NO_ENUM)]]);
  add('shader.shader_source', ({ gl }) => [
    [VALUE, () => gl.glShaderSource(NO_NAME, 0, [])],
    [OPERATION, () => gl.glShaderSource(gl.glCreateProgram(), 0, [])],
    [VALUE, () => gl.glShaderSource(gl.glCreateShader(gl.GL_VERTEX_SHADER), -1, [])],
  ]);
  add('shader.compile_shader', ({ gl }) => [
    [VALUE, () => gl.glCompileShader(NO_NAME)],
    [OPERATION, () => gl.glCompileShader(gl.glCreateProgram())],
  ]);
  add('shader.delete_shader', ({ gl }) => [[VALUE, () => gl.glDeleteShader(NO_NAME)]]);
  add('shader.delete_program', ({ gl }) => [[VALUE, () => gl.glDeleteProgram(NO_NAME)]]);
  add('shader.attach_shader', ({ gl }) => {
    const [program, shader] = [gl.glCreateProgram(), gl.glCreateShader(gl.GL_VERTEX_SHADER)];
    return [
      [OPERATION, () => gl.glAttachShader(shader, shader)],
      [OPERATION, () => gl.glAttachShader(program, program)],
      [VALUE, () => gl.glAttachShader(program, NO_NAME)],
      [VALUE, () => gl.glAttachShader(NO_NAME, shader)],
      [
        OPERATION,
        () => {
          gl.glAttachShader(program, shader);
          gl.glAttachShader(program, shader);
        },
      ],
    ];
  });
  add('shader.detach_shader', ({ gl }) => {
    const [program, shader] = [gl.glCreateProgram(), gl.glCreateShader(gl.GL_VERTEX_SHADER)];
    return [
      [VALUE, () => gl.glDetachShader(NO_NAME, shader)],
      [VALUE, () => gl.glDetachShader(program, NO_NAME)],
      [OPERATION, () => gl.glDetachShader(program, shader)],
    ];
  });
  add('shader.link_program', ({ gl }) => [
    [VALUE, () => gl.glLinkProgram(NO_NAME)],
    [OPERATION, () => gl.glLinkProgram(gl.glCreateShader(gl.GL_VERTEX_SHADER))],
  ]);
  add('shader.use_program', ({ gl }) => [
    [VALUE, () => gl.glUseProgram(NO_NAME)],
    [OPERATION, () => gl.glUseProgram(gl.glCreateShader(gl.GL_VERTEX_SHADER))],
    [OPERATION, () => gl.glUseProgram(gl.glCreateProgram())],
  ]);
  add('shader.validate_program', ({ gl }) => [
    [VALUE, () => gl.glValidateProgram(NO_NAME)],
    [OPERATION, () => gl.glValidateProgram(gl.glCreateShader(gl.GL_VERTEX_SHADER))],
  ]);
  add('shader.bind_attrib_location', ({ gl }) => {
    const program = gl.glCreateProgram();
    const most = [0];
    gl.glGetIntegerv(gl.GL_MAX_VERTEX_ATTRIBS, most);
    return [
      [VALUE, () => gl.glBindAttribLocation(program, most[0]!, 'a_x')],
      [OPERATION, () => gl.glBindAttribLocation(program, 0, 'gl_x')],
      [VALUE, () => gl.glBindAttribLocation(NO_NAME, 0, 'a_x')],
      [OPERATION, () => gl.glBindAttribLocation(gl.glCreateShader(gl.GL_VERTEX_SHADER), 0, 'a_x')],
    ];
  });
  add('shader.get_attrib_location', ({ gl }) => [
    [OPERATION, () => gl.glGetAttribLocation(gl.glCreateProgram(), 'a_x')],
    [VALUE, () => gl.glGetAttribLocation(NO_NAME, 'a_x')],
    [OPERATION, () => gl.glGetAttribLocation(gl.glCreateShader(gl.GL_VERTEX_SHADER), 'a_x')],
  ]);
  add('shader.get_uniform_location', ({ gl }) => [
    [OPERATION, () => gl.glGetUniformLocation(gl.glCreateProgram(), 'u_x')],
    [VALUE, () => gl.glGetUniformLocation(NO_NAME, 'u_x')],
    [OPERATION, () => gl.glGetUniformLocation(gl.glCreateShader(gl.GL_VERTEX_SHADER), 'u_x')],
  ]);
  uniformChecks(add);
  stateChecks(add);
  vertexChecks(add);
  return checks;
}

type Add = (name: string, make: (t: CaseContext) => readonly (readonly [number, () => unknown])[]) => void;

function uniformChecks(add: Add): void {
  const locate = (t: CaseContext) => {
    const program = plainProgram(t);
    t.gl.glUseProgram(program);
    return {
      vec4: t.gl.glGetUniformLocation(program, 'u_vec4'),
      int: t.gl.glGetUniformLocation(program, 'u_int'),
      mat4: t.gl.glGetUniformLocation(program, 'u_mat4'),
      sampler: t.gl.glGetUniformLocation(program, 'u_sampler'),
    };
  };
  add('shader.uniformf_invalid_program', ({ gl }) => [
    [OPERATION, () => gl.glUniform1f(0, 0)],
    [OPERATION, () => gl.glUniform4f(0, 0, 0, 0, 0)],
  ]);
  add('shader.uniformi_invalid_program', ({ gl }) => [
    [OPERATION, () => gl.glUniform1i(0, 0)],
    [OPERATION, () => gl.glUniform4i(0, 0, 0, 0, 0)],
  ]);
  add('shader.uniformfv_invalid_program', ({ gl }) => [
    [OPERATION, () => gl.glUniform1fv(0, 1, [0])],
    [OPERATION, () => gl.glUniform4fv(0, 1, [0, 0, 0, 0])],
  ]);
  add('shader.uniformiv_invalid_program', ({ gl }) => [
    [OPERATION, () => gl.glUniform1iv(0, 1, [0])],
    [OPERATION, () => gl.glUniform4iv(0, 1, [0, 0, 0, 0])],
  ]);
  add('shader.uniform_matrixfv_invalid_program', ({ gl }) => [
    [OPERATION, () => gl.glUniformMatrix4fv(0, 1, false, new Float32Array(16))],
  ]);
  add('shader.uniformf_invalid_location', (t) => {
    locate(t);
    return [
      [OPERATION, () => t.gl.glUniform1f(-2, 0)],
      [OPERATION, () => t.gl.glUniform4f(-2, 0, 0, 0, 0)],
    ];
  });
  add('shader.uniformi_invalid_location', (t) => {
    locate(t);
    return [
      [OPERATION, () => t.gl.glUniform1i(-2, 0)],
      [OPERATION, () => t.gl.glUniform4i(-2, 0, 0, 0, 0)],
    ];
  });
  add('shader.uniformfv_invalid_location', (t) => {
    locate(t);
    return [[OPERATION, () => t.gl.glUniform1fv(-2, 1, [0])]];
  });
  add('shader.uniformiv_invalid_location', (t) => {
    locate(t);
    return [[OPERATION, () => t.gl.glUniform1iv(-2, 1, [0])]];
  });
  add('shader.uniform_matrixfv_invalid_location', (t) => {
    locate(t);
    return [[OPERATION, () => t.gl.glUniformMatrix4fv(-2, 1, false, new Float32Array(16))]];
  });
  add('shader.uniformfv_invalid_count', (t) => {
    const at = locate(t);
    return [[VALUE, () => t.gl.glUniform4fv(at.vec4, -1, [0, 0, 0, 0])]];
  });
  add('shader.uniformiv_invalid_count', (t) => {
    const at = locate(t);
    return [[VALUE, () => t.gl.glUniform1iv(at.int, -1, [0])]];
  });
  add('shader.uniform_matrixfv_invalid_count', (t) => {
    const at = locate(t);
    return [[VALUE, () => t.gl.glUniformMatrix4fv(at.mat4, -1, false, new Float32Array(16))]];
  });
  add('shader.uniformf_incompatible_type', (t) => {
    const at = locate(t);
    return [
      [OPERATION, () => t.gl.glUniform1f(at.vec4, 0)],
      [OPERATION, () => t.gl.glUniform1f(at.int, 0)],
      [OPERATION, () => t.gl.glUniform1f(at.sampler, 0)],
      [OPERATION, () => t.gl.glUniform4f(at.mat4, 0, 0, 0, 0)],
    ];
  });
  add('shader.uniformi_incompatible_type', (t) => {
    const at = locate(t);
    return [
      [OPERATION, () => t.gl.glUniform4i(at.vec4, 0, 0, 0, 0)],
      [OPERATION, () => t.gl.glUniform2i(at.int, 0, 0)],
      [OPERATION, () => t.gl.glUniform2i(at.sampler, 0, 0)],
    ];
  });
  add('shader.uniformfv_incompatible_type', (t) => {
    const at = locate(t);
    return [
      [OPERATION, () => t.gl.glUniform3fv(at.vec4, 1, [0, 0, 0])],
      [OPERATION, () => t.gl.glUniform1fv(at.int, 1, [0])],
      [OPERATION, () => t.gl.glUniform4fv(at.vec4, 2, new Float32Array(8))],
    ];
  });
  add('shader.uniformiv_incompatible_type', (t) => {
    const at = locate(t);
    return [
      [OPERATION, () => t.gl.glUniform4iv(at.vec4, 1, [0, 0, 0, 0])],
      [OPERATION, () => t.gl.glUniform1iv(at.int, 2, [0, 0])],
    ];
  });
  add('shader.uniform_matrixfv_incompatible_type', (t) => {
    const at = locate(t);
    return [
      [OPERATION, () => t.gl.glUniformMatrix3fv(at.mat4, 1, false, new Float32Array(9))],
      [OPERATION, () => t.gl.glUniformMatrix4fv(at.vec4, 1, false, new Float32Array(16))],
    ];
  });
}

function stateChecks(add: Add): void {
  add('state.enable', ({ gl }) => [[ENUM, () => gl.glEnable(NO_ENUM)]]);
  add('state.disable', ({ gl }) => [[ENUM, () => gl.glDisable(NO_ENUM)]]);
  add('state.get_booleanv', ({ gl }) => [[ENUM, () => gl.glGetBooleanv(NO_ENUM, [0])]]);
  add('state.get_floatv', ({ gl }) => [[ENUM, () => gl.glGetFloatv(NO_ENUM, [0])]]);
  add('state.get_integerv', ({ gl }) => [[ENUM, () => gl.glGetIntegerv(NO_ENUM, [0])]]);
  add('state.get_string', ({ gl }) => [[ENUM, () => gl.glGetString(NO_ENUM)]]);
  add('state.hint', ({ gl }) => [
    [ENUM, () => gl.glHint(NO_ENUM, gl.GL_FASTEST)],
    [ENUM, () => gl.glHint(gl.GL_GENERATE_MIPMAP_HINT, NO_ENUM)],
  ]);
  add('state.get_shaderiv', ({ gl }) => [
    [ENUM, () => gl.glGetShaderiv(gl.glCreateShader(gl.GL_VERTEX_SHADER), NO_ENUM, [0])],
    [VALUE, () => gl.glGetShaderiv(NO_NAME, gl.GL_SHADER_TYPE, [0])],
    [OPERATION, () => gl.glGetShaderiv(gl.glCreateProgram(), gl.GL_SHADER_TYPE, [0])],
  ]);
  add('state.get_programiv', ({ gl }) => [
    [ENUM, () => gl.glGetProgramiv(gl.glCreateProgram(), NO_ENUM, [0])],
    [VALUE, () => gl.glGetProgramiv(NO_NAME, gl.GL_LINK_STATUS, [0])],
    [OPERATION, () => gl.glGetProgramiv(gl.glCreateShader(gl.GL_VERTEX_SHADER), gl.GL_LINK_STATUS, [0])],
  ]);
  add('state.get_shader_info_log', ({ gl }) => [
    [VALUE, () => gl.glGetShaderInfoLog(NO_NAME)],
    [OPERATION, () => gl.glGetShaderInfoLog(gl.glCreateProgram())],
  ]);
  add('state.get_program_info_log', ({ gl }) => [
    [VALUE, () => gl.glGetProgramInfoLog(NO_NAME)],
    [OPERATION, () => gl.glGetProgramInfoLog(gl.glCreateShader(gl.GL_VERTEX_SHADER))],
  ]);
  add('state.get_shader_source', ({ gl }) => [
    [VALUE, () => gl.glGetShaderSource(NO_NAME)],
    [OPERATION, () => gl.glGetShaderSource(gl.glCreateProgram())],
  ]);
  add('state.get_shader_precision_format', ({ gl }) => [
    [ENUM, () => gl.glGetShaderPrecisionFormat(NO_ENUM, gl.GL_MEDIUM_FLOAT, [0, 0], [0])],
    [ENUM, () => gl.glGetShaderPrecisionFormat(gl.GL_VERTEX_SHADER, NO_ENUM, [0, 0], [0])],
  ]);
  add('state.get_tex_parameterfv', ({ gl }) => [
    [ENUM, () => gl.glGetTexParameterfv(NO_ENUM, gl.GL_TEXTURE_MAG_FILTER, [0])],
    [ENUM, () => gl.glGetTexParameterfv(gl.GL_TEXTURE_2D, NO_ENUM, [0])],
  ]);
  add('state.get_tex_parameteriv', ({ gl }) => [
    [ENUM, () => gl.glGetTexParameteriv(NO_ENUM, gl.GL_TEXTURE_MAG_FILTER, [0])],
    [ENUM, () => gl.glGetTexParameteriv(gl.GL_TEXTURE_2D, NO_ENUM, [0])],
  ]);
  add('state.get_buffer_parameteriv', ({ gl }) => [
    [ENUM, () => gl.glGetBufferParameteriv(NO_ENUM, gl.GL_BUFFER_SIZE, [0])],
    [OPERATION, () => gl.glGetBufferParameteriv(gl.GL_ARRAY_BUFFER, gl.GL_BUFFER_SIZE, [0])],
  ]);
  add('state.get_renderbuffer_parameteriv', ({ gl }) => [
    [ENUM, () => gl.glGetRenderbufferParameteriv(NO_ENUM, gl.GL_RENDERBUFFER_WIDTH, [0])],
    [OPERATION, () => gl.glGetRenderbufferParameteriv(gl.GL_RENDERBUFFER, gl.GL_RENDERBUFFER_WIDTH, [0])],
  ]);
  add('state.get_attached_shaders', ({ gl }) => [
    [VALUE, () => gl.glGetAttachedShaders(NO_NAME, 1, [0], [0])],
    [OPERATION, () => gl.glGetAttachedShaders(gl.glCreateShader(gl.GL_VERTEX_SHADER), 1, [0], [0])],
    [VALUE, () => gl.glGetAttachedShaders(gl.glCreateProgram(), -1, [0], [0])],
  ]);
}

function vertexChecks(add: Add): void {
  const most = (gl: CaseContext['gl']) => {
    const value = [0];
    gl.glGetIntegerv(gl.GL_MAX_VERTEX_ATTRIBS, value);
    return value[0]!;
  };
  add('vertex_array.enable_vertex_attrib_array', ({ gl }) => [[VALUE, () => gl.glEnableVertexAttribArray(most(gl))]]);
  add('vertex_array.disable_vertex_attrib_array', ({ gl }) => [[VALUE, () => gl.glDisableVertexAttribArray(most(gl))]]);
  add('vertex_array.vertex_attrib_pointer', ({ gl }) => [
    [ENUM, () => gl.glVertexAttribPointer(0, 1, NO_ENUM, true, 0, 0)],
    [VALUE, () => gl.glVertexAttribPointer(most(gl), 1, gl.GL_BYTE, true, 0, 0)],
    [VALUE, () => gl.glVertexAttribPointer(0, 0, gl.GL_BYTE, true, 0, 0)],
    [VALUE, () => gl.glVertexAttribPointer(0, 5, gl.GL_BYTE, true, 0, 0)],
    [VALUE, () => gl.glVertexAttribPointer(0, 1, gl.GL_BYTE, true, -1, 0)],
  ]);
  add('vertex_array.draw_arrays', (t) => {
    t.gl.glUseProgram(plainProgram(t));
    return [
      [ENUM, () => t.gl.glDrawArrays(NO_ENUM, 0, 1)],
      [VALUE, () => t.gl.glDrawArrays(t.gl.GL_TRIANGLES, 0, -1)],
      [
        FRAMEBUFFER,
        () => {
          t.gl.glBindFramebuffer(t.gl.GL_FRAMEBUFFER, generate(t.gl.glGenFramebuffers));
          t.gl.glDrawArrays(t.gl.GL_TRIANGLES, 0, 1);
        },
      ],
    ];
  });
  add('vertex_array.draw_elements', (t) => {
    t.gl.glUseProgram(plainProgram(t));
    const indices = new Uint8Array(4);
    return [
      [ENUM, () => t.gl.glDrawElements(NO_ENUM, 1, t.gl.GL_UNSIGNED_BYTE, indices)],
      [ENUM, () => t.gl.glDrawElements(t.gl.GL_TRIANGLES, 1, t.gl.GL_FLOAT, indices)],
      [VALUE, () => t.gl.glDrawElements(t.gl.GL_TRIANGLES, -1, t.gl.GL_UNSIGNED_BYTE, indices)],
      [
        FRAMEBUFFER,
        () => {
          t.gl.glBindFramebuffer(t.gl.GL_FRAMEBUFFER, generate(t.gl.glGenFramebuffers));
          t.gl.glDrawElements(t.gl.GL_TRIANGLES, 1, t.gl.GL_UNSIGNED_BYTE, indices);
        },
      ],
    ];
  });
}

/** Wrong uploads and parameters of textures. */
function textureChecks(api: 2 | 3): Record<string, Check> {
  const checks: Record<string, Check> = {};
  const add: Add = (name, make) => {
    checks[`texture.${name}`] = (t) => expectAll(t, make(t));
  };
  const upload = (gl: CaseContext['gl'], target: number, level: number, width: number, height: number, border = 0) =>
    gl.glTexImage2D(target, level, gl.GL_RGBA, width, height, border, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, null);
  const faces = ['pos_x', 'neg_x', 'pos_y', 'neg_y', 'pos_z', 'neg_z'];
  const limit = (gl: CaseContext['gl'], pname: number) => {
    const value = [0];
    gl.glGetIntegerv(pname, value);
    return value[0]!;
  };
  const levels = (gl: CaseContext['gl'], pname: number) => Math.floor(Math.log2(limit(gl, pname))) + 1;
  const filters = ['texparameteri', 'texparameterf'] as const;
  for (const name of filters)
    add(name, ({ gl }) => {
      const set = name === 'texparameteri' ? gl.glTexParameteri : gl.glTexParameterf;
      return [
        [ENUM, () => set(NO_ENUM, gl.GL_TEXTURE_MIN_FILTER, gl.GL_NEAREST)],
        [ENUM, () => set(gl.GL_TEXTURE_2D, NO_ENUM, gl.GL_NEAREST)],
        [ENUM, () => set(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, NO_ENUM)],
        [ENUM, () => set(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_WRAP_S, NO_ENUM)],
        [ENUM, () => set(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAG_FILTER, gl.GL_NEAREST_MIPMAP_NEAREST)],
      ];
    });
  if (api === 3) {
    add('activetexture', ({ gl }) => [
      [ENUM, () => gl.glActiveTexture(NO_ENUM)],
      [ENUM, () => gl.glActiveTexture(gl.GL_TEXTURE0 + limit(gl, gl.GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS))],
    ]);
    add('gentextures', ({ gl }) => [[VALUE, () => gl.glGenTextures(-1, [])]]);
    add('deletetextures', ({ gl }) => [[VALUE, () => gl.glDeleteTextures(-1, [])]]);
    add('teximage2d_invalid_border', ({ gl }) => [
      [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, 1, 1, 1)],
      [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, 1, 1, -1)],
    ]);
    add('teximage2d_neg_level', ({ gl }) => [
      [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, -1, 1, 1)],
      ...faces.map((_, face) => [VALUE, () => upload(gl, gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, -1, 1, 1)] as const),
    ]);
    add('teximage2d_max_level', ({ gl }) => [
      [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, levels(gl, gl.GL_MAX_TEXTURE_SIZE), 1, 1)],
    ]);
    add('teximage2d_neg_width_height', ({ gl }) => [
      [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, -1, 1)],
      [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, 1, -1)],
    ]);
    add('teximage2d_max_width_height', ({ gl }) => [
      [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, limit(gl, gl.GL_MAX_TEXTURE_SIZE) + 1, 1)],
      [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, 1, limit(gl, gl.GL_MAX_TEXTURE_SIZE) + 1)],
    ]);
    add('teximage2d_inequal_width_height_cube', ({ gl }) =>
      faces.map((_, face) => [VALUE, () => upload(gl, gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, 1, 2)] as const),
    );
    add('texstorage2d_invalid_binding', ({ gl }) => {
      gl.glBindTexture(gl.GL_TEXTURE_2D, 0);
      return [[OPERATION, () => gl.glTexStorage2D(gl.GL_TEXTURE_2D, 1, gl.GL_RGBA8, 16, 16)]];
    });
    add('texstorage2d_invalid_levels', ({ gl }) => {
      gl.glBindTexture(gl.GL_TEXTURE_2D, generate(gl.glGenTextures));
      return [
        [VALUE, () => gl.glTexStorage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA8, 16, 16)],
        [VALUE, () => gl.glTexStorage2D(gl.GL_TEXTURE_2D, -1, gl.GL_RGBA8, 16, 16)],
        [OPERATION, () => gl.glTexStorage2D(gl.GL_TEXTURE_2D, 6, gl.GL_RGBA8, 16, 16)],
      ];
    });
    return checks;
  }
  add('activetexture_invalid_texture', ({ gl }) => [[ENUM, () => gl.glActiveTexture(NO_ENUM)]]);
  add('bindtexture_invalid_target', ({ gl }) => [[ENUM, () => gl.glBindTexture(NO_ENUM, generate(gl.glGenTextures))]]);
  add('bindtexture_type_mismatch', ({ gl }) => {
    const [flat, cube] = [generate(gl.glGenTextures), generate(gl.glGenTextures)];
    gl.glBindTexture(gl.GL_TEXTURE_2D, flat);
    gl.glBindTexture(gl.GL_TEXTURE_CUBE_MAP, cube);
    return [
      [OPERATION, () => gl.glBindTexture(gl.GL_TEXTURE_CUBE_MAP, flat)],
      [OPERATION, () => gl.glBindTexture(gl.GL_TEXTURE_2D, cube)],
    ];
  });
  add('gentextures_invalid_size', ({ gl }) => [[VALUE, () => gl.glGenTextures(-1, [])]]);
  add('deletetextures_invalid_number', ({ gl }) => [[VALUE, () => gl.glDeleteTextures(-1, [])]]);
  add('generatemipmap_invalid_target', ({ gl }) => [[ENUM, () => gl.glGenerateMipmap(NO_ENUM)]]);
  add('pixelstorei_invalid_pname', ({ gl }) => [[ENUM, () => gl.glPixelStorei(NO_ENUM, 1)]]);
  add('pixelstorei_invalid_param', ({ gl }) => [
    [VALUE, () => gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 0)],
    [VALUE, () => gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 3)],
    [VALUE, () => gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 16)],
  ]);
  add('teximage2d_invalid_target', ({ gl }) => [[ENUM, () => upload(gl, NO_ENUM, 0, 1, 1)]]);
  add('teximage2d_invalid_border', ({ gl }) => [
    [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, 1, 1, -1)],
    [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, 1, 1, 1)],
  ]);
  add('teximage2d_neg_level_tex2d', ({ gl }) => [[VALUE, () => upload(gl, gl.GL_TEXTURE_2D, -1, 1, 1)]]);
  add('teximage2d_neg_level_cube', ({ gl }) =>
    faces.map((_, face) => [VALUE, () => upload(gl, gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, -1, 1, 1)] as const),
  );
  add('teximage2d_level_max_tex2d', ({ gl }) => [
    [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, levels(gl, gl.GL_MAX_TEXTURE_SIZE), 1, 1)],
  ]);
  add('teximage2d_neg_width_height_tex2d', ({ gl }) => [
    [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, -1, 1)],
    [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, 1, -1)],
    [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, -1, -1)],
  ]);
  add('teximage2d_width_height_max_tex2d', ({ gl }) => [
    [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, limit(gl, gl.GL_MAX_TEXTURE_SIZE) + 1, 1)],
    [VALUE, () => upload(gl, gl.GL_TEXTURE_2D, 0, 1, limit(gl, gl.GL_MAX_TEXTURE_SIZE) + 1)],
  ]);
  add('teximage2d_inequal_width_height_cube', ({ gl }) => [
    [VALUE, () => upload(gl, gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, 1, 2)],
  ]);
  for (const [face, name] of [
    [0, 'pos_x'],
    [1, 'neg_x'],
    [2, 'pos_y'],
    [3, 'neg_y'],
    [4, 'pos_z'],
    [5, 'neg_z'],
  ] as const) {
    const target = (gl: CaseContext['gl']) => gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + face;
    add(`teximage2d_neg_width_height_cube_${name}`, ({ gl }) => [
      [VALUE, () => upload(gl, target(gl), 0, -1, 1)],
      [VALUE, () => upload(gl, target(gl), 0, 1, -1)],
      [VALUE, () => upload(gl, target(gl), 0, -1, -1)],
    ]);
    add(`teximage2d_width_height_max_cube_${name}`, ({ gl }) => {
      const over = limit(gl, gl.GL_MAX_CUBE_MAP_TEXTURE_SIZE) + 1;
      return [[VALUE, () => upload(gl, target(gl), 0, over, over)]];
    });
    add(`copyteximage2d_invalid_border_cube_${name}`, ({ gl }) => [
      [VALUE, () => gl.glCopyTexImage2D(target(gl), 0, gl.GL_RGB, 0, 0, 1, 1, -1)],
      [VALUE, () => gl.glCopyTexImage2D(target(gl), 0, gl.GL_RGB, 0, 0, 1, 1, 1)],
    ]);
    add(`copyteximage2d_invalid_width_height_cube_${name}`, ({ gl }) => [
      [VALUE, () => gl.glCopyTexImage2D(target(gl), 0, gl.GL_RGB, 0, 0, -1, 1, 0)],
      [VALUE, () => gl.glCopyTexImage2D(target(gl), 0, gl.GL_RGB, 0, 0, 1, -1, 0)],
    ]);
  }
  add('copyteximage2d_invalid_target', ({ gl }) => [
    [ENUM, () => gl.glCopyTexImage2D(NO_ENUM, 0, gl.GL_RGB, 0, 0, 1, 1, 0)],
  ]);
  add('copyteximage2d_neg_level_tex2d', ({ gl }) => [
    [VALUE, () => gl.glCopyTexImage2D(gl.GL_TEXTURE_2D, -1, gl.GL_RGB, 0, 0, 1, 1, 0)],
  ]);
  add('copyteximage2d_invalid_border_tex2d', ({ gl }) => [
    [VALUE, () => gl.glCopyTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGB, 0, 0, 1, 1, 1)],
  ]);
  add('copyteximage2d_invalid_width_height_tex2d', ({ gl }) => [
    [VALUE, () => gl.glCopyTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGB, 0, 0, -1, 1, 0)],
    [VALUE, () => gl.glCopyTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGB, 0, 0, 1, -1, 0)],
  ]);
  add('copyteximage2d_incomplete_framebuffer', ({ gl }) => {
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, generate(gl.glGenFramebuffers));
    return [[FRAMEBUFFER, () => gl.glCopyTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA, 0, 0, 1, 1, 0)]];
  });
  add('texsubimage2d_neg_offset', ({ gl }) => {
    gl.glBindTexture(gl.GL_TEXTURE_2D, generate(gl.glGenTextures));
    upload(gl, gl.GL_TEXTURE_2D, 0, 32, 32);
    const data = new Uint8Array(4096);
    const sub = (x: number, y: number, w: number, h: number) => () =>
      gl.glTexSubImage2D(gl.GL_TEXTURE_2D, 0, x, y, w, h, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, data);
    return [
      [VALUE, sub(-1, 0, 1, 1)],
      [VALUE, sub(0, -1, 1, 1)],
      [VALUE, sub(-1, -1, 1, 1)],
      [VALUE, sub(0, 0, 33, 1)],
      [VALUE, sub(30, 0, 3, 1)],
    ];
  });
  return checks;
}

export function* negativeApiCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const [name, check] of Object.entries({ ...commonChecks(), ...textureChecks(api) }))
    yield functionalCase(api, `negative_api.${name}`, check, SURFACE);
}
