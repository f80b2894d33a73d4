// Kernels that nearly every program needs, made when the package is built: by key, in base64. Empty in the sources; the last step
// of the build puts in what `prebuild.ts` makes.

export const PREBUILT: Readonly<Record<string, string>> = {};
