import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import type { Observation } from '../observations/observation.ts';
import type { EntitySchema, SchemaField } from '../schemas/entity-schema.ts';
import { fitValue } from '../schemas/fit-value.ts';
import { truthLimits } from '../truth-limits.ts';
import { type CompareContributors, compareContributors } from './contributor.ts';
import { type EntityState, emptyState, parseState, printState, type StateView, toStateView } from './entity-state.ts';
import { observationFixture, randomObservations, schemaFixture } from './observations.fixture.ts';
import {
  applyObservation,
  createReducer,
  joinStates,
  type Reducer,
  reduceAll,
  reduceNewer,
  replaceCorrections,
} from './reducer.ts';

const schemaWith = (fields: Record<string, SchemaField>): EntitySchema => ({
  entity_type: 'thing',
  version: '1.0',
  fields,
});

/** The documented rules in their simplest form. */
function reducePlainly(observations: readonly Observation[], schema: EntitySchema): StateView {
  const snapshot: [string, Json][] = [];
  const provenance: [string, string][] = [];
  const all: [string, string[]][] = [];
  for (const name of Object.keys(schema.fields).sort()) {
    const field = schema.fields[name]!;
    const strategy = field.strategy ?? 'last_write';
    const keysOf = (one: Observation): number[] => {
      const by = { observed_at: one.observedAt, source_priority: one.priority, specificity_score: one.specificity };
      const hasTie = field.tie_breaker !== undefined;
      const tie = field.tie_breaker === undefined ? 0 : by[field.tie_breaker];
      const times = [one.effectiveAt, one.observedAt, one.recordedAt, hasTie ? one.specificity : 0];
      if (one.isCorrection) return [1, one.observedAt, one.recordedAt, one.effectiveAt];
      if (strategy === 'highest_priority') return [0, one.priority, tie, ...times];
      if (strategy === 'most_specific') return [0, one.specificity, tie, ...times];
      return [0, one.effectiveAt, tie, ...times];
    };
    const statements = observations
      .flatMap((one) => {
        if (one.ended.includes(name)) return [{ one, value: null, isEnd: true }];
        for (const from of [one.fields, one.rawFragments]) {
          const entry = Object.entries(from).find(([key]) => key === name);
          const value = entry === undefined ? undefined : fitValue(field, entry[1]);
          if (value !== undefined) return [{ one, value, isEnd: false }];
        }
        return [];
      })
      .sort((a, b) => {
        const [left, right] = [keysOf(a.one), keysOf(b.one)];
        const at = left.findIndex((key, i) => key !== right[i]);
        return at === -1 ? (a.one.id < b.one.id ? -1 : 1) : right[at]! - left[at]!;
      });
    const [winner] = statements;
    if (winner === undefined) continue;
    if (strategy !== 'merge_array') {
      if (winner.isEnd) continue;
      snapshot.push([name, winner.value]);
      provenance.push([name, winner.one.id]);
      all.push([name, [winner.one.id]]);
      continue;
    }
    const end = statements.findIndex(({ isEnd }) => isEnd);
    const since = end === -1 ? statements : statements.slice(0, end);
    const speaking = winner.one.isCorrection ? [winner] : since;
    const seen: { text: string; element: Json }[] = [];
    const owed: string[] = [];
    for (const { one, value } of speaking) {
      for (const element of [value].flat()) {
        const text = canonicalJson(element);
        if (element === null || seen.some((known) => known.text === text)) continue;
        seen.push({ text, element });
        if (!owed.includes(one.id)) owed.push(one.id);
      }
    }
    if (seen.length === 0 && !winner.one.isCorrection) continue;
    const contributors = winner.one.isCorrection ? [winner.one.id] : owed;
    snapshot.push([name, seen.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ element }) => element)]);
    provenance.push([name, contributors[0]!]);
    all.push([name, contributors]);
  }
  return {
    snapshot: Object.fromEntries(snapshot),
    provenance: Object.fromEntries(provenance),
    provenance_all: Object.fromEntries(all),
  };
}

const partsOf = ({ snapshot, provenance, provenance_all }: StateView) => [snapshot, provenance, provenance_all];

