import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeOf, describeTruth } from '../truth.fixture.ts';
import { companyId, createEntitiesFixture } from './entities.fixture.ts';

const companies = ['Ada', 'Bob', 'Cy'] as const;
type Company = (typeof companies)[number];
const company = fc.constantFrom(...companies);

/** One event, after the clock has advanced. */
const happening = fc.record({
  waitMs: fc.integer({ min: 0, max: 2 }),
  what: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('say' as const),
        company,
        day: fc.integer({ min: 1, max: 4 }),
        priority: fc.integer({ min: 1, max: 3 }),
        isCorrection: fc.boolean(),
        stated: fc.record(
          {
            address: fc.constantFrom('x', 'y', 'z'),
            tax_id: fc.constantFrom('1', '2', '3'),
            aliases: fc.subarray(['p', 'q', 'r'], { minLength: 1 }),
          },
          { requiredKeys: [] },
        ),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('merge' as const), source: company, target: company }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('unmerge' as const), source: company }) },
  ),
});

const question = fc.record(
  { company, dayAt: fc.integer({ min: 0, max: 4 }), knownMs: fc.integer({ min: 0, max: 30 }) },
  { requiredKeys: ['company'] },
);

type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

interface Heard {
  readonly id: string;
  readonly company: Company;
  readonly observedAt: number;
  readonly recordedAt: number;
  readonly priority: number;
  readonly isCorrection: boolean;
  readonly stated: { readonly address?: string; readonly tax_id?: string; readonly aliases?: readonly string[] };
}

interface Joined {
  readonly source: string;
  readonly root: string;
  readonly from: number;
  to: number;
}

const dayOf = (n: number) => Date.UTC(2025, 0, n);

/** The expected answer, computed from the complete history. */
function expectOf(heard: readonly Heard[], joined: readonly Joined[], asked: string, at: number, known: number) {
  const standing = joined.filter(({ from, to }) => from <= known && known < to);
  const rootOf = (id: string): string => {
    const up = standing.find(({ source }) => source === id);
    return up === undefined ? id : rootOf(up.root);
  };
  const root = rootOf(asked);
  const counted = heard
    .filter((one) => rootOf(companyId(one.company)) === root && one.observedAt <= at && one.recordedAt <= known)
    .toSorted((a, b) => b.observedAt - a.observedAt || b.recordedAt - a.recordedAt || (a.id < b.id ? -1 : 1));
  if (counted.length === 0) return 'ENTITY_NOT_FOUND';
  const corrected = (field: keyof Heard['stated']) =>
    counted.find(({ isCorrection, stated }) => isCorrection && stated[field] !== undefined);
  const address = corrected('address') ?? counted.find(({ stated }) => stated.address !== undefined);
  const taxed = counted.filter(({ stated }) => stated.tax_id !== undefined).toSorted((a, b) => b.priority - a.priority);
  const tax = corrected('tax_id') ?? taxed[0];
  const aliased = corrected('aliases');
  const aliases = aliased?.stated.aliases ?? counted.flatMap(({ stated }) => stated.aliases ?? []);
  return {
    entity_id: root,
    redirected_from: root === asked ? undefined : asked,
    snapshot: {
      ...(address && { address: address.stated.address }),
      ...(aliases.length > 0 && { aliases: [...new Set(aliases)].toSorted() }),
      ...(tax && { tax_id: tax.stated.tax_id }),
    },
    provenance: { ...(address && { address: address.id }), ...(tax && { tax_id: tax.id }) },
    observation_count: counted.length,
    last_observation_at: new Date(counted[0]!.observedAt).toISOString(),
    computed_at: new Date(Math.max(...counted.map(({ recordedAt }) => recordedAt))).toISOString(),
  };
}

describeTruth('[TR18] past states', (engine) => {
  const runOf = async (happenings: readonly Happening[], questions: readonly Question[]) => {
    const { ask, say, merge, unmerge } = createEntitiesFixture(engine);
    const startAt = engine.clock.now();
    const heard: Heard[] = [];
    const joined: Joined[] = [];
    for (const [i, { waitMs, what }] of happenings.entries()) {
      engine.clock.advance(waitMs);
      const recordedAt = engine.clock.now();
      if (what.kind === 'say') {
        const { isCorrection, priority, stated } = what;
        const observedAt = dayOf(what.day);
        const kind = isCorrection ? ('correction' as const) : ('payload' as const);
        const source = { id: `s${i}`, kind, observedAt, priority };
        const id = await say({ company: what.company, stated, source });
        heard.push({ id, company: what.company, observedAt, recordedAt, priority, isCorrection, stated });
      } else if (what.kind === 'merge') {
        const answer = await merge(what.source, what.target);
        if (codeOf(answer) !== undefined) continue;
        const from = Date.parse(answer['merged_at'] as string);
        const root = answer['root_entity_id'] as string;
        joined.push({ source: companyId(what.source), root, from, to: Number.POSITIVE_INFINITY });
      } else {
        const last = joined.findLast(({ source }) => source === companyId(what.source));
        if (last === undefined || last.to !== Number.POSITIVE_INFINITY) continue;
        const answer = await unmerge(what.source, companies.find((name) => companyId(name) === last.root)!);
        last.to = Date.parse(answer['unmerged_at'] as string);
      }
    }
    // Merges within one millisecond can only be distinguished by a later moment.
    engine.clock.advance(20);
    const now = engine.clock.now();
    const asked: readonly Question[] = [...questions, ...companies.map((each) => ({ company: each }))];
    for (const { company: name, dayAt, knownMs } of asked) {
      const entity_id = companyId(name);
      const at = dayAt === undefined ? undefined : dayOf(dayAt);
      const known = knownMs === undefined ? undefined : Math.min(startAt + knownMs, now);
      const answer = await ask('get_entity_snapshot', {
        entity_id,
        ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
        ...(known === undefined ? {} : { as_known_at: new Date(known).toISOString() }),
      });
      const wanted = expectOf(heard, joined, entity_id, at ?? Number.POSITIVE_INFINITY, known ?? now);
      if (typeof wanted === 'string') expect(codeOf(answer)).toBe(wanted);
      else {
        const { aliases: _aliases, ...provenance } = (answer['provenance'] ?? {}) as Record<string, string>;
        expect({ redirected_from: undefined, ...answer, provenance }).toMatchObject(wanted);
        expect(answer['snapshot']).toEqual(wanted.snapshot);
        expect(provenance).toEqual(wanted.provenance);
      }
    }
  };

  test('equals a reduction of everything observed and recorded by that time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: 1, maxLength: 14 }),
        fc.array(question, { minLength: 4, maxLength: 8 }),
        runOf,
      ),
      { numRuns: engine.kind === 'sqlite' ? 60 : 15 },
    );
  });
});
