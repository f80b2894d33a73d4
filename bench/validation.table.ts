// Pixels that glmark2 expects of its own data in the first frame at 800×600; the distance is that of colours in space.

export interface PixelCheck {
  readonly scene: string;
  /** Options that must have these values. */
  readonly when: Readonly<Record<string, string | number | boolean>>;
  readonly at: readonly [number, number];
  /** Red, green and blue. */
  readonly color: readonly [number, number, number];
  /** Allowed difference of each channel; the check takes them together. */
  readonly tolerance: number;
}

const check = (
  scene: string,
  when: PixelCheck['when'],
  at: readonly [number, number],
  color: number,
  tolerance: number,
): PixelCheck => ({ scene, when, at, color: [color >> 16, (color >> 8) & 0xff, color & 0xff], tolerance });

export const PIXEL_CHECKS: readonly PixelCheck[] = [
  check('build', { model: 'horse' }, [400, 300], 0xa7a7a7, 1),
  check('texture', { 'texture-filter': 'nearest', model: 'cube', texture: 'crate-base' }, [403, 303], 0x2b2a28, 2),
  check('texture', { 'texture-filter': 'linear', model: 'cube', texture: 'crate-base' }, [403, 303], 0x2b2a28, 2),
  check(
    'texture',
    { 'texture-filter': 'linear-shader', model: 'cube', texture: 'crate-base' },
    [403, 303],
    0x2d2c2a,
    2,
  ),
  check('texture', { 'texture-filter': 'mipmap', model: 'cube', texture: 'crate-base' }, [403, 303], 0x2c2d2a, 2),
  check('shading', { shading: 'gouraud', model: 'cat' }, [266, 200], 0x00002d, 1),
  check('shading', { shading: 'blinn-phong-inf', model: 'cat' }, [266, 200], 0x1a1a3e, 1),
  check('shading', { shading: 'phong', 'num-lights': 1, model: 'cat' }, [266, 200], 0x0505ad, 1),
  check('bump', { 'bump-render': 'off' }, [400, 300], 0x818181, 1),
  check('bump', { 'bump-render': 'high-poly' }, [400, 300], 0x9c9c9c, 1),
  check('bump', { 'bump-render': 'normals' }, [400, 300], 0xa4a4a4, 1),
  check('bump', { 'bump-render': 'normals-tangent' }, [400, 300], 0x999999, 1),
  check('bump', { 'bump-render': 'height' }, [400, 300], 0x9d9d9d, 1),
  check('effect2d', { kernel: '0,1,0;1,-4,1;0,1,0;', normalize: true }, [452, 237], 0x170c2f, 1),
  check('effect2d', { kernel: '1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;', normalize: true }, [452, 237], 0xc7e18d, 1),
  check('pulsar', { quads: 5, texture: false, light: false }, [400, 299], 0x770277, 1),
  check('desktop', { effect: 'blur', windows: 4, passes: 1, 'blur-radius': 5 }, [512, 209], 0x89a353, 2),
  check('desktop', { effect: 'shadow', windows: 4, 'window-size': 0.35, 'shadow-size': 20 }, [512, 209], 0x1f270d, 2),
  check('buffer', {}, [402, 189], 0x3499d7, 2),
  check('conditionals', { 'fragment-conditionals': true, 'fragment-steps': 0 }, [293, 89], 0xa0a0a0, 5),
  check('conditionals', { 'fragment-conditionals': true, 'fragment-steps': 5 }, [293, 89], 0x252525, 5),
  check('function', { 'fragment-steps': 5 }, [293, 89], 0x5e5e5e, 15),
  check('loop', { 'fragment-steps': 5 }, [293, 89], 0x5e5e5e, 15),
];