/** Joins neighbours in the given order, each through its printed form. */
function joinInGroups(reducer: Reducer, parts: readonly EntityState[], picks: readonly number[]): EntityState {
  const left = [...parts];
  for (let i = 0; left.length > 1; i += 1) {
    const at = (picks[i % picks.length] ?? 0) % (left.length - 1);
    const joined = reducer.joinStates(left[at]!, left[at + 1]!, schemaFixture);
    left.splice(at, 2, parseState(printState(joined)));
  }
  return left[0] ?? emptyState;
}

const history = fc
  .tuple(randomObservations, fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 12 }))
  .chain(([observations, picks]) =>
    fc.record({
      observations: fc.constant(observations),
      picks: fc.constant(picks),
      shuffled: fc.shuffledSubarray([...observations], { minLength: observations.length }),
      cuts: fc.array(fc.boolean(), { minLength: observations.length, maxLength: observations.length }),
    }),
  );

/** [TR16] With any reducer, so that wrong ones can be tested too. */
const holdsFor = (reducer: Reducer) =>
  fc.property(history, ({ observations, picks, shuffled, cuts }) => {
    const whole = printState(reducer.reduceAll(observations, schemaFixture));
    const oneByOne = shuffled.reduce(
      (state, one) => reducer.applyObservation(parseState(printState(state)), one, schemaFixture),
      emptyState,
    );
    expect(printState(oneByOne)).toBe(whole);
    const groups: Observation[][] = [];
    shuffled.forEach((one, i) => {
      if (groups.length === 0 || cuts[i] === true) groups.push([]);
      groups.at(-1)!.push(one);
    });
    const parts = groups.map((group) => reducer.reduceAll(group, schemaFixture));
    expect(printState(joinInGroups(reducer, parts, picks))).toBe(whole);
    const expected = partsOf(reducePlainly(observations, schemaFixture)).map((part) => canonicalJson(part));
    for (const state of [oneByOne, reducer.reduceAll(observations, schemaFixture)]) {
      expect(partsOf(toStateView(state, schemaFixture)).map((part) => JSON.stringify(part))).toEqual(expected);
    }
  });

describe('[TR16] any order and grouping', () => {
  test('gives the same bytes as reducing all together, and the values of the simple rules', () => {
    fc.assert(holdsFor({ applyObservation, joinStates, reduceAll, reduceNewer, replaceCorrections }), {
      numRuns: 1_500,
    });
  });

  test.each<[string, CompareContributors]>([
    ['forgets who has the smaller id', (field, a, b) => compareContributors(field, { ...a, id: '' }, { ...b, id: '' })],
    ['prefers the larger id', (field, a, b) => compareContributors(field, { ...a, id: b.id }, { ...b, id: a.id })],
    ['forgets the tie breaker', ({ tie_breaker: _, ...field }, a, b) => compareContributors(field, a, b)],
    [
      'takes a correction for anything else',
      (field, a, b) => compareContributors(field, { ...a, isCorrection: false }, { ...b, isCorrection: false }),
    ],
    ['knows only the newest', (field, a, b) => compareContributors({ ...field, strategy: 'last_write' }, a, b)],
  ])('negative control: detects a reducer that %s', (_, compare) => {
    expect(fc.check(holdsFor(createReducer(compare)), { numRuns: 1_500 }).failed).toBe(true);
  });

  test('counts an observation once if it is applied twice', () => {
    fc.assert(
      fc.property(randomObservations, (observations) => {
        const whole = reduceAll(observations, schemaFixture);
        const again = observations.reduce((state, one) => applyObservation(state, one, schemaFixture), whole);
        expect(again).toBe(whole);
        expect(joinStates(whole, reduceAll(observations, schemaFixture), schemaFixture)).toBe(whole);
      }),
      { numRuns: 300 },
    );
  });

  test('never changes the given state', () => {
    fc.assert(
      fc.property(randomObservations, randomObservations, (before, after) => {
        const state = reduceAll(before, schemaFixture);
        const other = reduceAll(after, schemaFixture);
        const texts = [printState(state), printState(other)];
        applyObservation(state, after[0]!, schemaFixture);
        joinStates(state, other, schemaFixture);
        expect([printState(state), printState(other)]).toEqual(texts);
      }),
      { numRuns: 300 },
    );
  });
});

