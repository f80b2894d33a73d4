// Deferred shading: geometry writes four targets at once, then forty lights are summed up for each pixel.
// The strip below shows the four targets: colour, normal, position, material.

import { mat3, mat4 } from 'gl-matrix';
import type { DemoModule } from '../src/demo.ts';
import { createFullscreenTriangle, FULLSCREEN_VERTEX_300 } from './shared/fullscreen.ts';
import { box, plane, sphere, torus, torusKnot } from './shared/geometry.ts';
import { createMesh } from './shared/mesh.ts';
import { createProgram } from './shared/program.ts';
import { createRandom } from './shared/random.ts';
import { TONE } from './shared/shading.ts';

const LIGHTS = 40;

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform mat4 model, viewProjection;
uniform mat3 normalMatrix;
out vec3 worldPosition;
out vec3 worldNormal;

void main() {
  vec4 world = model * vec4(position, 1.0);
  worldPosition = world.xyz;
  worldNormal = normalMatrix * normal;
  gl_Position = viewProjection * world;
}`;

const GEOMETRY_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 colour;
uniform float gloss, tiles;
in vec3 worldPosition;
in vec3 worldNormal;
layout(location = 0) out vec4 albedoTarget;
layout(location = 1) out vec4 normalTarget;
layout(location = 2) out vec4 positionTarget;
layout(location = 3) out vec4 materialTarget;

void main() {
  // Floor tiles: two shades, with a dull joint between.
  vec2 cell = worldPosition.xz * 1.25;
  vec2 edge = abs(fract(cell) - 0.5);
  float joint = smoothstep(0.455, 0.475, max(edge.x, edge.y)) * tiles;
  float checker = mod(floor(cell.x) + floor(cell.y), 2.0);
  albedoTarget = vec4(colour * mix(1.0, 0.55 + 0.45 * checker, tiles) * (1.0 - 0.6 * joint), 1.0);
  normalTarget = vec4(normalize(worldNormal) * 0.5 + 0.5, 1.0);
  positionTarget = vec4(worldPosition, 1.0);
  materialTarget = vec4(gloss * (1.0 - joint), joint, 0.0, 1.0);
}`;

const LIGHT_FRAGMENT = `#version 300 es
precision highp float;
struct Light {
  vec4 placeAndRange;
  vec4 colour;
};
layout(std140) uniform Lights {
  Light lights[${LIGHTS}];
};
uniform sampler2D albedoTarget, normalTarget, positionTarget, materialTarget;
uniform vec3 eye;
in vec2 uv;
out vec4 result;
${TONE}
void main() {
  vec4 position = texture(positionTarget, uv);
  if (position.w == 0.0) {
    result = vec4(0.0, 0.0, 0.0, 1.0);
    return;
  }
  vec3 albedo = texture(albedoTarget, uv).rgb;
  vec3 normal = normalize(texture(normalTarget, uv).xyz * 2.0 - 1.0);
  float gloss = texture(materialTarget, uv).r;
  float power = exp2(3.0 + 6.0 * gloss);
  vec3 toEye = normalize(eye - position.xyz);
  vec3 light = albedo * vec3(0.02, 0.024, 0.036);
  for (int index = 0; index < ${LIGHTS}; index++) {
    vec3 away = lights[index].placeAndRange.xyz - position.xyz;
    float range = lights[index].placeAndRange.w;
    float distance2 = dot(away, away);
    if (distance2 > range * range) continue;
    vec3 direction = away * inversesqrt(distance2);
    float facing = max(dot(normal, direction), 0.0);
    float fall = 1.0 - distance2 / (range * range);
    float strength = fall * fall / (0.12 + distance2);
    float highlight = pow(max(dot(normal, normalize(direction + toEye)), 0.0), power) * gloss * (power + 8.0) / 40.0;
    light += lights[index].colour.rgb * strength * facing * (albedo + highlight) * 1.5;
  }
  result = vec4(tone(light * exp(-0.0016 * pow(length(position.xz), 3.0))), 1.0);
}`;

const BULB_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 colour;
layout(location = 0) out vec4 result;
${TONE}
void main() {
  result = vec4(tone(colour * 2.5 + 0.3), 1.0);
}`;

const INSET_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D picture;
uniform vec3 scale, bias;
in vec2 uv;
out vec4 result;

void main() {
  result = vec4(texture(picture, uv).rgb * scale + bias, 1.0);
}`;

/** A target's format, and how the strip shows its values: scale and bias. */
const TARGETS = [
  { format: 'RGBA8', scale: [1.3, 1.3, 1.3], bias: [0.02, 0.02, 0.02] },
  { format: 'RGB10_A2', scale: [1, 1, 1], bias: [0, 0, 0] },
  { format: 'RGBA16F', scale: [0.16, 0.5, 0.16], bias: [0.45, 0.1, 0.45] },
  { format: 'RGBA8', scale: [1, 0.8, 1], bias: [0, 0, 0.12] },
] as const;

