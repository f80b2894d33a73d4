// What a stream may ask for and this simulator does not do, or no hardware does: an error in words.

export class NotSimulatedError extends Error {
  override readonly name = 'NotSimulatedError';
}
