import { expect } from 'vitest';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { rebuild } from '../exchange/rebuild.ts';
import { codeOf, type TruthEngine } from '../truth.fixture.ts';
import { createHistories, type HistoryContext } from './history-context.fixture.ts';
import { createSteps } from './history-steps.fixture.ts';
import { entitiesOf, eventsOf, observationsOf, provenanceOf, snapshotOf } from './oracle-answers.fixture.ts';
import { ownCapabilities } from './oracle-capabilities.fixture.ts';
import { canonical, type Rules } from './oracle-rules.fixture.ts';
import { iso } from './oracle-time.fixture.ts';
import type { Operation } from './random-operations.fixture.ts';

function createChecks(context: HistoryContext) {
  const { base, ask, clock, oracle, moments, settled, pick, checkSnapshot, checkRelationships } = context;

  async function checkEntity(id: string, n: number): Promise<void> {
    await checkSnapshot(id);
    const all = observationsOf(oracle, id);
    const page = { limit: n % 3 === 0 ? 2 : 100, offset: n % 2 };
    const listed = await ask('list_observations', { entity_id: id, ...page });
    expect(listed['total']).toBe(all.length);
    expect(listed['observations']).toEqual(all.slice(page.offset, page.offset + page.limit));
    const direction = ['both', 'inbound', 'outbound'][n % 3]!;
    await checkRelationships(id, direction, {}, n % 4 === 0);
    const fields = Object.keys(snapshotOf(oracle, id, clock.now())!.snapshot);
    const field = fields[n % (fields.length + 1)] ?? 'nothing_of_it';
    const expected = provenanceOf(oracle, id, field, clock.now());
    const traced = await ask('get_field_provenance', { entity_id: id, field });
    if (expected === undefined) expect(codeOf(traced)).toBe('FIELD_NOT_FOUND');
    else expect(traced).toMatchObject(expected);
  }

  async function checkTimeline(filter: { readonly event_type?: string; readonly source_record_id?: string }) {
    const answer = await ask('list_timeline_events', { ...filter, limit: 1000 });
    const events = answer['events'] as readonly Readonly<Record<string, string>>[];
    const expected = eventsOf(oracle, filter);
    expect(answer['total']).toBe(expected.length);
    expect(events).toHaveLength(expected.length);
    const byText = (some: readonly object[]) => some.map((event) => canonical({ ...event })).toSorted();
    expect(byText(events.map(({ id: _id, ...event }) => event))).toEqual(byText(expected));
    const ranks = events.map(({ event_timestamp, id }) => [-Date.parse(event_timestamp!), id!] as const);
    expect(ranks).toEqual(ranks.toSorted(([a, x], [b, y]) => a - b || (x < y ? -1 : 1)));
  }

  const withoutTrace = (answer: ToolAnswer) => codeOf(answer) ?? answer;

  async function checkWhole(seed: number): Promise<void> {
    for (const { tool, input, answer } of settled) {
      expect(withoutTrace(await ask(tool, input))).toEqual(withoutTrace(answer));
    }
    for (const [n, { id }] of oracle.entities.entries()) await checkEntity(id, n + seed);
    const now = clock.now();
    const known = iso(moments[Math.floor(moments.length / 2)]!);
    for (const { id } of oracle.entities.slice(0, 3)) await checkSnapshot(id, { at: iso(now), as_known_at: known });
    const all = entitiesOf(oracle, now);
    expect(await ask('retrieve_entities', {})).toMatchObject({ entities: all, total: all.length });
    const companies = entitiesOf(oracle, now, 'company');
    const page = { entity_type: 'company', limit: 1, offset: 1, include_snapshots: false };
    const listed = await ask('retrieve_entities', page);
    expect(listed['total']).toBe(companies.length);
    expect(listed['entities']).toHaveLength(Math.min(1, Math.max(0, companies.length - 1)));
    await checkTimeline({});
    await checkTimeline({ event_type: 'invoice_date' });
    const [payload] = oracle.payloads;
    if (payload !== undefined) await checkTimeline({ source_record_id: payload.payloadId });
  }

  const rebuildAll = (check: boolean) =>
    rebuild(
      { storage: base.storage, schemas: base.schemas },
      { check, call: () => context.call('truth/rebuild'), progress() {} },
    );

  /** [TR16] */
  async function checkRebuild(): Promise<void> {
    // It stores the states of the time at which it runs, which must not be after that of the next question.
    clock.advance(Math.max(0, context.recording() - clock.now()));
    const counts = { entities: oracle.entities.length, observations: oracle.statements.length };
    const right = { ...counts, differing: 0, misdirected_relationships: 0, wrong_totals: [] };
    expect(await rebuildAll(true)).toMatchObject({ ...right, ...(oracle.hasActivated ? {} : { missing: 0 }) });
    if (!oracle.hasActivated) return;
    // A schema with more fields derives more rows.
    await rebuildAll(false);
    oracle.rebuild();
    await checkTimeline({});
    await checkSnapshot(pick(0));
    expect(await rebuildAll(true)).toMatchObject({ ...right, missing: 0 });
  }

  return { checkWhole, checkRebuild };
}

export function createHistoryRunner(engine: TruthEngine) {
  const begin = createHistories(engine);

  /** Applies every operation to the program and to the oracle and compares the answers. */
  return async function play(operations: readonly Operation[], rules: Rules): Promise<void> {
    const context = begin(rules);
    const act = createSteps(context);
    const { checkWhole, checkRebuild } = createChecks(context);
    for (const capability of ownCapabilities) await context.ask('register_capability', capability);
    for (const one of operations) await act(one);
    await checkWhole(operations.length);
    await checkRebuild();
  };
}
