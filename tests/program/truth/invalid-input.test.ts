import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  engines,
  type Json,
  openTruth,
  payloadInput,
  relate,
  type StoredRecord,
  type Submitted,
  type TruthProgram,
} from './truth-program.fixture.ts';

const mebibyte = 1024 * 1024;
const half = 'a\ud800b';
const soon = () => new Date(Date.now() + 86_400_000 + 60_000).toISOString();
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `n${n}`);

/** An object nested this many levels deep. */
const nested = (levels: number): Json => {
  let value: Json = {};
  for (let i = 1; i < levels; i += 1) value = { a: value };
  return value;
};

/** A note whose body has this many bytes of JSON. */
const noteOf = (bytes: number): Json => {
  const frame = JSON.stringify({ title: 'large', content: '' }).length;
  const body = { title: 'large', content: 'x'.repeat(bytes - frame) };
  return payloadInput({}, { capability_id: 'neotoma:store_note:v1', body });
};

const without = (field: string, from: Json): Json =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name !== field));
const provenance = payloadInput()['provenance'] as Json;

/** What is wrong, the payload, and its code unless it is VALIDATION_ERROR. */
const badEnvelopes: readonly (readonly [string, Json, string?])[] = [
  ['an unknown capability', payloadInput({}, { capability_id: 'neotoma:store_dream:v1' }), 'UNKNOWN_CAPABILITY'],
  [
    'another version of a capability',
    payloadInput({}, { capability_id: 'neotoma:store_invoice:v2' }),
    'UNKNOWN_CAPABILITY',
  ],
  ['a capability in capitals', payloadInput({}, { capability_id: 'NEOTOMA:STORE_INVOICE:V1' }), 'UNKNOWN_CAPABILITY'],
  ['an empty capability', payloadInput({}, { capability_id: '' })],
  ['a capability of 201 characters', payloadInput({}, { capability_id: 'c'.repeat(201) })],
  ['a capability that is not a string', payloadInput({}, { capability_id: 7 })],
  ...['capability_id', 'body', 'provenance'].map((field) => [`no ${field}`, without(field, payloadInput())] as const),
  ...['source_refs', 'extracted_at', 'extractor_version'].map(
    (field) => [`no ${field}`, payloadInput({}, { provenance: without(field, provenance) })] as const,
  ),
  ['an unknown member', payloadInput({}, { surprise: true })],
  ['an unknown member of the provenance', payloadInput({}, {}, { surprise: true })],
  ...[null, [], 'text', 7, true].map(
    (body) => [`${JSON.stringify(body)} for a body`, payloadInput({}, { body })] as const,
  ),
  ...[null, [], 'text'].map(
    (value) => [`${JSON.stringify(value)} for the provenance`, payloadInput({}, { provenance: value })] as const,
  ),
  ['source_refs that are not a list', payloadInput({}, {}, { source_refs: 'one' })],
  ['a source_ref that is not a string', payloadInput({}, {}, { source_refs: [7] })],
  ['1,001 source_refs', payloadInput({}, {}, { source_refs: many(1_001) })],
  ['an invalid time', payloadInput({}, {}, { extracted_at: 'yesterday' })],
  ['a time without a zone', payloadInput({}, {}, { extracted_at: '2025-01-15T10:30:00' })],
  ['the 30th of February', payloadInput({}, {}, { extracted_at: '2025-02-30T00:00:00Z' })],
  ['a time that is a number', payloadInput({}, {}, { extracted_at: 1_736_937_000_000 })],
  ['a time more than a day ahead', payloadInput({}, {}, { extracted_at: soon() })],
  ['an empty extractor_version', payloadInput({}, {}, { extractor_version: '' })],
  ['an agent_id that is not a string', payloadInput({}, {}, { agent_id: {} })],
  ['a client_request_id that is not a string', payloadInput({}, { client_request_id: 7 })],
  ['an empty client_request_id', payloadInput({}, { client_request_id: '' })],
  ['a body 33 levels deep', payloadInput({}, { body: nested(33) })],
  ['a body 50 levels deep', payloadInput({}, { body: nested(50) })],
  ['a body of 1 MiB and one byte', noteOf(mebibyte + 1)],
  ['NUL in a text', payloadInput({ memo: 'a\0b' })],
  ['an unpaired surrogate', payloadInput({ memo: half })],
  ['an unpaired surrogate in a name', payloadInput({ [half]: 1 })],
  [
    'more entities than one payload may speak of',
    payloadInput(
      {},
      { capability_id: 'neotoma:store_contract:v1', body: { contract_number: 'c', parties: many(200) } },
    ),
  ],
];

