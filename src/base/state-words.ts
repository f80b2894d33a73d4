// The words for fixed-function state that the pipe, the shader engine and the rasteriser share: plain string unions.

export type CompareFunction =
  | 'never'
  | 'less'
  | 'equal'
  | 'lessEqual'
  | 'greater'
  | 'notEqual'
  | 'greaterEqual'
  | 'always';

export type StencilOperation =
  | 'keep'
  | 'zero'
  | 'replace'
  | 'increment'
  | 'decrement'
  | 'incrementWrap'
  | 'decrementWrap'
  | 'invert';

export type BlendEquation = 'add' | 'subtract' | 'reverseSubtract' | 'min' | 'max';

export type BlendFactor =
  | 'zero'
  | 'one'
  | 'sourceColor'
  | 'oneMinusSourceColor'
  | 'destinationColor'
  | 'oneMinusDestinationColor'
  | 'sourceAlpha'
  | 'oneMinusSourceAlpha'
  | 'destinationAlpha'
  | 'oneMinusDestinationAlpha'
  | 'constantColor'
  | 'oneMinusConstantColor'
  | 'constantAlpha'
  | 'oneMinusConstantAlpha'
  | 'sourceAlphaSaturate'
  | 'source1Color'
  | 'oneMinusSource1Color'
  | 'source1Alpha'
  | 'oneMinusSource1Alpha';

export type PrimitiveMode =
  | 'points'
  | 'lines'
  | 'lineLoop'
  | 'lineStrip'
  | 'triangles'
  | 'triangleStrip'
  | 'triangleFan';

export type TextureWrap = 'repeat' | 'clampToEdge' | 'mirroredRepeat' | 'mirrorClampToEdge' | 'clampToBorder';
export type TextureFilter = 'nearest' | 'linear';
export type MipFilter = 'none' | 'nearest' | 'linear';
/** One channel of a sampler view's result: a component of the texel, zero or one. */
export type Swizzle = 'x' | 'y' | 'z' | 'w' | '0' | '1';
