import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ObservationRow } from '../entities/observed-store.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { doDisagree, findDisagreements } from './disagreement.ts';

const schema: EntitySchema = { entity_type: 'project', version: '1.0', fields: {}, open: true };

const days = ['2025-01-01', '2025-01-15', '2025-02-01'] as const;
const starts = ['2025', '2025-01', ...days, '2025-01-15T10:00:00.000Z'] as const;

interface Said {
  readonly origin: string;
  readonly value: number | 'ended';
  readonly start: (typeof starts)[number];
  readonly until: (typeof days)[number] | null;
  readonly isCorrection: boolean;
  readonly isRetracted: boolean;
}

const said: fc.Arbitrary<Said> = fc.record({
  origin: fc.constantFrom('a', 'b', 'c'),
  value: fc.constantFrom(1, 2, 'ended' as const),
  start: fc.constantFrom(...starts),
  until: fc.constantFrom(null, ...days),
  isCorrection: fc.nat(9).map((n) => n === 0),
  isRetracted: fc.nat(9).map((n) => n === 0),
});

const momentChars = 24;

function toRow(one: Said, i: number): ObservationRow {
  const details = {
    ...(one.value === 'ended' ? { ended: ['budget'] } : {}),
    ...(one.start.length < momentChars ? { at_chars: one.start.length } : {}),
  };
  return {
    ...{ entity_id: 'ent_1', entity_type: 'project', schema_version: '1.0', role: 'self', observation_id: `obs_${i}` },
    ...{ source_id: `p${i}`, submission_id: `s${i}`, specificity: 0, priority: 100, raw_fragments: '{}' },
    ...{ observed_at: i, created_at: i, origin: one.origin, details: JSON.stringify(details) },
    source_kind: one.isCorrection ? 'correction' : 'payload',
    fields: one.value === 'ended' ? '{}' : JSON.stringify({ budget: one.value }),
    effective_at: Date.parse(one.start),
    effective_until: one.until === null ? null : Date.parse(one.until),
    retracted_at: one.isRetracted ? 100 : null,
  };
}

/** The rule in other words: compares each day and the texts of the starts. */
function disagree(a: Said, b: Said): boolean {
  if (a.isCorrection || b.isCorrection || a.isRetracted || b.isRetracted) return false;
  if (a.origin === b.origin || a.value === b.value) return false;
  const isWithin = a.start.startsWith(b.start) || b.start.startsWith(a.start);
  const hours = Array.from({ length: 24 * 60 }, (_, hour) => Date.parse('2025-01-01') + hour * 3_600_000);
  const holds = ({ start, until }: Said, at: number) =>
    at >= Date.parse(start) && (until === null || at < Date.parse(until));
  return isWithin && hours.some((at) => holds(a, at) && holds(b, at));
}

test('[TR96] two statements disagree exactly if the rule says so', () => {
  fc.assert(
    fc.property(said, said, (a, b) => {
      expect(doDisagree(toRow(a, 1), toRow(b, 2), 'budget', schema)).toBe(disagree(a, b));
    }),
    { numRuns: 2_000 },
  );
});

test('[TR96] each pair that is found disagrees, and every disagreement of current statements is represented', () => {
  let foundCount = 0;
  fc.assert(
    fc.property(fc.array(said, { maxLength: 8 }), (statements) => {
      const rows = statements.map(toRow);
      const found = findDisagreements(rows, ['budget'], schema);
      foundCount += found.length;
      const place = ({ observation_id }: ObservationRow): number => Number(observation_id.slice(4));
      for (const { first, second } of found) {
        expect(place(first)).toBeLessThan(place(second));
        expect(disagree(statements[place(first)]!, statements[place(second)]!)).toBe(true);
      }
      // Without two statements of one source there is nothing that a later one replaces.
      if (new Set(statements.map(({ origin }) => origin)).size < statements.length) return;
      const isAny = statements.some((a, i) => statements.slice(i + 1).some((b) => disagree(a, b)));
      expect(found.length > 0).toBe(isAny);
    }),
    { numRuns: 2_000 },
  );
  expect(foundCount).toBeGreaterThan(0);
});
