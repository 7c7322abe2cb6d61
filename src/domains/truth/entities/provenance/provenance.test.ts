import { expect, test } from 'vitest';
import { putInTrash } from '#kernel/storage/trash.ts';
import { printTrashedRecord } from '../../records/record.ts';
import { deleteRecord, insertRecord } from '../../records/record-store.ts';
import { codeOf, describeTruth, invoice, payloadOf } from '../../truth.fixture.ts';
import { truthLimits } from '../../truth-limits.ts';
import { recordTopic } from '../../truth-vocabulary.ts';
import { companyId, createEntitiesFixture } from '../entities.fixture.ts';

const day = (n: number) => Date.UTC(2025, 0, n);
const iso = (ms: number) => new Date(ms).toISOString();

interface Traced {
  readonly value: unknown;
  readonly source_observation: { readonly id: string; readonly source_kind: string };
  readonly source_record: Readonly<Record<string, unknown>>;
  readonly contributing_observations: readonly {
    readonly id: string;
    readonly source_record: { readonly id: string };
  }[];
  readonly contributing_total: number;
  readonly source_refs: readonly Readonly<Record<string, unknown>>[];
}

describeTruth('field provenance', (engine) => {
  const start = () => {
    const fixture = createEntitiesFixture(engine);
    const trace = async (entity_id: string, field: string): Promise<Traced> => {
      const answer = await fixture.ask('get_field_provenance', { entity_id, field });
      expect(codeOf(answer)).toBeUndefined();
      return answer as object as Traced;
    };
    return { ...fixture, trace };
  };

  test('leads from the value to the observation, the payload and the file', async () => {
    const { ask, submit } = start();
    const sent = await submit(invoice({ file_urls: ['fourfold://files/abc'] }));
    const { entity_id, observation_id } = sent.entities[0]!;
    expect(await ask('get_field_provenance', { entity_id, field: 'amount' })).toEqual({
      entity_id,
      field: 'amount',
      value: 1500,
      source_observation: {
        id: observation_id,
        source_record_id: sent.payload_id,
        observed_at: '2025-01-15T10:30:00.000Z',
        specificity_score: expect.any(Number),
        source_priority: 100,
        source_kind: 'payload',
        role: 'self',
        submission_id: sent.submission_id,
        effective_at: '2025-01-15T10:30:00.000Z',
        extractor_version: 'neotoma-mcp:v0.2.1',
        actor: 'ada',
      },
      source_record: {
        id: sent.payload_id,
        type: 'invoice',
        file_urls: ['fourfold://files/abc'],
        created_at: iso(engine.clock.now()),
      },
      observed_at: '2025-01-15T10:30:00.000Z',
      // Each observation appears once.
      contributing_observations: [],
      contributing_total: 1,
      source_refs: [],
    });
  });

  test('follows the sources of payloads, each once, even in a cycle', async () => {
    const { submit, trace } = start();
    const note = (title: string, more: object, source_refs: string[]) =>
      submit(payloadOf('note', { title, content: title, ...more }, { source_refs }));
    const deepest = await note('deepest', { file_urls: ['fourfold://files/deep'] }, [
      'fourfold://files/scan',
      'unknown-id',
    ]);
    const middle = await note('middle', {}, [deepest.payload_content_id]);
    const top = await submit(
      invoice({}, { source_refs: [middle.payload_id, deepest.payload_id, middle.payload_content_id] }),
    );
    const { source_refs } = await trace(top.entities[0]!.entity_id, 'amount');
    const both = [
      expect.objectContaining({ ref: middle.payload_id, id: middle.payload_id, type: 'note', file_urls: [] }),
      expect.objectContaining({ ref: deepest.payload_id, type: 'note', file_urls: ['fourfold://files/deep'] }),
      { ref: 'fourfold://files/scan', type: 'file', file_urls: ['fourfold://files/scan'] },
      { ref: 'unknown-id', type: 'unknown', file_urls: [] },
    ];
    expect(source_refs).toHaveLength(both.length);
    expect(source_refs).toEqual(expect.arrayContaining(both));
    // A payload cannot reference a later one, so the cycle is a reference to its own content id.
    const itself = await submit(invoice({ invoice_number: 'C' }, { source_refs: ['x'] }));
    const again = await submit(invoice({ invoice_number: 'C', amount: 2 }, { source_refs: [itself.payload_id] }));
    expect((await trace(again.entities[0]!.entity_id, 'amount')).source_refs.map(({ ref }) => ref)).toContain('x');
  });

  test('is limited, no matter how many references a payload has', async () => {
    const { submit, trace } = start();
    const source_refs = Array.from({ length: 500 }, (_, i) => `ref-${i}`);
    const top = await submit(invoice({}, { source_refs }));
    const traced = await trace(top.entities[0]!.entity_id, 'amount');
    expect(traced.source_refs).toHaveLength(truthLimits.entitySourceRefsCount);
  });

  test('[TR13] [TR15] lists every contributor of a merged array with its source, newest first', async () => {
    const { submit, trace, ask } = start();
    const tagged = (tags: string[], n: number) =>
      submit(invoice({ tags, amount: n }, { extracted_at: iso(day(n)), extractor_version: `v${n}` }));
    const first = await tagged(['a', 'b'], 1);
    const second = await tagged(['c'], 2);
    const third = await tagged(['a'], 3);
    const { entity_id } = first.entities[0]!;
    const traced = await trace(entity_id, 'tags');
    expect(traced.value).toEqual(['a', 'b', 'c']);
    expect(traced.contributing_observations.map(({ source_record }) => source_record.id)).toEqual(
      [second, first].map(({ payload_id }) => payload_id),
    );
    expect(traced.source_observation.id).toBe(third.entities[0]!.observation_id);
    await ask('correct_entity', { entity_id, fields: { tags: ['z'] }, reason: 'all wrong' });
    const corrected = await trace(entity_id, 'tags');
    expect(corrected).toMatchObject({ value: ['z'], contributing_total: 1 });
    expect(corrected.source_record).toMatchObject({ type: 'correction', reason: 'all wrong', file_urls: [] });
  });

  test('shows a deleted record and marks it as deleted', async () => {
    const { say, read, trace } = start();
    const record = {
      ...{ record_id: 'r-1', type: 'FinancialRecord', created_at: day(2), updated_at: day(2) },
      ...{ file_urls: '["fourfold://files/r"]', embedding: null, properties: '{}' },
    };
    await read(function* (db) {
      yield* insertRecord(db, record);
    });
    await say({ company: 'Acme', stated: { address: 'a' }, source: { id: 'r-1', kind: 'record' } });
    const shown = {
      ...{ id: 'r-1', type: 'FinancialRecord', file_urls: ['fourfold://files/r'], created_at: iso(day(2)) },
    };
    expect((await trace(companyId('Acme'), 'address')).source_record).toEqual(shown);
    await read(function* (db) {
      yield* putInTrash(db, recordTopic, 'r-1', printTrashedRecord(record), 'ada');
      yield* deleteRecord(db, 'r-1');
    });
    expect((await trace(companyId('Acme'), 'address')).source_record).toEqual({ ...shown, deleted: true });
  });

  test('still answers after the record is purged', async () => {
    const { say, trace } = start();
    await say({ company: 'Acme', stated: { address: 'a' }, source: { id: 'gone', kind: 'record' } });
    expect(await trace(companyId('Acme'), 'address')).toMatchObject({
      value: 'a',
      source_record: { id: 'gone', type: 'record', file_urls: [], deleted: true },
    });
  });

  test('answers FIELD_NOT_FOUND for a field that is not in the snapshot', async () => {
    const { ask, say } = start();
    await say({ company: 'Acme', stated: { address: 'a', email: { at: 'x' } }, source: { id: 'a' } });
    const entity_id = companyId('Acme');
    for (const field of ['phone', 'email', 'colour', 'constructor', '__proto__', 'Address']) {
      expect([field, codeOf(await ask('get_field_provenance', { entity_id, field }))]).toEqual([
        field,
        'FIELD_NOT_FOUND',
      ]);
    }
    for (const field of ['', 'a b', 'x'.repeat(200), 7]) {
      expect(codeOf(await ask('get_field_provenance', { entity_id, field }))).toBe('VALIDATION_ERROR');
    }
  });
});

