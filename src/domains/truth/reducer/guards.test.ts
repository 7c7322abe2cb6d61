import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import type { Observation } from '../observations/observation.ts';
import { fitValue } from '../schemas/fit-value.ts';
import { compareContributors } from './contributor.ts';
import { type EntityState, emptyState, parseState, printState, toStateView } from './entity-state.ts';
import { observationFixture, randomObservations, schemaFixture } from './observations.fixture.ts';
import {
  applyObservation,
  createReducer,
  hasGuard,
  type Reducer,
  reduceAll,
  reduceNewer,
  replaceCorrections,
} from './reducer.ts';

/** In commit order: each is recorded at or after the one before. */
const history = fc
  .tuple(
    randomObservations,
    fc.array(
      fc.record({
        waitMs: fc.nat({ max: 2 }),
        effectiveAt: fc.nat({ max: 9 }),
        lastsMs: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 6 })),
        isCorrection: fc.nat({ max: 2 }).map((n) => n === 0),
        isUntilNewer: fc.boolean(),
      }),
      { minLength: 12, maxLength: 12 },
    ),
  )
  .map(([observations, times]) => {
    let recordedAt = 0;
    return observations.map((one, i): Observation => {
      const { waitMs, effectiveAt, lastsMs, isCorrection, isUntilNewer } = times[i]!;
      recordedAt += waitMs;
      const effectiveUntil = lastsMs === null ? null : effectiveAt + lastsMs;
      return {
        ...one,
        recordedAt,
        effectiveAt,
        effectiveUntil,
        isCorrection,
        isUntilNewer: isCorrection && isUntilNewer,
      };
    });
  });

const holds = ({ effectiveAt, effectiveUntil }: Observation, now: number): boolean =>
  effectiveAt <= now && (effectiveUntil === null || effectiveUntil > now);

function reduceAt(reducer: Reducer, observations: readonly Observation[], now: number): EntityState {
  const holding = observations.filter((one) => holds(one, now));
  const state = reducer.reduceAll(holding, schemaFixture);
  if (!hasGuard(state)) return state;
  return reducer.replaceCorrections(state, reducer.reduceNewer(emptyState, state, holding, schemaFixture));
}

/** The next time after `now` at which one begins or ends. */
const nextChange = (observations: readonly Observation[], now: number): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...observations.flatMap(({ effectiveAt, effectiveUntil }) =>
      [effectiveAt, effectiveUntil ?? 0].filter((time) => time > now),
    ),
  );

/** The documented rules in their simplest form, for fields with one value. */
function valuesAt(observations: readonly Observation[], now: number): Readonly<Record<string, Json>> {
  const shown: [string, Json][] = [];
  for (const name of Object.keys(schemaFixture.fields).sort()) {
    const field = schemaFixture.fields[name]!;
    if (field.strategy === 'merge_array') continue;
    const statements = observations
      .filter((one) => holds(one, now))
      .flatMap((one) => {
        if (one.ended.includes(name)) return [{ one, value: null }];
        const members = [one.fields, one.rawFragments].flatMap((stated) => Object.entries(stated));
        const fitted = members.flatMap(([key, value]) => (key === name ? (fitValue(field, value) ?? []) : []));
        return fitted.length === 0 ? [] : [{ one, value: fitted[0] as Json }];
      })
      .sort((a, b) => compareContributors(field, a.one, b.one));
    const [first] = statements;
    const newer =
      first?.one.isUntilNewer === true
        ? statements.filter(
            ({ one }) =>
              !one.isCorrection && one.recordedAt > first.one.recordedAt && one.effectiveAt > first.one.effectiveAt,
          )
        : [];
    const winner = newer[0] ?? first;
    if (winner !== undefined && winner.value !== null) shown.push([name, winner.value]);
  }
  return Object.fromEntries(shown);
}

