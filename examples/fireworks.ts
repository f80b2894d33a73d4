// Fireworks: transform feedback moves the sparks from buffer to buffer; each is drawn as a streak along its way.

import { mat4 } from 'gl-matrix';
import type { DemoModule } from '../src/demo.ts';
import { createFullscreenTriangle, FULLSCREEN_VERTEX_300 } from './shared/fullscreen.ts';
import { createProgram } from './shared/program.ts';
import { createRandom } from './shared/random.ts';

const SHELLS = 11;
const SPARKS_A_SHELL = 500;
const SPARKS = SHELLS * SPARKS_A_SHELL;
const FLOATS = 8;
/** Seconds from one burst of a shell to its next. */
const PERIOD = 2.9;
const STEP = 1 / 60;

const MOVE_VERTEX = `#version 300 es
layout(location = 0) in vec4 placeAndAge; // age: seconds since the burst, negative before
layout(location = 1) in vec4 speedAndSeed;
uniform float step;
out vec4 movedPlaceAndAge;
out vec4 movedSpeedAndSeed;

/** A number in [0, 1) from the bits of its arguments. */
float random(uint a, uint b) {
  uint bits = a * 0x9e3779b9u ^ b * 0x85ebca6bu;
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return float((bits ^ (bits >> 16)) >> 8) / 16777216.0;
}

void main() {
  uint shell = uint(gl_VertexID / ${SPARKS_A_SHELL});
  uint spark = uint(gl_VertexID);
  float age = placeAndAge.w + step;
  vec3 place = placeAndAge.xyz;
  vec3 speed = speedAndSeed.xyz;
  float seed = speedAndSeed.w;
  bool bursts = placeAndAge.w < 0.0 && age >= 0.0;
  if (age >= ${PERIOD}) {
    age -= ${PERIOD};
    seed += 1.0;
    bursts = true;
  }
  if (bursts) {
    uint round = uint(seed);
    place = vec3((random(shell, round * 3u) - 0.5) * 5.0, 1.3 + random(shell, round * 3u + 1u) * 1.7,
      (random(shell, round * 3u + 2u) - 0.5) * 1.5);
    // Directions evenly over the sphere; a few shells burst as a ring.
    float height = random(spark, round * 2u + 7u) * 2.0 - 1.0;
    float turn = random(spark, round * 2u + 8u) * 6.2831853;
    if (shell % 4u == 3u) height *= 0.06;
    vec3 direction = vec3(sqrt(1.0 - height * height) * vec2(cos(turn), sin(turn)), height).xzy;
    float power = 1.3 + 0.8 * random(shell, round + 40u);
    speed = direction * power * (0.82 + 0.25 * random(spark, round + 50u)) + vec3(0.0, 0.25, 0.0);
  } else if (age > 0.0) {
    speed *= exp(-1.15 * step);
    speed.y -= 0.62 * step;
    place += speed * step;
  }
  movedPlaceAndAge = vec4(place, age);
  movedSpeedAndSeed = vec4(speed, seed);
}`;

const NOTHING_FRAGMENT = `#version 300 es
precision mediump float;

void main() {
}`;

const STREAK_VERTEX = `#version 300 es
layout(location = 0) in vec4 placeAndAge;
layout(location = 1) in vec4 speedAndSeed;
uniform mat4 view, projection;
uniform float wide;
out vec3 colour;
out vec2 across;

void main() {
  float age = placeAndAge.w;
  int shell = gl_InstanceID / ${SPARKS_A_SHELL};
  // Four corners from the vertex number: along the way, and to its sides.
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec4 head = view * vec4(placeAndAge.xyz, 1.0);
  vec4 tail = view * vec4(placeAndAge.xyz - speedAndSeed.xyz * 0.14 * min(age * 6.0, 1.0), 1.0);
  vec2 way = head.xy - tail.xy;
  vec2 along = way / max(length(way), 1e-5) * wide;
  vec4 place = corner.x > 0.0 ? head : tail;
  place.xy += along * corner.x + vec2(-along.y, along.x) * corner.y;
  across = corner;
  float left = clamp(1.0 - age / 2.7, 0.0, 1.0);
  float flicker = 0.75 + 0.25 * sin(age * 40.0 + float(gl_InstanceID) * 1.7);
  vec3 hue = 0.55 + 0.45 * cos(6.2831853 * (float(shell) * 0.29 + vec3(0.02, 0.36, 0.66)));
  vec3 tint = mix(hue * hue, vec3(1.0, 0.85, 0.6), exp(-age * 3.0));
  colour = age < 0.0 ? vec3(0.0) : tint * left * sqrt(left) * (age > 1.2 ? flicker : 1.0) * 2.6;
  gl_Position = projection * place;
}`;

const STREAK_FRAGMENT = `#version 300 es
precision highp float;
in vec3 colour;
in vec2 across;
out vec4 result;

void main() {
  float side = 1.0 - across.y * across.y;
  float fade = 0.5 + 0.5 * across.x;
  result = vec4(colour * side * side * fade * fade, 1.0);
}`;

