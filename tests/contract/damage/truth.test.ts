import { describe, expect, test } from 'vitest';
import { expectDamage } from './expect-damage.ts';
import { openApp } from './open-app.ts';

const at = (value: unknown, ...path: readonly (string | number)[]): string =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value) as string;

describe.each(['SQLite', 'PostgreSQL'] as const)('truth that was damaged in the store on %s', (engine) => {
  async function start() {
    const app = await openApp(engine);
    const submit = (number: string, body: object = {}) =>
      app.good('submit_payload', {
        capability_id: 'neotoma:store_invoice:v1',
        body: { invoice_number: number, amount: 1500, date: '2025-01-15', vendor_name: 'Acme Corp', ...body },
        provenance: { source_refs: [], extracted_at: '2025-01-15T10:30:00Z', extractor_version: 'test:v1' },
      });
    const submitted = await submit('INV-001', { note: 'raw walrus' });
    const found = await app.good('retrieve_entities', { entity_type: 'company' });
    const company = at(found, 'entities', 0, 'entity_id');
    const invoices = await app.good('retrieve_entities', { entity_type: 'invoice' });
    const invoice = at(invoices, 'entities', 0, 'entity_id');
    return { ...app, submit, submitted, company, invoice };
  }

  test('is read while it is intact', async () => {
    const { ask, company, reopen } = await start();
    await reopen();
    expect(await ask('get_entity_snapshot', { entity_id: company })).toMatchObject({ entity_id: company });
    expect(await ask('list_observations', { entity_id: company })).toHaveProperty('observations');
  });

  test('reduces a damaged snapshot again', async () => {
    const { ask, damage, good, invoice } = await start();
    const before = await good('get_entity_snapshot', { entity_id: invoice });
    await damage("update truth_entities set state = replace(state, '1500', '1900')");
    const after = await good('get_entity_snapshot', { entity_id: invoice });
    expect(at(after, 'snapshot', 'amount')).toBe(at(before, 'snapshot', 'amount'));
    expect(JSON.stringify(await ask('retrieve_entities', { include_snapshots: true }))).not.toContain('1900');
  });

  test.each([
    ['observation', "update truth_observations set fields = replace(fields, '1500', '1900')", 'list_observations'],
    ['observation', 'update truth_observations set specificity = 0.25', 'list_observations'],
    ['entity', "update truth_entities set canonical_name = 'another'", 'get_entity_snapshot'],
    ['entity', "update truth_entities set canonical_name = 'another'", 'retrieve_entities'],
  ])('does not serve a damaged %s (%s, %s)', async (kind, statement, tool) => {
    const { ask, damage, invoice } = await start();
    await damage(statement);
    expectDamage(await ask(tool, tool === 'retrieve_entities' ? {} : { entity_id: invoice }), kind);
  });

  test('does not serve a past state from a damaged observation', async () => {
    const { ask, damage, invoice } = await start();
    await damage("update truth_observations set fields = replace(fields, '1500', '1900')");
    expectDamage(await ask('get_entity_snapshot', { entity_id: invoice, at: '2025-06-01T00:00:00Z' }), 'observation');
  });

  test('does not serve raw fragments of a damaged observation', async () => {
    const { ask, damage, invoice } = await start();
    expect(JSON.stringify(await ask('get_entity_snapshot', { entity_id: invoice }))).toContain('raw walrus');
    await damage("update truth_observations set raw_fragments = replace(raw_fragments, 'walrus', 'walnut')");
    expectDamage(await ask('get_entity_snapshot', { entity_id: invoice }), 'observation');
  });

  test('does not serve provenance from a damaged payload', async () => {
    const { ask, damage, invoice } = await start();
    await damage("update truth_payloads set extractor_version = 'another'");
    expectDamage(await ask('get_field_provenance', { entity_id: invoice, field: 'amount' }), 'payload');
  });

  test('does not accept a payload again whose stored body is damaged', async () => {
    const { damage, ask } = await start();
    await damage("update truth_payloads set body = replace(body, '1500', '1900')");
    const again = await ask('submit_payload', {
      capability_id: 'neotoma:store_invoice:v1',
      body: {
        invoice_number: 'INV-001',
        amount: 1500,
        date: '2025-01-15',
        vendor_name: 'Acme Corp',
        note: 'raw walrus',
      },
      provenance: { source_refs: [], extracted_at: '2025-01-15T10:30:00Z', extractor_version: 'test:v1' },
    });
    expectDamage(again, 'payload');
  });

  test('does not serve a damaged correction', async () => {
    const { ask, good, damage, invoice } = await start();
    await good('correct_entity', { entity_id: invoice, fields: { amount: 1600 }, reason: 'typing error' });
    await damage("update truth_corrections set reason = 'another reason'");
    expectDamage(await ask('get_field_provenance', { entity_id: invoice, field: 'amount' }), 'correction');
  });

  test('does not serve damaged relationships, merges, capabilities and schemas', async () => {
    const { ask, good, damage, company, invoice, submit } = await start();
    await good('create_relationship', {
      ...{ source_entity_id: invoice, target_entity_id: company, relationship_type: 'REFERS_TO', metadata: { a: 1 } },
    });
    await good('register_capability', {
      capability_id: 'acme:store_ticket:v1',
      primary_type: 'ticket',
      hash_fields: ['number'],
      natural_key: [{ field: 'number' }],
      extract: [],
    });
    const schema = { entity_type: 'vehicle', version: '9.1', fields: { plate: { type: 'string' } } };
    await good('register_entity_schema', schema);
    await submit('INV-002', { vendor_name: 'Acme Incorporated Two' });
    const other = (await good('retrieve_entities', { entity_type: 'company' }))['entities'] as { entity_id: string }[];
    const source = other.find(({ entity_id }) => entity_id !== company)!.entity_id;
    await good('merge_entities', { source_entity_id: source, target_entity_id: company });
    await damage(`
      update truth_relationships set metadata = '{"a":2}';
      update truth_capabilities set definition = replace(definition, 'number', 'numbed');
      update truth_schemas set definition = replace(definition, 'string', 'number');
      update truth_merges set merged_at = merged_at - 1000;`);
    expectDamage(await ask('list_relationships', { entity_id: invoice }), 'relationship');
    expectDamage(await ask('list_capabilities'), 'capability acme:store_ticket:v1');
    expectDamage(await ask('list_entity_schemas', { entity_type: 'vehicle' }), 'schema vehicle 9.1');
    expectDamage(
      await ask('get_entity_snapshot', { entity_id: source, as_known_at: new Date().toISOString() }),
      'merge',
    );
    expectDamage(await ask('unmerge_entities', { source_entity_id: source, target_entity_id: company }), 'merge');
  });

  test('fails a list with a damaged record and leaves it out of a search', async () => {
    const { ask, good, damage } = await start();
    const embedding = Array.from({ length: 1536 }, (_, i) => (i === 3 ? 1 : 0));
    const sound = at(await good('store_record', { type: 'note', properties: { text: 'walrus sound' } }), 'id');
    const hurt = at(await good('store_record', { type: 'note', properties: { text: 'walrus hurt' }, embedding }), 'id');
    await damage(
      `update truth_records set properties = replace(properties, 'hurt', 'hart') where record_id = '${hurt}'`,
    );
    expectDamage(await ask('retrieve_records', {}), `record ${hurt}`);
    expectDamage(await ask('update_record', { id: hurt, properties: { more: 1 } }), `record ${hurt}`);
    const found = JSON.stringify(await ask('retrieve_records', { search: ['walrus'], search_mode: 'keyword' }));
    expect(found).toContain(sound);
    expect(found).not.toContain('hart');
  });

  test('leaves a damaged event out of the timeline until a rebuild', async () => {
    const { good, damage } = await start();
    const before = await good('list_timeline_events');
    expect(JSON.stringify(before)).toContain('2025-01-15');
    await damage("update truth_events set value = '2024-01-15'");
    expect(JSON.stringify(await good('list_timeline_events'))).not.toContain('2024-01-15');
  });
});
