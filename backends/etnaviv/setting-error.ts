// What a variable of the environment that makes no sense ends in.

/** The message names the variable, its value, and what it may be. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}
