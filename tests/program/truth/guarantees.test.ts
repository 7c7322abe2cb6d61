import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '#tests/support/program.ts';
import {
  engines,
  type Json,
  makeSharedStore,
  openTruth,
  payloadInput,
  type SharedStore,
  type StoredRecord,
  type Submitted,
  type TruthCaller,
} from './truth-program.fixture.ts';

interface Described {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, Json>>; readonly required?: readonly string[] };
  readonly guarantees?: { readonly consistency: string; readonly deterministic: boolean };
}

/** Only this domain's tools state guarantees. */
async function truthTools({ call }: TruthCaller): Promise<ReadonlyMap<string, Described>> {
  const { mcp } = await call<{ mcp: { tools: readonly Described[] } }>('meta_tools');
  return new Map(mcp.tools.filter(({ guarantees }) => guarantees !== undefined).map((tool) => [tool.name, tool]));
}

interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text?: string }[];
}

async function textOf({ client }: TruthCaller, name: string, args: Json, key?: string): Promise<string> {
  const meta = key === undefined ? {} : { _meta: { idempotencyKey: key } };
  const answer = (await client.callTool({ name, arguments: { ...args }, ...meta })) as ToolAnswer;
  return answer.content[0]?.text ?? '';
}

/** Search by meaning sees a write after it is embedded; a forgetting reaches bytes and indexes after its commit. */
const bounded: readonly string[] = ['retrieve_records', 'retrieve_entities', 'forget_entity', 'forget_source'];
/** Tools about other services, with what they state. The tests of integrations call them. */
const ofServices: Readonly<Record<string, readonly ['strong' | 'bounded', boolean]>> = {
  list_provider_catalog: ['strong', true],
  sync_provider_imports: ['bounded', true],
  plaid_create_link_token: ['strong', false],
  plaid_exchange_public_token: ['strong', true],
  plaid_sync: ['bounded', true],
  plaid_list_items: ['strong', true],
  get_technical_metrics: ['bounded', true],
  get_product_analytics: ['bounded', true],
};
const reads = [
  'get_entity_snapshot',
  'list_observations',
  'get_field_provenance',
  'get_field_history',
  'retrieve_entities',
  'get_entity_by_identifier',
  'list_timeline_events',
  'list_relationships',
  'get_related_entities',
  'get_graph_neighborhood',
  'list_potential_duplicates',
  'retrieve_records',
  'list_capabilities',
  'list_entity_schemas',
  'list_relationship_types',
  'get_payload',
  'list_contradictions',
  'get_entity_overview',
  'list_entity_moments',
  'list_entity_types',
  'name_entities',
  'get_record',
  'get_forget_certificate',
];
const writes = [
  'submit_payload',
  'correct_entity',
  'create_relationship',
  'merge_entities',
  'unmerge_entities',
  'store_record',
  'update_record',
  'delete_record',
  'restore_record',
  'upload_file',
  'register_capability',
  'remove_capability',
  'register_entity_schema',
  'activate_entity_schema',
  'delete_relationship',
  'restore_relationship',
  'register_relationship_type',
  'store_fact',
  'retract_statement',
  'restore_statement',
  'accept_contradiction',
  'forget_entity',
  'forget_source',
];
const signing = 'get_file_url';

interface Filled {
  readonly ids: readonly string[];
  readonly record: string;
  readonly contentId: string;
  readonly certificateId: string;
}

