import { type Bomb, callBomb, manyFields, nestList, times } from './bomb.ts';
import type { Json } from './measured-program.ts';

const submit = (body: Json, capability = 'neotoma:store_note:v1', refs: readonly string[] = []): Json => ({
  capability_id: capability,
  body,
  provenance: { source_refs: refs, extracted_at: '2025-01-15T10:30:00Z', extractor_version: 'v1' },
});

const payloadBomb = (name: string, body: () => Json, capability?: string): Bomb =>
  callBomb(name, 'submit_payload', () => submit(body(), capability));

const invoice = 'neotoma:store_invoice:v1';
const contract = 'neotoma:store_contract:v1';

/** Payloads and records. */
export const truthBombs: readonly Bomb[] = [
  payloadBomb('a payload of 50,000 fields', () => ({ title: 'a', ...manyFields(50_000) })),
  payloadBomb('a payload of 50,000 fields without a name', () => manyFields(50_000)),
  payloadBomb('a payload of 50,000 fields with texts', () => ({
    title: 'b',
    ...manyFields(40_000, (i) => `text ${i}`),
  })),
  payloadBomb(
    'a payload of 50,000 prefixed fields',
    () => ({
      vendor_name: 'Acme',
      invoice_number: '1',
      ...Object.fromEntries(times(40_000, (i) => [`vendor_${i}`, i])),
    }),
    invoice,
  ),
  payloadBomb('a payload with a list of 55,000 numbers', () => ({ title: 'c', tags: times(55_000, (i) => i) })),
  payloadBomb('a payload with a list of 50,000 texts', () => ({ title: 'd', tags: times(50_000, (i) => `t${i}`) })),
  payloadBomb('a payload with a list of 400,000 numbers', () => ({ title: 'e', tags: times(400_000, () => 1) })),
  payloadBomb('a payload of nested lists', () => ({
    title: 'f',
    tags: nestList(
      28,
      times(50_000, (i) => i),
    ),
  })),
  payloadBomb('a payload that nests too deep', () => ({ title: 'g', tags: nestList(55) })),
  payloadBomb(
    'a payload of 200 parties with many fields',
    () => ({
      title: 'h',
      parties: times(199, (i) => ({ name: `party ${i}`, ...manyFields(250) })),
    }),
    contract,
  ),
  payloadBomb(
    'a payload of 50,000 parties',
    () => ({ title: 'i', parties: times(50_000, (i) => `party ${i}`) }),
    contract,
  ),
  payloadBomb('a payload with a text of 1 MB', () => ({ title: 'j', content: 'word '.repeat(200_000) })),
  payloadBomb('a payload with a name of 1 MB', () => ({ title: 'k '.repeat(500_000) })),
  payloadBomb('a payload with a name of marks', () => ({ title: `k${'\u0301'.repeat(300_000)}` })),
  payloadBomb('a payload with a name of ligatures', () => ({ title: '\ufdfa'.repeat(300_000) })),
  payloadBomb('a payload with long field names', () =>
    Object.fromEntries(times(1_000, (i) => [`${i}`.repeat(200), i])),
  ),
  payloadBomb('a payload with numbers as texts', () => ({ amount: '9'.repeat(900_000), invoice_number: 'x' }), invoice),
  payloadBomb(
    'a payload with a long date',
    () => ({ date: '2025-01-01T'.repeat(80_000), invoice_number: 'y' }),
    invoice,
  ),
  callBomb('a payload with 1,000 sources', 'submit_payload', () =>
    submit(
      { title: 'l' },
      undefined,
      times(1_000, (i) => `${i}`.padEnd(200, 'x')),
    ),
  ),
  callBomb('a payload with 100,000 sources', 'submit_payload', () =>
    submit(
      { title: 'l' },
      undefined,
      times(100_000, (i) => `${i}`),
    ),
  ),
  callBomb('a correction of 50,000 fields', 'correct_entity', () => ({
    entity_id: 'ent_1',
    fields: manyFields(50_000),
  })),
  callBomb('a record of 1,000 properties', 'store_record', () => ({ type: 'a', properties: manyFields(1_000) })),
  callBomb('a record of 50,000 properties', 'store_record', () => ({ type: 'a', properties: manyFields(50_000) })),
  callBomb('a record with a list of 50,000', 'store_record', () => ({
    type: 'a',
    properties: { list: times(50_000, (i) => i) },
  })),
  callBomb('a record with a text of 1 MB', 'store_record', () => ({
    type: 'a',
    properties: { text: 'words of a text '.repeat(60_000) },
  })),
  callBomb('a record with 100,000 different words', 'store_record', () => ({
    type: 'a',
    properties: { text: times(100_000, (i) => `w${i.toString(36)}`).join(' ') },
  })),
  callBomb('a record with an embedding of 50,000 numbers', 'store_record', () => ({
    type: 'a',
    properties: {},
    embedding: times(50_000, (i) => i),
  })),
  callBomb('a search with long terms', 'retrieve_records', () => ({
    search: times(20, () => 'a* '.repeat(160)),
    search_mode: 'keyword',
  })),
  callBomb('a search with 50,000 filters', 'retrieve_records', () => ({ properties: manyFields(50_000) })),
  callBomb('a schema of 50,000 fields', 'register_entity_schema', () => ({
    entity_type: 'wide',
    version: '1.0',
    fields: manyFields(50_000, () => ({ type: 'string' })),
  })),
  callBomb('an edge with metadata of 50,000 members', 'create_relationship', () => ({
    relationship_type: 'PART_OF',
    source_entity_id: 'ent_1',
    target_entity_id: 'ent_2',
    metadata: manyFields(50_000),
  })),
  callBomb('the properties of an upload as 1 MB of JSON', 'upload_file', () => ({
    file_path: 'none.txt',
    properties: JSON.stringify(manyFields(60_000)),
  })),
];
