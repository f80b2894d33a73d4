// What most programs do, once: shaders with functions, loops, structs, arrays, matrices and textures in both languages, buffers,
// textures, a framebuffer, states, draws and reads. The code of it is what code-cache.mjs keeps.

const SIZE = 64;

const SIMPLE = [
  `attribute vec2 position; varying vec2 uv;
void main() { uv = position * 0.5 + 0.5; gl_Position = vec4(position, 0.0, 1.0); }`,
  `precision mediump float; varying vec2 uv; uniform sampler2D image; uniform vec4 tint;
void main() { gl_FragColor = texture2D(image, uv) * tint; }`,
];

const MODERN = [
  `#version 300 es
layout(location = 0) in vec3 position; in vec3 normal; in vec2 uv;
uniform mat4 camera, model; uniform Frame { vec4 light[2]; float time; };
out vec3 n; out vec2 t; flat out int id;
void main() {
  n = mat3(model) * normal; t = uv + light[1].xy * time; id = gl_VertexID + gl_InstanceID;
  gl_Position = camera * model * vec4(position, 1.0); gl_PointSize = 2.0;
}`,
  `#version 300 es
precision highp float; precision highp int; precision mediump sampler2DArray;
in vec3 n; in vec2 t; flat in int id;
uniform Frame { vec4 light[2]; float time; }; uniform sampler2D image; uniform samplerCube sky; uniform int count; uniform bool fancy;
layout(location = 0) out vec4 color;
float noise(vec2 p) { uvec2 q = uvec2(ivec2(floor(p))) * 1597334677u; uint h = (q.x ^ q.y) >> 3u; return float(h & 255u) / 255.0; }
void main() {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < count; i++) { if (i > 6) break; if (i == id) continue; sum += light[i & 1].rgb * max(dot(normalize(n), light[i & 1].xyz), 0.0); }
  switch (id & 3) { case 0: sum *= 0.5; break; case 1: sum.rg += dFdx(t); default: sum += noise(t * 8.0); }
  if (fancy && gl_FrontFacing) sum += texture(sky, reflect(n, vec3(0.0, 0.0, 1.0))).rgb; else if (t.x < 0.0) discard;
  color = vec4(sum, 1.0) * textureLod(image, t, 0.0) + vec4(texelFetch(image, ivec2(gl_FragCoord.xy) & 1, 0).rg, fract(time), 0.0);
}`,
];

/** Long, and made of what long shaders are made of. The number makes another text of it. */
const large = (variant) => [
  `attribute vec3 position; attribute vec3 normal; uniform mat4 camera, model; varying vec3 v_normal, v_position; varying vec2 v_uv;
void main() {
  v_normal = mat3(model[0].xyz, model[1].xyz, model[2].xyz) * normal; v_position = (model * vec4(position, 1.0)).xyz;
  v_uv = position.xy * 0.5 + 0.5; gl_Position = camera * vec4(v_position, 1.0);
}`,
  `precision highp float;
#define LIGHTS 4
#define PI 3.14159265
#ifdef GL_ES
struct Light { vec3 position; vec3 color; float range; };
struct Material { vec3 albedo; float roughness, metal; };
#endif
varying vec3 v_normal, v_position; varying vec2 v_uv;
uniform Light lights[LIGHTS]; uniform vec3 eye; uniform float time; uniform sampler2D image; uniform mat3 turn;
float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
float noise(in vec2 p) {
  vec2 i = floor(p), f = fract(p); vec2 u = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(i), hash(i + vec2(1.0, 0.0)), u.x), mix(hash(i + vec2(0.0, 1.0)), hash(i + 1.0), u.x), u.y);
}
float fbm(vec2 p) { float s = 0.0, a = 0.5; for (int i = 0; i < 4; i++) { s += a * noise(p); p *= 2.03; a *= 0.5; } return s; }
float distribution(float nh, float r) { float a = r * r, a2 = a * a, d = nh * nh * (a2 - 1.0) + 1.0; return a2 / (PI * d * d); }
float geometry(float nv, float nl, float r) { float k = (r + 1.0) * (r + 1.0) / 8.0; return nv / (nv * (1.0 - k) + k) * nl / (nl * (1.0 - k) + k); }
vec3 fresnel(float c, vec3 f0) { return f0 + (1.0 - f0) * pow(clamp(1.0 - c, 0.0, 1.0), 5.0); }
vec3 shade(Material m, vec3 n, vec3 v, Light light) {
  vec3 d = light.position - v_position; float distance2 = dot(d, d); vec3 l = d * inversesqrt(distance2), h = normalize(l + v);
  float nl = max(dot(n, l), 0.0), nv = max(dot(n, v), 1e-3), nh = max(dot(n, h), 0.0);
  vec3 f = fresnel(max(dot(h, v), 0.0), mix(vec3(0.04), m.albedo, m.metal));
  vec3 s = f * distribution(nh, m.roughness) * geometry(nv, nl, m.roughness) / (4.0 * nv * max(nl, 1e-3));
  float fade = 1.0 / (1.0 + distance2) * smoothstep(light.range, 0.0, sqrt(distance2));
  return ((1.0 - f) * (1.0 - m.metal) * m.albedo / PI + s) * light.color * nl * fade;
}
void main() {
  Material m; m.albedo = texture2D(image, v_uv * ${variant}.0).rgb; m.roughness = clamp(fbm(v_uv * 9.0), 0.05, 1.0);
  m.metal = step(0.5, noise(v_uv * 3.0 + time)); float spin = sin(time) * cos(time * 2.0) + atan(v_uv.y, v_uv.x);
  vec3 n = normalize(turn * v_normal + vec3(noise(v_uv * 40.0), abs(spin), exp(-spin * spin)) * 0.1), v = normalize(eye - v_position), sum = vec3(0.0);
  for (int i = 0; i < LIGHTS; ++i) sum += shade(m, n, v, lights[i]);
  if (m.metal > 0.5) { sum *= vec3(0.9, 1.1, 1.0); } else sum += 0.01 * log(1.0 + m.roughness);
  sum = sum / (sum + vec3(1.0)); gl_FragColor = vec4(pow(sum, vec3(1.0 / 2.2)), mod(v_uv.x, 1.0) < -1.0 ? 0.5 : 1.0);
}`,
];

