import { defineConfig } from 'vitest/config'

// Chromium against the real binary, named by KONTOR_BIN. Each file has a Kontor and
// a Chromium of its own. Most of the time they wait for each other, so that more run
// at a time than a small machine has processors.
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    maxWorkers: 4,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