/** The same history in any store. */
async function fill({ call }: TruthCaller, store: SharedStore): Promise<Filled> {
  const ids: string[] = [];
  let contentId = '';
  for (const n of [1, 2, 3]) {
    const body = {
      invoice_number: `I-${n}`,
      vendor_name: ['Acme Corp', 'A.C.M.E. Corp', 'Globex'][n - 1],
      due_date: '2025-02-01',
    };
    const { entities, payload_content_id } = await call<Submitted>('submit_payload', payloadInput(body));
    contentId = payload_content_id;
    ids.push(...entities.map(({ entity_id }) => entity_id));
  }
  await call('create_relationship', {
    relationship_type: 'REFERS_TO',
    source_entity_id: ids[0],
    target_entity_id: ids[1],
  });
  await call('create_relationship', {
    relationship_type: 'PART_OF',
    source_entity_id: ids[0],
    target_entity_id: ids[1],
  });
  await call('correct_entity', { entity_id: ids[1], fields: { address: 'Here 1' } });
  const { id } = await call<StoredRecord>('store_record', {
    type: 'note',
    properties: { text: 'mangos ripen', n: 1 },
    embedding: [1, 0],
  });
  for (const n of [2, 3])
    await call('store_record', { type: 'note', properties: { text: 'mangos ripen', n }, embedding: [1, 0] });
  const file_path = join(store.folder, 'files', 'a.txt');
  writeFileSync(file_path, 'Invoice number: INV-77\nInvoice date: 2024-03-05\nTotal: 12.00 EUR\n');
  await call('upload_file', { file_path });
  const { entity_id } = await call<{ entity_id: string }>('store_fact', {
    subject: { type: 'person', name: 'Zeno Quartz' },
    fields: { city: 'Ulm' },
  });
  const { certificate } = await call<{ certificate: { certificate_id: string } }>('forget_entity', {
    entity_id,
    dry_run: false,
    confirm: 'zeno quartz',
  });
  return { ids, record: id, contentId, certificateId: certificate.certificate_id };
}

const questions = ({ ids, record, contentId, certificateId }: Filled): readonly (readonly [string, Json])[] => [
  ['get_entity_snapshot', { entity_id: ids[1] }],
  ['get_entity_snapshot', { entity_id: ids[1], at: '2025-06-01T00:00:00Z' }],
  ['list_observations', { entity_id: ids[1] }],
  ['list_observations', { entity_id: ids[1], limit: 1, offset: 1 }],
  ['get_field_provenance', { entity_id: ids[1], field: 'address' }],
  ['get_field_history', { entity_id: ids[1], field: 'name' }],
  ['retrieve_entities', {}],
  ['retrieve_entities', { entity_type: 'company', include_snapshots: false }],
  ['get_entity_by_identifier', { identifier: 'acme corp' }],
  ['list_timeline_events', {}],
  ['list_relationships', { entity_id: ids[0] }],
  ['get_related_entities', { entity_id: ids[0], max_hops: 3 }],
  ['get_graph_neighborhood', { node_id: ids[0], node_type: 'entity' }],
  ['get_graph_neighborhood', { node_id: record, node_type: 'record' }],
  ['list_potential_duplicates', {}],
  ['retrieve_records', { type: 'note' }],
  ['retrieve_records', { search: ['mangos'], search_mode: 'keyword' }],
  ['retrieve_records', { query_embedding: [1, 0], search_mode: 'semantic', type: 'note' }],
  ['list_capabilities', {}],
  ['list_entity_schemas', { entity_type: 'invoice' }],
  ['list_relationship_types', {}],
  ['get_payload', { payload_content_id: contentId }],
  ['list_contradictions', { status: 'all' }],
  ['get_entity_overview', { entity_id: ids[1] }],
  ['list_entity_moments', { entity_id: ids[1] }],
  ['list_entity_types', {}],
  ['name_entities', { entity_ids: ids }],
  ['get_record', { id: record }],
  ['get_forget_certificate', { id: certificateId }],
];

