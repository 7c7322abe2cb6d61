import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPdf, invoiceLines } from '#domains/truth/files/sample-files.fixture.ts';
import {
  engines,
  type Json,
  openTruth,
  payloadInput,
  type Snapshot,
  type StoredRecord,
  type Submitted,
  type TruthProgram,
} from './truth-program.fixture.ts';

type FullSnapshot = Snapshot & { readonly provenance_all: Readonly<Record<string, readonly string[]>> };

interface Provenance {
  readonly value: unknown;
  readonly source_observation: Json;
  readonly source_record: Json;
  readonly contributing_observations: readonly { readonly id: string }[];
}

/** Entity tools beyond the document's five (RULINGS R6). */
describe.each(engines)('entities on %s', (engine) => {
  let program: TruthProgram;

  beforeAll(async () => {
    program = await openTruth(engine);
  });
  afterAll(() => program?.close());

  const submit = (body: Json, provenance: Json = {}, more: Json = {}) =>
    program.call<Submitted>('submit_payload', payloadInput(body, more, provenance));
  const snapshotOf = (entity_id: string, more: Json = {}) =>
    program.call<FullSnapshot>('get_entity_snapshot', { entity_id, ...more });
  const provenanceOf = (entity_id: string, field: string) =>
    program.call<Provenance>('get_field_provenance', { entity_id, field });
  const vendorOf = ({ entities }: Submitted) => entities.find(({ role }) => role === 'vendor_name')!;

  it('traces a field of a file to its observation, record and file', async () => {
    const file_path = join(program.files, 'invoice.pdf');
    writeFileSync(file_path, buildPdf(invoiceLines));
    const uploaded = await program.call<{ record: StoredRecord; file_url: string }>('upload_file', { file_path });
    const found = await program.call<{ entities: readonly { entity_id: string }[] }>('get_entity_by_identifier', {
      identifier: 'INV-2026-0042',
      entity_type: 'invoice',
    });
    const entity_id = found.entities[0]!.entity_id;
    const provenance = await provenanceOf(entity_id, 'amount');
    expect(provenance).toMatchObject({
      value: 1444.66,
      source_observation: { source_record_id: uploaded.record.id, source_priority: 200, source_kind: 'record' },
      source_record: { id: uploaded.record.id, type: 'FinancialRecord', file_urls: [uploaded.file_url] },
    });
    const { signed_url } = await program.call<{ signed_url: string }>('get_file_url', { file_path: uploaded.file_url });
    const served = Buffer.from(await (await fetch(signed_url)).arrayBuffer());
    expect(served.equals(buildPdf(invoiceLines))).toBe(true);
    // A deleted record is still the source.
    await program.call('delete_record', { id: uploaded.record.id });
    expect(await provenanceOf(entity_id, 'amount')).toMatchObject({
      value: 1444.66,
      source_record: { id: uploaded.record.id, deleted: true },
    });
  });

  it('applies each merge strategy, merges arrays, and lets a correction win', async () => {
    const low = 'acme:low:v1';
    const high = 'acme:high:v1';
    for (const [capability_id, source_priority] of [
      [low, 10],
      [high, 900],
    ] as const) {
      const shape = { primary_type: 'gadget', hash_fields: ['serial', 'note'], natural_key: [{ field: 'serial' }] };
      await program.call('register_capability', { capability_id, ...shape, extract: [], source_priority });
    }
    const fields = {
      serial: { type: 'string', identifier: true },
      latest: { type: 'string' },
      weighty: { type: 'string', strategy: 'highest_priority' },
      exact: { type: 'string', strategy: 'most_specific' },
      tags: { type: 'array', strategy: 'merge_array' },
    };
    const ref = { entity_type: 'gadget', version: '1.1' };
    await program.call('register_entity_schema', { ...ref, fields, open: false });
    await program.call('activate_entity_schema', ref);
    const say = (capability_id: string, extracted_at: string, body: Json) =>
      submit({}, { extracted_at }, { capability_id, body: { serial: 'G-1', note: extracted_at, ...body } });
    const full = { latest: 'old', weighty: 'heavy', exact: 'full', tags: ['b', 'a'] };
    const early = await say(high, '2024-01-01T00:00:00Z', full);
    const late = await say(low, '2024-06-01T00:00:00Z', {
      latest: 'new',
      weighty: 'light',
      tags: ['c', 'a'],
      colour: 'red',
    });
    const [first, second] = [early.entities[0]!.observation_id, late.entities[0]!.observation_id];
    const entity_id = early.entities[0]!.entity_id;
    expect(late.entities[0]).toMatchObject({ entity_id, identity_rule: 'natural_key' });
    expect(await snapshotOf(entity_id)).toMatchObject({
      snapshot: { serial: 'G-1', latest: 'new', weighty: 'heavy', exact: 'full', tags: ['a', 'b', 'c'] },
      provenance: { latest: second, weighty: first, exact: first, tags: second },
      provenance_all: { tags: [second, first] },
      raw_fragments: { colour: 'red' },
    });
    expect((await provenanceOf(entity_id, 'tags')).contributing_observations.map(({ id }) => id)).toEqual([first]);
    // In any order of arrival: older observations add only fields that no other has.
    await say(low, '2023-01-01T00:00:00Z', { latest: 'ancient', tags: ['z'] });
    expect((await snapshotOf(entity_id)).snapshot).toMatchObject({
      latest: 'new',
      weighty: 'heavy',
      tags: ['a', 'b', 'c', 'z'],
    });
    const corrected = await program.call<FullSnapshot & { observation_id: string }>('correct_entity', {
      entity_id,
      fields: { weighty: 'right', tags: ['only'] },
      reason: 'looked at it',
    });
    expect(corrected.snapshot).toMatchObject({ weighty: 'right', tags: ['only'], latest: 'new' });
    await say(high, '2025-06-01T00:00:00Z', { weighty: 'heavier', tags: ['late'] });
    expect((await snapshotOf(entity_id)).snapshot).toMatchObject({ weighty: 'right', tags: ['only'] });
    expect(await provenanceOf(entity_id, 'tags')).toMatchObject({
      source_observation: { id: corrected.observation_id, source_priority: 1_000, source_kind: 'correction' },
      source_record: { type: 'correction', reason: 'looked at it' },
    });
    // All earlier statements are kept.
    const history = await program.call<{ history: readonly { value: unknown }[]; total: number }>('get_field_history', {
      entity_id,
      field: 'weighty',
    });
    expect(history.total).toBe(4);
    expect(history.history.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['right', 'heavier', 'light', 'heavy']),
    );
  });

  it('distinguishes observation time from recording time', async () => {
    const first = await submit(
      { invoice_number: 'B-1', vendor_name: 'Bitemporal AG', vendor_address: 'May' },
      { extracted_at: '2024-05-01T00:00:00Z' },
    );
    const entity_id = vendorOf(first).entity_id;
    const known = (await snapshotOf(entity_id)).computed_at;
    while (Date.now() <= Date.parse(known)) await new Promise(setImmediate);
    // Recorded later, about an earlier time.
    await submit(
      { invoice_number: 'B-2', vendor_name: 'Bitemporal AG', vendor_address: 'March' },
      { extracted_at: '2024-03-01T00:00:00Z' },
    );
    const april = { at: '2024-04-01T00:00:00Z' };
    expect(await snapshotOf(entity_id, april)).toMatchObject({ snapshot: { address: 'March' }, observation_count: 1 });
    expect(await snapshotOf(entity_id)).toMatchObject({ snapshot: { address: 'May' }, observation_count: 2 });
    expect(await snapshotOf(entity_id, { as_known_at: known })).toMatchObject({
      snapshot: { address: 'May' },
      observation_count: 1,
    });
    const both = { entity_id, ...april, as_known_at: known };
    expect((await program.fail('get_entity_snapshot', both)).code).toBe('ENTITY_NOT_FOUND');
  });

  it('previews, makes and undoes a merge, with edges and later observations', async () => {
    const one = await submit(
      { invoice_number: 'M-1', vendor_name: 'Merge One', vendor_address: 'First' },
      { extracted_at: '2024-01-01T00:00:00Z' },
    );
    const two = await submit(
      { invoice_number: 'M-2', vendor_name: 'Merge-One', vendor_tax_id: '77' },
      { extracted_at: '2024-02-01T00:00:00Z' },
    );
    const [source, target] = [vendorOf(one).entity_id, vendorOf(two).entity_id];
    const alike = await program.call<{ duplicates: readonly { entities: readonly { entity_id: string }[] }[] }>(
      'list_potential_duplicates',
      { entity_type: 'company' },
    );
    const groups = alike.duplicates.map(({ entities }) => entities.map(({ entity_id }) => entity_id).toSorted());
    expect(groups).toContainEqual([source, target].toSorted());
    await program.call('create_relationship', {
      relationship_type: 'PART_OF',
      source_entity_id: one.entities[0]!.entity_id,
      target_entity_id: source,
    });
    const pair = { source_entity_id: source, target_entity_id: target };
    const before = [await snapshotOf(source), await snapshotOf(target)];
    const edgesOf = async (entity_id: string) => (await program.call('list_relationships', { entity_id }))['total'];
    expect(await program.call('merge_entities', { ...pair, dry_run: true })).toMatchObject({
      merged: false,
      dry_run: true,
      root_entity_id: target,
      observation_count: 2,
      relationships_moved: 2,
    });
    expect([await snapshotOf(source), await snapshotOf(target)]).toEqual(before);
    expect(await program.call('merge_entities', pair)).toMatchObject({
      merged: true,
      dry_run: false,
      observation_count: 2,
    });
    expect(await snapshotOf(source)).toMatchObject({
      entity_id: target,
      redirected_from: source,
      snapshot: { address: 'First', tax_id: '77' },
      observation_count: 2,
    });
    // With the links of the invoices to their vendors.
    expect(await edgesOf(target)).toBe(3);
    expect((await program.fail('merge_entities', pair)).code).toBe('VALIDATION_ERROR');
    await submit(
      { invoice_number: 'M-3', vendor_name: 'Merge One', vendor_address: 'Second' },
      { extracted_at: '2024-03-01T00:00:00Z' },
    );
    expect(await snapshotOf(target)).toMatchObject({ observation_count: 3, snapshot: { address: 'Second' } });
    expect(await program.call('unmerge_entities', { ...pair, dry_run: true })).toMatchObject({
      unmerged: false,
      dry_run: true,
    });
    expect(await snapshotOf(source)).toMatchObject({ entity_id: target });
    expect(await program.call('unmerge_entities', pair)).toMatchObject({ unmerged: true });
    expect(await snapshotOf(source)).toMatchObject({
      entity_id: source,
      observation_count: 2,
      snapshot: { address: 'Second' },
    });
    expect(await snapshotOf(target)).toEqual(before[1]);
    expect([await edgesOf(source), await edgesOf(target)]).toEqual([3, 1]);
    expect((await program.fail('unmerge_entities', pair)).code).toBe('VALIDATION_ERROR');
  });

  it('are listed and found by name, number and type, with events and neighbours', async () => {
    const answer = await submit({
      invoice_number: 'N-1',
      vendor_name: 'Neighbour GmbH',
      customer_name: 'Next Door',
      due_date: '2031-01-02',
    });
    const [self, vendor, customer] = answer.entities.map(({ entity_id }) => entity_id) as [string, string, string];
    for (const identifier of ['N-1', vendor, ' neighbour  GMBH', 'Neighbour']) {
      const { entities } = await program.call<{ entities: readonly Json[] }>('get_entity_by_identifier', {
        identifier,
      });
      expect([identifier, entities.map((one) => one['entity_id'])]).toEqual([
        identifier,
        [identifier === 'N-1' ? self : vendor],
      ]);
    }
    const newest = await program.call<{ entities: readonly Json[] }>('retrieve_entities', {
      entity_type: 'invoice',
      limit: 1,
    });
    expect(newest.entities).toMatchObject([
      { entity_id: self, entity_type: 'invoice', snapshot: { invoice_number: 'N-1' } },
    ]);
    const bare = await program.call<{ entities: readonly Json[] }>('retrieve_entities', {
      limit: 1,
      include_snapshots: false,
    });
    expect(bare.entities[0]).not.toHaveProperty('snapshot');

    const due = { event_type: 'invoice_due_date', after_date: '2031-01-01', before_date: '2031-01-02' };
    expect(await program.call('list_timeline_events', due)).toMatchObject({
      events: [{ entity_id: self, source_field: 'due_date', value: '2031-01-02', source_record_id: answer.payload_id }],
      total: 1,
    });
    expect(await program.call('list_timeline_events', { ...due, before_date: '2031-01-01' })).toMatchObject({
      total: 0,
    });
    expect(await program.call('list_timeline_events', { source_record_id: answer.payload_id })).toMatchObject({
      total: 2,
    });

    for (const [relationship_type, from, to] of [
      ['PART_OF', self, vendor],
      ['DEPENDS_ON', vendor, customer],
    ] as const) {
      await program.call('create_relationship', { relationship_type, source_entity_id: from, target_entity_id: to });
    }
    const related = async (more: Json) => {
      const result = await program.call<{ entities: readonly Json[] }>('get_related_entities', {
        entity_id: self,
        relationship_types: ['PART_OF', 'DEPENDS_ON'],
        ...more,
      });
      return result.entities.map((one) => [one['entity_id'], one['hops']]);
    };
    expect(await related({})).toEqual([[vendor, 1]]);
    expect(await related({ max_hops: 2 })).toEqual([
      [vendor, 1],
      [customer, 2],
    ]);
    expect(await related({ max_hops: 2, relationship_types: ['PART_OF'] })).toEqual([[vendor, 1]]);
    expect(await related({ direction: 'inbound' })).toEqual([]);
    expect(await program.call('get_graph_neighborhood', { node_id: vendor, node_type: 'entity' })).toMatchObject({
      node: { id: vendor, type: 'company' },
      relationships: [{}, {}, {}],
      sources: [{ source_record_id: answer.payload_id, source_kind: 'payload' }],
      truncated: false,
    });
    const around = await program.call<{ entities: readonly Json[] }>('get_graph_neighborhood', {
      node_id: answer.payload_id,
      node_type: 'record',
    });
    expect(new Set(around.entities.map((one) => one['entity_id']))).toEqual(new Set([self, vendor, customer]));
  });
});