const NIGHT_FRAGMENT = `#version 300 es
precision highp float;
uniform float aspect;
in vec2 place;
out vec4 result;

float random(int a, int b) {
  uint bits = uint(a) * 0x9e3779b9u ^ uint(b) * 0x85ebca6bu;
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return float((bits ^ (bits >> 16)) >> 8) / 16777216.0;
}

/** Height of the roofs at this column of a row of houses. */
float roof(float x, float width, float low, float high) {
  return mix(low, high, random(int(floor(x / width)), int(width * 1000.0)));
}

void main() {
  float x = place.x * aspect;
  vec3 light = mix(vec3(0.055, 0.04, 0.1), vec3(0.008, 0.01, 0.035), smoothstep(-0.9, 0.8, place.y));
  float back = roof(x + 7.3, 0.11, -0.86, -0.66);
  if (place.y < back) light = vec3(0.018, 0.016, 0.035);
  float front = roof(x + 3.2, 0.16, -0.97, -0.74);
  if (place.y < front) {
    light = vec3(0.006, 0.006, 0.014);
    // Lit windows on a grid.
    vec2 cell = vec2((x + 3.2) / 0.032, place.y / 0.045);
    vec2 inside = abs(fract(cell) - 0.5);
    float lit = step(0.72, random(int(floor(cell.x)), int(floor(cell.y))));
    if (inside.x < 0.25 && inside.y < 0.28 && place.y < front - 0.04) light = mix(light, vec3(0.75, 0.5, 0.2), lit * 0.8);
  }
  result = vec4(pow(light, vec3(1.0 / 2.2)), 1.0);
}`;

export default {
  title: 'Transform feedback fireworks',
  setup({ gl, width, height }) {
    const move = createProgram(gl, MOVE_VERTEX, NOTHING_FRAGMENT, {
      feedback: ['movedPlaceAndAge', 'movedSpeedAndSeed'],
    });
    const streak = createProgram(gl, STREAK_VERTEX, STREAK_FRAGMENT);
    const night = createProgram(gl, FULLSCREEN_VERTEX_300, NIGHT_FRAGMENT);
    const triangle = createFullscreenTriangle(gl);

    const random = createRandom(3);
    const start = new Float32Array(SPARKS * FLOATS);
    for (let shell = 0; shell < SHELLS; shell++) {
      const age = -(shell / SHELLS) * PERIOD - random() * 0.15 - STEP;
      for (let spark = 0; spark < SPARKS_A_SHELL; spark++) {
        start.set([0, -9, 0, age, 0, 0, 0, shell], (shell * SPARKS_A_SHELL + spark) * FLOATS);
      }
    }
    /** The same sparks twice; each has vertex arrays for moving and for drawing. */
    const sides = [0, 1].map(() => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, start, gl.DYNAMIC_COPY);
      const arrays = [0, 1].map((divisor) => {
        const array = gl.createVertexArray();
        gl.bindVertexArray(array);
        for (const location of [0, 1]) {
          gl.enableVertexAttribArray(location);
          gl.vertexAttribPointer(location, 4, gl.FLOAT, false, FLOATS * 4, location * 16);
          gl.vertexAttribDivisor(location, divisor);
        }
        return array;
      });
      return { buffer, moving: arrays[0]!, drawing: arrays[1]! };
    });
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    const feedback = gl.createTransformFeedback();
    let current = 0;

    const moveSparks = () => {
      const [from, to] = [sides[current]!, sides[1 - current]!];
      move.use();
      gl.uniform1f(move.uniform('step'), STEP);
      gl.bindVertexArray(from.moving);
      gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
      gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, to.buffer);
      gl.enable(gl.RASTERIZER_DISCARD);
      gl.beginTransformFeedback(gl.POINTS);
      gl.drawArrays(gl.POINTS, 0, SPARKS);
      gl.endTransformFeedback();
      gl.disable(gl.RASTERIZER_DISCARD);
      gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
      gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
      current = 1 - current;
    };
    // The show is in full swing when the first frame is drawn.
    for (let step = 0; step < 240; step++) moveSparks();

    const projection = mat4.perspective(mat4.create(), 0.8, width / height, 0.5, 30);
    const view = mat4.lookAt(mat4.create(), [0, 0.9, 6], [0, 1.55, 0], [0, 1, 0]);
    return {
      frame() {
        moveSparks();
        gl.viewport(0, 0, width, height);
        night.use();
        gl.uniform1f(night.uniform('aspect'), width / height);
        gl.bindVertexArray(null);
        triangle.draw();

        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE);
        streak.use();
        gl.uniformMatrix4fv(streak.uniform('view'), false, view);
        gl.uniformMatrix4fv(streak.uniform('projection'), false, projection);
        gl.uniform1f(streak.uniform('wide'), Math.max(0.016, 4 / height));
        gl.bindVertexArray(sides[current]!.drawing);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, SPARKS);
        gl.bindVertexArray(null);
        gl.disable(gl.BLEND);
      },
      dispose() {
        for (const { buffer, moving, drawing } of sides) {
          gl.deleteVertexArray(moving);
          gl.deleteVertexArray(drawing);
          gl.deleteBuffer(buffer);
        }
        gl.deleteTransformFeedback(feedback);
        triangle.dispose();
        for (const program of [move, streak, night]) program.dispose();
      },
    };
  },
} satisfies DemoModule;
