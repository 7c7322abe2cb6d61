import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { limits } from '../limits.ts';
import { stopEarly } from './stop-early.ts';

/** A schema of each kind; made twice, because `stopEarly` changes the one it gets. */
const make = () => {
  const item = z.strictObject({ id: z.int(), tags: z.array(z.string()).max(40).optional() });
  return z.strictObject({
    list: z.array(item).optional(),
    texts: z
      .array(z.string())
      .refine((texts) => texts.length < 100, { error: 'too many' })
      .optional(),
    short: z.array(z.int()).min(1).max(30).optional(),
    record: z.record(z.string().regex(/^[a-z]/), z.int()).optional(),
    open: z.record(z.string(), z.unknown()).optional(),
    named: z.record(z.enum(['a', 'b']), z.int()).optional(),
    either: z.union([z.array(z.int()), z.array(z.string())]).optional(),
    deep: z.array(z.array(z.array(item))).optional(),
  });
};

const wrong = (count: number) => Array.from({ length: count }, () => null);

test('stops checking a list when there are enough errors', () => {
  let checked = 0;
  const element = z.custom<unknown>(() => {
    checked += 1;
    return false;
  });
  const schema = stopEarly(z.strictObject({ list: z.array(element), record: z.record(z.string(), element) }));
  const record = Object.fromEntries(wrong(50_000).map((_, i) => [`k${i}`, i]));
  const parsed = schema.safeParse({ list: wrong(100_000), record });
  expect(parsed.error?.issues.length).toBeGreaterThanOrEqual(limits.paramErrorsCount);
  expect(checked).toBeLessThan(200);
});

test('still stops after the first use of the schema, when zod has replaced its parser', () => {
  const schema = stopEarly(z.strictObject({ list: z.array(z.string()).refine(() => true) }));
  for (let i = 0; i < 3; i += 1) {
    expect(schema.safeParse({ list: wrong(10_000) }).error?.issues.length).toBeLessThan(100);
    expect(schema.safeParse({ list: ['a'] }).success).toBe(true);
  }
});

test('bounds the errors of nested lists', () => {
  const items = () => Array.from({ length: 100 }, () => ({}));
  const deep = Array.from({ length: 20 }, () => Array.from({ length: 20 }, items));
  expect(stopEarly(make()).safeParse({ deep }).error?.issues.length).toBeLessThan(10_000);
});

test('gives the right place of an error far down a list or record', () => {
  const texts: unknown[] = Array.from({ length: 5_000 }, () => 'x');
  texts[4_321] = 1;
  expect(stopEarly(make()).safeParse({ texts }).error?.issues).toMatchObject([
    { code: 'invalid_type', path: ['texts', 4_321] },
  ]);
  const record = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i === 250 ? 'x' : i]));
  expect(stopEarly(make()).safeParse({ record }).error?.issues).toMatchObject([{ path: ['record', 'k250'] }]);
});

test('accepts, rejects and returns exactly what zod does', () => {
  const plain = make();
  const early = stopEarly(make());
  const item = fc.oneof(
    { weight: 20, arbitrary: fc.record({ id: fc.nat() }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
  );
  const mostly = (arbitrary: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 60, arbitrary }, { weight: 1, arbitrary: fc.constantFrom(null, 'x', 1, {}) });
  const lengths = { maxLength: 80 };
  const input = fc.record(
    {
      list: fc.array(item, lengths),
      texts: fc.array(mostly(fc.string()), { maxLength: 120 }),
      short: fc.array(fc.nat(), lengths),
      record: fc.dictionary(fc.stringMatching(/^[a-z0-9_]{1,6}$/), mostly(fc.nat()), { maxKeys: 60 }),
      open: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 40 }),
      named: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat()),
      either: fc.oneof(fc.array(mostly(fc.nat()), lengths), fc.array(mostly(fc.string()), lengths)),
      deep: fc.array(fc.array(fc.array(item, { maxLength: 30 }), { maxLength: 4 }), { maxLength: 4 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(input, (value) => {
      const expected = plain.safeParse(value);
      const actual = early.safeParse(value);
      expect(actual.success).toBe(expected.success);
      if (expected.success) expect(actual.data).toEqual(expected.data);
      else {
        const places = new Set(expected.error.issues.map((issue) => JSON.stringify([issue.path, issue.code])));
        for (const issue of actual.error!.issues) expect(places).toContain(JSON.stringify([issue.path, issue.code]));
      }
    }),
    { numRuns: 300, seed: 5 },
  );
});
