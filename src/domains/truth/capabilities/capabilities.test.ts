import { expect, test } from 'vitest';
import { codeOf, createTruthFixture, describeTruth, payloadOf, type TruthEngine } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import { builtinCapabilities } from './builtin-capabilities.ts';
import { insertCapability } from './capability-store.ts';

const tickets = {
  capability_id: 'acme:store_ticket:v1',
  primary_type: 'ticket',
  hash_fields: ['number', 'subject'],
  natural_key: [{ field: 'number' }],
  extract: [{ kind: 'field_value', field: 'customer_name', entity_type: 'company', prefix: 'customer_' }],
  source_priority: 7,
};
const ticket = (body: object) => ({ ...payloadOf('note', body), capability_id: tickets.capability_id });

function open(engine: TruthEngine) {
  const truth = createTruthFixture(engine.base(), {});
  return { ...truth, ...truth.as(engine.newTenant()) };
}

describeTruth('capabilities', (engine) => {
  test('lists the built-in capabilities first, then those of the tenant', async () => {
    const { ask } = open(engine);
    const builtin = builtinCapabilities.map((one) => ({ ...one, builtin: true }));
    expect(await ask('list_capabilities')).toEqual({ capabilities: builtin, total: 5 });
    expect(await ask('register_capability', tickets)).toEqual({ capability: tickets, created: true });
    expect(await ask('list_capabilities')).toEqual({
      capabilities: [...builtin, { ...tickets, builtin: false }],
      total: 6,
    });
  });

  test('reads payloads with a registered capability', async () => {
    const { ask, submit } = open(engine);
    expect(codeOf(await ask('submit_payload', ticket({ number: 1 })))).toBe('UNKNOWN_CAPABILITY');
    await ask('register_capability', tickets);
    const { entities } = await submit(
      ticket({ number: 1, subject: 'Help', customer_name: 'Acme Inc', customer_tax_id: 'X' }),
    );
    expect(entities).toMatchObject([
      { entity_type: 'ticket', identity_rule: 'natural_key' },
      { entity_type: 'company', role: 'customer_name' },
    ]);
    expect(await submit(ticket({ number: '1 ', subject: 'HELP' }))).toMatchObject({ created: true });
    expect(await submit(ticket({ number: 1, subject: ' HELP' }))).toMatchObject({ created: false });
  });

  test('[TR93] lists the capabilities with their fields if one is unknown, and names the nearest', async () => {
    const { ask } = open(engine);
    await ask('register_capability', tickets);
    const answer = await ask('submit_payload', { ...payloadOf('note', {}), capability_id: 'store_tickets' });
    expect(answer).toMatchObject({
      error: {
        code: 'UNKNOWN_CAPABILITY',
        message: 'Unknown capability; did you mean acme:store_ticket:v1?',
        details: { did_you_mean: 'acme:store_ticket:v1', total: 6 },
      },
    });
    const { capabilities } = (answer['error'] as { details: { capabilities: readonly { fields: string[] }[] } })
      .details;
    expect(capabilities[0]).toEqual({
      capability_id: 'neotoma:store_invoice:v1',
      fields: expect.arrayContaining(['invoice_number', 'vendor_name', 'amount', 'due_date']),
    });
    expect(capabilities[5]).toEqual({
      capability_id: 'acme:store_ticket:v1',
      fields: ['number', 'subject', 'customer_name'],
    });
  });

  test('accepts the same definition again and rejects another one with the same id', async () => {
    const { ask } = open(engine);
    await ask('register_capability', tickets);
    expect(await ask('register_capability', tickets)).toEqual({ capability: tickets, created: false });
    expect(codeOf(await ask('register_capability', { ...tickets, hash_fields: ['number'] }))).toBe('CONFLICT');
    expect(codeOf(await ask('register_capability', { ...tickets, capability_id: 'neotoma:store_note:v1' }))).toBe(
      'CONFLICT',
    );
    expect(await ask('register_capability', builtinCapabilities[0])).toMatchObject({ created: false });
    expect(await ask('list_capabilities')).toMatchObject({ total: 6 });
  });

  test('no longer reads payloads with a removed capability, and keeps what it has read', async () => {
    const { ask, submit, payloads, read } = open(engine);
    await ask('register_capability', tickets);
    const { payload_id } = await submit(ticket({ number: 1 }));
    expect(await ask('remove_capability', { capability_id: tickets.capability_id })).toEqual({
      capability_id: tickets.capability_id,
      removed: true,
      restore: { tool: 'register_capability', arguments: expect.objectContaining(tickets) as object },
    });
    expect(codeOf(await ask('submit_payload', ticket({ number: 2 })))).toBe('UNKNOWN_CAPABILITY');
    expect(codeOf(await ask('remove_capability', { capability_id: tickets.capability_id }))).toBe('UNKNOWN_CAPABILITY');
    expect(await read((db) => payloads.find(db, payload_id))).toMatchObject({ primary_type: 'ticket' });
  });

  test('rejects removing a built-in capability', async () => {
    const { ask } = open(engine);
    const answer = await ask('remove_capability', { capability_id: 'neotoma:store_note:v1' });
    expect(codeOf(answer)).toBe('VALIDATION_ERROR');
  });

  test.each([
    ['an id of another form', { capability_id: 'ticket' }],
    ['a type that is none', { primary_type: 'Ticket!' }],
    ['no hash fields', { hash_fields: [] }],
    ['an unknown rule', { extract: [{ kind: 'guess', field: 'a', entity_type: 'b' }] }],
    ['the priority of a correction', { source_priority: 1000 }],
    ['an unknown member', { more: 1 }],
  ])('rejects %s', async (_, part) => {
    const { ask, storage, tenant } = open(engine);
    expect(codeOf(await ask('register_capability', { ...tickets, ...part }))).toBe('VALIDATION_ERROR');
    expect(await storage.version(tenant, undefined)).toBe(0);
  });

  test('keeps capabilities per tenant and limits their number', async () => {
    const [one, other] = [open(engine), open(engine)];
    await one.ask('register_capability', tickets);
    expect(await other.ask('list_capabilities')).toMatchObject({ total: 5 });
    const { registeredCount } = truthLimits;
    for (const [from, to] of [
      [0, 400],
      [400, registeredCount - 1],
    ] as const) {
      await other.storage.write(other.call('test', { audit: 'none' }), function* (db) {
        for (let i = from; i < to; i += 1) yield* insertCapability(db, `a:b${i}:v1`, JSON.stringify(tickets));
      });
    }
    expect(await other.ask('register_capability', tickets)).toMatchObject({ created: true });
    const oneMore = { ...tickets, capability_id: 'acme:store_ticket:v2' };
    expect(codeOf(await other.ask('register_capability', oneMore))).toBe('RESOURCE_LIMIT');
  });
});
