import { expect, test } from 'vitest';
import { truthPageLimits } from '../page-limits.ts';
import { codeOf, describeTruth, invoice } from '../truth.fixture.ts';
import type { EntityMoments } from './entity-moments.ts';
import type { EntityOverview } from './entity-overview.ts';
import { createSearchFixture } from './search/entity-search.fixture.ts';

describeTruth('[TR89] the page of an entity', (engine) => {
  async function open() {
    const fixture = await createSearchFixture(engine);
    const mine = fixture.as();
    return {
      ...mine,
      overview: (entity_id: string, more: object = {}) =>
        mine.good<EntityOverview>('get_entity_overview', { entity_id, ...more }),
      moments: (entity_id: string) => mine.good<EntityMoments>('list_entity_moments', { entity_id }),
    };
  }

  const fieldIn = ({ fields }: EntityOverview, name: string) => fields.find(({ field }) => field === name);

  test('names entities as their sources write them, and leaves out unknown ones', async () => {
    const { fact, good } = await open();
    const { entity_id } = await fact('person', 'Alice McRae', { employer: 'Acme' });
    const unknown = 'ent_000000000000000000000000';
    expect(await good('name_entities', { entity_ids: [entity_id, unknown, entity_id] })).toEqual({
      names: { [entity_id]: 'Alice McRae' },
    });
  });

  test('shows each field with its value, start, source and author, now and at another time', async () => {
    const { fact, overview, good } = await open();
    const { entity_id } = await fact(
      'person',
      'Alice',
      { employer: 'Acme' },
      { effective_at: '2025-01', source: 'cv' },
    );
    await fact('person', 'Alice', { employer: 'Globex' }, { effective_at: '2025-05-02' });
    const now = await overview(entity_id);
    expect(now).toMatchObject({
      entity_id,
      entity_type: 'person',
      canonical_name: 'alice',
      merged: [],
      raw_fields: [],
    });
    expect(fieldIn(now, 'employer')).toMatchObject({
      value: 'Globex',
      effective_at: '2025-05-02',
      source_kind: 'payload',
      actor: expect.any(String),
      submission_id: expect.stringMatching(/^sub_/),
      source_record: { file_urls: [] },
      contributing_total: 1,
    });
    expect(fieldIn(await overview(entity_id, { at: '2025-04-30' }), 'employer')).toMatchObject({
      value: 'Acme',
      effective_at: '2025-01',
      source: 'cv',
    });
    const correction = await good<{ correction_id: string }>('correct_entity', {
      entity_id,
      fields: { employer: 'Initech' },
      reason: 'asked her',
    });
    expect(fieldIn(await overview(entity_id), 'employer')).toMatchObject({
      value: 'Initech',
      source_kind: 'correction',
      actor: expect.any(String),
      submission_id: correction.correction_id,
      source_record: { type: 'correction', reason: 'asked her' },
    });
  });

  test('shows values as they were known, values of no schema field, and cuts long ones', async () => {
    const { submit, overview, good } = await open();
    await submit(invoice({ notes_line: 'x'.repeat(10_000), amount: 'about 7', status: 'y'.repeat(10_000) }));
    const { entities } = await good<{ entities: { entity_id: string }[] }>('get_entity_by_identifier', {
      identifier: 'INV-001',
      entity_type: 'invoice',
    });
    const shown = await overview(entities[0]!.entity_id);
    expect(shown.raw_fields).toContainEqual({ field: 'amount', value: 'about 7' });
    const cut = [...shown.fields, ...shown.raw_fields].filter(({ shortened }) => shortened);
    expect(cut.length).toBeGreaterThan(0);
    for (const { value } of cut)
      expect(String(value).length).toBeLessThanOrEqual(truthPageLimits.overviewValueChars + 1);
    const knownAt = new Date(engine.clock.now()).toISOString();
    engine.clock.advance(60_000);
    await submit(invoice({ amount: 99 }, { extracted_at: '2025-02-01T00:00:00Z' }));
    const { entity_id } = shown;
    expect(fieldIn(await overview(entity_id), 'amount')).toMatchObject({ value: 99 });
    expect(fieldIn(await overview(entity_id, { as_known_at: knownAt }), 'amount')).toBeUndefined();
  });

  test('names the entities that are merged into it, so that the merge can be undone', async () => {
    const { fact, overview, good } = await open();
    const acme = await fact('company', 'Acme', { city: 'Bonn' });
    const twin = await fact('company', 'Akme', { phone: '1' });
    const pair = { source_entity_id: twin.entity_id, target_entity_id: acme.entity_id };
    await good('merge_entities', pair);
    const merged = await overview(twin.entity_id);
    expect(merged).toMatchObject({
      entity_id: acme.entity_id,
      redirected_from: twin.entity_id,
      merged: [{ entity_id: twin.entity_id, canonical_name: 'akme', merged_into: acme.entity_id }],
    });
    expect(fieldIn(merged, 'phone')).toMatchObject({ value: '1' });
    await good('unmerge_entities', pair);
    expect(await overview(acme.entity_id)).toMatchObject({ merged: [] });
  });

  test('lists the moments at which it changed, newest first', async () => {
    const { fact, moments, good } = await open();
    const { entity_id } = await fact('person', 'Alice', { employer: 'Acme' }, { effective_at: '2025-01-01' });
    engine.clock.advance(1_000);
    const recordedAt = engine.clock.now();
    const period = { effective_at: '2025-05-01', effective_until: '2025-07-01' };
    const added = await good<{ submission_id: string }>('store_fact', {
      entity_id,
      fields: { city: 'Bonn' },
      ...period,
    });
    const before = await moments(entity_id);
    const times = before.effective.map(({ at }) => at.slice(0, 10));
    expect(times).toEqual(times.toSorted().toReversed());
    expect(times).toEqual(expect.arrayContaining(['2025-07-01', '2025-05-01', '2025-01-01']));
    expect(before.recorded[0]).toEqual({ at: new Date(recordedAt).toISOString(), statements: 1 });
    expect(before).not.toHaveProperty('truncated');
    engine.clock.advance(1_000);
    await good('retract_statement', { id: added.submission_id });
    expect((await moments(entity_id)).recorded).toHaveLength(before.recorded.length + 1);
  });

  test('limits the moments of an entity with many statements, and says so', async () => {
    const { submitInBulk, good, moments } = await open();
    const some = Array.from({ length: truthPageLimits.momentRowsCount + 20 }, (_, i) =>
      invoice({ amount: i }, { extracted_at: new Date(Date.UTC(2020, 0, 1) + i * 3_600_000).toISOString() }),
    );
    for (let at = 0; at < some.length; at += 100) await submitInBulk(some.slice(at, at + 100));
    const { entities } = await good<{ entities: { entity_id: string }[] }>('get_entity_by_identifier', {
      identifier: 'INV-001',
      entity_type: 'invoice',
    });
    const found = await moments(entities[0]!.entity_id);
    expect(found.effective.length).toBeLessThanOrEqual(truthPageLimits.momentsCount);
    expect(found).toMatchObject({ truncated: true });
  });

  test('a brief list cuts long values', async () => {
    const { fact, retrieve } = await open();
    await fact('person', 'Alice', { bio: 'x'.repeat(10_000), city: 'Bonn' });
    const [brief] = (await retrieve({ brief: true })).entities;
    expect(brief).toMatchObject({ shortened: ['bio'], snapshot: { name: 'Alice', city: 'Bonn' } });
    expect(JSON.stringify(brief).length).toBeLessThan(1_500);
    expect((await retrieve({})).entities[0]).not.toHaveProperty('shortened');
  });

  test('names the file that a value was read from', async () => {
    const { good, overview } = await open();
    const text = 'Acme Tools GmbH\nINVOICE\nInvoice number: INV-7\nInvoice date: 31 May 2026\nTotal due: EUR 10.00';
    const content_base64 = Buffer.from(text).toString('base64');
    await good('upload_file', { content_base64, file_name: 'may.txt' });
    const { entities } = await good<{ entities: { entity_id: string }[] }>('get_entity_by_identifier', {
      identifier: 'INV-7',
    });
    const shown = await overview(entities[0]!.entity_id);
    expect(fieldIn(shown, 'amount')).toMatchObject({ value: 10, source_record: { file_name: 'may.txt' } });
  });

  test('lists the types with their number', async () => {
    const { fact, good } = await open();
    expect(await good('list_entity_types', {})).toEqual({ types: [] });
    for (const name of ['a', 'b']) await fact('company', name, {});
    await fact('boat', 'c', {});
    expect(await good('list_entity_types', {})).toEqual({
      types: [
        { entity_type: 'company', count: 2 },
        { entity_type: 'boat', count: 1 },
      ],
    });
  });

  test('does not find the entities of another tenant, nor unknown ones', async () => {
    const fixture = await createSearchFixture(engine);
    const { entity_id } = await fixture.as().fact('person', 'Alice', { employer: 'Acme' });
    const other = fixture.as();
    for (const tool of ['get_entity_overview', 'list_entity_moments']) {
      expect(codeOf(await other.ask(tool, { entity_id }))).toBe('ENTITY_NOT_FOUND');
      expect(codeOf(await other.ask(tool, { entity_id: 'alice' }))).toBe('VALIDATION_ERROR');
      expect(codeOf(await other.ask(tool, { entity_id, limit: 1 }))).toBe('VALIDATION_ERROR');
    }
    expect(codeOf(await other.ask('get_entity_overview', { entity_id, at: 'yesterday' }))).toBe('VALIDATION_ERROR');
  });

  test('the history of a field names the source, author and submission of each statement', async () => {
    const { fact, good } = await open();
    const { entity_id } = await fact('person', 'Alice', { employer: 'Acme' }, { source: 'her letter' });
    engine.clock.advance(1);
    await good('correct_entity', { entity_id, fields: { employer: 'Globex' }, reason: 'asked her' });
    const { history } = await good<{ history: Record<string, unknown>[] }>('get_field_history', {
      entity_id,
      field: 'employer',
    });
    expect(history).toMatchObject([
      { value: 'Globex', actor: expect.any(String), source_record: { type: 'correction', reason: 'asked her' } },
      { value: 'Acme', actor: expect.any(String), submission_id: expect.stringMatching(/^sub_/), source_record: {} },
    ]);
  });
});
