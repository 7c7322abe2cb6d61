import { defineConfig } from 'vitest/config';
import { FailedFiles } from './tests/support/failed-files.ts';
import { LongestFirst } from './tests/support/longest-first.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    // Tests mostly wait for programs that they started, so use all cores instead of one less.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new FailedFiles()],
    globalSetup: ['tests/support/global-setup.ts'],
    // They end a test that hangs; nothing is asserted about time, because the machine may be busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
