// What `openBackend` rejects with, in a file of its own so that the command can know it without loading a backend.

/** The backend is there, what it drives is not: no device, no permission. The message says what helps. */
export class BackendUnavailableError extends Error {
  override readonly name = 'BackendUnavailableError';
}

/** The text names no backend, or gives it options that it does not have. */
export class BackendNameError extends Error {
  override readonly name = 'BackendNameError';
}
