import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,backends,conformance,examples,bench}/**/*.test.ts'],
    testTimeout: 60_000,
    maxWorkers: 2,
    // Why not isolated: the tests share no state, and loading the driver anew for each file would take most of the time.
    isolate: false,
  },
});
