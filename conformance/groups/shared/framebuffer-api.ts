// fbo.api: attaching, querying and deleting, with the errors of ES 2.0.25 §4.4.3 and §6.1.3, and of ES 3.0.6 §6.1.13.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { bindNewFramebuffer } from '../../harness/color-target.ts';
import { hasExtension } from '../../harness/extensions.ts';
import { generate } from '../../harness/framebuffer.ts';
import { type AttachedImage, attach, makeImage, remove } from '../../harness/framebuffer-scene.ts';

type Kind = 'rbo' | 'tex2d' | 'texcube';
const SURFACE = { width: 16, height: 16 };

function makeCube(t: CaseContext): number {
  const { gl } = t;
  const name = generate(gl.glGenTextures);
  gl.glBindTexture(gl.GL_TEXTURE_CUBE_MAP, name);
  for (let face = 0; face < 6; face++)
    gl.glTexImage2D(
      gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + face,
      0,
      gl.GL_RGBA,
      16,
      16,
      0,
      gl.GL_RGBA,
      gl.GL_UNSIGNED_BYTE,
      null,
    );
  return name;
}

const FACE = 3;

/** An image of the kind attached to the point; gives its name and how to delete it. */
function attachKind(t: CaseContext, kind: Kind, point: number): { name: number; remove: () => void } {
  const { gl } = t;
  if (kind === 'texcube') {
    const name = makeCube(t);
    gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, point, gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + FACE, name, 0);
    return { name, remove: () => gl.glDeleteTextures(1, [name]) };
  }
  const internal = kind === 'rbo' ? gl.GL_RGBA4 : gl.GL_RGBA;
  const image: AttachedImage = makeImage(t, { kind, internal, format: gl.GL_RGBA, type: gl.GL_UNSIGNED_BYTE }, 16, 16);
  attach(t, point, image);
  return { name: image.name, remove: () => remove(t, image) };
}

function query(t: CaseContext, point: number, pname: number): number {
  const value = [-1];
  t.gl.glGetFramebufferAttachmentParameteriv(t.gl.GL_FRAMEBUFFER, point, pname, value);
  return value[0]!;
}

function points({ gl }: CaseContext): number[] {
  return [gl.GL_COLOR_ATTACHMENT0, gl.GL_DEPTH_ATTACHMENT, gl.GL_STENCIL_ATTACHMENT];
}

function runQuery(t: CaseContext, kind: Kind): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  const [color] = points(t) as [number];
  const { name } = attachKind(t, kind, color);
  const type = kind === 'rbo' ? gl.GL_RENDERBUFFER : gl.GL_TEXTURE;
  t.equal(query(t, color, gl.GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE), type, 'the type');
  t.equal(query(t, color, gl.GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME), name, 'the name');
  t.noError('queries');
  const level = query(t, color, gl.GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL);
  t.error(kind === 'rbo' ? gl.GL_INVALID_ENUM : 0, 'the level');
  if (kind !== 'rbo') t.equal(level, 0, 'the level');
  const face = query(t, color, gl.GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE);
  t.error(kind === 'rbo' ? gl.GL_INVALID_ENUM : 0, 'the face');
  if (kind !== 'rbo') t.equal(face, kind === 'texcube' ? gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + FACE : 0, 'the face');
}

function runDelete(t: CaseContext, kind: Kind, isBound: boolean): void {
  const { gl } = t;
  const framebuffer = bindNewFramebuffer(t);
  const [color] = points(t) as [number];
  const image = attachKind(t, kind, color);
  gl.glClearColor(1, 0, 1, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  if (!isBound) gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0);
  image.remove();
  if (!isBound) gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer);
  const type = query(t, color, gl.GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE);
  const status = gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER);
  t.noError('deleting');
  if (isBound) {
    t.equal(type, 0, 'the type after the image was deleted');
    t.equal(status, gl.GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT, 'the status');
    return;
  }
  // Another framebuffer keeps the image, and what is in it.
  t.equal(type, kind === 'rbo' ? gl.GL_RENDERBUFFER : gl.GL_TEXTURE, 'the type');
  t.equal(query(t, color, gl.GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME), image.name, 'the name');
  t.equal(status, gl.GL_FRAMEBUFFER_COMPLETE, 'the status');
  t.near(t.readPixels(3, 3, 1, 1).data, [255, 0, 255, 255], 0, 'the pixels');
}

