import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { slowFiles } from './longest-first.ts';

// A missing file would be skipped silently, and its successor would run last.
test.each(slowFiles)('%s exists', (file) => {
  expect(existsSync(new URL(`../../${file}`, import.meta.url))).toBe(true);
});