describe.each(engines)('rejects invalid input with its code and without a change, on %s', (engine) => {
  let program: TruthProgram;
  let self: string;
  let vendor: string;
  let record: StoredRecord;
  let before: readonly unknown[];

  /** All data that can be queried. */
  const look = async (): Promise<readonly unknown[]> => [
    await program.call('retrieve_entities', { limit: 1_000 }),
    await program.call('list_observations', { entity_id: self }),
    await program.call('list_observations', { entity_id: vendor }),
    await program.call('list_relationships', { entity_id: self }),
    await program.call('list_timeline_events'),
    await program.call('retrieve_records'),
    await program.call('list_capabilities'),
    await program.call('list_entity_schemas'),
  ];

  beforeAll(async () => {
    program = await openTruth(engine);
    const { entities } = await program.call<Submitted>('submit_payload', payloadInput());
    [self, vendor] = entities.map(({ entity_id }) => entity_id) as [string, string];
    record = await program.call<StoredRecord>('store_record', { type: 'note', properties: { a: 1 } });
    await program.call('create_relationship', {
      relationship_type: 'PART_OF',
      source_entity_id: self,
      target_entity_id: vendor,
    });
    before = await look();
  });
  afterAll(() => program.close());

  it.each(badEnvelopes.map(([what, args, code]) => ({ what, args, code })))(
    'submit_payload: $what',
    async ({ args, code }) => {
      expect((await program.fail('submit_payload', args)).code).toBe(code ?? 'VALIDATION_ERROR');
      expect(await program.call('retrieve_entities', { limit: 1_000 })).toEqual(before[0]);
    },
  );

  it('[TR30] rejects a message of 100 levels before it is dispatched', async () => {
    const args = payloadInput({}, { body: nested(100) });
    await expect(program.call('submit_payload', args)).rejects.toMatchObject({
      code: -32600,
      message: expect.stringContaining('may nest at most 64 levels'),
    });
    expect(await look()).toEqual(before);
  });

  /** Cases that need existing ids. */
  const badCalls = (): readonly (readonly [string, string, Json, string])[] => {
    const badIds = ['', 'x', 'ENT_A', 'ent_', 'ent_a b', `ent_${'a'.repeat(65)}`, 'ent_é', 7, null, ['ent_a']];
    const ofEntity: readonly (readonly [string, Json])[] = [
      ['get_entity_snapshot', {}],
      ['list_observations', {}],
      ['get_field_provenance', { field: 'amount' }],
      ['get_field_history', { field: 'amount' }],
      ['list_relationships', {}],
      ['get_related_entities', {}],
      ['correct_entity', { fields: { amount: 1 } }],
    ];
    const badMoments = ['', 'soon', '2025-02-30', '2025-01-15T10:30:00', '2025-02-30T00:00:00Z', 7, null];
    return [
      ...ofEntity.flatMap(([name, args]) => [
        ['an unknown entity', name, { entity_id: 'ent_0', ...args }, 'ENTITY_NOT_FOUND'] as const,
        ...badIds.map(
          (entity_id) =>
            [`the id ${JSON.stringify(entity_id)}`, name, { entity_id, ...args }, 'VALIDATION_ERROR'] as const,
        ),
        ['an unknown argument', name, { entity_id: self, ...args, colour: 1 }, 'VALIDATION_ERROR'] as const,
      ]),
      ...['at', 'as_known_at'].flatMap((field) =>
        badMoments.map(
          (moment) =>
            [
              `${field} ${JSON.stringify(moment)}`,
              'get_entity_snapshot',
              { entity_id: self, [field]: moment },
              'VALIDATION_ERROR',
            ] as const,
        ),
      ),
      ['a future knowledge', 'get_entity_snapshot', { entity_id: self, as_known_at: soon() }, 'VALIDATION_ERROR'],
      ['an unknown field', 'get_field_provenance', { entity_id: self, field: 'colour' }, 'FIELD_NOT_FOUND'],
      ['an unknown field', 'get_field_history', { entity_id: self, field: 'colour' }, 'FIELD_NOT_FOUND'],
      ['a field that is not a string', 'get_field_provenance', { entity_id: self, field: 7 }, 'VALIDATION_ERROR'],
      ['no fields', 'correct_entity', { entity_id: self, fields: {} }, 'VALIDATION_ERROR'],
      ['fields that are a list', 'correct_entity', { entity_id: self, fields: [1] }, 'VALIDATION_ERROR'],
      [
        'a field that does not fit',
        'correct_entity',
        { entity_id: self, fields: { amount: 'much' } },
        'VALIDATION_ERROR',
      ],
      [
        'a reason of 2,001 characters',
        'correct_entity',
        { entity_id: self, fields: { amount: 1 }, reason: 'r'.repeat(2_001) },
        'VALIDATION_ERROR',
      ],
      ...['LIKES', 'part/of', '', 7, null].map(
        (type) =>
          [
            `the type ${JSON.stringify(type)}`,
            'create_relationship',
            relate(type, self, vendor),
            'INVALID_RELATIONSHIP_TYPE',
          ] as const,
      ),
      [
        'a type that is unknown',
        'list_relationships',
        { entity_id: self, relationship_type: 'LIKES' },
        'INVALID_RELATIONSHIP_TYPE',
      ],
      [
        'a type that is unknown',
        'get_related_entities',
        { entity_id: self, relationship_types: ['LIKES'] },
        'INVALID_RELATIONSHIP_TYPE',
      ],
      ['an invalid direction', 'list_relationships', { entity_id: self, direction: 'up' }, 'VALIDATION_ERROR'],
      ['six hops', 'get_related_entities', { entity_id: self, max_hops: 6 }, 'VALIDATION_ERROR'],
      ['an edge the other way', 'create_relationship', relate('PART_OF', vendor, self), 'CYCLE_DETECTED'],
      ['an unknown source', 'create_relationship', relate('SETTLES', 'ent_0', self), 'ENTITY_NOT_FOUND'],
      ['an unknown target', 'create_relationship', relate('SETTLES', self, 'ent_0'), 'ENTITY_NOT_FOUND'],
      ['no source', 'create_relationship', relate('SETTLES', undefined, self), 'VALIDATION_ERROR'],
      [
        'metadata that is a list',
        'create_relationship',
        relate('SETTLES', self, vendor, { metadata: [1] }),
        'VALIDATION_ERROR',
      ],
      [
        'metadata over 64 KiB',
        'create_relationship',
        relate('SETTLES', self, vendor, { metadata: { a: 'x'.repeat(65_536) } }),
        'VALIDATION_ERROR',
      ],
      [
        'metadata 33 levels deep',
        'create_relationship',
        relate('SETTLES', self, vendor, { metadata: nested(33) }),
        'VALIDATION_ERROR',
      ],
      [
        'an entity of another type',
        'merge_entities',
        { source_entity_id: self, target_entity_id: vendor },
        'VALIDATION_ERROR',
      ],
      [
        'an entity with itself',
        'merge_entities',
        { source_entity_id: self, target_entity_id: self },
        'VALIDATION_ERROR',
      ],
      [
        'one that is unknown',
        'merge_entities',
        { source_entity_id: 'ent_0', target_entity_id: self },
        'ENTITY_NOT_FOUND',
      ],
      [
        'what was never merged',
        'unmerge_entities',
        { source_entity_id: self, target_entity_id: vendor },
        'VALIDATION_ERROR',
      ],
      [
        'a node that is unknown',
        'get_graph_neighborhood',
        { node_id: 'ent_0', node_type: 'entity' },
        'ENTITY_NOT_FOUND',
      ],
      ['an unknown record', 'get_graph_neighborhood', { node_id: 'r', node_type: 'record' }, 'RECORD_NOT_FOUND'],
      ['an invalid node type', 'get_graph_neighborhood', { node_id: self, node_type: 'payload' }, 'VALIDATION_ERROR'],
      ['an invalid type', 'retrieve_entities', { entity_type: 'No Type' }, 'VALIDATION_ERROR'],
      ['an empty identifier', 'get_entity_by_identifier', { identifier: '' }, 'VALIDATION_ERROR'],
      ['an invalid date', 'list_timeline_events', { after_date: 'then' }, 'VALIDATION_ERROR'],
      ['an invalid cursor', 'list_potential_duplicates', { cursor: 'x' }, 'VALIDATION_ERROR'],
      ['a blank type', 'store_record', { type: ' ', properties: {} }, 'VALIDATION_ERROR'],
      ['no properties', 'store_record', { type: 'a' }, 'VALIDATION_ERROR'],
      [
        'properties over 1 MiB',
        'store_record',
        { type: 'a', properties: { a: 'x'.repeat(mebibyte) } },
        'VALIDATION_ERROR',
      ],
      ['properties 33 levels deep', 'store_record', { type: 'a', properties: nested(33) }, 'VALIDATION_ERROR'],
      ['an empty embedding', 'store_record', { type: 'a', properties: {}, embedding: [] }, 'VALIDATION_ERROR'],
      ['an embedding of texts', 'store_record', { type: 'a', properties: {}, embedding: ['1'] }, 'VALIDATION_ERROR'],
      ['101 file_urls', 'store_record', { type: 'a', properties: {}, file_urls: many(101) }, 'VALIDATION_ERROR'],
      ['nothing to change', 'update_record', { id: record.id }, 'VALIDATION_ERROR'],
      [
        'properties that grow over 1 MiB',
        'update_record',
        { id: record.id, properties: { b: 'x'.repeat(mebibyte - 8) } },
        'VALIDATION_ERROR',
      ],
      ['an unknown record', 'update_record', { id: 'r', properties: {} }, 'RECORD_NOT_FOUND'],
      ['an unknown record', 'delete_record', { id: 'r' }, 'RECORD_NOT_FOUND'],
      ['an unknown record', 'restore_record', { id: 'r' }, 'RECORD_NOT_FOUND'],
      ['no id', 'delete_record', {}, 'VALIDATION_ERROR'],
      ['21 search terms', 'retrieve_records', { search: many(21) }, 'VALIDATION_ERROR'],
      ['an invalid mode', 'retrieve_records', { search: ['a'], search_mode: 'magic' }, 'VALIDATION_ERROR'],
      ['a threshold above 1', 'retrieve_records', { search: ['a'], similarity_threshold: 1.1 }, 'VALIDATION_ERROR'],
      ['an invalid address', 'get_file_url', { file_path: 'nowhere' }, 'FILE_NOT_FOUND'],
      [
        'an expiry of nothing',
        'get_file_url',
        { file_path: `files/${'0'.repeat(64)}`, expires_in: 0 },
        'VALIDATION_ERROR',
      ],
      [
        'an expiry of over a week',
        'get_file_url',
        { file_path: `files/${'0'.repeat(64)}`, expires_in: 604_801 },
        'VALIDATION_ERROR',
      ],
      ['no file_path', 'upload_file', {}, 'VALIDATION_ERROR'],
      ['an invalid bucket', 'upload_file', { file_path: 'a.txt', bucket: '../x' }, 'VALIDATION_ERROR'],
      [
        'a capability that is built in',
        'remove_capability',
        { capability_id: 'neotoma:store_note:v1' },
        'VALIDATION_ERROR',
      ],
      ['an unknown capability', 'remove_capability', { capability_id: 'a:b:v1' }, 'UNKNOWN_CAPABILITY'],
      ['an unknown schema', 'activate_entity_schema', { entity_type: 'invoice', version: '9.9' }, 'NOT_FOUND'],
      [
        'a schema that loses fields',
        'register_entity_schema',
        { entity_type: 'invoice', version: '2.1', fields: { amount: { type: 'number' } } },
        'VALIDATION_ERROR',
      ],
    ];
  };

  it('all other tools: ids, fields, types, times and limits', async () => {
    const wrong: unknown[] = [];
    for (const [what, name, args, code] of badCalls()) {
      const answer = await program.fail(name, args).catch((error: unknown) => ({ code: String(error).slice(0, 200) }));
      if (answer.code !== code) wrong.push([name, what, answer.code, code]);
    }
    expect(wrong).toEqual([]);
    expect(await look()).toEqual(before);
  });

  it('accepts values just within the limits', async () => {
    const edge = new Date(Date.now() + 86_400_000 - 60_000).toISOString();
    for (const args of [
      noteOf(mebibyte),
      payloadInput({}, { body: { invoice_number: 'deep', a: nested(31) } }),
      payloadInput({ invoice_number: 'ahead' }, {}, { extracted_at: edge }),
      payloadInput({ invoice_number: 'zone' }, {}, { extracted_at: '2025-01-15T10:30:00+05:30' }),
      payloadInput({ invoice_number: 'refs' }, {}, { source_refs: many(1_000) }),
    ]) {
      expect(await program.call('submit_payload', args)).toMatchObject({ created: true });
    }
    await program.call('store_record', { type: 'edge', properties: nested(32) });
  });

  it('accepts names that are special in JavaScript', async () => {
    const poisoned = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"a":1},"title":"odd names"}') as Json;
    const { entities } = await program.call<Submitted>(
      'submit_payload',
      payloadInput({}, { capability_id: 'neotoma:store_note:v1', body: poisoned }),
    );
    const { observations } = await program.call<{ observations: readonly { raw_fragments?: Json }[] }>(
      'list_observations',
      { entity_id: entities[0]!.entity_id },
    );
    for (const name of ['__proto__', 'constructor']) {
      expect(Object.hasOwn(observations[0]?.raw_fragments ?? {}, name), name).toBe(true);
    }
    const { id } = await program.call<StoredRecord>('store_record', { type: 'odd', properties: poisoned });
    const found = await program.call<{ records: readonly StoredRecord[] }>('retrieve_records', { type: 'odd' });
    expect(found.records.map((one) => [one.id, Object.hasOwn(one.properties, '__proto__')])).toEqual([[id, true]]);
  });
});

