import { expect } from 'vitest';
import type { HistoryContext } from './history-context.fixture.ts';
import type { FactIds, FactInput, PayloadInput, SubmitIds } from './oracle.fixture.ts';
import { changesOf, snapshotOf } from './oracle-answers.fixture.ts';
import { ownSchemas } from './oracle-capabilities.fixture.ts';
import type { Fields } from './oracle-rules.fixture.ts';
import { iso, startOf, type When } from './oracle-time.fixture.ts';
import type { Operation, OperationOf } from './random-operations.fixture.ts';

/** Applies an operation to the program and to the oracle and compares the answers. */
export function createSteps(context: HistoryContext) {
  const { ask, oracle, clock, moments, recording, wrote, pick, pickLike } = context;
  const { expectFault, checkSnapshot, checkRelationships, toText, toPeriod } = context;
  const envelopes: PayloadInput[] = [];

  async function send(envelope: PayloadInput): Promise<void> {
    const verdict = oracle.checkSubmission(envelope, recording());
    const answer = await ask('submit_payload', envelope);
    if (!expectFault(answer, verdict)) return;
    envelopes.push(envelope);
    const expected = oracle.submit(envelope, answer as unknown as SubmitIds, recording());
    if (expected.observations_added > 0) wrote();
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
    expect(answer).toMatchObject(snapshotOf(oracle, id, clock.now())!);
    await checkSnapshot(id);
  }

  /** A fact has one observation, or another one that introduces its entity. */
  async function learnIds(entity_id: string, submissionId: string): Promise<FactIds> {
    const listed = await ask('list_observations', { entity_id, limit: 1000 });
    const observations = listed['observations'] as readonly Readonly<Record<string, string>>[];
    const added = observations.filter((one) => one['submission_id'] === submissionId);
    const [one] = added.filter(({ role }) => role === 'self');
    const [introduction, ...others] = added.filter(({ role }) => role === 'name');
    expect([one?.['id'], others]).toEqual([expect.any(String), []]);
    return {
      ...{ entityId: entity_id, submissionId, payloadId: one!['source_record_id']!, observationId: one!['id']! },
      introductionId: introduction?.['id'],
    };
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

  async function relate(type: string, [who, whom, period]: OperationOf<'relate'>['edges'][number]): Promise<void> {
    const ends = { type, source: pick(who), target: pick(whom) };
    const times = toPeriod(period);
    const verdict = oracle.checkEdge(ends, times, recording());
    const known = oracle.findEdge(ends);
    const answer = await ask('create_relationship', {
      ...{ relationship_type: type, source_entity_id: ends.source, target_entity_id: ends.target, ...times },
    });
    if (!expectFault(answer, verdict)) return;
    const { edge, isChanged } = oracle.relate(ends, times, recording());
    if (isChanged) wrote();
    expect(answer).toMatchObject({ id: edge.id, created: known === undefined });
    expect(answer['statement_added'] ?? false).toBe(known !== undefined && isChanged);
  }

  async function mark({ which, does }: OperationOf<'mark'>): Promise<void> {
    // An edge without any statement left is neither deleted nor restored.
    const edges = oracle.edges.filter((edge) => oracle.periodsOf(edge).length > 0);
    const edge = edges[which % edges.length];
    if (edge === undefined) return;
    const verdict = does === 'restore' ? oracle.checkRestored(edge) : undefined;
    const answer = await ask(`${does}_relationship`, { relationship_id: edge.id });
    if (!expectFault(answer, verdict)) return;
    const isChanged = oracle.mark(edge, does, recording());
    if (isChanged) wrote();
    expect(answer[does === 'delete' ? 'changed' : 'restored']).toBe(isChanged);
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
    const asked = {
      ...(at === undefined ? {} : { at: pickText(at, edgesOf()) }),
      ...(knownAt === undefined ? {} : { as_known_at: pickText(knownAt, moments) }),
    };
    await checkSnapshot(pick(who), asked);
    await checkRelationships(pick(who), ['both', 'inbound', 'outbound'][who % 3]!, asked, who % 2 === 0);
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
      for (const edge of what.edges) await relate(what.type, edge);
      return;
    }
    if (what.kind === 'mark') return mark(what);
    if (what.kind === 'schema') return grow(what);
    return what.kind === 'look' ? look(what) : join(what);
  }

  return act;
}
