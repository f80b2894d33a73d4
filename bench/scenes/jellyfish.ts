// jellyfish: an animated, translucent body in front of a gradient, under moving light from 32 textures.

import {
  createMatrix,
  identity,
  inverseTranspose,
  multiply,
  perspective,
  rotate,
  scale,
  translate,
} from '../gl/matrix.ts';
import { createTexture } from '../gl/texture.ts';
import type { ColoredModel } from '../models/model.ts';
import type { Scene, Stage } from '../scene.ts';

const CAUSTICS = 32;
const CAUSTICS_PER_SECOND = 30;
const TOP_COLOR = [92 / 255, 149 / 255, 1] as const;
const BOTTOM_COLOR = [19 / 255, 40 / 255, 158 / 255] as const;

function createGradient({ gl, program: link }: Stage) {
  const program = link('gradient.vert', 'gradient.frag');
  const data = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0]);
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  const [position, uv] = [program.attribute('position'), program.attribute('uvIn')];
  const [top, bottom] = [program.uniform('color1'), program.uniform('color2')];
  return {
    draw() {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      program.use();
      gl.uniform3f(top, TOP_COLOR[0], TOP_COLOR[1], TOP_COLOR[2]);
      gl.uniform3f(bottom, BOTTOM_COLOR[0], BOTTOM_COLOR[1], BOTTOM_COLOR[2]);
      gl.enableVertexAttribArray(position);
      gl.enableVertexAttribArray(uv);
      gl.vertexAttribPointer(position, 2, gl.FLOAT, false, 0, 0);
      gl.vertexAttribPointer(uv, 2, gl.FLOAT, false, 0, 32);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      gl.disableVertexAttribArray(position);
      gl.disableVertexAttribArray(uv);
    },
    dispose() {
      gl.deleteBuffer(buffer);
      program.dispose();
    },
  };
}

/** The model's four lists one after another in one buffer. */
function createBody({ gl }: Stage, { colored }: ColoredModel, locations: readonly number[]) {
  const lists = [colored.positions, colored.normals, colored.colors, colored.texcoords];
  const vertices = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
  gl.bufferData(gl.ARRAY_BUFFER, lists[0]!.byteLength * lists.length, gl.STATIC_DRAW);
  for (const [index, list] of lists.entries()) gl.bufferSubData(gl.ARRAY_BUFFER, index * lists[0]!.byteLength, list);
  const indices = gl.createBuffer();
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, colored.indices, gl.STATIC_DRAW);
  return {
    draw() {
      gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
      for (let index = 0; index < locations.length; index++) {
        if (locations[index]! < 0) continue;
        gl.enableVertexAttribArray(locations[index]!);
        gl.vertexAttribPointer(locations[index]!, 3, gl.FLOAT, false, 0, index * lists[0]!.byteLength);
      }
      gl.drawElements(gl.TRIANGLES, colored.indices.length, gl.UNSIGNED_SHORT, 0);
      for (let index = 0; index < locations.length; index++) {
        if (locations[index]! >= 0) gl.disableVertexAttribArray(locations[index]!);
      }
    },
    dispose() {
      gl.deleteBuffer(vertices);
      gl.deleteBuffer(indices);
    },
  };
}

export const jellyfish: Scene = {
  name: 'jellyfish',
  help: 'an animated, translucent body',
  options: [],
  setup(stage) {
    const { gl, width, height, data } = stage;
    const gradient = createGradient(stage);
    // The time is a uniform of both stages, so their precision must agree.
    const program = stage.program('jellyfish.vert', 'jellyfish.frag', { fragment: { precision: ',high,,' } });
    const names = ['aVertexPosition', 'aVertexNormal', 'aVertexColor', 'aTextureCoord'];
    const model = data.model('jellyfish') as ColoredModel;
    const body = createBody(
      stage,
      model,
      names.map((name) => program.attribute(name)),
    );
    const linear = { minFilter: gl.LINEAR, magFilter: gl.LINEAR };
    const skin = createTexture(gl, data.texture('jellyfish256'), linear);
    const caustics = Array.from({ length: CAUSTICS }, (_, index) => {
      const image = data.texture(`jellyfish-caustics-${String(index + 1).padStart(2, '0')}`);
      return createTexture(gl, image, { ...linear, isRepeated: true });
    });
    const projection = perspective(createMatrix(), 30, width / height, 20, 120);
    const [world, worldViewProjection, inverse] = [createMatrix(), createMatrix(), createMatrix()];
    const worldUniform = program.uniform('uWorld');
    const productUniform = program.uniform('uWorldViewProj');
    const inverseUniform = program.uniform('uWorldInvTranspose');
    const timeUniform = program.uniform('uCurrentTime');
    program.use();
    gl.uniform3f(program.uniform('uLightPos'), 10, 40, -60);
    gl.uniform1f(program.uniform('uLightRadius'), 200);
    gl.uniform4f(program.uniform('uLightCol'), 0.8, 1.3, 1.1, 1);
    gl.uniform4f(program.uniform('uAmbientCol'), 0.3, 0.2, 1, 1);
    gl.uniform4f(program.uniform('uFresnelCol'), 0.8, 0.7, 0.6, 1.1);
    gl.uniform1f(program.uniform('uFresnelPower'), 1);
    gl.uniform1i(program.uniform('uSampler'), 0);
    gl.uniform1i(program.uniform('uSampler1'), 1);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.BLEND);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.DEPTH_TEST);
    let time = 0;
    return {
      update(elapsed) {
        time = elapsed;
      },
      draw() {
        gradient.draw();
        const turn = 2 * time;
        translate(identity(world), 0, 5, -75);
        rotate(world, Math.sin(turn / 10) * 30, 0, 1, 0);
        rotate(world, Math.sin(turn / 20) * 30, 1, 0, 0);
        scale(world, 5, 5, 5);
        translate(world, 0, Math.sin(turn / 10) * 2.5, 0);
        program.use();
        gl.uniformMatrix4fv(worldUniform, false, world);
        gl.uniformMatrix4fv(productUniform, false, multiply(worldViewProjection, projection, world));
        gl.uniformMatrix4fv(inverseUniform, false, inverseTranspose(inverse, world));
        gl.uniform1f(timeUniform, time);
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, skin);
        gl.activeTexture(gl.TEXTURE1);
        gl.bindTexture(gl.TEXTURE_2D, caustics[Math.floor(time * CAUSTICS_PER_SECOND) % CAUSTICS]!);
        body.draw();
      },
      dispose() {
        gradient.dispose();
        body.dispose();
        program.dispose();
        for (const texture of [skin, ...caustics]) gl.deleteTexture(texture);
      },
    };
  },
};
