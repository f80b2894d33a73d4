// What opening the device fails with.

/** No device can be used; the message says why and what helps. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
}