/** The words come from the model's own tests, so that keyword and semantic hits are combined. */
describe.each(engines)('3.3 retrieve_records in its three modes on %s', (engine) => {
  it('finds by keyword, semantic and combined search above the threshold, and reports the mode used', async () => {
    const program = await openTruth(engine);
    const ids: string[] = [];
    for (const [text, embedding] of [
      ['mangos ripen', [1, 0, 0]],
      ['pears are picked', [0.9, 0.436, 0]],
      ['stones', [0, 0, 1]],
    ] as const) {
      ids.push((await program.call<StoredRecord>('store_record', { type: 'f', properties: { text }, embedding })).id);
    }
    const find = async (query: Json) => {
      const { records } = await program.call<{ records: readonly StoredRecord[] }>('retrieve_records', query);
      return records.map(({ id, similarity }) => [ids.indexOf(id), similarity]);
    };
    const near = { query_embedding: [1, 0, 0], search_mode: 'semantic', type: 'f' };
    expect(await find(near)).toEqual([
      [0, 1],
      [1, expect.closeTo(0.9, 3)],
    ]);
    expect(await find({ ...near, similarity_threshold: 0.95 })).toEqual([[0, 1]]);
    expect((await find({ ...near, similarity_threshold: 0 })).length).toBe(3);
    expect(await find({ search: ['pears'], search_mode: 'keyword' })).toEqual([[1, undefined]]);
    const both = await find({ search: ['stones'], query_embedding: [1, 0, 0], type: 'f' });
    expect(new Set(both.map(([n]) => n))).toEqual(new Set([0, 1, 2]));
    // A record without an embedding is found by keyword until it is embedded.
    const { id } = await program.call<StoredRecord>('store_record', { type: 'late', properties: { text: 'figs' } });
    const late = async (search_mode: string) => {
      const query = { type: 'late', search: ['figs'], search_mode, similarity_threshold: 0 };
      const { records } = await program.call<{ records: readonly StoredRecord[] }>('retrieve_records', query);
      return records.map((record) => [record.id, typeof record.similarity]);
    };
    expect(await late('keyword')).toEqual([[id, 'undefined']]);
    await expect.poll(() => late('semantic'), { timeout: 120_000 }).toEqual([[id, 'number']]);
    expect(await late('both')).toEqual([[id, 'number']]);
    await program.close();
  });
});