/** As the store does it: one by one, and again from all of them only when a statement has begun or ended meanwhile. */
const holdsFor = (reducer: Reducer) =>
  fc.property(history, (observations) => {
    let state = emptyState;
    let changesAt = Number.POSITIVE_INFINITY;
    for (const [i, one] of observations.entries()) {
      const known = observations.slice(0, i + 1);
      const now = one.recordedAt;
      if (changesAt <= now) state = reduceAt(reducer, known, now);
      else if (holds(one, now)) state = reducer.applyObservation(parseState(printState(state)), one, schemaFixture);
      changesAt = nextChange(known, now);
      expect(printState(state)).toBe(printState(reduceAt(reducer, known, now)));
      const { snapshot } = toStateView(state, schemaFixture);
      const single = Object.entries(snapshot).filter(
        ([name]) => schemaFixture.fields[name]!.strategy !== 'merge_array',
      );
      expect(canonicalJson(Object.fromEntries(single))).toBe(canonicalJson(valuesAt(known, now)));
    }
  });

const right: Reducer = createReducer(compareContributors);

describe('[TR43] corrections that give way', () => {
  test('applying one by one in commit order equals reducing everything again', () => {
    fc.assert(holdsFor(right), { numRuns: 2_000 });
  });

  test.each<[string, Partial<Reducer>]>([
    ['never gives way', { reduceNewer: (before) => before }],
    ['forgets which correction gave way', { replaceCorrections: (state, newer) => new Map([...state, ...newer]) }],
    [
      'applies what is newer as if in any order',
      { applyObservation: (state, one, schema) => right.joinStates(state, right.reduceAll([one], schema), schema) },
    ],
    [
      'gives way to everything',
      {
        reduceNewer: (before, state, all, schema) =>
          right.reduceNewer(
            before,
            state,
            [...all].map((one) => ({ ...one, recordedAt: 99 })),
            schema,
          ),
      },
    ],
    [
      'ignores that fields end',
      {
        reduceAll: (all, schema) =>
          right.reduceAll(
            [...all].map((one) => ({ ...one, ended: [] })),
            schema,
          ),
      },
    ],
  ])('negative control: detects a reducer that %s', (_, wrong) => {
    expect(fc.check(holdsFor({ ...right, ...wrong }), { numRuns: 2_000 }).failed).toBe(true);
  });

  test('a correction gives way to a newer empty array', () => {
    const guard = observationFixture({
      ...{ id: 'obs_c', isCorrection: true, isUntilNewer: true },
      fields: { tags: ['fixed'] },
    });
    const empty = observationFixture({ id: 'obs_1', recordedAt: 2, effectiveAt: 2, fields: { tags: [] } });
    const state = [guard, empty].reduce((before, one) => applyObservation(before, one, schemaFixture), emptyState);
    expect(toStateView(state, schemaFixture).snapshot).toEqual({});
    expect(printState(reduceAt(right, [guard, empty], 2))).toBe(printState(state));
  });

  test('an array continues with what is newer, in any grouping of pages', () => {
    const guard = observationFixture({
      ...{ id: 'obs_c', recordedAt: 5, effectiveAt: 5, isCorrection: true, isUntilNewer: true },
      fields: { tags: ['fixed'] },
    });
    const stated = (id: string, recordedAt: number, effectiveAt: number, tag: string) =>
      observationFixture({ id, recordedAt, effectiveAt, fields: { tags: [tag] } });
    const all = [
      stated('obs_1', 1, 1, 'before'),
      guard,
      stated('obs_2', 6, 4, 'late'),
      stated('obs_3', 7, 7, 'x'),
      stated('obs_4', 8, 6, 'y'),
    ];
    const corrected = reduceAll(all, schemaFixture);
    expect(toStateView(corrected, schemaFixture).snapshot['tags']).toEqual(['fixed']);
    const pages = [all.slice(0, 4), all.slice(4)];
    const newer = pages.reduce((state, page) => reduceNewer(state, corrected, page, schemaFixture), emptyState);
    const whole = replaceCorrections(corrected, newer);
    expect(toStateView(whole, schemaFixture).snapshot['tags']).toEqual(['x', 'y']);
    const oneByOne = all.reduce((state, one) => applyObservation(state, one, schemaFixture), emptyState);
    expect(printState(oneByOne)).toBe(printState(whole));
  });
});