describe.each(engines)('6 and 7: consistency and determinism on %s', (engine) => {
  let store: SharedStore;
  let one: TruthCaller & { close(): Promise<void> };
  let filled: Filled;

  beforeAll(async () => {
    store = await makeSharedStore(engine);
    one = await store.open();
    filled = await fill(one, store);
  });
  afterAll(async () => {
    await one?.close();
    await store?.remove();
  });

  it('every tool states its guarantees and is tested here', async () => {
    const tools = await truthTools(one);
    const known = [...reads, ...writes, signing, ...Object.keys(ofServices)];
    expect([...tools.keys()].toSorted()).toEqual(known.toSorted());
    expect(new Set(questions(filled).map(([name]) => name))).toEqual(new Set(reads));
    for (const [name, { guarantees }] of tools) {
      const stated = ofServices[name] ?? [bounded.includes(name) ? 'bounded' : 'strong', name !== signing];
      expect([name, guarantees?.consistency, guarantees?.deterministic]).toEqual([name, ...stated]);
    }
  });

  it('a repeated read gives the same bytes, also from another program', async () => {
    const two = await store.open();
    for (const [name, args] of questions(filled)) {
      const first = await textOf(one, name, args);
      expect(first, name).not.toContain('"error"');
      for (const asked of [one, two, two]) expect(await textOf(asked, name, args), name).toBe(first);
    }
    await two.close();
  });

  it('the same history gives the same ids, snapshots and edges in another store', async () => {
    const elsewhere = await makeSharedStore(engine);
    const other = await elsewhere.open();
    const again = await fill(other, elsewhere);
    const { ids } = filled;
    expect(again.ids).toEqual(ids);
    /** Without recording times and random ids. */
    const shape = (text: string): string =>
      text
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}/g, 'drawn')
        .replaceAll(/20(?:2[6-9]|[3-9]\d)-\d\d-\d\dT[\d:.]+Z/g, 'then');
    // A correction has a random id; everything else is derived from the input.
    for (const entity_id of [ids[0], ids[3], ids[4], ids[7]]) {
      for (const name of ['get_entity_snapshot', 'list_observations', 'list_relationships']) {
        expect(shape(await textOf(other, name, { entity_id })), name).toBe(
          shape(await textOf(one, name, { entity_id })),
        );
      }
    }
    const submitted = async (caller: TruthCaller) =>
      caller.call<Submitted>('submit_payload', payloadInput({ invoice_number: 'same' }));
    const [here, there] = [await submitted(one), await submitted(other)];
    expect(there.payload_content_id).toBe(here.payload_content_id);
    expect(there.entities).toEqual(here.entities);
    await other.close();
    await elsewhere.remove();
  });

  it('only a signed URL differs, because it contains a time', async () => {
    const { records } = await one.call<{ records: readonly StoredRecord[] }>('retrieve_records', {
      type: 'FinancialRecord',
    });
    const file_path = records[0]?.file_urls[0];
    const sign = (expires_in: number) =>
      one.call<{ signed_url: string; expires_at: string }>('get_file_url', { file_path, expires_in });
    const [short, long] = [await sign(60), await sign(3_600)];
    expect(short.signed_url).not.toBe(long.signed_url);
    const byDefault = await one.call<{ expires_at: string }>('get_file_url', { file_path });
    const ahead = Date.parse(byDefault.expires_at) - Date.now();
    expect(ahead).toBeGreaterThan(3_500_000);
    expect(ahead).toBeLessThanOrEqual(3_600_000);
  });

  it('every list is limited, in its schema and in its answer', async () => {
    const tools = await truthTools(one);
    const { ids } = filled;
    const lists: readonly (readonly [string, Json, number])[] = [
      ['list_observations', { entity_id: ids[1] }, 100],
      ['get_field_history', { entity_id: ids[1], field: 'name' }, 100],
      ['retrieve_entities', {}, 100],
      ['list_timeline_events', {}, 100],
      ['list_relationships', { entity_id: ids[0] }, 100],
      ['list_entity_schemas', {}, 100],
      ['retrieve_records', { type: 'note' }, 10],
    ];
    for (const [name, args, byDefault] of lists) {
      const { limit, offset } = tools.get(name)?.inputSchema.properties ?? {};
      // The default depends on whether there is a query.
      const stated = name === 'retrieve_entities' ? {} : { default: byDefault };
      expect([name, limit], name).toMatchObject([name, { ...stated, minimum: 1, maximum: 1_000 }]);
      expect([name, offset], name).toMatchObject([name, { default: 0, minimum: 0, maximum: 100_000 }]);
      const whole = await one.call(name, args);
      const total = whole['total'] as number;
      expect(total, name).toBeGreaterThan(0);
      const items = (answer: Json): readonly unknown[] =>
        Object.values(answer).find((value): value is readonly unknown[] => Array.isArray(value)) ?? [];
      expect(items(whole), name).toHaveLength(Math.min(total, byDefault));
      if ('limit' in whole) expect(whole, name).toMatchObject({ limit: byDefault, offset: 0 });
      const page = await one.call(name, { ...args, limit: 1, offset: total - 1 });
      expect([items(page), page['total']], name).toEqual([items(whole).slice(-1), total]);
      expect(items(await one.call(name, { ...args, offset: 100_000 })), name).toEqual([]);
      await one.call(name, { ...args, limit: 1_000 });
      for (const wrong of [
        { limit: 0 },
        { limit: 1_001 },
        { limit: 1.5 },
        { limit: '1' },
        { offset: -1 },
        { offset: 100_001 },
      ]) {
        expect((await one.fail(name, { ...args, ...wrong })).code, `${name} ${JSON.stringify(wrong)}`).toBe(
          'VALIDATION_ERROR',
        );
      }
    }
    for (const name of ['get_related_entities', 'get_graph_neighborhood', 'list_potential_duplicates']) {
      expect(tools.get(name)?.inputSchema.properties?.['limit'], name).toMatchObject({ default: 100, maximum: 1_000 });
    }
  });
});