/** A call and the error that it has to leave. */
type Attempt = readonly [what: string, error: number, call: () => void];

function runAttempts(t: CaseContext, attempts: readonly Attempt[]): void {
  for (const [what, error, call] of attempts) {
    call();
    t.error(error, what);
    if (error !== 0)
      for (const point of points(t))
        t.equal(query(t, point, t.gl.GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE), 0, `the attachment after ${what}`);
  }
}

function runInvalid(t: CaseContext, kind: Kind): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  const [color] = points(t) as [number];
  const bogus = 0x1234;
  const missing = 77_777;
  if (kind === 'rbo') {
    const name = makeImage(t, { kind, internal: gl.GL_RGBA4, format: 0, type: 0 }, 16, 16).name;
    const call = (target: number, point: number, type: number, object: number) => () =>
      gl.glFramebufferRenderbuffer(target, point, type, object);
    runAttempts(t, [
      ['a bad target', gl.GL_INVALID_ENUM, call(bogus, color, gl.GL_RENDERBUFFER, name)],
      ['a bad attachment', gl.GL_INVALID_ENUM, call(gl.GL_FRAMEBUFFER, bogus, gl.GL_RENDERBUFFER, name)],
      ['a bad renderbuffer target', gl.GL_INVALID_ENUM, call(gl.GL_FRAMEBUFFER, color, gl.GL_TEXTURE_2D, name)],
      ['no renderbuffer', gl.GL_INVALID_OPERATION, call(gl.GL_FRAMEBUFFER, color, gl.GL_RENDERBUFFER, missing)],
    ]);
    return;
  }
  const isCube = kind === 'texcube';
  const rgba = { internal: gl.GL_RGBA, format: gl.GL_RGBA, type: gl.GL_UNSIGNED_BYTE };
  const name = isCube ? makeCube(t) : makeImage(t, { kind: 'tex2d', ...rgba }, 16, 16).name;
  const [right, wrong] = isCube
    ? [gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X, gl.GL_TEXTURE_2D]
    : [gl.GL_TEXTURE_2D, gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X];
  const call =
    (target: number, point: number, type: number, object: number, level = 0) =>
    () =>
      gl.glFramebufferTexture2D(target, point, type, object, level);
  runAttempts(t, [
    ['a bad target', gl.GL_INVALID_ENUM, call(bogus, color, right, name)],
    ['a bad attachment', gl.GL_INVALID_ENUM, call(gl.GL_FRAMEBUFFER, bogus, right, name)],
    ['a bad texture target', gl.GL_INVALID_ENUM, call(gl.GL_FRAMEBUFFER, color, bogus, name)],
    ['a texture target of another kind', gl.GL_INVALID_OPERATION, call(gl.GL_FRAMEBUFFER, color, wrong, name)],
    ['no texture', gl.GL_INVALID_OPERATION, call(gl.GL_FRAMEBUFFER, color, right, missing)],
    ['a negative level', gl.GL_INVALID_VALUE, call(gl.GL_FRAMEBUFFER, color, right, name, -1)],
  ]);
}

function runValid(t: CaseContext, kind: Kind): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  for (const point of points(t)) {
    const { name } = attachKind(t, kind, point);
    t.noError('attaching');
    t.equal(query(t, point, gl.GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME), name, 'the name');
    if (kind === 'rbo') gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, point, gl.GL_RENDERBUFFER, 0);
    else gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, point, gl.GL_TEXTURE_2D, 0, 0);
    t.noError('detaching');
    t.equal(query(t, point, gl.GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE), 0, 'the type after detaching');
  }
}

