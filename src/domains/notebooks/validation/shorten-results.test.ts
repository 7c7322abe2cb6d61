import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ValidationResult } from './validation-result.ts';
import { shortenResults } from './validation-result.ts';

const entry = fc.record({ message: fc.string({ maxLength: 20 }) });
const result: fc.Arbitrary<ValidationResult> = fc.record({
  cell_index: fc.nat(),
  cell_id: fc.string(),
  language: fc.constant('json'),
  valid: fc.boolean(),
  errors: fc.array(entry, { maxLength: 8 }),
  warnings: fc.array(entry, { maxLength: 8 }),
});

test('keeps every result and its first findings, and counts the omitted ones, only if the answer is too long', () => {
  fc.assert(
    fc.property(fc.array(result, { maxLength: 6 }), fc.nat(3_000), (results, chars) => {
      const fitting = shortenResults(results, chars);
      const whole = JSON.stringify(results).length;
      if (whole <= chars) expect(fitting).toEqual(results);
      expect(fitting.map(({ cell_id, valid }) => [cell_id, valid])).toEqual(
        results.map(({ cell_id, valid }) => [cell_id, valid]),
      );
      fitting.forEach(({ errors }, i) => {
        const all = results[i]!.errors;
        if (errors === all) return;
        expect(errors.slice(0, -1)).toEqual(all.slice(0, errors.length - 1));
        expect(errors.at(-1)).toEqual({
          message: `${all.length - errors.length + 1} more errors`,
          code: 'MORE_ERRORS',
        });
      });
    }),
  );
});

test('shortens many findings of many cells to the size of an answer', () => {
  const errors = Array.from({ length: 100 }, (_, i) => ({ message: `error number ${i} of this cell` }));
  const results = Array.from(
    { length: 100 },
    (_, i): ValidationResult => ({
      cell_index: i,
      cell_id: `c${i}`,
      language: 'py',
      valid: false,
      errors,
      warnings: [],
    }),
  );
  const fitting = shortenResults(results, 50_000);
  expect(JSON.stringify(fitting).length).toBeLessThanOrEqual(50_000);
  expect(fitting[0]!.errors.length).toBeGreaterThan(2);
});