function linked(gl, [vertex, fragment]) {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program);
  return program;
}

function textured(gl, target = gl.TEXTURE_2D) {
  gl.bindTexture(target, gl.createTexture());
  const faces = target === gl.TEXTURE_2D ? [target] : [0, 1, 2, 3, 4, 5].map((i) => gl.TEXTURE_CUBE_MAP_POSITIVE_X + i);
  const texels = new Uint8Array(8 * 8 * 4).map((_, i) => i * 31);
  for (const face of faces) gl.texImage2D(face, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  gl.generateMipmap(target);
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
}

/** A grid of triangles: position, normal, texture coordinate. */
function mesh(gl, program) {
  const vertices = [];
  const indices = [];
  for (let i = 0; i < 9; i++)
    vertices.push((i % 3) - 1, Math.floor(i / 3) - 1, 0, 0, 0, 1, (i % 3) / 2, Math.floor(i / 3) / 2);
  for (const i of [0, 1, 3, 4]) indices.push(i, i + 1, i + 3, i + 3, i + 1, i + 4);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.STATIC_DRAW);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(indices), gl.STATIC_DRAW);
  for (const [name, size, offset] of [
    ['position', 3, 0],
    ['normal', 3, 12],
    ['uv', 2, 24],
  ]) {
    const location = gl.getAttribLocation(program, name);
    if (location < 0) continue;
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, gl.FLOAT, false, 32, offset);
  }
  return indices.length;
}

const TURNED = new Float32Array([0.8, 0.1, 0, 0, -0.1, 0.8, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1]);

function setUniforms(gl, program) {
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
  for (let i = 0; i < count; i++) {
    const { name, type } = gl.getActiveUniform(program, i);
    const location = gl.getUniformLocation(program, name);
    if (location === null) continue;
    if (type === gl.FLOAT) gl.uniform1f(location, 0.7);
    else if (type === gl.FLOAT_VEC3) gl.uniform3f(location, 0.3, 0.6, 2);
    else if (type === gl.FLOAT_VEC4) gl.uniform4fv(location, [1, 0.8, 0.6, 1]);
    else if (type === gl.FLOAT_MAT3)
      gl.uniformMatrix3fv(location, false, new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1]));
    else if (type === gl.FLOAT_MAT4) gl.uniformMatrix4fv(location, false, TURNED);
    else if (type === gl.INT) gl.uniform1i(location, 3);
    else gl.uniform1i(location, name === 'sky' ? 1 : 0);
  }
}

function drawAll(gl, program) {
  textured(gl);
  gl.activeTexture(gl.TEXTURE1);
  textured(gl, gl.TEXTURE_CUBE_MAP);
  gl.activeTexture(gl.TEXTURE0);
  setUniforms(gl, program);
  const count = mesh(gl, program);
  gl.viewport(0, 0, SIZE, SIZE);
  gl.clearColor(0.1, 0.2, 0.3, 1);
  gl.enable(gl.DEPTH_TEST);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_SHORT, 0);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  gl.enable(gl.CULL_FACE);
  gl.drawArrays(gl.TRIANGLES, 0, 9);
  gl.disable(gl.BLEND);
  gl.disable(gl.CULL_FACE);
}

function drawToTexture(gl, draw) {
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, SIZE, SIZE, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE) throw new Error('incomplete framebuffer');
  draw();
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
}

/** `createContext` as the package exports it. */
export function drawUsualThings(createContext) {
  const pixels = new Uint8Array(SIZE * SIZE * 4);
  for (const [options, programs] of [
    [{ api: 'webgl', antialias: false }, [SIMPLE, large(1), large(2)]],
    [{ antialias: true }, [SIMPLE, MODERN]],
  ]) {
    const gl = createContext(SIZE, SIZE, { ...options, threads: 1 });
    for (const texts of programs) {
      const program = linked(gl, texts);
      if (texts === MODERN) {
        gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, gl.createBuffer());
        gl.bufferData(gl.UNIFORM_BUFFER, new Float32Array(12).fill(0.5), gl.DYNAMIC_DRAW);
        gl.bindVertexArray(gl.createVertexArray());
      }
      drawAll(gl, program);
      drawToTexture(gl, () => drawAll(gl, program));
      gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      gl.deleteProgram(program);
      const error = gl.getError();
      if (error !== 0) throw new Error(`the usual things end in GL error ${error}`);
    }
    gl.dispose();
  }
}
