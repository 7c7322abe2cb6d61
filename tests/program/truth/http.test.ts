import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildLockedPdf } from '#domains/truth/files/sample-files.fixture.ts';
import { plantWire } from './database-proxy.fixture.ts';
import {
  engines,
  type Failure,
  type Json,
  makeSharedStore,
  openTruth,
  type Posted,
  payloadInput,
  type ServedTruth,
  type StoredRecord,
  type Submitted,
  serveOn,
  serveTruth,
  type TruthCaller,
} from './truth-program.fixture.ts';

/** Must not appear in an error or in the log. */
const secret = 'Jane Private';

const withoutTrace = ({ trace_id: _, ...rest }: Failure): Json => rest;

describe.each(engines)('two tenants over HTTP, on %s', (engine) => {
  let truth: ServedTruth;
  let acme: TruthCaller;
  let umbrella: TruthCaller;
  let ids: readonly string[];
  let record: StoredRecord;
  let fileUrl: string;

  beforeAll(async () => {
    truth = await serveTruth(engine);
    [acme, umbrella] = [
      await truth.connect(await truth.makeKey('acme')),
      await truth.connect(await truth.makeKey('umbrella')),
    ];
    const { entities, payload_id } = await acme.call<Submitted>(
      'submit_payload',
      payloadInput({ due_date: '2025-02-01' }),
    );
    ids = [...entities.map(({ entity_id }) => entity_id), payload_id];
    record = await acme.call<StoredRecord>('store_record', { type: 'note', properties: { text: secret } });
    const file = join(truth.store.folder, 'files', 'a.txt');
    writeFileSync(file, 'a file of acme');
    ({ file_url: fileUrl } = await acme.call<{ file_url: string }>('upload_file', { file_path: file }));
    const [self, vendor] = ids;
    await acme.call('create_relationship', {
      relationship_type: 'PART_OF',
      source_entity_id: self,
      target_entity_id: vendor,
    });
  });
  afterAll(async () => {
    await acme?.client.close();
    await umbrella?.client.close();
    await truth?.stop();
  });

  it('answers a foreign id like an unknown one', async () => {
    const [self, vendor, customer, payload] = ids as [string, string, string, string];
    const calls: readonly (readonly [string, (entity: string, other: string) => Json])[] = [
      ['get_entity_snapshot', (entity_id) => ({ entity_id })],
      ['get_entity_snapshot', (entity_id) => ({ entity_id, at: '2025-06-01T00:00:00Z' })],
      ['list_observations', (entity_id) => ({ entity_id })],
      ['get_field_provenance', (entity_id) => ({ entity_id, field: 'name' })],
      ['get_field_history', (entity_id) => ({ entity_id, field: 'name' })],
      ['list_relationships', (entity_id) => ({ entity_id })],
      ['get_related_entities', (entity_id) => ({ entity_id })],
      ['get_graph_neighborhood', (node_id) => ({ node_id, node_type: 'entity' })],
      ['correct_entity', (entity_id) => ({ entity_id, fields: { name: 'x' } })],
      ['merge_entities', (source_entity_id, target_entity_id) => ({ source_entity_id, target_entity_id })],
      [
        'merge_entities',
        (source_entity_id, target_entity_id) => ({ source_entity_id, target_entity_id, dry_run: true }),
      ],
      ['unmerge_entities', (source_entity_id, target_entity_id) => ({ source_entity_id, target_entity_id })],
      [
        'create_relationship',
        (source_entity_id, target_entity_id) => ({ relationship_type: 'PART_OF', source_entity_id, target_entity_id }),
      ],
    ];
    for (const [name, args] of calls) {
      const foreign = await umbrella.fail(name, args(vendor, customer));
      const nobodys = await umbrella.fail(name, args('ent_0', 'ent_1'));
      expect(foreign.code, name).toBe('ENTITY_NOT_FOUND');
      const result = JSON.stringify(withoutTrace(foreign)).replaceAll(vendor, 'ent_0').replaceAll(customer, 'ent_1');
      expect(result, name).toBe(JSON.stringify(withoutTrace(nobodys)));
    }
    for (const name of ['update_record', 'delete_record', 'restore_record']) {
      const args = { id: record.id, ...(name === 'update_record' && { properties: {} }) };
      expect((await umbrella.fail(name, args)).code, name).toBe('RECORD_NOT_FOUND');
    }
    for (const node_id of [record.id, payload]) {
      const node = { node_id, node_type: 'record' };
      expect((await umbrella.fail('get_graph_neighborhood', node)).code).toBe('RECORD_NOT_FOUND');
    }
    expect((await umbrella.fail('get_file_url', { file_path: fileUrl })).code).toBe('FILE_NOT_FOUND');
    await expect(umbrella.client.readResource({ uri: `entity://${self}` })).rejects.toThrow('not found');
    // And acme's data is unchanged.
    expect(await acme.call('get_entity_snapshot', { entity_id: vendor })).toMatchObject({
      observation_count: 1,
      snapshot: { name: 'Acme Corp' },
    });
    expect(await acme.call('list_relationships', { entity_id: vendor })).toMatchObject({ total: 2 });
    expect(await acme.call('retrieve_records', { type: 'note' })).toMatchObject({ records: [{ id: record.id }] });
  });

  it('shows empty lists to the other tenant, and stores the same content separately', async () => {
    const lists: readonly (readonly [string, Json, Json])[] = [
      ['retrieve_entities', {}, { entities: [], total: 0 }],
      ['get_entity_by_identifier', { identifier: 'Acme Corp' }, { entities: [], total: 0 }],
      ['get_entity_by_identifier', { identifier: ids[1] }, { entities: [], total: 0 }],
      ['list_timeline_events', {}, { events: [], total: 0 }],
      ['list_timeline_events', { source_record_id: ids[3] }, { events: [], total: 0 }],
      ['list_potential_duplicates', {}, { duplicates: [] }],
      ['retrieve_records', {}, { records: [], total: 0 }],
      ['retrieve_records', { search: ['Private'], search_mode: 'keyword' }, { records: [], total: 0 }],
    ];
    for (const [name, args, empty] of lists) expect(await umbrella.call(name, args), name).toMatchObject(empty);
    const { resources } = await umbrella.client.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith('entity://'))).toEqual([]);
    const own = await umbrella.call<Submitted>('submit_payload', payloadInput({ due_date: '2025-02-01' }));
    expect(own.created).toBe(true);
    expect(own.payload_id).not.toBe(ids[3]);
    // The same thing has the same id in both tenants, each with its own observations.
    expect(own.entities.map(({ entity_id }) => entity_id)).toEqual(ids.slice(0, 3));
    await umbrella.call('correct_entity', { entity_id: ids[1], fields: { address: 'of umbrella' } });
    expect(JSON.stringify(await acme.call('get_entity_snapshot', { entity_id: ids[1] }))).not.toContain('umbrella');
  });
});

