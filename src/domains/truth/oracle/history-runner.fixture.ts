import { expect } from 'vitest';
import { createCursors } from '#kernel/cursor/cursor.ts';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { createEntities } from '../entities/entities.ts';
import { rebuild } from '../exchange/rebuild.ts';
import { createMerges } from '../merges/merges.ts';
import { createRelationships } from '../relationships/relationships.ts';
import { createTimeline } from '../timeline/timeline.ts';
import { codeOf, createTruthFixture, type TruthEngine } from '../truth.fixture.ts';
import { entityTools, mergeTools, relationshipTools, timelineTools } from '../truth-toolset.ts';
import { type ExpectedFault, Oracle, type PayloadInput } from './oracle.fixture.ts';
import {
  entitiesOf,
  eventsOf,
  type Moment,
  observationsOf,
  provenanceOf,
  relationshipsOf,
  snapshotOf,
} from './oracle-answers.fixture.ts';
import { ownCapabilities, ownSchemas } from './oracle-capabilities.fixture.ts';
import { canonical, type Rules } from './oracle-rules.fixture.ts';
import type { Operation } from './random-operations.fixture.ts';

const beginning = Date.UTC(2025, 0, 1);
const dayMs = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();
/** Later today. */
const soonMs = 3_600_000;
const isSoon = (day: number): boolean => day > 300;

type OperationOf<Kind> = Extract<Operation['what'], { readonly kind: Kind }>;