describe.each(engines)('repeated requests, on %s', (engine) => {
  it('get exactly the first answer; another body with the same key is a conflict', async () => {
    const program = await openTruth(engine);
    const { entities } = await program.call<Submitted>('submit_payload', payloadInput());
    const [self, vendor, customer] = entities.map(({ entity_id }) => entity_id) as [string, string, string];
    const edge = { relationship_type: 'PART_OF', source_entity_id: self, target_entity_id: vendor };
    writeFileSync(join(program.files, 'k.txt'), 'some words');
    const { id } = await program.call<StoredRecord>('store_record', { type: 'kept', properties: {} });
    const repeated: readonly (readonly [string, Json, Json])[] = [
      ['submit_payload', payloadInput({ invoice_number: 'k' }), payloadInput({ invoice_number: 'l' })],
      ['store_record', { type: 'a', properties: { n: 1 } }, { type: 'a', properties: { n: 2 } }],
      ['update_record', { id, properties: { n: 1 } }, { id, properties: { n: 2 } }],
      [
        'correct_entity',
        { entity_id: vendor, fields: { address: 'A' } },
        { entity_id: vendor, fields: { address: 'B' } },
      ],
      ['create_relationship', edge, { ...edge, relationship_type: 'SETTLES' }],
      [
        'merge_entities',
        { source_entity_id: customer, target_entity_id: vendor },
        { source_entity_id: vendor, target_entity_id: customer },
      ],
      [
        'upload_file',
        { file_path: join(program.files, 'k.txt') },
        { file_path: join(program.files, 'k.txt'), bucket: 'b' },
      ],
      ['delete_record', { id }, { id: 'another' }],
    ];
    for (const [name, args, other] of repeated) {
      const first = await textOf(program, name, args, `key-of-${name}`);
      expect(first, name).not.toContain('"error"');
      expect(await textOf(program, name, args, `key-of-${name}`), name).toBe(first);
      expect(JSON.parse(await textOf(program, name, other, `key-of-${name}`)), name).toMatchObject({
        error: { code: 'IDEMPOTENCY_CONFLICT' },
      });
    }
    // Each was executed once.
    expect(await program.call('retrieve_records', { type: 'a' })).toMatchObject({
      records: [{ properties: { n: 1 } }],
      total: 1,
    });
    expect(await program.call('list_relationships', { entity_id: self })).toMatchObject({ total: 3 });
    expect(await program.call('get_entity_snapshot', { entity_id: vendor })).toMatchObject({
      snapshot: { address: 'A' },
    });
    const { observations } = await program.call<{ observations: readonly Json[] }>('list_observations', {
      entity_id: vendor,
    });
    expect(observations.filter((one) => one['source_priority'] === 1_000)).toHaveLength(1);
    // client_request_id is only recorded.
    const asked = { client_request_id: 'r-1' };
    expect(await program.call('submit_payload', payloadInput({ invoice_number: 'r1' }, asked))).toMatchObject({
      created: true,
    });
    expect(await program.call('submit_payload', payloadInput({ invoice_number: 'r2' }, asked))).toMatchObject({
      created: true,
    });
    await program.close();
  });
});

