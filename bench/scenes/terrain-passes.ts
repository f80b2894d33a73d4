// The passes of the scene terrain: whole pictures drawn from one texture into the next.

import { gridPositions } from '../gl/grid.ts';
import { createMesh } from '../gl/mesh.ts';
import type { Program } from '../gl/program.ts';
import { createRenderTarget, type RenderTarget, type RenderTargetOptions } from '../gl/render-target.ts';
import type { Gl, Stage } from '../scene.ts';
import { type BlurDirection, bellWeights, blurText } from './convolution.ts';

/** Where a pass draws: a target, or the screen. */
export interface Destination {
  readonly target: RenderTarget | null;
  readonly width: number;
  readonly height: number;
  readonly hasDepth: boolean;
}

export function offScreen(gl: Gl, options: RenderTargetOptions): Destination & { readonly target: RenderTarget } {
  const target = createRenderTarget(gl, options);
  return { target, width: options.width, height: options.height, hasDepth: options.depth !== undefined };
}

export function onScreen({ width, height }: Stage): Destination {
  return { target: null, width, height, hasDepth: true };
}

export function beginPass(gl: Gl, { target, width, height, hasDepth }: Destination): void {
  gl.bindFramebuffer(gl.FRAMEBUFFER, target ? target.framebuffer : null);
  gl.viewport(0, 0, width, height);
  if (hasDepth) gl.enable(gl.DEPTH_TEST);
  else gl.disable(gl.DEPTH_TEST);
  gl.depthMask(hasDepth);
}

export function endPass(gl: Gl, { target }: Destination): void {
  if (!target?.isMipmapped) return;
  gl.bindTexture(gl.TEXTURE_2D, target.color);
  gl.generateMipmap(gl.TEXTURE_2D);
}

export interface Pass {
  readonly program: Program;
  readonly destination: Destination;
  render(input: WebGLTexture | null): void;
  dispose(): void;
}

export interface PassOptions {
  /** Adds to what the destination holds instead of replacing it. */
  readonly isAdded?: boolean;
  readonly uvScale?: number;
}

/** A pass with a program whose vertex shader is `terrain-texture.vert`. */
export function createPass(gl: Gl, program: Program, destination: Destination, options: PassOptions = {}): Pass {
  const { isAdded = false, uvScale = 1 } = options;
  const mesh = createMesh(gl, [{ size: 3, data: gridPositions({ columns: 1, rows: 1, width: 2, height: 2 }) }]);
  mesh.setLocations([program.attribute('position')]);
  program.use();
  gl.uniform2f(program.uniform('uvOffset'), 0, 0);
  gl.uniform2f(program.uniform('uvScale'), uvScale, uvScale);
  for (const name of ['tDiffuse', 'heightMap', 'Texture0']) gl.uniform1i(program.uniform(name), 0);
  return {
    program,
    destination,
    render(input) {
      beginPass(gl, destination);
      if (isAdded) {
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE);
      } else gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, input);
      program.use();
      mesh.draw();
      if (isAdded) gl.disable(gl.BLEND);
      endPass(gl, destination);
    },
    dispose() {
      mesh.dispose();
      program.dispose();
    },
  };
}

export interface BlurOptions {
  readonly radius: number;
  readonly sigma: number;
  readonly direction: Exclude<BlurDirection, 'both'>;
  /** Size of the picture that is blurred, for the distance of its texels. */
  readonly width: number;
  readonly height: number;
  /** The height at which the picture stays sharp. */
  readonly tiltShift: number;
}

export function blurProgram(stage: Stage, options: BlurOptions): Program {
  const { radius, sigma, direction, width, height, tiltShift } = options;
  const weights = bellWeights(radius, sigma);
  const sum = 2 * weights.reduce((total, weight) => total + weight, 0) - weights[0]!;
  const constants: Record<string, number> = {
    TiltShift: tiltShift,
    TextureStepX: 1 / width,
    TextureStepY: 1 / height,
  };
  for (const [at, weight] of weights.entries()) constants[`Kernel${at}`] = weight / sum;
  const axis = direction === 'horizontal' ? 'X' : 'Y';
  // Farther from the sharp height the texels lie farther apart.
  const step = `float step${axis} = TextureStep${axis} * abs(TiltShift - TextureCoord.y) / abs(1.0 - TiltShift);\n`;
  const holes = { CONVOLUTION: step + blurText(radius, direction, 'stepX', 'stepY') };
  return stage.program('terrain-texture.vert', 'terrain-blur.frag', { fragment: { constants, holes } });
}
