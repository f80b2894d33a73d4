// Shader and program objects: what was attached, asked for and linked, and the uniform values of a program.

import type { CompileResult } from '../glsl/compile.ts';
import type { LinkedProgram } from '../glsl/link-result.ts';
import type { Context } from './context.ts';
import { GlObject } from './gl-object.ts';
import { destroyExecutable, type Executable } from './program-executable.ts';

export class ShaderObject extends GlObject {
  readonly type: number;
  source = '';
  /** Outcome of the last compileShader; the source may have been replaced since. */
  compiled: CompileResult | null = null;
  infoLog = '';

  constructor(type: number) {
    super();
    this.type = type;
  }

  protected destroy(_context: Context): void {
    this.compiled = null;
  }
}

export class Program extends GlObject {
  vertexShader: ShaderObject | null = null;
  fragmentShader: ShaderObject | null = null;
  /** bindAttribLocation: takes effect at the next link. */
  readonly attributeBindings = new Map<string, number>();
  feedbackVaryings: readonly string[] = [];
  feedbackMode: number;
  binaryRetrievable = false;
  /** Grows with every linkProgram: locations of an earlier link are stale. */
  linkCount = 0;
  linkStatus = false;
  validateStatus = false;
  infoLog = '';
  /** The last successful link's outcome for queries; null after a failed link. */
  linked: LinkedProgram | null = null;
  /** What draws use. A failed relink of the current program keeps the old one in use (ES 3.0.6 §2.12.3). */
  executable: Executable | null = null;

  constructor(feedbackMode: number) {
    super();
    this.feedbackMode = feedbackMode;
  }

  protected destroy(context: Context): void {
    for (const shader of [this.vertexShader, this.fragmentShader]) shader?.release(context);
    this.vertexShader = this.fragmentShader = null;
    if (this.executable) destroyExecutable(context, this.executable);
    this.executable = null;
  }
}
