// Whether a handle may be used: WebGL's rules about foreign, lost and deleted objects (WebGL 1 §5.3, §5.14).

import { GL } from '../gl/constants.ts';
import type { GlObject } from '../gl/gl-object.ts';
import { Program, ShaderObject } from '../gl/program-object.ts';
import type { Face } from './face.ts';
import { belongsTo, type Handle, unwrap } from './handles.ts';

/** For methods that take an object: false after an error. */
export function checkHandle(face: Face, call: string, handle: Handle<GlObject>): boolean {
  if (!belongsTo(face, handle)) {
    face.error(
      GL.INVALID_OPERATION,
      `${call}: the object belongs to another context, or to this one before it was lost`,
    );
    return false;
  }
  const object = unwrap(handle);
  if (hasName(object)) return true;
  const isProgramOrShader = object instanceof Program || object instanceof ShaderObject;
  face.error(isProgramOrShader ? GL.INVALID_VALUE : GL.INVALID_OPERATION, `${call}: the object is deleted`);
  return false;
}

/** Shaders and programs that are deleted keep their name while they are attached or in use (ES 2.0.25 §2.10.3). */
function hasName(object: GlObject): boolean {
  return object instanceof Program || object instanceof ShaderObject ? !object.destroyed : !object.deleted;
}

/** For is*: an object of this context that is not deleted. */
export function isUsable<T extends GlObject>(face: Face, handle: Handle<T> | null): handle is Handle<T> {
  return handle !== null && belongsTo(face, handle) && hasName(unwrap(handle));
}

/** For delete*: null and what is deleted or lost are ignored, foreign objects are an error. */
export function isDeletable<T extends GlObject>(
  face: Face,
  call: string,
  handle: Handle<T> | null,
): handle is Handle<T> {
  if (handle === null) return false;
  if (belongsTo(face, handle)) return !unwrap(handle).deleted;
  face.error(GL.INVALID_OPERATION, `${call}: the object belongs to another context, or to this one before it was lost`);
  return false;
}
