// Texts that add up texels around a pixel: the shaders' hole $CONVOLUTION$.

export interface Kernel {
  readonly width: number;
  readonly height: number;
  /** Row by row from the top. */
  readonly values: readonly number[];
}

const MAX_KERNEL = 32 * 32;

/** Reads `0,1,0;1,-4,1;0,1,0`; a semicolon at the end is allowed. Throws when the rows differ in length. */
export function parseKernel(text: string): Kernel {
  const rows = text.split(';');
  if (rows.at(-1)!.trim() === '') rows.pop();
  const values: number[] = [];
  let width = 0;
  for (const [index, row] of rows.entries()) {
    const numbers = row.split(',').map((word) => (word.trim() === '' ? Number.NaN : Number(word)));
    if (numbers.some((value) => !Number.isFinite(value))) throw new Error(`kernel row ${index}: '${row}'`);
    if (index > 0 && numbers.length !== width) throw new Error(`kernel row ${index}: ${numbers.length} of ${width}`);
    width = numbers.length;
    values.push(...numbers);
  }
  if (values.length === 0 || values.length > MAX_KERNEL) throw new Error(`kernel of ${values.length} numbers`);
  return { width, height: rows.length, values };
}

/** Divides by the sum; when that is zero by the sum of the positive numbers. */
export function normalizeKernel(kernel: Kernel): Kernel {
  let sum = kernel.values.reduce((total, value) => total + value, 0);
  if (Math.abs(sum) < 1e-8) sum = kernel.values.reduce((total, value) => total + Math.max(value, 0), 0);
  if (sum === 0) return kernel;
  return { ...kernel, values: kernel.values.map((value) => value / sum) };
}

/** Constants and the sum for a kernel; the texture's y grows upward. */
export function kernelText({ width, height, values }: Kernel): {
  constants: Record<string, number>;
  convolution: string;
} {
  const constants: Record<string, number> = {};
  const terms = values.map((value, index) => {
    constants[`Kernel${index}`] = value;
    const x = (index % width) - Math.floor((width - 1) / 2);
    const y = Math.floor((height - 1) / 2) - Math.floor(index / width);
    const step = `vec2(${x.toFixed(1)} * TextureStepX, ${y.toFixed(1)} * TextureStepY)`;
    return `texture2D(Texture0, TextureCoord + ${step}) * Kernel${index}`;
  });
  return { constants, convolution: `result = ${terms.join(' +\n')};` };
}

/** Weights of a bell curve at 0 to `radius`. */
export function bellWeights(radius: number, sigma: number): number[] {
  const spread = 2 * Math.max(sigma, 1) ** 2;
  return Array.from({ length: radius + 1 }, (_, at) => Math.exp((-at * at) / spread) / Math.sqrt(Math.PI * spread));
}

export type BlurDirection = 'horizontal' | 'vertical' | 'both';

/** The sum of a blur; `stepX` and `stepY` name the distances between texels. */
export function blurText(radius: number, direction: BlurDirection, stepX: string, stepY: string): string {
  const offsets = Array.from({ length: 2 * radius + 1 }, (_, index) => index - radius);
  const term = (x: number | null, y: number | null): string => {
    const part = (offset: number | null, step: string) => (offset === null ? '0.0' : `${offset.toFixed(1)} * ${step}`);
    const weights = [x, y].filter((offset) => offset !== null).map((offset) => `Kernel${Math.abs(offset)}`);
    return `texture2D(Texture0, TextureCoord + vec2(${part(x, stepX)}, ${part(y, stepY)})) * ${weights.join(' * ')}`;
  };
  const terms =
    direction === 'horizontal'
      ? offsets.map((x) => term(x, null))
      : direction === 'vertical'
        ? offsets.map((y) => term(null, y))
        : offsets.flatMap((x) => offsets.map((y) => term(x, y)));
  return `result = ${terms.join(' +\n')};`;
}
