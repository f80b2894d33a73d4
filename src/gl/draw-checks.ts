// What every draw call must satisfy before anything is drawn (ES 3.0.6 §2.8.3, §4.4.4; WebGL 1 §6).

import { isBoundForFeedback } from './buffer-data.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { accepts, PRIMITIVE_MODES } from './enums.table.ts';
import { invalidEnum, invalidOperation, invalidValue, warn } from './errors.ts';
import { framebufferBits } from './framebuffer-bits.ts';
import { defaultFormats } from './framebuffer-default.ts';
import { checkDrawFramebuffer, checkSharedExponentMask, drawnColor } from './framebuffer-update.ts';
import type { InternalFormatRow } from './gl-formats.table.ts';
import type { Executable } from './program-executable.ts';
import { checkDrawTextures } from './texture-update.ts';
import { checkUniformBuffers } from './uniform-update.ts';
import { samplerConflict } from './uniforms.ts';
import type { VertexArrayObject, VertexAttribute } from './vertex-array-object.ts';
import { attributeStride } from './vertex-arrays.ts';
import { vertexElementBytes } from './vertex-format.table.ts';

/** Arguments that all draws have. */
export function checkDrawArguments(
  context: Context,
  call: string,
  mode: number,
  count: number,
  instances: number,
): boolean {
  if (!accepts(context, PRIMITIVE_MODES, mode)) invalidEnum(context, call, 'mode', mode);
  else if (count < 0) invalidValue(context, call, `count ${count} is negative`);
  else if (instances < 0) invalidValue(context, call, `instance count ${instances} is negative`);
  else return true;
  return false;
}

interface StateCheck {
  /** DIRTY bits of what it looks at. */
  readonly bits: number;
  /** False after an error was recorded. */
  readonly check: (context: Context, call: string, executable: Executable) => boolean;
}

/** What must hold of a program and the state it draws with, in the order of the errors. */
const STATE_CHECKS: readonly StateCheck[] = [
  { bits: DIRTY.PROGRAM | DIRTY.TEXTURES, check: checkSamplerTypes },
  { bits: DIRTY.DEPTH_STENCIL | DIRTY.STENCIL_REFERENCE | DIRTY.FRAMEBUFFER, check: checkStencilFaces },
  { bits: DIRTY.PROGRAM | DIRTY.UNIFORM_BUFFERS | DIRTY.TRANSFORM_FEEDBACK, check: checkUniformBuffers },
  {
    bits: DIRTY.PROGRAM | DIRTY.VERTEX_ELEMENTS | DIRTY.VERTEX_BUFFERS | DIRTY.TRANSFORM_FEEDBACK,
    check: checkAttributes,
  },
  { bits: DIRTY.PROGRAM | DIRTY.BLEND | DIRTY.FRAMEBUFFER, check: checkDualSource },
  { bits: DIRTY.BLEND | DIRTY.FRAMEBUFFER, check: checkSharedExponentMasks },
  { bits: DIRTY.PROGRAM | DIRTY.BLEND | DIRTY.FRAMEBUFFER | DIRTY.RASTERIZER, check: checkColorOutputs },
  { bits: DIRTY.PROGRAM | DIRTY.TEXTURES | DIRTY.DEPTH_STENCIL | DIRTY.FRAMEBUFFER, check: checkDrawTextures },
];

/** What decides on a draw besides its arguments: the other bits change nothing that is looked at here. */
const CHECKED = STATE_CHECKS.reduce((bits, check) => bits | check.bits, 0);

/**
 * The state that all draws need. Returns what draws, or null: an error was recorded, or there is nothing to draw with. What has not
 * changed since a draw was found right is not looked at again.
 */
export function checkDrawState(context: Context, call: string): Executable | null {
  const changed = context.unchecked & CHECKED;
  const { program } = context;
  if (changed === 0) return program!.executable;
  if (changed & DIRTY.FRAMEBUFFER && !checkDrawFramebuffer(context, call)) return null;
  const executable = program?.executable ?? null;
  if (executable === null) {
    // ES leaves a draw without program undefined: nothing is drawn, and it is no error there.
    if (context.rules.webgl) invalidOperation(context, call, 'no program is in use');
    else warn(context, `${call}: no program is in use, nothing is drawn`);
    return null;
  }
  // GLES draws with the code of before a failed relink, WebGL does not.
  if (context.rules.webgl && !program!.linkStatus) {
    invalidOperation(context, call, 'the program in use was linked again without success');
    return null;
  }
  for (const { bits, check } of STATE_CHECKS) {
    if ((changed & bits) !== 0 && !check(context, call, executable)) return null;
  }
  context.unchecked = 0;
  return executable;
}

function checkSamplerTypes(context: Context, call: string, executable: Executable): boolean {
  const conflict = samplerConflict(executable);
  if (conflict === null) return true;
  invalidOperation(context, call, conflict);
  return false;
}

