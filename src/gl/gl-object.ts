// The base of every GL object: identity, deletion that waits for the last user, and the face's own handle.

import type { Context } from './context.ts';

/**
 * GL's deletion rule (ES 3.0.6 §5.1): `delete*` marks the object and takes away its name; its storage lives until nothing refers to it any more.
 * Every attachment point (binding of a container object, current program, attached shader, framebuffer attachment of a framebuffer that is not bound…)
 * holds one reference by `retain` and gives it back by `release`. The context's own bindings count too.
 */
export abstract class GlObject {
  /** True once `delete*` was called on it: it can no longer be bound by a face. */
  deleted = false;
  /** Attachment points that hold this object. */
  references = 0;
  /** Integer name in the GLES face, 0 for default objects. */
  name = 0;
  /** What an API face handed out for this object (a WebGLBuffer …); src/gl never looks inside. */
  handle: object | null = null;
  /** EXT_debug_marker style label, shown in messages. */
  label = '';
  /** True once it gave back what it held: not even GL's deferred deletion keeps it alive. */
  destroyed = false;

  /** Gives back what the object holds below (pipe resources, other GL objects). Called once. */
  protected abstract destroy(context: Context): void;

  /** Marks the object deleted; destroys it now or at the last `release`. */
  delete(context: Context): void {
    this.deleted = true;
    this.destroyIfUnused(context);
  }

  retain(): void {
    this.references++;
  }

  release(context: Context): void {
    this.references--;
    this.destroyIfUnused(context);
  }

  /** Gives everything back at once, references or not: the context itself ends. */
  dispose(context: Context): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.deleted = true;
    context.objects.delete(this);
    this.destroy(context);
  }

  private destroyIfUnused(context: Context): void {
    if (this.deleted && this.references <= 0) this.dispose(context);
  }
}

/** Replaces a reference held in a slot: retains the new one first, so that the same object may stay. Returns the new value. */
export function exchange<T extends GlObject | null>(context: Context, previous: T, next: T): T {
  if (previous === next) return next;
  next?.retain();
  previous?.release(context);
  return next;
}
