import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,backends,conformance,examples,bench}/**/*.test.ts'],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