describe.each(engines)('POST /api/tools/:name on %s', (engine) => {
  let truth: ServedTruth;
  let key: string;
  const post = (tool: string, args: Json | string, headers?: Readonly<Record<string, string>>): Promise<Posted> =>
    truth.post(key, tool, args, headers);
  const put = (name: string, bytes: string | Buffer): string => {
    const path = join(truth.store.folder, 'files', name);
    writeFileSync(path, bytes);
    return path;
  };

  beforeAll(async () => {
    // Otherwise the upload limit of ten per minute would apply.
    truth = await serveTruth(engine, { FOURFOLD_RATE_LIMITS: 'false' });
    key = truth.served.key;
  });
  afterAll(() => truth?.stop());

  it('has the documented status for every code, a trace id that is in the log, and no personal data', async () => {
    const { entities } = (await post('submit_payload', payloadInput())).body as unknown as Submitted;
    const [self, vendor] = entities.map(({ entity_id }) => entity_id) as [string, string];
    const edge = (relationship_type: string, source_entity_id: string, target_entity_id: string) => ({
      relationship_type,
      source_entity_id,
      target_entity_id,
      metadata: { who: secret },
    });
    expect((await post('create_relationship', edge('PART_OF', self, vendor))).status).toBe(200);
    const person = { vendor_name: secret };
    const tooLarge = put('large.txt', Buffer.alloc(52_428_801, 'words of a line\n'));
    const cases: readonly (readonly [number, string, string, Json | string])[] = [
      [400, 'VALIDATION_ERROR', 'submit_payload', payloadInput(person, {}, { extracted_at: secret })],
      [400, 'VALIDATION_ERROR', 'submit_payload', payloadInput(person, { client_request_id: [secret] })],
      [
        400,
        'VALIDATION_ERROR',
        'submit_payload',
        `{"capability_id":"neotoma:store_invoice:v1","body":{"amount":1e999,"vendor_name":"${secret}"},"provenance":{"source_refs":[],"extracted_at":"2025-01-15T10:30:00Z","extractor_version":"v"}}`,
      ],
      [400, 'VALIDATION_ERROR', 'store_record', `{"type":"a","properties":{"a":[-1e999],"b":"${secret}"}}`],
      [400, 'VALIDATION_ERROR', 'store_record', `{"type":"a","properties":{},"embedding":[1e999]}`],
      [
        400,
        'VALIDATION_ERROR',
        'create_relationship',
        `{"relationship_type":"SETTLES","source_entity_id":"${self}","target_entity_id":"${vendor}","metadata":{"a":1e999}}`,
      ],
      [400, 'VALIDATION_ERROR', 'correct_entity', `{"entity_id":"${self}","fields":{"amount":1e999}}`],
      [400, 'VALIDATION_ERROR', 'get_entity_snapshot', { entity_id: secret }],
      [400, 'VALIDATION_ERROR', 'get_entity_snapshot', { entity_id: self, at: secret }],
      [400, 'VALIDATION_ERROR', 'correct_entity', { entity_id: self, fields: { amount: secret } }],
      [400, 'VALIDATION_ERROR', 'list_timeline_events', { after_date: secret }],
      [400, 'VALIDATION_ERROR', 'retrieve_records', { search: secret }],
      [400, 'VALIDATION_ERROR', 'upload_file', { file_path: put('a.txt', 'a'), properties: secret }],
      [400, 'UNKNOWN_CAPABILITY', 'submit_payload', payloadInput(person, { capability_id: secret })],
      [404, 'ENTITY_NOT_FOUND', 'list_observations', { entity_id: 'ent_0' }],
      [404, 'FIELD_NOT_FOUND', 'get_field_provenance', { entity_id: self, field: 'colour' }],
      [400, 'INVALID_RELATIONSHIP_TYPE', 'create_relationship', edge(secret, self, vendor)],
      [400, 'CYCLE_DETECTED', 'create_relationship', edge('PART_OF', vendor, self)],
      [400, 'CYCLE_DETECTED', 'create_relationship', edge('REFERS_TO', self, self)],
      [404, 'RECORD_NOT_FOUND', 'update_record', { id: secret, properties: { a: secret } }],
      [404, 'RECORD_NOT_FOUND', 'delete_record', { id: secret }],
      [404, 'FILE_NOT_FOUND', 'upload_file', { file_path: `/home/${secret}/cv.pdf` }],
      [404, 'FILE_NOT_FOUND', 'get_file_url', { file_path: secret }],
      [400, 'FILE_TOO_LARGE', 'upload_file', { file_path: tooLarge }],
      [400, 'UNSUPPORTED_FILE_TYPE', 'upload_file', { file_path: put(`${secret}.exe`, 'MZ\u0090\u0000\u0003') }],
      [500, 'ANALYSIS_FAILED', 'upload_file', { file_path: put(`${secret}.pdf`, buildLockedPdf()) }],
    ];
    const errors: Failure[] = [];
    for (const [status, code, tool, args] of cases) {
      const answer = await post(tool, args);
      expect(
        [answer.status, answer.error?.code, answer.headers.get('content-type')],
        `${tool} ${JSON.stringify(args)}`,
      ).toEqual([status, code, 'application/json']);
      expect(Object.keys(answer.body)).toEqual(['error']);
      errors.push(answer.error);
    }
    for (const { message, trace_id } of errors) {
      expect(message).not.toBe('');
      expect(trace_id).toMatch(/\S/);
    }
    expect(new Set(errors.map(({ trace_id }) => trace_id)).size).toBe(errors.length);
    await expect.poll(() => errors.filter(({ trace_id }) => !truth.logged().includes(trace_id))).toEqual([]);
    expect(JSON.stringify(errors)).not.toContain(secret);
    expect(truth.logged()).not.toContain(secret);
    expect(errors.find(({ code }) => code === 'FILE_TOO_LARGE')?.details).toMatchObject({
      file_size_bytes: 52_428_801,
      max_size_bytes: 52_428_800,
    });
    // Nothing was written.
    expect((await post('retrieve_entities', {})).body).toMatchObject({ total: 3 });
    expect((await post('retrieve_records', {})).body).toMatchObject({ total: 0 });
    expect((await post('list_relationships', { entity_id: self })).body).toMatchObject({ total: 3 });
  });

  it('accepts a body of 1 MiB and rejects one byte more', async () => {
    const noteOf = (bytes: number) => {
      const frame = JSON.stringify({ title: 'large', content: '' }).length;
      const body = { title: 'large', content: 'x'.repeat(bytes - frame) };
      return payloadInput({}, { capability_id: 'neotoma:store_note:v1', body });
    };
    const refused = await post('submit_payload', noteOf(1024 * 1024 + 1));
    expect([refused.status, refused.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const taken = await post('submit_payload', noteOf(1024 * 1024));
    expect([taken.status, taken.body['created']]).toEqual([200, true]);
  });

  it('[TR30] rejects a body that is nested too deeply before parsing it', async () => {
    const deep = `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`;
    const refused = await post('submit_payload', deep);
    expect([refused.status, refused.error.code]).toEqual([413, 'RESOURCE_LIMIT']);
  });

  it('accepts an idempotency key in a header, and rejects another body with it', async () => {
    const headers = { 'idempotency-key': 'k1' };
    const first = await post('store_record', { type: 'once', properties: {} }, headers);
    expect(first.status).toBe(200);
    expect((await post('store_record', { type: 'once', properties: {} }, headers)).body).toEqual(first.body);
    const other = await post('store_record', { type: 'twice', properties: {} }, headers);
    expect([other.status, other.error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    expect((await post('retrieve_records', { type: 'once' })).body).toMatchObject({ total: 1 });
    expect((await post('retrieve_records', { type: 'twice' })).body).toMatchObject({ total: 0 });
  });

  it('answers UPLOAD_FAILED with 500 when no file can be stored, and creates no record', async () => {
    const before = (await post('retrieve_records', {})).body['total'];
    const kept = join(truth.store.folder, 'home', 'blobs');
    rmSync(kept, { recursive: true, force: true });
    writeFileSync(kept, 'where a folder should be');
    const answer = await post('upload_file', { file_path: put('b.txt', 'some words') });
    expect([answer.status, answer.error?.code]).toEqual([500, 'UPLOAD_FAILED']);
    expect(JSON.stringify(answer.body)).not.toContain(truth.store.folder);
    expect((await post('retrieve_records', {})).body['total']).toBe(before);
    rmSync(kept);
    expect((await post('upload_file', { file_path: put('b.txt', 'some words') })).status).toBe(200);
  });
});

describe('POST /api/tools/:name when the database is gone', () => {
  it('has a code for failed reads, inserts, updates and deletes', async () => {
    const store = await makeSharedStore('PostgreSQL');
    const wire = await plantWire(store.database!.url);
    // A key is looked up in the database again after a second, a token of the settings never is.
    const token = 'token-of-the-settings';
    const truth = await serveOn(store, {
      FOURFOLD_RATE_LIMITS: 'false',
      FOURFOLD_DATABASE_URL: wire.url,
      FOURFOLD_BEARER_TOKEN: token,
    });
    const post = (tool: string, args: Json) => truth.post(token, tool, args);
    const { entities } = (await post('submit_payload', payloadInput())).body as unknown as Submitted;
    const { id } = (await post('store_record', { type: 'a', properties: {} })).body as unknown as StoredRecord;
    wire.cut();
    const [self, vendor] = entities.map(({ entity_id }) => entity_id);
    const cases: readonly (readonly [string, string, Json])[] = [
      ['DB_INSERT_FAILED', 'submit_payload', payloadInput({ vendor_name: secret, invoice_number: 'I-2' })],
      ['DB_INSERT_FAILED', 'store_record', { type: 'b', properties: { a: secret } }],
      [
        'DB_INSERT_FAILED',
        'create_relationship',
        { relationship_type: 'PART_OF', source_entity_id: self, target_entity_id: vendor },
      ],
      ['DB_UPDATE_FAILED', 'update_record', { id, properties: { a: 1 } }],
      ['DB_UPDATE_FAILED', 'correct_entity', { entity_id: vendor, fields: { address: secret } }],
      ['DB_DELETE_FAILED', 'delete_record', { id }],
      ['DB_QUERY_FAILED', 'get_entity_snapshot', { entity_id: vendor, at: '2025-06-01T00:00:00Z' }],
      ['DB_QUERY_FAILED', 'list_observations', { entity_id: vendor }],
      ['DB_QUERY_FAILED', 'retrieve_entities', {}],
      ['SEARCH_FAILED', 'retrieve_records', { search: [secret], search_mode: 'keyword' }],
    ];
    const result: unknown[] = [];
    for (const [, tool, args] of cases) {
      const { status, error } = await post(tool, args);
      result.push([error?.code, tool, status]);
      expect(JSON.stringify(error)).not.toContain(secret);
      expect(JSON.stringify(error)).not.toContain(new URL(wire.url).pathname);
    }
    await wire.mend();
    expect(result).toEqual(cases.map(([code, tool]) => [code, tool, 500]));
    expect(truth.logged()).not.toContain(secret);
    // Continues when the database is back, without partial writes.
    await expect.poll(async () => (await post('retrieve_entities', {})).body['total'], { timeout: 120_000 }).toBe(3);
    expect((await post('retrieve_records', {})).body).toMatchObject({ total: 1 });
    await truth.stop();
    wire.close();
  });
});

describe('9 rate limits', () => {
  const minute = () => Math.floor(Date.now() / 60_000);

  it('are exact, per user, and reported in the error and in Retry-After', async () => {
    const truth = await serveTruth('SQLite');
    const file_path = join(truth.store.folder, 'files', 'a.txt');
    writeFileSync(file_path, 'a');
    /** New users within one minute. */
    async function countAdmitted(tool: string, args: Json, limit: number): Promise<readonly Posted[]> {
      for (let attempt = 0; ; attempt += 1) {
        const key = await truth.makeKey(`${tool.replaceAll('_', '-')}-${attempt}`);
        const begun = minute();
        const answers: Posted[] = [];
        for (let i = 0; i <= limit; i += 1) answers.push(await truth.post(key, tool, args));
        if (minute() === begun) return answers;
      }
    }
    for (const [tool, args, limit] of [
      ['store_record', { type: 'note', properties: {} }, 100],
      ['retrieve_records', {}, 300],
      ['upload_file', { file_path }, 10],
    ] as const) {
      const answers = await countAdmitted(tool, args, limit);
      expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: limit }, () => 200), 429]);
      const { error, headers } = answers.at(-1)!;
      const seconds = error.details?.['retry_after_seconds'] as number;
      expect([error.code, headers.get('retry-after')]).toEqual(['RATE_LIMIT_EXCEEDED', String(seconds)]);
      expect(error.message).toBe(`Rate limit exceeded. Retry after ${seconds} seconds.`);
      expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
    }
    await truth.stop();
  });

  it('are off on stdio, and over HTTP if disabled', async () => {
    const [program, truth] = [await openTruth('SQLite'), await serveTruth('SQLite', { FOURFOLD_RATE_LIMITS: 'false' })];
    writeFileSync(join(program.files, 'a.txt'), 'a');
    const file_path = join(truth.store.folder, 'files', 'a.txt');
    writeFileSync(file_path, 'a');
    for (let i = 0; i < 11; i += 1) {
      await program.call('upload_file', { file_path: join(program.files, 'a.txt') });
      expect((await truth.post(truth.served.key, 'upload_file', { file_path })).status).toBe(200);
    }
    for (let i = 0; i < 301; i += 1) await program.call('retrieve_records');
    await program.close();
    await truth.stop();
  });
});