describe('reducer', () => {
  const name = schemaWith({ name: { type: 'string' }, tags: { type: 'array', strategy: 'merge_array' } });
  const show = (observations: readonly Observation[], schema: EntitySchema) =>
    toStateView(reduceAll(observations, schema), schema);

  test('[TR10] uses raw fragments that the schema accepts now, and only if they fit', () => {
    const raw = observationFixture({ id: 'obs_a', rawFragments: { name: 'Acme', tags: { not: 'a list' }, other: 1 } });
    expect(show([raw], name)).toEqual({
      snapshot: { name: 'Acme', tags: [{ not: 'a list' }] },
      provenance: { name: 'obs_a', tags: 'obs_a' },
      provenance_all: { name: ['obs_a'], tags: ['obs_a'] },
    });
    expect(show([raw], schemaWith({ name: { type: 'number' } })).snapshot).toEqual({});
  });

  test('[TR10] ignores null, even over an older value', () => {
    const observations = [
      observationFixture({ id: 'obs_a', observedAt: 1, fields: { name: 'Acme' } }),
      observationFixture({ id: 'obs_b', observedAt: 2, fields: { name: null, tags: [null] } }),
    ];
    expect(show(observations, name)).toMatchObject({ snapshot: { name: 'Acme' }, provenance: { name: 'obs_a' } });
    expect(show(observations, name).snapshot).not.toHaveProperty('tags');
  });

  test('[TR13] [TR15] credits each element to its newest observation, and lists the newest first', () => {
    const observations = [
      observationFixture({ id: 'obs_a', observedAt: 1, fields: { tags: ['x', 'old'] } }),
      observationFixture({ id: 'obs_b', observedAt: 2, fields: { tags: ['x', 'b'] } }),
      observationFixture({ id: 'obs_c', observedAt: 2, fields: { tags: 'b' } }),
    ];
    expect(show(observations, name)).toEqual({
      snapshot: { tags: ['b', 'old', 'x'] },
      provenance: { tags: 'obs_b' },
      provenance_all: { tags: ['obs_b', 'obs_a'] },
    });
  });

  test('[TR14] a correction replaces an array, even with an empty one, and the newest correction wins', () => {
    const statements = observationFixture({
      id: 'obs_a',
      observedAt: 9,
      priority: 5_000,
      fields: { tags: ['x'], name: 'late' },
    });
    const first = observationFixture({
      id: 'obs_b',
      observedAt: 2,
      isCorrection: true,
      fields: { tags: ['y'], name: 'N' },
    });
    const second = observationFixture({ id: 'obs_c', observedAt: 3, isCorrection: true, fields: { tags: [] } });
    expect(show([statements, first], name)).toMatchObject({ snapshot: { tags: ['y'], name: 'N' } });
    expect(show([second, statements, first], name)).toEqual({
      snapshot: { tags: [], name: 'N' },
      provenance: { tags: 'obs_c', name: 'obs_b' },
      provenance_all: { tags: ['obs_c'], name: ['obs_b'] },
    });
  });

  test('keeps a field called __proto__ or constructor', () => {
    const fields = JSON.parse('{"__proto__": "p", "constructor": "c"}') as Observation['fields'];
    const state = parseState(printState(reduceAll([observationFixture({ fields })], schemaFixture)));
    expect(JSON.stringify(toStateView(state, schemaFixture).snapshot)).toBe('{"__proto__":["p"],"constructor":"c"}');
    expect(show([observationFixture({})], schemaFixture).snapshot).toEqual({});
    expect(show([observationFixture({ fields })], name).snapshot).toEqual({});
  });

  test('rejects a state of another schema', () => {
    const state = reduceAll([observationFixture({ fields: { name: 'a', tags: ['b'] } })], name);
    const other = schemaWith({ name: { type: 'string', strategy: 'merge_array' }, tags: { type: 'array' } });
    const next = observationFixture({ id: 'obs_0', fields: { name: 'b' } });
    expect(() => applyObservation(state, next, other)).toThrow(/another schema/);
    expect(() => joinStates(emptyState, state, other)).toThrow(/another schema/);
    expect(() => joinStates(emptyState, state, schemaWith({}))).toThrow(/another schema/);
    expect(() => toStateView(state, schemaWith({}))).toThrow(/another schema/);
  });
});

