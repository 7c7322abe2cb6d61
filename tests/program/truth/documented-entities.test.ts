import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  engines,
  invoice,
  isoTime,
  type Json,
  openTruth,
  payloadInput,
  relate,
  type Snapshot,
  type Submitted,
  type TruthProgram,
  uuid,
} from './truth-program.fixture.ts';

/**
 * Every shape, example and code of the document's sections 3.1 and 3.7 to 3.11; documented-records.test.ts covers the
 * others.
 */
describe.each(engines)('documented behaviour on %s', (engine) => {
  let program: TruthProgram;
  let first: Submitted;

  beforeAll(async () => {
    program = await openTruth(engine);
    first = await program.call<Submitted>('submit_payload', payloadInput());
  });
  afterAll(() => program.close());

  const submit = (body: Json = {}, more: Json = {}, provenance: Json = {}) =>
    program.call<Submitted>('submit_payload', payloadInput(body, more, provenance));
  const entityOf = ({ entities }: Submitted, role: string): string => {
    const found = entities.find((one) => one.role === role);
    if (found === undefined) throw new Error(`no entity is ${role}`);
    return found.entity_id;
  };
  const snapshotOf = (entity_id: string, more: Json = {}) =>
    program.call<Snapshot>('get_entity_snapshot', { entity_id, ...more });

  describe('3.1 submit_payload', () => {
    it('answers the example with its ids, entities and identity rules', () => {
      expect(first).toMatchObject({ created: true, message: 'Payload created and observations extracted' });
      expect(first.payload_id).toMatch(uuid);
      expect(first.payload_content_id).toMatch(/^payload_[0-9a-f]{24}$/);
      expect(first.payload_submission_id).toMatch(/^sub_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
      expect(first.entities.map(({ entity_type, identity_rule, role }) => [entity_type, identity_rule, role])).toEqual([
        ['invoice', 'natural_key', 'self'],
        ['company', 'name', 'vendor_name'],
        ['company', 'name', 'customer_name'],
      ]);
      for (const { entity_id, observation_id } of first.entities) {
        expect(entity_id).toMatch(/^ent_[0-9a-f]{24}$/);
        expect(observation_id).toMatch(/^obs_[0-9a-f]{24}$/);
      }
    });

    it('answers the first payload for the same content, regardless of sender, time and spelling', async () => {
      const { payload_id, payload_content_id } = first;
      const repeated = [
        await submit(),
        await submit({}, { client_request_id: 'again' }, { agent_id: 'another', extracted_at: '2025-03-01T00:00:00Z' }),
        await submit({ vendor_name: '  ACME corp ', invoice_number: 'inv-001' }),
        await submit({ note: 'a field that is not part of the hash' }),
      ];
      for (const answer of repeated) {
        expect(answer).toMatchObject({ payload_id, payload_content_id, created: false });
        expect(answer.message).not.toBe(first.message);
      }
      const added = repeated.map(({ observations_added }) => observations_added);
      expect(added).toEqual([0, 3, 3, 3]);
      expect(repeated[0]).toMatchObject({ submission_id: first.submission_id, entities: first.entities });
      expect(new Set(repeated.map(({ submission_id }) => submission_id)).size).toBe(4);
    });

    it('treats another body, extractor or source as another payload', async () => {
      const others = [
        await submit({ amount: 1500.01 }),
        await submit({}, {}, { extractor_version: 'neotoma-mcp:v0.2.2' }),
        await submit({}, {}, { source_refs: [first.payload_id] }),
      ];
      const ids = new Set([first, ...others].map(({ payload_content_id }) => payload_content_id));
      expect([ids.size, others.map(({ created }) => created)]).toEqual([4, [true, true, true]]);
      // The same invoice of the same vendor with another amount.
      expect(new Set([first, ...others].map((one) => entityOf(one, 'self'))).size).toBe(1);
    });

    it.each([
      ['transaction', { transaction_id: 'tx-1', amount: 5, merchant_name: 'Shop', date: '2025-01-02' }, ['company']],
      ['receipt', { receipt_number: 'r-1', amount: 5, vendor_name: 'Kiosk', date: '2025-01-02' }, ['company']],
      ['contract', { contract_number: 'c-1', parties: ['North Ltd', 'South Ltd'] }, ['company', 'company']],
      ['note', { title: 'Plan', content: 'Do it', tasks: ['first', 'second'] }, ['task', 'task']],
    ] as const)('knows the capability store_%s and its entities', async (name, body, others) => {
      const answer = await program.call<Submitted>('submit_payload', {
        ...payloadInput(),
        capability_id: `neotoma:store_${name}:v1`,
        body,
      });
      expect(answer.created).toBe(true);
      expect(answer.entities.map(({ entity_type }) => entity_type)).toEqual([name, ...others]);
    });

    it('rejects an unknown capability and invalid payloads without writing', async () => {
      const { total } = await program.call<{ total: number }>('retrieve_entities', { limit: 1 });
      const without = (field: string) =>
        Object.fromEntries(Object.entries(payloadInput()).filter(([name]) => name !== field));
      const refused: readonly (readonly [string, Json])[] = [
        ['UNKNOWN_CAPABILITY', payloadInput({}, { capability_id: 'neotoma:store_dream:v1' })],
        ['VALIDATION_ERROR', without('capability_id')],
        ['VALIDATION_ERROR', without('body')],
        ['VALIDATION_ERROR', without('provenance')],
        ['VALIDATION_ERROR', payloadInput({}, { body: [] })],
        ['VALIDATION_ERROR', payloadInput({}, {}, { extracted_at: 'yesterday' })],
        ['VALIDATION_ERROR', payloadInput({}, {}, { extracted_at: '2025-01-15T10:30:00' })],
        ['VALIDATION_ERROR', payloadInput({}, {}, { source_refs: 'one' })],
        ['VALIDATION_ERROR', payloadInput({}, { surprise: true })],
      ];
      for (const [code, args] of refused) {
        expect([await program.fail('submit_payload', args), args]).toMatchObject([{ code }, args]);
      }
      expect(await program.call('retrieve_entities', { limit: 1 })).toMatchObject({ total });
    });
  });

  describe('3.7 get_entity_snapshot', () => {
    it('has the documented shape, with the provenance of each field', async () => {
      const answer = await submit(
        {
          invoice_number: 'INV-7',
          vendor_name: 'Snapshot Inc',
          vendor_address: '123 Main St',
          vendor_tax_id: '12-3456789',
        },
        {},
        { extracted_at: '2024-01-15T10:30:00Z' },
      );
      const [vendor, observation] = answer.entities
        .filter(({ role }) => role === 'vendor_name')
        .flatMap(({ entity_id, observation_id }) => [entity_id, observation_id]) as [string, string];
      const snapshot = await snapshotOf(vendor);
      expect(snapshot).toMatchObject({
        entity_id: vendor,
        entity_type: 'company',
        schema_version: '2.0',
        snapshot: { name: 'Snapshot Inc', address: '123 Main St', tax_id: '12-3456789' },
        provenance: { name: observation, address: observation, tax_id: observation },
        observation_count: 1,
        last_observation_at: '2024-01-15T10:30:00.000Z',
      });
      expect(snapshot.computed_at).toMatch(isoTime);
      expect(await snapshotOf(vendor)).toEqual(snapshot);
    });

    it('answers the state at any time, by effective time and by recording time', async () => {
      const at = (extracted_at: string, vendor_address: string) =>
        submit(
          { invoice_number: `INV-${extracted_at}`, vendor_name: 'Moving GmbH', vendor_address },
          {},
          { extracted_at },
        );
      const vendor = entityOf(await at('2024-02-01T00:00:00Z', 'Old Street'), 'vendor_name');
      await at('2024-04-01T00:00:00Z', 'New Street');
      expect(await snapshotOf(vendor)).toMatchObject({ snapshot: { address: 'New Street' }, observation_count: 2 });
      expect(await snapshotOf(vendor, { at: '2024-03-01T00:00:00Z' })).toMatchObject({
        snapshot: { address: 'Old Street' },
        observation_count: 1,
        last_observation_at: '2024-02-01T00:00:00.000Z',
      });
      expect(
        await program.fail('get_entity_snapshot', { entity_id: vendor, at: '2024-01-01T00:00:00Z' }),
      ).toMatchObject({
        code: 'ENTITY_NOT_FOUND',
      });
      expect(
        await program.fail('get_entity_snapshot', { entity_id: vendor, as_known_at: '2024-05-01T00:00:00Z' }),
      ).toMatchObject({ code: 'ENTITY_NOT_FOUND' });
      expect(await snapshotOf(vendor, { at: '2999' })).toMatchObject({ snapshot: { address: 'New Street' } });
      for (const moment of [{ at: 'soon' }, { as_known_at: 'soon' }, { as_known_at: '2999-01-01T00:00:00Z' }]) {
        const refused = await program.fail('get_entity_snapshot', { entity_id: vendor, ...moment });
        expect([moment, refused.code]).toEqual([moment, 'VALIDATION_ERROR']);
      }
    });

    it('rejects an unknown entity and an invalid id', async () => {
      expect(await program.fail('get_entity_snapshot', { entity_id: 'ent_abc123def456' })).toMatchObject({
        code: 'ENTITY_NOT_FOUND',
      });
      expect(await program.fail('get_entity_snapshot', { entity_id: 'abc' })).toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    });
  });

  describe('3.8 list_observations', () => {
    it('lists the statements of each source, newest first, page by page', async () => {
      const days = ['2024-06-01', '2024-06-03', '2024-06-02'];
      const answers: Submitted[] = [];
      for (const day of days) {
        const provenance = { extracted_at: `${day}T00:00:00Z` };
        answers.push(await submit({ invoice_number: `L-${day}`, vendor_name: 'Listed Co' }, {}, provenance));
      }
      const entity_id = entityOf(answers[0]!, 'vendor_name');
      const all = await program.call<{ observations: readonly Json[] }>('list_observations', { entity_id });
      expect(all).toMatchObject({ total: 3, limit: 100, offset: 0 });
      expect(all.observations.map((one) => one['observed_at'])).toEqual(
        ['2024-06-03', '2024-06-02', '2024-06-01'].map((day) => `${day}T00:00:00.000Z`),
      );
      expect(all.observations.at(-1)).toMatchObject({
        id: answers[0]?.entities.find(({ role }) => role === 'vendor_name')?.observation_id,
        entity_id,
        entity_type: 'company',
        schema_version: '2.0',
        source_record_id: answers[0]?.payload_id,
        specificity_score: expect.any(Number),
        source_priority: 100,
        fields: { name: 'Listed Co' },
        created_at: expect.stringMatching(isoTime),
      });
      const page = { entity_id, limit: 1, offset: 1 };
      expect(await program.call('list_observations', page)).toMatchObject({
        observations: [all.observations[1]],
        total: 3,
        limit: 1,
        offset: 1,
      });
    });

    it('rejects an unknown entity, an invalid id and an invalid limit', async () => {
      const codes: readonly (readonly [string, Json])[] = [
        ['ENTITY_NOT_FOUND', { entity_id: 'ent_0' }],
        ['VALIDATION_ERROR', { entity_id: 'ENT' }],
        ['VALIDATION_ERROR', { entity_id: entityOf(first, 'self'), limit: 0 }],
        ['VALIDATION_ERROR', { entity_id: entityOf(first, 'self'), offset: -1 }],
      ];
      for (const [code, args] of codes) expect((await program.fail('list_observations', args)).code).toBe(code);
    });
  });

  describe('3.9 get_field_provenance', () => {
    it('leads from a field to its observation and payload', async () => {
      const answer = await submit({ invoice_number: 'P-1', vendor_name: 'Proven AG', vendor_address: 'Here 1' });
      const { entity_id, observation_id } = answer.entities.find(({ role }) => role === 'vendor_name')!;
      const provenance = await program.call('get_field_provenance', { entity_id, field: 'address' });
      expect(provenance).toMatchObject({
        field: 'address',
        value: 'Here 1',
        source_observation: {
          id: observation_id,
          source_record_id: answer.payload_id,
          observed_at: '2025-01-15T10:30:00.000Z',
          specificity_score: expect.any(Number),
          source_priority: 100,
        },
        source_record: {
          id: answer.payload_id,
          type: 'invoice',
          file_urls: [],
          created_at: expect.stringMatching(isoTime),
        },
        observed_at: '2025-01-15T10:30:00.000Z',
      });
      expect(await program.call('get_field_provenance', { entity_id, field: 'address' })).toEqual(provenance);
    });

    it('leads to the correction of a field', async () => {
      const answer = await submit({ invoice_number: 'P-2', vendor_name: 'Wrong AG', vendor_address: 'Nowhere' });
      const entity_id = entityOf(answer, 'vendor_name');
      await program.call('correct_entity', { entity_id, fields: { address: 'There 2' }, reason: 'it moved' });
      expect(await snapshotOf(entity_id)).toMatchObject({ snapshot: { address: 'There 2' } });
      expect(await program.call('get_field_provenance', { entity_id, field: 'address' })).toMatchObject({
        value: 'There 2',
        source_observation: { source_priority: 1000 },
      });
    });

    it('rejects an unknown entity, an unknown field and an invalid id', async () => {
      const entity_id = entityOf(first, 'self');
      const codes: readonly (readonly [string, Json])[] = [
        ['ENTITY_NOT_FOUND', { entity_id: 'ent_0', field: 'amount' }],
        ['FIELD_NOT_FOUND', { entity_id, field: 'colour' }],
        ['VALIDATION_ERROR', { entity_id: '', field: 'amount' }],
        ['VALIDATION_ERROR', { entity_id, field: '' }],
      ];
      for (const [code, args] of codes) expect((await program.fail('get_field_provenance', args)).code).toBe(code);
    });
  });

  describe('3.10 create_relationship and 3.11 list_relationships', () => {
    let ends: readonly [string, string, string];

    beforeAll(async () => {
      const answer = await submit({ invoice_number: 'R-1', vendor_name: 'Edge One', customer_name: 'Edge Two' });
      ends = [entityOf(answer, 'self'), entityOf(answer, 'vendor_name'), entityOf(answer, 'customer_name')];
    });

    it('create an edge once and list it from either end', async () => {
      const [self, vendor] = ends;
      const made = await program.call(
        'create_relationship',
        relate('REFERS_TO', self, vendor, { metadata: { why: 'x' } }),
      );
      expect(made).toMatchObject({
        id: expect.stringMatching(uuid),
        ...relate('REFERS_TO', self, vendor, { metadata: { why: 'x' } }),
        created_at: expect.stringMatching(isoTime),
      });
      const again = await program.call('create_relationship', relate('REFERS_TO', self, vendor));
      expect(again['id']).toBe(made['id']);
      const listed = (entity_id: string, more: Json = {}) =>
        program.call<{ relationships: readonly Json[]; total: number }>('list_relationships', {
          entity_id,
          relationship_type: 'REFERS_TO',
          ...more,
        });
      const { created, ...edge } = made;
      expect([created, again['created']]).toEqual([true, false]);
      expect(await listed(self)).toMatchObject({ relationships: [edge], total: 1, limit: 100, offset: 0 });
      expect((await listed(self, { direction: 'outbound' })).total).toBe(1);
      expect((await listed(self, { direction: 'inbound' })).total).toBe(0);
      expect((await listed(vendor, { direction: 'inbound', relationship_type: 'REFERS_TO' })).total).toBe(1);
      expect((await listed(vendor, { relationship_type: 'SETTLES' })).total).toBe(0);
    });

    it('reject cycles, loops, unknown ends and unknown types', async () => {
      const [self, vendor, customer] = ends;
      await program.call('create_relationship', relate('PART_OF', self, vendor));
      await program.call('create_relationship', relate('PART_OF', vendor, customer));
      const codes: readonly (readonly [string, Json])[] = [
        ['CYCLE_DETECTED', relate('PART_OF', customer, self)],
        ['CYCLE_DETECTED', relate('REFERS_TO', self, self)],
        ['ENTITY_NOT_FOUND', relate('PART_OF', self, 'ent_0')],
        ['ENTITY_NOT_FOUND', relate('PART_OF', 'ent_0', self)],
        ['INVALID_RELATIONSHIP_TYPE', relate('LIKES', self, vendor)],
        ['VALIDATION_ERROR', relate('PART_OF', 'one', vendor)],
      ];
      for (const [code, args] of codes) expect((await program.fail('create_relationship', args)).code).toBe(code);
      // Each type separately; references may be mutual.
      await program.call('create_relationship', relate('DEPENDS_ON', customer, self));
      await program.call('create_relationship', relate('REFERS_TO', vendor, self));
      const listings: readonly (readonly [string, Json])[] = [
        ['ENTITY_NOT_FOUND', { entity_id: 'ent_0' }],
        ['VALIDATION_ERROR', { entity_id: 'x' }],
        ['VALIDATION_ERROR', { entity_id: self, direction: 'up' }],
      ];
      for (const [code, args] of listings) expect((await program.fail('list_relationships', args)).code).toBe(code);
    });
  });

  describe('2 and 4: the catalog and the error format', () => {
    it('lists the five most important tools, and every other one can be found and called', async () => {
      const { tools } = await program.client.listTools();
      const names = tools.map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining([
          'store_fact',
          'retrieve_entities',
          'get_entity_snapshot',
          'get_field_history',
          'get_field_provenance',
        ]),
      );
      const found = await program.call<{ tools: readonly { name: string }[] }>('tools_find', {
        query: 'list observations of an entity',
      });
      expect(found.tools.map(({ name }) => name)).toContain('list_observations');
      const through = await program.call('tools_call', { name: 'list_capabilities', arguments: {} });
      expect(through['capabilities']).toContainEqual(
        expect.objectContaining({ capability_id: invoice, builtin: true }),
      );
    });

    it('states the consistency and determinism of every tool', async () => {
      interface Described {
        readonly name: string;
        readonly guarantees?: { readonly consistency: string; readonly deterministic: boolean };
      }
      const { mcp } = await program.call<{ mcp: { tools: readonly Described[] } }>('meta_tools');
      const of = (name: string) => mcp.tools.find((tool) => tool.name === name)?.guarantees;
      expect(of('submit_payload')).toMatchObject({ consistency: 'strong', deterministic: true });
      expect(of('get_file_url')).toMatchObject({ consistency: 'strong', deterministic: false });
      expect(of('retrieve_records')).toMatchObject({ deterministic: true });
    });

    it('gives every error a trace id that is also in the log, without personal data', async () => {
      const secret = 'Jane Private';
      const failures = [
        await program.fail('submit_payload', payloadInput({ vendor_name: secret }, { capability_id: 'a:b:v1' })),
        await program.fail('submit_payload', payloadInput({ vendor_name: secret }, {}, { agent_id: 7 })),
        await program.fail('retrieve_records', { search: secret }),
      ];
      expect(new Set(failures.map(({ trace_id }) => trace_id)).size).toBe(3);
      await expect
        .poll(() => failures.filter(({ trace_id }) => !program.logged().includes(trace_id)), { timeout: 120_000 })
        .toEqual([]);
      expect(program.logged()).not.toContain(secret);
      expect(JSON.stringify(failures)).not.toContain(secret);
    });
  });
});
