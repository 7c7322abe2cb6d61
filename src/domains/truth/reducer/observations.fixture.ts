import fc from 'fast-check';
import type { Json } from '#kernel/json/canonical.ts';
import type { Observation } from '../observations/observation.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';

/** Every strategy with every tie breaker, and names that an ordinary object would lose. */
export const schemaFixture: EntitySchema = {
  entity_type: 'sample',
  version: '1.0',
  fields: JSON.parse(`{
    "name": {"type": "string"},
    "amount": {"type": "number", "strategy": "highest_priority"},
    "rank": {"type": "number", "strategy": "highest_priority", "tie_breaker": "specificity_score"},
    "text": {"type": "string", "strategy": "most_specific", "tie_breaker": "source_priority"},
    "late": {"type": "string", "strategy": "last_write", "tie_breaker": "source_priority"},
    "tags": {"type": "array", "strategy": "merge_array"},
    "words": {"type": "string", "strategy": "merge_array", "tie_breaker": "source_priority"},
    "__proto__": {"type": "array", "strategy": "merge_array"},
    "constructor": {"type": "string"}
  }`) as EntitySchema['fields'],
};

const small = fc.integer({ min: 0, max: 3 });
const word = fc.constantFrom('a', 'b', 'c', 'd');
const loose: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 9 }) },
  { weight: 1, arbitrary: fc.constantFrom<Json>(null, true, '12.50', '', { k: 'v', a: [1] }) },
  {
    weight: 3,
    arbitrary: fc.array(fc.oneof(word, fc.constant(null), fc.integer({ min: 0, max: 3 })), { maxLength: 4 }),
  },
);

const names = [...Object.keys(schemaFixture.fields), 'unknown'];

const stated = fc
  .array(fc.tuple(fc.constantFrom(...names), loose), { maxLength: 6 })
  .map((members) => Object.fromEntries(members) as Observation['fields']);

const observation: fc.Arbitrary<Observation> = fc.record({
  id: fc.nat({ max: 99 }).map((n) => `obs_${String(n).padStart(2, '0')}`),
  observedAt: small,
  recordedAt: small,
  effectiveAt: small,
  effectiveUntil: fc.constant(null),
  priority: small,
  specificity: small.map((n) => n / 4),
  isCorrection: fc.nat({ max: 5 }).map((n) => n === 0),
  isUntilNewer: fc.constant(false),
  origin: word,
  fields: stated,
  rawFragments: stated,
  ended: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.subarray(names, { maxLength: 3 })),
});

/** Small numbers, so that ties are common; ids in random order. */
export const randomObservations: fc.Arbitrary<readonly Observation[]> = fc.uniqueArray(observation, {
  minLength: 1,
  maxLength: 12,
  selector: ({ id }) => id,
});

export const observationFixture = (part: Partial<Observation>): Observation => ({
  id: 'obs_1',
  observedAt: 1,
  recordedAt: 1,
  effectiveAt: part.observedAt ?? 1,
  effectiveUntil: null,
  priority: 100,
  specificity: 0.5,
  isCorrection: false,
  isUntilNewer: false,
  origin: 'o',
  fields: {},
  rawFragments: {},
  ended: [],
  ...part,
});