describe('a growing array', () => {
  const schema = schemaWith({ tags: { type: 'array', strategy: 'merge_array' } });
  const { arrayElementsCount, untrimmedElementsCount: gatheredElementsCount } = truthLimits;
  const createPage = (page: number, observedAt: number, sizeCount = 300): Observation =>
    observationFixture({
      id: `obs_${page}`,
      observedAt,
      fields: { tags: Array.from({ length: sizeCount }, (_, i) => (page * 200 + i) % 3_000) },
    });

  test('keeps its newest elements, the same in any order', () => {
    const pages = Array.from({ length: 15 }, (_, page) => createPage(page, (page * 7) % 15));
    const whole = reduceAll(pages, schema);
    const expected = new Set<number>();
    for (const page of pages.toSorted((a, b) => b.observedAt - a.observedAt)) {
      const left = arrayElementsCount - expected.size;
      const fresh = (page.fields['tags'] as number[]).filter((tag) => !expected.has(tag));
      for (const tag of fresh.sort((a, b) => (String(a) < String(b) ? -1 : 1)).slice(0, left)) expected.add(tag);
    }
    const tags = toStateView(whole, schema).snapshot['tags'] as number[];
    expect(tags).toHaveLength(arrayElementsCount);
    expect(new Set(tags)).toEqual(expected);
    fc.assert(
      fc.property(fc.shuffledSubarray(pages, { minLength: pages.length }), fc.nat({ max: 14 }), (order, cut) => {
        const one = order.reduce((state, page) => applyObservation(state, page, schema), emptyState);
        const two = joinStates(reduceAll(order.slice(0, cut), schema), reduceAll(order.slice(cut), schema), schema);
        expect(printState(one)).toBe(printState(whole));
        expect(printState(two)).toBe(printState(whole));
      }),
      { numRuns: 30 },
    );
  });

  test('a correction is limited as well', () => {
    const long = createPage(0, 1, gatheredElementsCount + 1);
    const state = reduceAll([{ ...long, isCorrection: true }], schema);
    expect(toStateView(state, schema).snapshot['tags']).toHaveLength(arrayElementsCount);
  });
});

describe('the printed state', () => {
  test('is canonical JSON and round-trips exactly', () => {
    fc.assert(
      fc.property(randomObservations, (observations) => {
        const text = printState(reduceAll(observations, schemaFixture));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(printState(parseState(text))).toBe(text);
      }),
      { numRuns: 300 },
    );
    expect(parseState(printState(emptyState)).size).toBe(0);
  });

  test('contains an observation once, no matter how many fields it contributes to', () => {
    const schema = schemaWith({
      a: { type: 'string' },
      b: { type: 'number' },
      c: { type: 'array', strategy: 'merge_array' },
    });
    const observation = observationFixture({ id: 'obs_x', observedAt: 7, fields: { a: 'A', b: 2, c: ['z', 'y'] } });
    expect(printState(reduceAll([observation], schema))).toBe(
      '{"f":{"a":["v",0,"A"],"b":["v",0,2],"c":["a",[[0,"y"],[0,"z"]],null]},"o":[["obs_x",7,7,1,100,0.5,"o"]]}',
    );
    expect(printState(reduceAll([{ ...observation, isCorrection: true }], schema))).toBe(
      '{"f":{"a":["v",0,"A"],"b":["v",0,2],"c":["c",0,["y","z"]]},"o":[["obs_x",7,7,1,100,0.5,"o",1]]}',
    );
  });

  test.each([
    '',
    'nothing',
    '[',
    'null',
    '{}',
    '{"f":{"a":["v",0,2]},"o":[]}',
    '{"f":{"a":["v",1,2]},"o":[["x",1,1,1,1,1,"o"]]}',
  ])('reports damage: %s', (text) => {
    expect(() => parseState(text)).toThrow(/Integrity check failed/);
  });
});
