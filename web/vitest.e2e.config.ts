import { defineConfig } from 'vitest/config'
import { patience } from './e2e/harness/patience.ts'

// Chromium against the real binary, named by KONTOR_BIN. Each file has a Kontor and
// a Chromium of its own.
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: patience } },
  },
})