describe.each(engines)('cycles of edges on %s', (engine) => {
  it.each(['PART_OF', 'CORRECTS', 'SETTLES', 'DUPLICATE_OF', 'DEPENDS_ON', 'SUPERSEDES'])(
    'rejects a %s cycle of any length, and ignores other types',
    async (relationship_type) => {
      const program = await openTruth(engine);
      const ids: string[] = [];
      for (const title of ['a', 'b', 'c', 'd']) {
        const note = payloadInput({}, { capability_id: 'neotoma:store_note:v1', body: { title } });
        ids.push((await program.call<Submitted>('submit_payload', note)).entities[0]!.entity_id);
      }
      const [a, b, c, d] = ids as [string, string, string, string];
      const edge = (source_entity_id: string, target_entity_id: string, type = relationship_type) => ({
        relationship_type: type,
        source_entity_id,
        target_entity_id,
      });
      for (const [from, to] of [
        [a, b],
        [b, c],
        [c, d],
      ] as const) {
        await program.call('create_relationship', edge(from, to));
      }
      for (const [from, to] of [
        [a, a],
        [b, a],
        [c, a],
        [d, a],
        [d, b],
      ] as const) {
        expect((await program.fail('create_relationship', edge(from, to))).code).toBe('CYCLE_DETECTED');
      }
      await program.call('create_relationship', edge(a, d));
      await program.call('create_relationship', edge(d, a, 'REFERS_TO'));
      await program.call('create_relationship', edge(a, d, 'REFERS_TO'));
      expect((await program.fail('create_relationship', edge(a, a, 'REFERS_TO'))).code).toBe('CYCLE_DETECTED');
      expect(await program.call('list_relationships', { entity_id: a, relationship_type })).toMatchObject({ total: 2 });
      expect(await program.call('list_relationships', { entity_id: d })).toMatchObject({ total: 4 });
      await program.close();
    },
  );
});
