// Query, sync and transform feedback objects: identity and what each remembers.

import type { Fence, Query } from '../pipe/query.ts';
import type { StreamOutputTarget } from '../pipe/resource.ts';
import { createIndexedBindings, type IndexedBufferBinding } from './buffer-object.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { exchange, GlObject } from './gl-object.ts';
import type { Program } from './program-object.ts';

export class QueryObject extends GlObject {
  /** Target of the first beginQuery; fixed from then on. 0 before: isQuery is false. */
  target = 0;
  active = false;
  pipeQuery: Query | null = null;
  /** The result once it was fetched. */
  result: number | null = null;

  protected destroy(_context: Context): void {
    this.pipeQuery?.destroy();
    this.pipeQuery = null;
  }
}

export class SyncObject extends GlObject {
  readonly condition: number = GL.SYNC_GPU_COMMANDS_COMPLETE;
  readonly flags = 0;
  fence: Fence | null;
  signaled = false;

  constructor(fence: Fence) {
    super();
    this.fence = fence;
  }

  protected destroy(_context: Context): void {
    this.fence = null;
  }
}

export class TransformFeedbackObject extends GlObject {
  readonly bindings: IndexedBufferBinding[];
  /** Pipe targets of the bound ranges while active. */
  targets: StreamOutputTarget[] = [];
  /** A draw was captured since begin: later ones append. */
  started = false;
  active = false;
  paused = false;
  primitiveMode = 0;
  /** The program that was current at beginTransformFeedback. */
  program: Program | null = null;
  wasBound = false;
  /** Vertices captured since begin: a draw that does not fit is an error (ES 3.0.6 §2.15.2). */
  capturedVertices = 0;
  /** Vertices that fit in the smallest bound range, found at begin. */
  capacityVertices = 0;

  constructor(bindingCount: number) {
    super();
    this.bindings = createIndexedBindings(bindingCount);
  }

  protected destroy(context: Context): void {
    for (const binding of this.bindings) binding.buffer = exchange(context, binding.buffer, null);
    context.feedbackObjects.delete(this);
    for (const target of this.targets) target.destroy();
    this.targets = [];
    this.program = exchange(context, this.program, null);
  }
}
