import { expect } from 'vitest';
import { createCursors } from '#kernel/cursor/cursor.ts';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { createEntities } from '../entities/entities.ts';
import { rebuild } from '../exchange/rebuild.ts';
import { createFacts } from '../facts/store-fact.ts';
import { createMerges } from '../merges/merges.ts';
import { createRelationships } from '../relationships/relationships.ts';
import { createTimeline } from '../timeline/timeline.ts';
import { codeOf, createTruthFixture, type TruthEngine } from '../truth.fixture.ts';
import { entityTools, factTools, mergeTools, relationshipTools, timelineTools } from '../truth-toolset.ts';
import { type FactIds, type FactInput, Oracle, type PayloadInput, type SubmitIds } from './oracle.fixture.ts';
import {
  changesOf,
  entitiesOf,
  eventsOf,
  observationsOf,
  provenanceOf,
  relationshipsOf,
  snapshotOf,
} from './oracle-answers.fixture.ts';
import { ownCapabilities, ownSchemas } from './oracle-capabilities.fixture.ts';
import type { ExpectedFault } from './oracle-graph.fixture.ts';
import { canonical, type Fields, type Rules } from './oracle-rules.fixture.ts';
import { firstNow, iso, lastOf, startOf, textOf, type When } from './oracle-time.fixture.ts';
import type { Operation } from './random-operations.fixture.ts';

type OperationOf<Kind> = Extract<Operation['what'], { readonly kind: Kind }>;

