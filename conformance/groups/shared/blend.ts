// fragment_ops.blend: every equation and pair of factors over a grid of random source and destination colours.

import { type CaseContext, type CaseDefinition, type CaseSurface, functionalCase } from '../../case.ts';
import { drawRects, type PixelRect } from '../../harness/draw.ts';
import { setFragmentState } from '../../harness/fragment-state.ts';
import { buildProgram, colorProgram } from '../../harness/program.ts';
import {
  type BlendEquation,
  type BlendFactor,
  type BlendState,
  type Color,
  PLAIN_STATE,
  ReferenceFramebuffer,
} from '../../reference/fragment-pipeline.ts';

const EQUATIONS: readonly BlendEquation[] = ['add', 'subtract', 'reverse_subtract'];
const EQUATIONS_ES3: readonly BlendEquation[] = [...EQUATIONS, 'min', 'max'];
const FACTORS: readonly BlendFactor[] = [
  'zero',
  'one',
  'src_color',
  'one_minus_src_color',
  'dst_color',
  'one_minus_dst_color',
  'src_alpha',
  'one_minus_src_alpha',
  'dst_alpha',
  'one_minus_dst_alpha',
  'constant_color',
  'one_minus_constant_color',
  'constant_alpha',
  'one_minus_constant_alpha',
  'src_alpha_saturate',
];
/** GLES 2 has no saturation as a destination factor. */
const FACTORS_DST_ES2 = FACTORS.slice(0, 14);

const SURFACE: CaseSurface = { width: 16, height: 16, depth: false, stencil: false };
/** Cells of 2×2 pixels in the middle; a border of the clear colour stays. */
const CELLS = 7;
const CLEAR: Color = [0.2, 0.4, 0.6, 0.8];
/** Two steps: the destination's rounding may be seen twice by a factor and a product. */
const TOLERANCE = 2;

function cells(t: CaseContext): PixelRect[] {
  const rects: PixelRect[] = [];
  for (let y = 0; y < CELLS; y++) {
    for (let x = 0; x < CELLS; x++) {
      const { random } = t;
      // Extremes find clamping faults, multiples of 1/255 leave no rounding to argue about.
      const channel = () => (random.bool(0.2) ? random.int(0, 1) : random.int(0, 255) / 255);
      rects.push({
        x: 1 + x * 2,
        y: 1 + y * 2,
        width: 2,
        height: 2,
        color: [channel(), channel(), channel(), channel()],
      });
    }
  }
  return rects;
}

function runBlend(t: CaseContext, blend: Omit<BlendState, 'constant'>, isSrgb: boolean): void {
  const { gl, random } = t;
  if (isSrgb) {
    const names = [0];
    gl.glGenFramebuffers(1, names);
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, names[0]!);
    gl.glGenRenderbuffers(1, names);
    gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, names[0]!);
    gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, gl.GL_SRGB8_ALPHA8, t.width, t.height);
    gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_RENDERBUFFER, names[0]!);
  }
  colorProgram(t);
  const reference = new ReferenceFramebuffer(t.width, t.height, { bits: [8, 8, 8, 8], isSrgb });
  gl.glClearColor(...CLEAR);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  reference.clear(PLAIN_STATE, { color: CLEAR });
  const destination = cells(t);
  drawRects(t, destination);
  for (const rect of destination) reference.rect(rect, PLAIN_STATE);
  const [r, g, b, a] = random.floats(4);
  const state = { ...PLAIN_STATE, blend: { ...blend, constant: [r!, g!, b!, a!] as const } };
  setFragmentState(t, state);
  // The top row by draws of one colour each, which an implementation may blend in another way.
  const source = cells(t);
  const top = source.splice(-CELLS);
  drawRects(t, source);
  const program = buildProgram(t, {
    attributes: { a_position: 'highp vec4' },
    vertex: 'gl_Position = a_position;',
    fragmentHead: 'uniform highp vec4 u_color;',
    fragment: 'o_color = u_color;',
  });
  for (const rect of top) {
    gl.glUniform4f(program.uniform('u_color'), ...rect.color);
    drawRects(t, [rect]);
  }
  for (const rect of [...source, ...top]) reference.rect(rect, state);
  t.comparePicture(t.readPixels(), reference.picture(), { tolerance: TOLERANCE });
}

function* casesBelow(api: 2 | 3, path: string, isSrgb: boolean): Generator<CaseDefinition> {
  const make = (name: string, blend: Omit<BlendState, 'constant'>): CaseDefinition =>
    functionalCase(api, `fragment_ops.blend.${path}${name}`, (t) => runBlend(t, blend, isSrgb), SURFACE);
  const equations = api === 3 ? EQUATIONS_ES3 : EQUATIONS;
  const dstFactors = api === 3 ? FACTORS : FACTORS_DST_ES2;
  const addOneZero = {
    rgbEquation: 'add',
    alphaEquation: 'add',
    srcRgb: 'one',
    dstRgb: 'zero',
    srcAlpha: 'one',
    dstAlpha: 'zero',
  } as const;
  for (const equation of equations) {
    if (equation === 'min' || equation === 'max') {
      yield make(`equation_src_func_dst_func.${equation}`, {
        ...addOneZero,
        rgbEquation: equation,
        alphaEquation: equation,
      });
      continue;
    }
    for (const src of FACTORS)
      for (const dst of dstFactors)
        yield make(`equation_src_func_dst_func.${equation}_${src}_${dst}`, {
          rgbEquation: equation,
          alphaEquation: equation,
          srcRgb: src,
          dstRgb: dst,
          srcAlpha: src,
          dstAlpha: dst,
        });
  }
  for (const rgbEquation of equations)
    for (const alphaEquation of equations)
      yield make(`rgb_equation_alpha_equation.${rgbEquation}_${alphaEquation}`, {
        rgbEquation,
        alphaEquation,
        srcRgb: 'src_alpha',
        dstRgb: 'one_minus_src_alpha',
        srcAlpha: 'src_alpha',
        dstAlpha: 'one_minus_src_alpha',
      });
  for (const rgb of FACTORS)
    for (const alpha of FACTORS)
      yield make(`rgb_func_alpha_func.src.${rgb}_${alpha}`, {
        ...addOneZero,
        srcRgb: rgb,
        srcAlpha: alpha,
        dstRgb: 'one',
        dstAlpha: 'one',
      });
  for (const rgb of dstFactors)
    for (const alpha of dstFactors)
      yield make(`rgb_func_alpha_func.dst.${rgb}_${alpha}`, { ...addOneZero, dstRgb: rgb, dstAlpha: alpha });
}

export function* blendCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) yield* casesBelow(2, '', false);
  else {
    yield* casesBelow(3, 'default_framebuffer.', false);
    yield* casesBelow(3, 'fbo_srgb.', true);
  }
}