function checkSharedExponentMasks(context: Context, call: string): boolean {
  for (let index = 0; index < context.drawFramebuffer.drawBuffers.length; index++)
    if (!checkSharedExponentMask(context, call, index)) return false;
  return true;
}

/**
 * WebGL 2 §4.4.6: every draw buffer that is written to has an output, and of its kind; 32-bit float buffers blend with
 * EXT_float_blend only.
 */
function checkColorOutputs(context: Context, call: string, executable: Executable): boolean {
  if (!context.rules.webgl) return true;
  if (!context.rasterizer.discard && !checkMissingOutputs(context, call, executable)) return false;
  for (const output of executable.linked.fragmentOutputs)
    for (let i = 0; i < output.size; i++) {
      const row = drawnRow(context, output.location + i);
      if (row === undefined || context.rasterizer.discard) continue;
      const kind = row.kind === 'int' || row.kind === 'uint' ? row.kind : 'float';
      const blends = context.blend.targets[output.location + i]!.enabled;
      if (kind !== output.baseType)
        invalidOperation(context, call, `${output.name} is ${output.baseType}, its colour buffer holds ${row.name}`);
      else if (blends && row.kind === 'float' && row.bits[0] === 32 && !context.isEnabled('EXT_float_blend'))
        invalidOperation(context, call, `blending into ${row.name} needs EXT_float_blend`);
      else continue;
      return false;
    }
  return true;
}

function checkMissingOutputs(context: Context, call: string, executable: Executable): boolean {
  const { drawFramebuffer, blend } = context;
  const count = drawFramebuffer.isDefault ? 1 : drawFramebuffer.colors.length;
  for (let index = 0; index < count; index++) {
    if (blend.targets[index]!.writeMask === 0 || drawnRow(context, index) === undefined) continue;
    if (hasOutput(executable, index)) continue;
    invalidOperation(context, call, `the fragment shader has no output for draw buffer ${index}`);
    return false;
  }
  return true;
}

function hasOutput(executable: Executable, index: number): boolean {
  const { fragmentOutputs } = executable.linked;
  for (let i = 0; i < fragmentOutputs.length; i++) {
    const output = fragmentOutputs[i]!;
    if (output.index === 0 && index >= output.location && index < output.location + output.size) return true;
  }
  return false;
}

const SECOND_SOURCE_FACTORS: ReadonlySet<number> = new Set([
  GL.SRC1_COLOR_EXT,
  GL.SRC1_ALPHA_EXT,
  GL.ONE_MINUS_SRC1_COLOR_EXT,
  GL.ONE_MINUS_SRC1_ALPHA_EXT,
]);

/** EXT_blend_func_extended: two sources need one draw buffer, and in WebGL a shader that writes both. */
function checkDualSource(context: Context, call: string, executable: Executable): boolean {
  if (!context.isEnabled('WEBGL_blend_func_extended')) return true;
  const { targets } = context.blend;
  const usesTwo = targets.map((target) =>
    [target.sourceRgb, target.sourceAlpha, target.destinationRgb, target.destinationAlpha].some((factor) =>
      SECOND_SOURCE_FACTORS.has(factor),
    ),
  );
  if (!usesTwo.includes(true)) return true;
  const { maxDualSourceDrawBuffers } = context.limits;
  for (let index = 0; index < targets.length; index++) {
    if (drawnRow(context, index) === undefined) continue;
    if (index >= maxDualSourceDrawBuffers) {
      invalidOperation(context, call, `dual-source blending allows ${maxDualSourceDrawBuffers} draw buffer`);
      return false;
    }
    const { enabled, writeMask } = targets[index]!;
    if (!context.rules.webgl || !enabled || writeMask === 0 || !usesTwo[index]) continue;
    if (executable.linked.fragmentOutputs.some((output) => output.index === 1 && output.location === index)) continue;
    invalidOperation(context, call, 'the fragment shader has no second source for dual-source blending');
    return false;
  }
  return true;
}

function drawnRow(context: Context, index: number): InternalFormatRow | undefined {
  const framebuffer = context.drawFramebuffer;
  if (!framebuffer.isDefault) return drawnColor(framebuffer, index)?.row;
  return framebuffer.drawBuffers[index] === GL.BACK ? defaultFormats(context.framebufferAttributes).color : undefined;
}

/** WebGL 1 §6.11. */
function checkStencilFaces(context: Context, call: string): boolean {
  if (!context.rules.stencilFacesAgree) return true;
  const { front, back } = context.stencil;
  const agree =
    (front.readMask & 0xff) === (back.readMask & 0xff) &&
    (front.writeMask & 0xff) === (back.writeMask & 0xff) &&
    Math.min(Math.max(front.reference, 0), 255) === Math.min(Math.max(back.reference, 0), 255);
  // Only where there is a stencil test to be done.
  if (agree || !context.stencil.testEnabled || framebufferBits(context, context.drawFramebuffer)[5] === 0) return true;
  invalidOperation(context, call, 'stencil masks and references of front and back differ (WebGL 1 §6.11)');
  return false;
}

