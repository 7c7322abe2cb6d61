import fc from 'fast-check';
import { expect, test } from 'vitest';
import { relationshipIdOf } from './relationship-id.ts';
import { builtinNames } from './relationship-types/builtin-types.ts';

const id = fc
  .string({ unit: fc.constantFrom(...'abcdef0123456789'), minLength: 1, maxLength: 24 })
  .map((x) => `ent_${x}`);
const edge = fc.tuple(fc.constantFrom(...builtinNames), id, id);

test('[TR22] the id is a UUID of version 8, unique per edge', () => {
  fc.assert(
    fc.property(edge, edge, (a, b) => {
      expect(relationshipIdOf(...a)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(relationshipIdOf(...a) === relationshipIdOf(...b)).toBe(a.join() === b.join());
    }),
  );
});

test('[TR22] the id depends on the direction', () => {
  expect(relationshipIdOf('PART_OF', 'ent_a', 'ent_b')).not.toBe(relationshipIdOf('PART_OF', 'ent_b', 'ent_a'));
});

test('[TR22] the id is the same in every store', () => {
  expect(relationshipIdOf('PART_OF', 'ent_a', 'ent_b')).toMatchInlineSnapshot(`"8c19c3c0-4365-8753-afa3-f3e270322d50"`);
});