describeTruth('field history', (engine) => {
  test('lists what each source stated, newest first, and which statement wins', async () => {
    const { ask, say } = createEntitiesFixture(engine);
    const entity_id = companyId('Acme');
    const source = (id: string, n: number) => ({ id, observedAt: day(n) });
    const old = await say({ company: 'Acme', stated: { address: 'old' }, source: source('a', 1) });
    await say({ company: 'Acme', stated: { phone: 'address' }, source: source('b', 2) });
    await say({ company: 'Acme', stated: { extra: { address: 'inside' } }, source: source('c', 3) });
    const bad = await say({ company: 'Acme', stated: { address: { no: 7 } }, source: source('d', 4) });
    const now = await say({ company: 'Acme', stated: { address: 'new' }, source: source('e', 3) });
    const answer = await ask('get_field_history', { entity_id, field: 'address' });
    expect(answer).toMatchObject({ entity_id, field: 'address', total: 3, limit: 100, offset: 0 });
    expect(answer['history']).toEqual([
      expect.objectContaining({ observation_id: bad, value: { no: 7 }, raw: true, wins: false }),
      expect.objectContaining({ observation_id: now, value: 'new', wins: true, observed_at: iso(day(3)) }),
      expect.objectContaining({ observation_id: old, value: 'old', wins: false, source_record_id: 'a' }),
    ]);
    const second = await ask('get_field_history', { entity_id, field: 'address', limit: 1, offset: 1 });
    expect(second).toMatchObject({ total: 3, history: [{ observation_id: now }] });
    expect(codeOf(await ask('get_field_history', { entity_id, field: 'addres_' }))).toBe('FIELD_NOT_FOUND');
    expect(codeOf(await ask('get_field_history', { entity_id, field: 'email' }))).toBe('FIELD_NOT_FOUND');
  });

  test('covers the whole group', async () => {
    const { ask, say, merge } = createEntitiesFixture(engine);
    await say({ company: 'Acme', stated: { address: '1' }, source: { id: 'a', observedAt: day(1) } });
    await say({ company: 'Acme Labs', stated: { address: '2' }, source: { id: 'b', observedAt: day(2) } });
    await say({ company: 'Acme', stated: { address: '3' }, source: { id: 'c', observedAt: day(3) } });
    await merge('Acme Labs', 'Acme');
    const answer = await ask('get_field_history', { entity_id: companyId('Acme Labs'), field: 'address' });
    expect(answer).toMatchObject({ entity_id: companyId('Acme'), redirected_from: companyId('Acme Labs'), total: 3 });
    expect((answer['history'] as { value: string }[]).map(({ value }) => value)).toEqual(['3', '2', '1']);
  });
});
