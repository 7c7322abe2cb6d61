import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longOnes } from './longest-first.ts';

// A name that no file has any more would be passed over, and its file would run alone at the end.
test.each(longOnes)('%s is there', (file) => {
  expect(existsSync(new URL(`../../${file}`, import.meta.url))).toBe(true);
});