describe.each(engines)('an activated schema, on %s', (engine) => {
  it('applies to earlier observations, and the answer says how to derive events and identifiers', async () => {
    const store = await makeSharedStore(engine);
    const program = await store.open();
    const body = { invoice_number: 'S-1', shipped_date: '2025-02-02', tracking: 'TRK-1' };
    const { entities } = await program.call<Submitted>('submit_payload', payloadInput(body));
    const entity_id = entities[0]!.entity_id;
    const { schemas } = await program.call<{ schemas: readonly { fields: Json }[] }>('list_entity_schemas', {
      entity_type: 'invoice',
    });
    const fields = {
      ...schemas[0]?.fields,
      shipped_date: { type: 'date' },
      tracking: { type: 'string', identifier: true },
    };
    const ref = { entity_type: 'invoice', version: '2.1' };
    await program.call('register_entity_schema', { ...ref, fields });
    const activated = await program.call('activate_entity_schema', ref);
    expect(activated).toMatchObject({ changed: true, hint: expect.stringContaining('fourfold truth rebuild') });
    expect(await program.call('activate_entity_schema', ref)).not.toHaveProperty('hint');
    expect(await program.call('get_entity_snapshot', { entity_id })).toMatchObject({ snapshot: { tracking: 'TRK-1' } });
    const made = async () => [
      (await program.call('list_timeline_events', { event_type: 'invoice_shipped_date' }))['total'],
      (await program.call('get_entity_by_identifier', { identifier: 'TRK-1' }))['total'],
    ];
    expect(await made()).toEqual([0, 0]);
    const { code, stderr } = await runProgram(['truth', 'rebuild', '--json'], store.env);
    expect([code, stderr]).toEqual([0, '']);
    expect(await made()).toEqual([1, 1]);
    await program.close();
    await store.remove();
  });
});

describe('tool descriptions', () => {
  const reference = readFileSync(fileURLToPath(new URL('../../../docs/reference/tools.md', import.meta.url)), 'utf8');
  /** From its heading to the next. */
  const sectionOf = (name: string): string =>
    reference.split(/^### /m).find((part) => part.startsWith(`${name}\n`)) ?? '';

  it('call record tools deprecated, and no others', async () => {
    const program = await openTruth('SQLite');
    const tools = await truthTools(program);
    const deprecated = [...tools.values()].filter(({ description }) => /deprecated/i.test(description));
    expect(deprecated.map(({ name }) => name).toSorted()).toEqual(
      ['store_record', 'update_record', 'retrieve_records', 'delete_record', 'restore_record'].toSorted(),
    );
    // And name the replacement.
    for (const { name, description } of deprecated) {
      const instead = name === 'delete_record' ? 'payloads are never deleted' : /submit_payload|get_entity_snapshot/;
      expect(description, name).toMatch(instead);
    }
    await program.close();
  });

  it('the reference states the consistency and determinism of each tool', () => {
    for (const name of [...reads, ...writes, signing]) {
      const consistency = bounded.includes(name) ? 'bounded' : 'strong';
      const line = new RegExp(`^Consistency: ${consistency}.*deterministic: ${name === signing ? 'no' : 'yes'}`, 'm');
      expect(sectionOf(name), name).toMatch(line);
    }
  });
});

describe('fourfold doctor', () => {
  it('checks truth and finds nothing wrong', async () => {
    const program = await openTruth('SQLite');
    await program.call('submit_payload', payloadInput());
    const { stdout } = await runProgram(['doctor', '--json'], program.env);
    const checks = JSON.parse(stdout) as readonly { name: string; status: string }[];
    expect(checks.filter(({ name }) => name === 'truth')).toMatchObject([{ status: 'ok' }]);
    await program.close();
  });
});
