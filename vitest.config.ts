import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longest-first.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    // Tests mostly wait for programs that they started, so use all cores instead of one less.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    globalSetup: ['tests/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