type Colour = readonly [number, number, number];

export default {
  title: 'Deferred shading with four targets',
  setup({ gl, width, height }) {
    // Half floats do, which is as much as some GPUs have.
    const floats = ['EXT_color_buffer_float', 'EXT_color_buffer_half_float'].map((name) => gl.getExtension(name));
    if (!floats.some((extension) => extension !== null)) throw new Error('needs EXT_color_buffer_half_float');
    const geometryProgram = createProgram(gl, VERTEX, GEOMETRY_FRAGMENT);
    const lightProgram = createProgram(gl, FULLSCREEN_VERTEX_300, LIGHT_FRAGMENT);
    const bulbProgram = createProgram(gl, VERTEX, BULB_FRAGMENT);
    const insetProgram = createProgram(gl, FULLSCREEN_VERTEX_300, INSET_FRAGMENT);
    const triangle = createFullscreenTriangle(gl);
    const meshes = {
      floor: createMesh(gl, plane(24)),
      knot: createMesh(gl, torusKnot(2, 3, 0.7, 0.22)),
      ring: createMesh(gl, torus(0.55, 0.2)),
      ball: createMesh(gl, sphere(0.6, 48, 24)),
      pillar: createMesh(gl, box(0.5, 1.5, 0.5)),
      bulb: createMesh(gl, sphere(0.045, 12, 8)),
    };

    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    const textures = TARGETS.map(({ format }, index) => {
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl[format], width, height);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + index, gl.TEXTURE_2D, texture, 0);
      return texture;
    });
    const depth = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
    gl.drawBuffers(TARGETS.map((_, index) => gl.COLOR_ATTACHMENT0 + index));
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE)
      throw new Error('framebuffer incomplete');

    // The picture is made in a texture too, so that the bulbs are tested against the geometry's depth.
    const lit = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, lit);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    const litFramebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, litFramebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, lit, 0);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);

    const random = createRandom(77);
    const lights = Array.from({ length: LIGHTS }, () => {
      const hue = random() * 6;
      const wave = (shift: number) => Math.min(Math.max(Math.abs(((hue + shift) % 6) - 3) - 1, 0), 1);
      return {
        radius: 0.9 + random() * 3.4,
        angle: random() * 2 * Math.PI,
        speed: (random() - 0.5) * 1.4,
        height: 0.18 + random() ** 2 * 1.5,
        range: 1.5 + random() * 1.4,
        colour: [0.12 + wave(0), 0.1 + wave(4), 0.14 + wave(2)] as Colour,
      };
    });
    const lightData = new Float32Array(LIGHTS * 8);
    const lightBuffer = gl.createBuffer();
    gl.bindBuffer(gl.UNIFORM_BUFFER, lightBuffer);
    gl.bufferData(gl.UNIFORM_BUFFER, lightData.byteLength, gl.DYNAMIC_DRAW);
    gl.uniformBlockBinding(lightProgram.handle, gl.getUniformBlockIndex(lightProgram.handle, 'Lights'), 0);

    const projection = mat4.perspective(mat4.create(), 0.72, width / height, 0.3, 40);
    const [view, viewProjection, model, normalMatrix] = [mat4.create(), mat4.create(), mat4.create(), mat3.create()];
    const draw = (mesh: typeof meshes.floor, colour: Colour, gloss: number, tiles = 0) => {
      gl.uniformMatrix4fv(geometryProgram.uniform('model'), false, model);
      gl.uniformMatrix3fv(geometryProgram.uniform('normalMatrix'), false, mat3.fromMat4(normalMatrix, model));
      gl.uniform3f(geometryProgram.uniform('colour'), ...colour);
      gl.uniform1f(geometryProgram.uniform('gloss'), gloss);
      gl.uniform1f(geometryProgram.uniform('tiles'), tiles);
      mesh.draw();
    };

    const drawGeometry = (time: number) => {
      geometryProgram.use();
      gl.uniformMatrix4fv(geometryProgram.uniform('viewProjection'), false, viewProjection);
      mat4.identity(model);
      draw(meshes.floor, [0.5, 0.5, 0.52], 0.75, 1);
      mat4.fromTranslation(model, [0, 1.15, 0]);
      mat4.rotateY(model, model, 0.5 + time * 0.6);
      mat4.rotateX(model, model, 1.2);
      draw(meshes.knot, [0.75, 0.72, 0.68], 0.9);
      for (let index = 0; index < 6; index++) {
        const angle = 0.45 + (index * Math.PI) / 3;
        const [x, z] = [Math.sin(angle), Math.cos(angle)];
        mat4.fromTranslation(model, [x * 3.3, 0.75, z * 3.3]);
        mat4.rotateY(model, model, angle);
        draw(meshes.pillar, [0.6, 0.56, 0.52], 0.3);
        const [x2, z2] = [Math.sin(angle + Math.PI / 6) * 2.3, Math.cos(angle + Math.PI / 6) * 2.3];
        mat4.fromTranslation(model, [x2, index % 2 ? 0.6 : 0.75, z2]);
        if (index % 2 === 0) mat4.rotate(model, model, time + index, [1, 0.2, 0.4]);
        draw(index % 2 ? meshes.ball : meshes.ring, index % 2 ? [0.7, 0.7, 0.72] : [0.8, 0.62, 0.4], 0.85);
      }
    };

    return {
      frame(time) {
        const angle = 0.2 + time * 0.2;
        const eye: Colour = [Math.sin(angle) * 6.6, 4.3, Math.cos(angle) * 6.6];
        mat4.lookAt(view, eye, [0, 0.15, 0], [0, 1, 0]);
        mat4.multiply(viewProjection, projection, view);
        gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
        gl.viewport(0, 0, width, height);
        for (let index = 0; index < TARGETS.length; index++) gl.clearBufferfv(gl.COLOR, index, [0, 0, 0, 0]);
        gl.clearBufferfv(gl.DEPTH, 0, [1]);
        gl.enable(gl.DEPTH_TEST);
        gl.enable(gl.CULL_FACE);
        drawGeometry(time);

        for (const [index, { radius, angle: start, speed, height: y, range, colour }] of lights.entries()) {
          const at = start + speed * time;
          lightData.set([Math.sin(at) * radius, y, Math.cos(at) * radius, range, ...colour, 0], index * 8);
        }
        gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, lightBuffer);
        gl.bufferSubData(gl.UNIFORM_BUFFER, 0, lightData);
        gl.bindFramebuffer(gl.FRAMEBUFFER, litFramebuffer);
        gl.disable(gl.DEPTH_TEST);
        lightProgram.use();
        for (const [index, name] of ['albedoTarget', 'normalTarget', 'positionTarget', 'materialTarget'].entries()) {
          gl.activeTexture(gl.TEXTURE0 + index);
          gl.bindTexture(gl.TEXTURE_2D, textures[index]!);
          gl.uniform1i(lightProgram.uniform(name), index);
        }
        gl.uniform3f(lightProgram.uniform('eye'), ...eye);
        triangle.draw();

        gl.enable(gl.DEPTH_TEST);
        bulbProgram.use();
        gl.uniformMatrix4fv(bulbProgram.uniform('viewProjection'), false, viewProjection);
        for (let index = 0; index < LIGHTS; index++) {
          const [x, y, z, , ...colour] = lightData.subarray(index * 8, index * 8 + 7);
          gl.uniformMatrix4fv(bulbProgram.uniform('model'), false, mat4.fromTranslation(model, [x!, y!, z!]));
          gl.uniform3fv(bulbProgram.uniform('colour'), colour);
          meshes.bulb.draw();
        }
        gl.disable(gl.DEPTH_TEST);
        gl.disable(gl.CULL_FACE);

        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.clearColor(0, 0, 0, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        insetProgram.use();
        gl.uniform1i(insetProgram.uniform('picture'), 0);
        gl.activeTexture(gl.TEXTURE0);
        const show = (texture: WebGLTexture, scale: Colour, bias: Colour) => {
          gl.bindTexture(gl.TEXTURE_2D, texture);
          gl.uniform3f(insetProgram.uniform('scale'), ...scale);
          gl.uniform3f(insetProgram.uniform('bias'), ...bias);
          triangle.draw();
        };
        show(lit, [1, 1, 1], [0, 0, 0]);
        gl.enable(gl.SCISSOR_TEST);
        const [insetWidth, insetHeight] = [Math.floor(width / 5), Math.floor(height / 5)];
        const gap = Math.floor((width - 4 * insetWidth) / 5);
        for (const [index, { scale, bias }] of TARGETS.entries()) {
          const x = gap + index * (insetWidth + gap);
          gl.viewport(x, gap, insetWidth, insetHeight);
          gl.scissor(x, gap, insetWidth, insetHeight);
          show(textures[index]!, scale, bias);
        }
        gl.disable(gl.SCISSOR_TEST);
        // Textures that are drawn to next must not be bound for sampling.
        for (let index = 0; index < TARGETS.length; index++) {
          gl.activeTexture(gl.TEXTURE0 + index);
          gl.bindTexture(gl.TEXTURE_2D, null);
        }
      },
      dispose() {
        for (const texture of [...textures, lit]) gl.deleteTexture(texture);
        gl.deleteFramebuffer(framebuffer);
        gl.deleteFramebuffer(litFramebuffer);
        gl.deleteRenderbuffer(depth);
        gl.deleteBuffer(lightBuffer);
        for (const thing of [...Object.values(meshes), triangle]) thing.dispose();
        for (const program of [geometryProgram, lightProgram, bulbProgram, insetProgram]) program.dispose();
      },
    };
  },
} satisfies DemoModule;
