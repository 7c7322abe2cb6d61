import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutBeginning } from './cut-beginning.ts';

test('a beginning is one line, short enough, and ends with a whole character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 8, max: 60 }), (text, chars) => {
      const cut = cutBeginning(text, chars);
      expect(cut.length).toBeLessThanOrEqual(chars);
      expect(cut.isWellFormed()).toBe(true);
      expect(cut).not.toMatch(/[\r\n]/);
    }),
  );
});
