import { expect, test } from 'vitest';
import { createFacts } from '../facts/store-fact.ts';
import { codeOf, describeTruth, invoice, payloadOf } from '../truth.fixture.ts';
import { linkDrafts } from './derived-links.ts';
import { createGraphFixture } from './graph.fixture.ts';
import { relationshipIdOf } from './relationship-id.ts';
import type { Edge } from './relationship-model.ts';

const byJson = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

test('[TR79] the own entity and itself are not linked', () => {
  const extract = [{ kind: 'field_value', field: 'a', entity_type: 'company', link: 'KNOWS' }] as const;
  const own = { role: 'self', entityId: 'ent_1' };
  expect(linkDrafts({ extract: [...extract] }, [own, { role: 'a', entityId: 'ent_1' }])).toEqual([]);
  expect(linkDrafts({ extract: [...extract] }, [own, { role: 'ab', entityId: 'ent_2' }])).toEqual([]);
  expect(linkDrafts({ extract: [...extract] }, [own, { role: 'a', entityId: 'ent_2' }])).toEqual([
    { type: 'KNOWS', sourceId: 'ent_1', targetId: 'ent_2' },
  ]);
});

describeTruth('edges that follow from payloads', (engine) => {
  const open = () => {
    const graph = createGraphFixture(engine);
    const shown = async (entity_id: string, more: object = {}) =>
      (await graph.edgesOf(entity_id, more))
        .map(({ relationship_type, source_entity_id, target_entity_id }) => [
          ...[relationship_type, source_entity_id, target_entity_id],
        ])
        .sort(byJson);
    return { ...graph, shown };
  };

  test('[TR79] an invoice is linked to its vendor and customer, with its submission as source', async () => {
    const { submit, shown, edgesOf } = open();
    const { entities, payload_id, submission_id } = await submit(invoice());
    const [self, vendor, customer] = entities.map(({ entity_id }) => entity_id);
    expect(await shown(self!)).toEqual([
      ['BILLED_TO', self, customer],
      ['ISSUED_BY', self, vendor],
    ]);
    const [edge] = await edgesOf(vendor!);
    expect(edge).toMatchObject({ source: { kind: 'payload', id: payload_id, submission_id } });
    expect(edge).not.toHaveProperty('effective_at');
    // It holds from the time of the document on.
    expect(await shown(self!, { at: '2025-01-15' })).toHaveLength(2);
    expect(await shown(self!, { at: '2025-01-14' })).toEqual([]);
  });

  test('[TR79] receipts, transactions and contracts are linked too', async () => {
    const { submit, shown } = open();
    const idsOf = async (name: string, body: object) =>
      (await submit(payloadOf(name, body))).entities.map(({ entity_id }) => entity_id);
    const [receipt, vendor] = await idsOf('receipt', { receipt_number: 'R1', vendor_name: 'Acme' });
    expect(await shown(receipt!)).toEqual([['ISSUED_BY', receipt, vendor]]);
    const [paid, merchant, other] = await idsOf('transaction', {
      ...{ transaction_id: 'T1', merchant_name: 'Shop', counterparty: 'Bank' },
    });
    expect(await shown(paid!)).toEqual(
      [
        ['PAID_TO', paid, merchant],
        ['PAID_TO', paid, other],
      ].sort(byJson),
    );
    const [contract, one, two] = await idsOf('contract', { contract_number: 'C1', parties: ['Ada Ltd', 'Bob Ltd'] });
    expect(await shown(contract!)).toEqual(
      [
        ['PARTY_TO', one, contract],
        ['PARTY_TO', two, contract],
      ].sort(byJson),
    );
    const [note] = await idsOf('note', { title: 'N', tasks: ['a'] });
    expect(await shown(note!)).toEqual([]);
  });

  test('[TR79] the stated time is the start; the end of a payload is not that of its edges', async () => {
    const { submit, edgesOf } = open();
    const { entities } = await submit({ ...invoice(), effective_at: '2024-05', effective_until: '2024-06' });
    const edges = await edgesOf(entities[0]!.entity_id);
    expect(edges).toMatchObject([{ effective_at: '2024-05' }, { effective_at: '2024-05' }]);
    for (const edge of edges) expect(edge).not.toHaveProperty('effective_until');
  });

  test('[TR79] another submission adds nothing while the edge holds, and an earlier one an earlier start', async () => {
    const { submit, edgesOf, shown, clock } = open();
    const { entities } = await submit({ ...invoice({ status: 'open' }), effective_at: '2024-05' });
    const self = entities[0]!.entity_id;
    const before = await edgesOf(self, { include_ended: true });
    clock.advance(1_000);
    await submit({ ...invoice({ status: 'paid' }), effective_at: '2024-07' });
    expect(await edgesOf(self, { include_ended: true })).toEqual(before);
    expect(await shown(self, { at: '2024-04' })).toEqual([]);
    await submit({ ...invoice({ status: 'draft' }), effective_at: '2024-03' });
    expect(await shown(self, { at: '2024-04' })).toHaveLength(2);
    expect(await edgesOf(self, { include_ended: true })).toMatchObject([
      { periods: [{ effective_at: '2024-05' }, { effective_at: '2024-03' }] },
      {},
    ]);
  });

  test('[TR79] a deleted edge stays deleted, and an ended one is not opened again by an earlier document', async () => {
    const { submit, shown, ask, relate } = open();
    const { entities } = await submit({ ...invoice(), effective_at: '2024-05' });
    const [self, vendor, customer] = entities.map(({ entity_id }) => entity_id);
    await ask('delete_relationship', { relationship_id: relationshipIdOf('ISSUED_BY', self!, vendor!) });
    await relate('BILLED_TO', self!, customer!, undefined, { effective_until: '2024-09' });
    await submit({ ...invoice({ status: 'paid' }), effective_at: '2024-05' });
    await submit({ ...invoice({ status: 'sent' }), effective_at: '2024-06' });
    expect(await shown(self!)).toEqual([]);
    expect(await shown(self!, { at: '2024-08' })).toEqual([['BILLED_TO', self, customer]]);
  });

  test('[TR79] a link whose submission was retracted comes back with the next one', async () => {
    const graph = open();
    const { submission_id, entities } = await graph.submit(invoice({ status: 'open' }));
    await createFacts(graph).retract({ id: submission_id }, graph.call('retract_statement'));
    const self = entities[0]!.entity_id;
    expect(await graph.shown(self)).toEqual([]);
    await graph.submit(invoice({ status: 'paid' }));
    expect(await graph.shown(self)).toHaveLength(2);
  });

  test('[TR79] a self loop or cycle is left out, and the payload is stored', async () => {
    const { submit, ask, merge, shown, state } = open();
    expect(
      codeOf(await ask('register_relationship_type', { relationship_type: 'BELOW', acyclic: true })),
    ).toBeUndefined();
    const definition = {
      ...{ capability_id: 'acme:unit:v1', primary_type: 'company', hash_fields: ['name', 'parent', 'other'] },
      natural_key: [{ field: 'name', company: true }],
      extract: ['parent', 'other'].map((field) => ({
        kind: 'field_value',
        field,
        entity_type: 'company',
        link: 'BELOW',
      })),
    };
    expect(codeOf(await ask('register_capability', definition))).toBeUndefined();
    const unit = async (body: object) =>
      (await submit({ ...invoice(), capability_id: 'acme:unit:v1', body: body as never })).entities.map(
        ({ entity_id }) => entity_id,
      );
    const [a, b] = await unit({ name: 'a', parent: 'b' });
    expect(await shown(a!)).toEqual([['BELOW', a, b]]);
    // b → a would close a cycle.
    const c = await state('c');
    expect(await unit({ name: 'b', parent: 'a', other: 'c' })).toEqual([b, a, c]);
    expect(await shown(b!)).toEqual(
      [
        ['BELOW', a, b],
        ['BELOW', b, c],
      ].sort(byJson),
    );
    expect(await unit({ name: 'x', parent: 'x' })).toHaveLength(2);
    const [y, z] = [await state('y'), await state('z')];
    await merge(z, y);
    expect(await unit({ name: 'y', parent: 'z' })).toEqual([y, z]);
    expect(await shown(y)).toEqual([]);
  });

  test('[TR79] a capability can only use known types, in their own spelling', async () => {
    const { ask } = open();
    const register = async (link: string) =>
      codeOf(
        await ask('register_capability', {
          ...{ capability_id: 'acme:unit:v1', primary_type: 'unit', hash_fields: ['name'], natural_key: [] },
          extract: [{ kind: 'array_items', field: 'parts', entity_type: 'unit', link }],
        }),
      );
    expect(await register('MENTORS')).toBe('INVALID_RELATIONSHIP_TYPE');
    expect(await register('works at')).toMatch(/VALIDATION_ERROR|INVALID_PARAMS/);
    expect(await register('PART_OF')).toBeUndefined();
  });

  test('[TR79] many payloads in one write are linked, also to the same company', async () => {
    const { payloads, call, edgesOf } = open();
    const inputs = Array.from({ length: 60 }, (_, i) =>
      invoice({ invoice_number: `I-${i % 50}` }, { source_refs: [`r${i}`] }),
    );
    const answers = await payloads.submitMany(inputs, call('submit_payload'));
    const vendor = answers[0]!.entities[1]!.entity_id;
    const edges: readonly Edge[] = await edgesOf(vendor, { limit: 1_000 });
    expect(edges).toHaveLength(50);
    expect(new Set(edges.map(({ source_entity_id }) => source_entity_id)).size).toBe(50);
  });
});
