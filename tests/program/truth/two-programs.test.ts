import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  engines,
  type Json,
  makeSharedStore,
  payloadInput,
  type SharedStore,
  type StoredRecord,
  type Submitted,
  type TruthCaller,
} from './truth-program.fixture.ts';

const acyclic = ['PART_OF', 'CORRECTS', 'SETTLES', 'DUPLICATE_OF', 'DEPENDS_ON', 'SUPERSEDES'] as const;
const roundsCount = 4;

describe.each(engines)('two programs on one store, %s', (engine) => {
  let store: SharedStore;
  let one: TruthCaller & { close(): Promise<void> };
  let two: TruthCaller & { close(): Promise<void> };

  beforeAll(async () => {
    store = await makeSharedStore(engine);
    [one, two] = [await store.open(), await store.open()];
  });
  afterAll(async () => {
    await one?.close();
    await two?.close();
    await store?.remove();
  });

  const idsOf = ({ entities }: Submitted) => entities.map(({ entity_id }) => entity_id) as [string, string, string];
  let counter = 0;
  const newEntity = async (): Promise<string> => {
    counter += 1;
    const note = payloadInput({}, { capability_id: 'neotoma:store_note:v1', body: { title: `note ${counter}` } });
    return (await one.call<Submitted>('submit_payload', note)).entities[0]!.entity_id;
  };

  it("one reads the other's write in its next call", async () => {
    const [self, vendor, customer] = idsOf(
      await one.call<Submitted>('submit_payload', payloadInput({ due_date: '2025-03-01' })),
    );
    const snapshot = () =>
      two.call<{ snapshot: Json; observation_count: number }>('get_entity_snapshot', { entity_id: vendor });
    expect(await snapshot()).toMatchObject({ observation_count: 1 });
    expect(await two.call('list_timeline_events', { event_type: 'invoice_due_date' })).toMatchObject({ total: 1 });
    expect(await two.call('get_entity_by_identifier', { identifier: 'acme corp' })).toMatchObject({ total: 1 });
    // The other has cached this entity and must not return the old snapshot.
    for (const n of [2, 3, 4]) {
      const later = { extracted_at: `2025-0${n}-01T00:00:00Z` };
      await one.call(
        'submit_payload',
        payloadInput({ invoice_number: `I-${n}`, vendor_address: `${n} Street` }, {}, later),
      );
      expect(await snapshot()).toMatchObject({ observation_count: n, snapshot: { address: `${n} Street` } });
    }
    await one.call('correct_entity', { entity_id: vendor, fields: { address: 'Right Street' } });
    expect(await snapshot()).toMatchObject({ snapshot: { address: 'Right Street' } });
    expect(await two.call('list_observations', { entity_id: vendor })).toMatchObject({ total: 5 });

    const edge = { relationship_type: 'PART_OF', source_entity_id: self, target_entity_id: vendor };
    await one.call('create_relationship', edge);
    expect(await two.call('list_relationships', { entity_id: vendor })).toMatchObject({ total: 5 });
    const pair = { source_entity_id: customer, target_entity_id: vendor };
    await one.call('merge_entities', pair);
    expect(await two.call('get_entity_snapshot', { entity_id: customer })).toMatchObject({
      entity_id: vendor,
      redirected_from: customer,
    });
    await one.call('unmerge_entities', pair);
    expect(await two.call('get_entity_snapshot', { entity_id: customer })).toMatchObject({ entity_id: customer });

    const found = async (query: Json) => {
      const { records } = await two.call<{ records: readonly StoredRecord[] }>('retrieve_records', query);
      return records.map(({ id }) => id);
    };
    const byWord = { search: ['mangos'], search_mode: 'keyword' };
    const { id } = await one.call<StoredRecord>('store_record', { type: 'fruit', properties: { text: 'mangos' } });
    expect(await found({ type: 'fruit' })).toEqual([id]);
    expect(await found(byWord)).toEqual([id]);
    await one.call('update_record', { id, properties: { text: 'pears' } });
    expect(await found(byWord)).toEqual([]);
    expect(await found({ properties: { text: 'pears' } })).toEqual([id]);
    await one.call('delete_record', { id });
    expect(await found({ type: 'fruit' })).toEqual([]);
    await one.call('restore_record', { id });
    expect(await found({ search: ['pears'], search_mode: 'keyword' })).toEqual([id]);

    const file_path = join(store.folder, 'files', 'a.txt');
    writeFileSync(file_path, 'a file for both');
    const { file_url } = await one.call<{ file_url: string }>('upload_file', { file_path });
    const { signed_url } = await two.call<{ signed_url: string }>('get_file_url', { file_path: file_url });
    expect(await (await fetch(signed_url)).text()).toBe('a file for both');

    const capability_id = 'acme:store_ticket:v1';
    const capability = {
      capability_id,
      primary_type: 'ticket',
      hash_fields: ['number'],
      natural_key: [{ field: 'number' }],
      extract: [],
    };
    expect((await two.fail('submit_payload', payloadInput({}, { capability_id }))).code).toBe('UNKNOWN_CAPABILITY');
    await one.call('register_capability', capability);
    const ticket = payloadInput({}, { capability_id, body: { number: 'T-1', opened_date: '2025-05-01' } });
    const [ticketId] = idsOf(await two.call<Submitted>('submit_payload', ticket));
    const fields = { number: { type: 'string', identifier: true }, opened_date: { type: 'date' } };
    await one.call('register_entity_schema', { entity_type: 'ticket', version: '1.1', fields });
    expect(await two.call('get_entity_snapshot', { entity_id: ticketId })).toMatchObject({
      schema_version: '1.0',
      snapshot: { number: 'T-1', opened_date: '2025-05-01' },
    });
    await one.call('activate_entity_schema', { entity_type: 'ticket', version: '1.1' });
    expect(await two.call('get_entity_snapshot', { entity_id: ticketId })).toMatchObject({
      schema_version: '1.1',
      snapshot: { number: 'T-1', opened_date: '2025-05-01' },
    });
    await one.call('remove_capability', { capability_id });
    expect((await two.fail('submit_payload', { ...ticket, body: { number: 'T-2' } })).code).toBe('UNKNOWN_CAPABILITY');
  });

  it.each(acyclic)('two concurrent writers cannot close a %s cycle together', async (relationship_type) => {
    const edge = (source_entity_id: string, target_entity_id: string) => ({
      relationship_type,
      source_entity_id,
      target_entity_id,
    });
    const outcomeOf = async (caller: TruthCaller, args: Json): Promise<string> => {
      const answer = await caller.client.callTool({ name: 'create_relationship', arguments: { ...args } });
      if (answer.isError !== true) return 'made';
      const [first] = answer.content as readonly { readonly text: string }[];
      return (JSON.parse(first!.text) as { error: { code: string } }).error.code;
    };
    for (let round = 0; round < roundsCount; round += 1) {
      const [a, b, c, d] = [await newEntity(), await newEntity(), await newEntity(), await newEntity()];
      // Each edge alone is valid: a → b and c → d exist, and b → c and d → a close the cycle.
      await one.call('create_relationship', edge(a, b));
      await one.call('create_relationship', edge(c, d));
      const outcomes = await Promise.all([outcomeOf(one, edge(b, c)), outcomeOf(two, edge(d, a))]);
      expect(outcomes.toSorted()).toEqual(['CYCLE_DETECTED', 'made']);
      const { relationships } = await two.call<{ relationships: readonly Json[] }>('get_related_entities', {
        entity_id: a,
        relationship_types: [relationship_type],
        max_hops: 5,
      });
      expect(relationships).toHaveLength(3);
    }
  });

  it('one payload submitted by both concurrently is stored once', async () => {
    for (let round = 0; round < roundsCount; round += 1) {
      const payload = payloadInput({ invoice_number: `both-${round}`, vendor_name: `Both ${round}` });
      const answers = await Promise.all(
        [one, two, one, two].map((caller) => caller.call<Submitted>('submit_payload', payload)),
      );
      expect(answers.filter(({ created }) => created)).toHaveLength(1);
      expect(new Set(answers.map(({ payload_id, entities }) => JSON.stringify([payload_id, entities]))).size).toBe(1);
      const vendor = idsOf(answers[0]!)[1];
      expect(await two.call('get_entity_snapshot', { entity_id: vendor })).toMatchObject({ observation_count: 1 });
    }
  });

  it('concurrent payloads about one entity are all counted', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? one : two).call<Submitted>(
          'submit_payload',
          payloadInput({ invoice_number: `crowd-${n}`, vendor_name: 'Crowded Ltd' }),
        ),
      ),
    );
    const vendor = idsOf(answers[0]!)[1];
    for (const caller of [one, two]) {
      expect(await caller.call('get_entity_snapshot', { entity_id: vendor })).toMatchObject({ observation_count: 20 });
      expect(await caller.call('list_observations', { entity_id: vendor, limit: 1 })).toMatchObject({ total: 20 });
    }
  });

  it('two concurrent merges of each other end in one direction', async () => {
    for (let round = 0; round < roundsCount; round += 1) {
      const [a, b] = [await newEntity(), await newEntity()];
      const merge = async (
        caller: TruthCaller,
        source_entity_id: string,
        target_entity_id: string,
      ): Promise<string> => {
        const args = { source_entity_id, target_entity_id };
        const { isError } = await caller.client.callTool({ name: 'merge_entities', arguments: args });
        return isError === true ? 'refused' : 'merged';
      };
      expect((await Promise.all([merge(one, a, b), merge(two, b, a)])).toSorted()).toEqual(['merged', 'refused']);
      const roots = await Promise.all(
        [a, b].map(async (entity_id) => (await two.call('get_entity_snapshot', { entity_id }))['entity_id']),
      );
      expect(new Set(roots).size).toBe(1);
    }
  });
});