/** Runs each history in a new tenant of one store. */
export function createHistoryRunner(engine: TruthEngine) {
  const base = engine.base();
  const { clock } = engine;
  const truth = createTruthFixture(
    base,
    {
      entities: createEntities(base),
      facts: createFacts(base),
      merges: createMerges({ ...base, cursors: createCursors(Buffer.from('the cursors of a test')) }),
      relationships: createRelationships(base),
      timeline: createTimeline(base),
    },
    [...entityTools, ...factTools, ...mergeTools, ...relationshipTools, ...timelineTools],
  );

  /** Applies every operation to the program and to the oracle and compares the answers. */
  return async function play(operations: readonly Operation[], rules: Rules): Promise<void> {
    const mine = truth.as(engine.newTenant());
    const oracle = new Oracle(rules);
    const moments: number[] = [];
    const envelopes: PayloadInput[] = [];
    /** Questions whose answers must never change. */
    const settled: { readonly input: object; readonly answer: ToolAnswer }[] = [];
    const { ask } = mine;
    clock.advance(firstNow - clock.now());
    let lastWrite = 0;
    let lastAsked = 0;
    /** Recording times never run backwards, and a write never changes what a question about the past answered. */
    const recording = (): number => Math.max(clock.now(), lastWrite, lastAsked + 1);
    /** What was recorded holds already, also if the clock of its writer was ahead. */
    const present = (): number => Math.max(clock.now(), lastWrite);
    const wrote = (): number => {
      lastWrite = recording();
      return lastWrite;
    };

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

    /** Texts as in a request. */
    async function checkSnapshot(entity_id: string, asked: { at?: string; as_known_at?: string } = {}): Promise<void> {
      const answer = await ask('get_entity_snapshot', { entity_id, ...asked });
      const { at, as_known_at: known } = asked;
      if (known !== undefined && startOf(known) > clock.now()) return void expectFault(answer, 'VALIDATION_ERROR');
      const knownAt = known === undefined ? undefined : Math.min(lastOf(known), clock.now());
      const expected = snapshotOf(oracle, entity_id, present(), {
        at: at === undefined ? undefined : lastOf(at),
        knownAt,
      });
      lastAsked = Math.max(lastAsked, knownAt ?? 0);
      if (at !== undefined && known !== undefined) settled.push({ input: { entity_id, ...asked }, answer });
      if (expected !== undefined) return expect(answer).toEqual(expected);
      expectFault(answer, 'ENTITY_NOT_FOUND');
    }

    const toText = (when: When): string => textOf(when, clock.now());
    const toPeriod = ({ at, until }: OperationOf<'submit'>['period']) => ({
      ...(at === undefined ? {} : { effective_at: toText(at) }),
      ...(until === undefined ? {} : { effective_until: toText(until) }),
    });

    async function send(envelope: PayloadInput): Promise<void> {
      const verdict = oracle.checkSubmission(envelope, recording());
      const answer = await ask('submit_payload', envelope);
      if (!expectFault(answer, verdict)) return;
      envelopes.push(envelope);
      const expected = oracle.submit(envelope, answer as unknown as SubmitIds, wrote());
      expect(answer).toMatchObject(expected);
      for (const { entity_id } of expected.entities.slice(0, 2)) await checkSnapshot(entity_id);
    }

    const submit = ({ capability_id, body, extracted, period, refs, version, agent }: OperationOf<'submit'>) =>
      send({
        ...{ capability_id, body, ...toPeriod(period) },
        provenance: {
          ...{ source_refs: refs, extracted_at: toText(extracted), extractor_version: version },
          ...(agent === undefined ? {} : { agent_id: agent }),
        },
      });

    async function repeat({ which, change }: OperationOf<'again'>): Promise<void> {
      const before = envelopes[which % envelopes.length];
      if (before === undefined) return;
      const { effective_at, effective_until, body, provenance, capability_id } = before;
      const written = Object.entries(body).map(
        ([field, value]) =>
          [field, 'hasCapitals' in change && typeof value === 'string' ? value.toUpperCase() : value] as const,
      );
      await send({
        ...{ capability_id, body: { ...Object.fromEntries(written), ...('body' in change ? change.body : {}) } },
        provenance: {
          ...provenance,
          ...('agent' in change ? { agent_id: change.agent } : {}),
          ...('extracted' in change ? { extracted_at: toText(change.extracted) } : {}),
        },
        ...('period' in change
          ? toPeriod(change.period)
          : (JSON.parse(JSON.stringify({ effective_at, effective_until })) as ReturnType<typeof toPeriod>)),
      });
    }

    async function correct({ who, fields: given, reason, period, untilNewer }: OperationOf<'correct'>): Promise<void> {
      const id = pick(who);
      const fine = Object.entries(given).filter(
        ([field, value]) => who % 4 === 0 || oracle.checkFields(id, { [field]: value }) !== 'VALIDATION_ERROR',
      );
      if (fine.length === 0) return;
      const input = {
        fields: Object.fromEntries(fine),
        ...toPeriod(period),
        ...(reason === undefined ? {} : { reason }),
        ...(untilNewer ? { until_newer: true } : {}),
      };
      const verdict = oracle.checkCorrection(id, input, recording());
      const answer = await ask('correct_entity', { entity_id: id, ...input });
      if (!expectFault(answer, verdict)) return;
      oracle.correct(id, input, answer['correction_id'] as string, wrote());
      expect(answer).toMatchObject(snapshotOf(oracle, id, present())!);
      await checkSnapshot(id);
    }

    /** The ids of a fact's only observation. */
    async function learnIds(entity_id: string, submissionId: string): Promise<FactIds> {
      const listed = await ask('list_observations', { entity_id, limit: 1000 });
      const observations = listed['observations'] as readonly Readonly<Record<string, string>>[];
      const added = observations.filter((one) => one['submission_id'] === submissionId);
      expect(added).toHaveLength(1);
      const [one] = added;
      return { entityId: entity_id, submissionId, payloadId: one!['source_record_id']!, observationId: one!['id']! };
    }

    async function tell({ who, type, name, key, fields, ended, period, source }: OperationOf<'fact'>): Promise<void> {
      const given: FactInput = {
        ...(who === undefined
          ? { subject: { type, name, ...(key === undefined ? {} : { key }) } }
          : { entity_id: pick(who) }),
        ...{ fields, ended, ...toPeriod(period) },
        ...(source === undefined ? {} : { source }),
      };
      // Mostly fields that have a value.
      const [known] = oracle.candidatesOf(given);
      const canEnd = (field: string): boolean => known !== undefined && oracle.wasStated(known.id, field);
      const isFine = period.until === undefined && !(ended as readonly string[]).includes('z');
      const input = isFine ? { ...given, ended: (ended as readonly string[]).filter(canEnd) } : given;
      const now = recording();
      const verdict = oracle.checkFact(input, now);
      const same = oracle.findFact(input, now);
      const answer = await ask('store_fact', input);
      if (!expectFault(answer, verdict)) return;
      const id = answer['entity_id'] as string;
      const from = input.effective_at === undefined ? now : startOf(input.effective_at);
      const until = input.effective_until === undefined ? Number.POSITIVE_INFINITY : startOf(input.effective_until);
      // The answer compares what holds now, or when the fact begins.
      const at = from <= now && now < until ? undefined : from;
      const show = (): Fields => snapshotOf(oracle, id, now, { at })?.snapshot ?? {};
      const before = show();
      const isNew = oracle.find(id) === undefined;
      if (same === undefined) oracle.fact(input, await learnIds(id, answer['submission_id'] as string), wrote());
      expect(answer).toMatchObject({
        ...{ entity_id: id, entity_type: oracle.find(id)!.type, created: isNew, changes: changesOf(before, show()) },
        ...(same === undefined ? {} : { submission_id: same }),
      });
      await checkSnapshot(id);
    }

    async function retract({ which }: OperationOf<'retract'>): Promise<void> {
      const ids = [...new Set(oracle.statements.map(({ submissionId }) => submissionId)), 'sub_unknown'];
      const id = ids[which % ids.length]!;
      const answer = await ask('retract_statement', { id, ...(which % 2 === 0 ? { reason: 'wrong' } : {}) });
      const expected = oracle.retract(id, recording());
      if (expected === undefined) return void expectFault(answer, 'NOT_FOUND');
      if (expected.retracted) wrote();
      expect(answer).toEqual(expected);
      for (const one of expected.entity_ids) await checkSnapshot(one);
    }

    async function join({ kind, who, whom }: OperationOf<'merge' | 'unmerge'>): Promise<void> {
      const source = pick(who);
      // Usually the real parent; any other target must be rejected.
      const parent = kind === 'unmerge' && whom % 3 > 0 ? oracle.parentOf(source) : undefined;
      const target = parent ?? pickLike(source, whom);
      const pair = { source_entity_id: source, target_entity_id: target };
      const now = recording();
      const isMerge = kind === 'merge';
      const verdict = isMerge ? oracle.checkMerge(source, target, now) : oracle.checkUnmerge(source, target, now);
      expectFault(await ask(`${kind}_entities`, { ...pair, dry_run: true }), verdict);
      await checkSnapshot(source);
      if (!expectFault(await ask(`${kind}_entities`, pair), verdict)) return;
      if (isMerge) oracle.merge(source, target, now);
      else oracle.unmerge(source, now);
      wrote();
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
      oracle.relate({ id: answer['id'] as string, type, source, target, createdAt: wrote() });
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
      if (expectFault(answer, verdict)) oracle.activate(schema, wrote());
    }

    /** The times at which a statement begins or ends, and the milliseconds before them. */
    const edgesOf = (): readonly number[] =>
      oracle.statements
        .flatMap(({ effectiveAt, effectiveUntil = effectiveAt }) => [effectiveUntil, effectiveAt])
        .flatMap((time) => [time, time - 1]);

    async function look({ who, at, knownAt }: OperationOf<'look'>): Promise<void> {
      const pickText = (given: number | When, times: readonly number[]): string =>
        typeof given === 'number' ? iso(times[given % times.length] ?? clock.now()) : toText(given);
      await checkSnapshot(pick(who), {
        ...(at === undefined ? {} : { at: pickText(at, edgesOf()) }),
        ...(knownAt === undefined ? {} : { as_known_at: pickText(knownAt, moments) }),
      });
    }

    async function act({ what, waitedMs }: Operation): Promise<void> {
      clock.advance(waitedMs);
      moments.push(clock.now());
      if (what.kind === 'submit') return submit(what);
      if (what.kind === 'again') return repeat(what);
      if (what.kind === 'fact') return tell(what);
      if (what.kind === 'retract') return retract(what);
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
      const fields = Object.keys(snapshotOf(oracle, id, present())!.snapshot);
      const field = fields[n % (fields.length + 1)] ?? 'nothing_of_it';
      const expected = provenanceOf(oracle, id, field, present());
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

    async function checkWhole(): Promise<void> {
      for (const { input, answer } of settled) {
        expect(withoutTrace(await ask('get_entity_snapshot', input))).toEqual(withoutTrace(answer));
      }
      for (const [n, { id }] of oracle.entities.entries()) await checkEntity(id, n + operations.length);
      const now = present();
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