/** Names exist once they were bound. */
function runNames(t: CaseContext): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  const [color] = points(t) as [number];
  const renderbuffer = generate(gl.glGenRenderbuffers);
  const attachIt = () => gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, color, gl.GL_RENDERBUFFER, renderbuffer);
  attachIt();
  t.error(gl.GL_INVALID_OPERATION, 'a name without renderbuffer');
  gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, renderbuffer);
  attachIt();
  t.noError('a renderbuffer without storage');
  t.equal(query(t, color, gl.GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME), renderbuffer, 'the name');
  t.equal(
    gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER),
    gl.GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT,
    'the status without storage',
  );
}

function runDefault(t: CaseContext): void {
  const { gl } = t;
  gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0);
  const [color] = points(t) as [number];
  attachKind(t, 'rbo', color);
  t.error(gl.GL_INVALID_OPERATION, 'a renderbuffer at the default framebuffer');
  attachKind(t, 'tex2d', color);
  t.error(gl.GL_INVALID_OPERATION, 'a texture at the default framebuffer');
}

function runLevels(t: CaseContext): void {
  const { gl } = t;
  bindNewFramebuffer(t);
  const [color] = points(t) as [number];
  const rgba = { internal: gl.GL_RGBA, format: gl.GL_RGBA, type: gl.GL_UNSIGNED_BYTE };
  const { name } = makeImage(t, { kind: 'tex2d', ...rgba }, 16, 16);
  const most = [0];
  gl.glGetIntegerv(gl.GL_MAX_TEXTURE_SIZE, most);
  const last = Math.log2(most[0]!);
  const hasLevels = t.api === 3 || hasExtension(t, 'OES_fbo_render_mipmap');
  for (const [level, error] of [
    [0, 0],
    [1, hasLevels ? 0 : gl.GL_INVALID_VALUE],
    [last, hasLevels ? 0 : gl.GL_INVALID_VALUE],
    [last + 1, gl.GL_INVALID_VALUE],
    [-1, gl.GL_INVALID_VALUE],
  ] as const) {
    gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, color, gl.GL_TEXTURE_2D, name, level);
    t.error(error, `level ${level}`);
    if (error === 0) t.equal(query(t, color, gl.GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL), level, 'the level');
  }
}

export function* framebufferApiCases(api: 2 | 3): Generator<CaseDefinition> {
  const make = (path: string, run: (t: CaseContext) => void) => functionalCase(api, `fbo.api.${path}`, run, SURFACE);
  for (const [kind, name, attached] of [
    ['rbo', 'rbo', 'rbo'],
    ['tex2d', 'tex2d', 'tex_2d'],
    ['texcube', 'texcube', 'tex_cube'],
  ] as const) {
    yield make(`valid_${name}_attachments`, (t) => runValid(t, kind));
    yield make(`invalid_${name}_attachments`, (t) => runInvalid(t, kind));
    yield make(`attachment_query_${name}`, (t) => runQuery(t, kind));
    yield make(`delete_${attached}_attached_to_bound_fbo`, (t) => runDelete(t, kind, true));
    yield make(`delete_${attached}_attached_to_not_bound_fbo`, (t) => runDelete(t, kind, false));
  }
  yield make('attach_names', runNames);
  yield make('attach_to_default_fbo', runDefault);
  yield make('texture_levels', runLevels);
  yield make('attachment_query_default_fbo', (t) => {
    query(t, t.gl.GL_COLOR_ATTACHMENT0, t.gl.GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE);
    // ES 3.0 has attachments of the default framebuffer, but not by this name.
    t.error(api === 3 ? t.gl.GL_INVALID_ENUM : t.gl.GL_INVALID_OPERATION, 'asking the default framebuffer');
  });
  yield make('attachment_query_empty_fbo', (t) => {
    const { gl } = t;
    bindNewFramebuffer(t);
    for (const point of points(t)) {
      t.equal(query(t, point, gl.GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE), 0, 'the type of nothing');
      t.noError('the type of nothing');
      query(t, point, gl.GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL);
      t.error(api === 3 ? gl.GL_INVALID_OPERATION : gl.GL_INVALID_ENUM, 'the level of nothing');
    }
  });
}