/** Runs each history in a new tenant of one store. */
export function createHistoryRunner(engine: TruthEngine) {
  const base = engine.base();
  const { clock } = engine;
  const truth = createTruthFixture(
    base,
    {
      entities: createEntities(base),
      merges: createMerges({ ...base, cursors: createCursors(Buffer.from('the cursors of a test')) }),
      relationships: createRelationships(base),
      timeline: createTimeline(base),
    },
    [...entityTools, ...mergeTools, ...relationshipTools, ...timelineTools],
  );

  /** Applies every operation to the program and to the oracle and compares the answers. */
  return async function play(operations: readonly Operation[], rules: Rules): Promise<void> {
    const mine = truth.as(engine.newTenant());
    const oracle = new Oracle(rules);
    const moments: number[] = [];
    const { ask } = mine;

    const pick = (n: number): string =>
      n % 20 === 19 ? 'ent_unknown' : (oracle.entities[n % oracle.entities.length]?.id ?? 'ent_unknown');
    /** Usually one of the same type. */
    const pickLike = (id: string, n: number): string => {
      const type = oracle.entities.find((one) => one.id === id)?.type;
      const alike = oracle.entities.filter((one) => one.type === type);
      return n % 7 === 6 ? pick(n) : (alike[n % alike.length]?.id ?? pick(n));
    };

    function expectFault(answer: ToolAnswer, verdict: ExpectedFault): boolean {
      expect(codeOf(answer), JSON.stringify(answer)).toBe(verdict);
      return verdict === undefined;
    }

    async function checkSnapshot(entity_id: string, { at, knownAt }: Moment = {}): Promise<void> {
      const answer = await ask('get_entity_snapshot', {
        entity_id,
        ...(at === undefined ? {} : { at: iso(at) }),
        ...(knownAt === undefined ? {} : { as_known_at: iso(knownAt) }),
      });
      const isAhead = Math.max(at ?? 0, knownAt ?? 0) > clock.now();
      const expected = isAhead ? undefined : snapshotOf(oracle, entity_id, { at, knownAt });
      if (expected !== undefined) return expect(answer).toEqual(expected);
      expectFault(answer, isAhead ? 'VALIDATION_ERROR' : 'ENTITY_NOT_FOUND');
    }

    async function submit({ capability_id, body, day, refs, version }: OperationOf<'submit'>): Promise<void> {
      const extractedAt = isSoon(day) ? clock.now() + soonMs : beginning + day * dayMs;
      const envelope: PayloadInput = {
        ...{ capability_id, body },
        provenance: { source_refs: refs, extracted_at: iso(extractedAt), extractor_version: version },
      };
      const answer = await ask('submit_payload', envelope);
      expect(codeOf(answer), JSON.stringify(answer)).toBeUndefined();
      expect(answer).toMatchObject(oracle.submit(envelope, answer['payload_id'] as string, clock.now()));
      for (const { entityId } of oracle.payloads.at(-1)!.mentions.slice(0, 2)) await checkSnapshot(entityId);
    }

    async function correct({ who, fields: given, reason }: OperationOf<'correct'>): Promise<void> {
      const id = pick(who);
      const fine = Object.entries(given).filter(
        ([field, value]) => who % 4 === 0 || oracle.checkCorrection(id, { [field]: value }) !== 'VALIDATION_ERROR',
      );
      if (fine.length === 0) return;
      const fields = Object.fromEntries(fine);
      const verdict = oracle.checkCorrection(id, fields);
      const answer = await ask('correct_entity', {
        entity_id: id,
        fields,
        ...(reason === undefined ? {} : { reason }),
      });
      if (!expectFault(answer, verdict)) return;
      oracle.correct(id, fields, answer['correction_id'] as string, reason, clock.now());
      expect(answer).toMatchObject(snapshotOf(oracle, id)!);
      await checkSnapshot(id);
    }

    async function join({ kind, who, whom }: OperationOf<'merge' | 'unmerge'>): Promise<void> {
      const source = pick(who);
      // Usually the real parent; any other target must be rejected.
      const parent = kind === 'unmerge' && whom % 3 > 0 ? oracle.parentOf(source) : undefined;
      const target = parent ?? pickLike(source, whom);
      const pair = { source_entity_id: source, target_entity_id: target };
      const now = clock.now();
      const isMerge = kind === 'merge';
      const verdict = isMerge ? oracle.checkMerge(source, target, now) : oracle.checkUnmerge(source, target, now);
      expectFault(await ask(`${kind}_entities`, { ...pair, dry_run: true }), verdict);
      await checkSnapshot(source);
      if (!expectFault(await ask(`${kind}_entities`, pair), verdict)) return;
      if (isMerge) oracle.merge(source, target, now);
      else oracle.unmerge(source, now);
      await checkSnapshot(source);
      await checkSnapshot(target);
    }

    async function relate(type: string, source: string, target: string): Promise<void> {
      const verdict = oracle.checkEdge(type, source, target);
      const known = oracle.findEdge(type, source, target);
      const ends = { source_entity_id: source, target_entity_id: target };
      const answer = await ask('create_relationship', { relationship_type: type, ...ends });
      if (!expectFault(answer, verdict)) return;
      expect(answer['created']).toBe(known === undefined);
      if (known !== undefined) expect(answer['id']).toBe(known.id);
      oracle.relate({ id: answer['id'] as string, type, source, target, createdAt: clock.now() });
    }

    async function grow({ which, does }: OperationOf<'schema'>): Promise<void> {
      const schema = ownSchemas[which]!;
      const { entity_type, version } = schema;
      if (does !== 'activate') {
        const verdict = oracle.checkRegistration(schema);
        if (expectFault(await ask('register_entity_schema', schema), verdict)) oracle.register(schema);
      }
      if (does === 'register') return;
      const verdict = oracle.checkActivation(schema);
      const answer = await ask('activate_entity_schema', { entity_type, version });
      if (expectFault(answer, verdict)) oracle.activate(schema);
    }

    async function look({ who, day, moment }: OperationOf<'look'>): Promise<void> {
      const at = day === undefined ? undefined : isSoon(day) ? clock.now() + 1 : beginning + day * dayMs;
      const knownAt = moment === undefined ? undefined : moments[moment % moments.length];
      await checkSnapshot(pick(who), { at, knownAt });
    }

    async function act({ what, waitedMs }: Operation): Promise<void> {
      clock.advance(waitedMs);
      moments.push(clock.now());
      if (what.kind === 'submit') return submit(what);
      if (what.kind === 'correct') return correct(what);
      if (what.kind === 'relate') {
        for (const [who, whom] of what.edges) await relate(what.type, pick(who), pick(whom));
        return;
      }
      if (what.kind === 'schema') return grow(what);
      return what.kind === 'look' ? look(what) : join(what);
    }

    async function checkEntity(id: string, n: number): Promise<void> {
      await checkSnapshot(id);
      const all = observationsOf(oracle, id);
      const page = { limit: n % 3 === 0 ? 2 : 100, offset: n % 2 };
      const listed = await ask('list_observations', { entity_id: id, ...page });
      expect(listed['total']).toBe(all.length);
      expect(listed['observations']).toEqual(all.slice(page.offset, page.offset + page.limit));
      const direction = ['both', 'inbound', 'outbound'][n % 3]!;
      const edges = relationshipsOf(oracle, id, direction);
      const related = await ask('list_relationships', { entity_id: id, direction });
      expect(related).toMatchObject({ relationships: edges, total: edges.length });
      const fields = Object.keys(snapshotOf(oracle, id)!.snapshot);
      const field = fields[n % (fields.length + 1)] ?? 'nothing_of_it';
      const expected = provenanceOf(oracle, id, field);
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

    async function checkWhole(): Promise<void> {
      for (const [n, { id }] of oracle.entities.entries()) await checkEntity(id, n + operations.length);
      const now = clock.now();
      const known = moments[Math.floor(moments.length / 2)]!;
      for (const { id } of oracle.entities.slice(0, 3)) await checkSnapshot(id, { at: now, knownAt: known });
      const all = entitiesOf(oracle);
      expect(await ask('retrieve_entities', {})).toMatchObject({ entities: all, total: all.length });
      const companies = entitiesOf(oracle, 'company');
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
        { check, call: () => mine.call('truth/rebuild'), progress() {} },
      );

    /** [TR16] */
    async function checkRebuild(): Promise<void> {
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

    for (const capability of ownCapabilities) await ask('register_capability', capability);
    for (const one of operations) await act(one);
    await checkWhole();
    await checkRebuild();
  };
}
