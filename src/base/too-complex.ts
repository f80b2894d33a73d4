// What every stage of the compiler, from the IR to the WebAssembly encoder, throws when a shader exceeds one of its limits.

/** The shader is correct but larger than something below takes; whoever drives the compiler reports it. */
export class TooComplexError extends Error {
  override readonly name = 'TooComplexError';
}