function checkAttributes(context: Context, call: string, executable: Executable): boolean {
  const array = context.vertexArray;
  const rules = context.rules;
  // WebGL 1 §6.2 asks for a buffer behind every enabled array, read by the program or not.
  const mask = rules.noClientArrays ? array.enabledMask | executable.attributeMask : executable.attributeMask;
  for (let location = 0; mask >>> location !== 0; location++) {
    if ((mask & (1 << location)) === 0) continue;
    const attribute = array.attributes[location]!;
    const problem = attributeProblem(context, attribute, location, executable);
    if (problem === null) continue;
    invalidOperation(context, call, problem);
    return false;
  }
  context.checkedVertices = commonVertices(array, executable);
  return true;
}

/** Vertices that all arrays hold which the program reads; -1, as if there were fewer than none, when one advances by instances. */
function commonVertices(array: VertexArrayObject, executable: Executable): number {
  const mask = array.enabledMask & executable.attributeMask;
  let vertices = 2 ** 32;
  for (let location = 0; mask >>> location !== 0; location++) {
    if ((mask & (1 << location)) === 0) continue;
    const attribute = array.attributes[location]!;
    vertices = attribute.divisor === 0 ? Math.min(vertices, availableElements(attribute)) : -1;
  }
  return vertices;
}

function attributeProblem(
  context: Context,
  attribute: VertexAttribute,
  location: number,
  executable: Executable,
): string | null {
  const rules = context.rules;
  if (attribute.enabled) {
    if (attribute.buffer === null && rules.noClientArrays) return `the enabled vertex array ${location} has no buffer`;
    if (attribute.buffer?.mapping) return `the buffer of vertex array ${location} is mapped`;
    if (rules.feedbackLoopIsError && attribute.buffer !== null && isBoundForFeedback(context, attribute.buffer))
      return `the buffer of vertex array ${location} is bound for transform feedback`;
  }
  const read = executable.attributeTypes[location];
  if (!rules.webgl || read === undefined) return null;
  // WebGL 2 §5.14.10: the array's kind must be what the shader reads.
  const given = attribute.enabled ? arrayBaseType(attribute) : context.currentAttributes[location]!.type;
  return given === read ? null : `attribute ${location} is given as ${given}, the shader reads ${read}`;
}

function arrayBaseType(attribute: VertexAttribute): 'float' | 'int' | 'uint' {
  if (!attribute.integer) return 'float';
  const { type } = attribute;
  return type === GL.UNSIGNED_BYTE || type === GL.UNSIGNED_SHORT || type === GL.UNSIGNED_INT ? 'uint' : 'int';
}

/** Elements that the array's buffer holds. */
function availableElements(attribute: VertexAttribute): number {
  const bytes = (attribute.buffer?.size ?? 0) - attribute.offset;
  const element = vertexElementBytes(attribute.type, attribute.size);
  return bytes < element ? 0 : Math.floor((bytes - element) / attributeStride(attribute)) + 1;
}

/** `rules.indexRangeCheck`: vertices 0…`lastVertex` and all instances lie inside the bound buffers. */
export function checkVertexRange(
  context: Context,
  call: string,
  executable: Executable,
  lastVertex: number,
  instances: number,
  baseInstance = 0,
): boolean {
  if (lastVertex < context.checkedVertices) return true;
  const mask = context.vertexArray.enabledMask & executable.attributeMask;
  for (let location = 0; mask >>> location !== 0; location++) {
    if ((mask & (1 << location)) === 0) continue;
    const attribute = context.vertexArray.attributes[location]!;
    const needed = attribute.divisor === 0 ? lastVertex + 1 : baseInstance + Math.ceil(instances / attribute.divisor);
    if (needed <= availableElements(attribute)) continue;
    invalidOperation(context, call, `vertex array ${location} is too short for this draw (WebGL 1 §6.6)`);
    return false;
  }
  return true;
}

/** ANGLE_instanced_arrays in WebGL 1: some array must advance per vertex. */
export function checkInstancedArrays(context: Context, call: string, executable: Executable): boolean {
  if (!context.rules.webgl || context.version >= 3) return true;
  const mask = context.vertexArray.enabledMask & executable.attributeMask;
  if (mask === 0) return true;
  for (let location = 0; mask >>> location !== 0; location++)
    if ((mask & (1 << location)) !== 0 && context.vertexArray.attributes[location]!.divisor === 0) return true;
  invalidOperation(context, call, 'every enabled vertex array has a divisor');
  return false;
}
