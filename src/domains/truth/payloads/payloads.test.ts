import { describe, expect, test } from 'vitest';
import type { Json } from '#kernel/json/canonical.ts';
import { allObservations, payloadsCount } from '../observations/table-rows.fixture.ts';
import { codeOf, createTruthFixture, describeTruth, invoice, payloadOf, type TruthEngine } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import { createPayloads } from './payloads.ts';

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

const nested = (depth: number): Json => (depth === 0 ? 1 : { in: nested(depth - 1) });
function open(engine: TruthEngine) {
  const truth = createTruthFixture(engine.base(), {});
  return { ...truth, ...truth.as(engine.newTenant()) };
}

describeTruth('payloads', (engine) => {
  test('[TR1] answers the ids and the entities of a payload, its own first', async () => {
    const { ask } = open(engine);
    const answer = await ask('submit_payload', invoice());
    expect(answer).toEqual({
      payload_id: expect.stringMatching(new RegExp(`^${uuid}$`)),
      payload_content_id: expect.stringMatching(/^payload_[0-9a-f]{24}$/),
      payload_submission_id: expect.stringMatching(new RegExp(`^sub_${uuid}$`)),
      submission_id: answer['payload_submission_id'],
      created: true,
      observations_added: 3,
      message: 'Payload created and observations extracted',
      entities: [
        { entity_type: 'invoice', role: 'self', identity_rule: 'natural_key' },
        { entity_type: 'company', role: 'vendor_name', identity_rule: 'name' },
        { entity_type: 'company', role: 'customer_name', identity_rule: 'name' },
      ].map((one) => ({
        ...one,
        entity_id: expect.stringMatching(/^ent_[0-9a-f]{24}$/),
        observation_id: expect.stringMatching(/^obs_[0-9a-f]{24}$/),
      })),
    });
  });

  test('[TR2] answers the first payload for the same content', async () => {
    const { ask, read } = open(engine);
    const first = await ask('submit_payload', invoice({ memo: 'one', vendor_name: 'Acme Corp' }));
    const again = await ask(
      'submit_payload',
      // Fields outside the hash may differ, even those that contain entities.
      invoice(
        { memo: 'two', vendor_name: ' ACME corp ', vendor_address: 'X' },
        { agent_id: 'b', extracted_at: '2025-03-01T00:00:00Z' },
      ),
    );
    const { payload_id, payload_content_id } = first;
    expect(again).toMatchObject({ payload_id, payload_content_id, created: false, observations_added: 3 });
    expect(await read(rows)).toMatchObject({ payloads: 1, observations: { length: 6 } });
  });

  test('[TR40] a submission of a known payload names its own entities', async () => {
    const { submit } = open(engine);
    const first = await submit(payloadOf('receipt', { receipt_number: 'R1', title: 'March' }));
    const again = await submit(payloadOf('receipt', { receipt_number: 'r1', title: 'April' }));
    expect(again).toMatchObject({ created: false, payload_id: first.payload_id });
    for (const { entities } of [first, again]) expect(entities[0]).toMatchObject({ identity_rule: 'title' });
    expect(again.entities[0]!.entity_id).not.toBe(first.entities[0]!.entity_id);
  });

  test('[TR2] concurrent submissions create one payload', async () => {
    const tenant = engine.newTenant();
    const here = createTruthFixture(engine.base(), {}).as(tenant);
    const there = createTruthFixture(engine.base(await engine.openOther()), {}).as(tenant);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? here : there).submit(invoice())),
    );
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ payload_id }) => payload_id)).size).toBe(1);
    for (const { entities } of answers) expect(entities).toEqual(answers[0]!.entities);
    expect(await here.read(rows)).toMatchObject({ payloads: 1, observations: { length: 3 } });
  });

  test('[TR8] gives the same content, entity and observation ids in any store', async () => {
    const [one, other] = [open(engine), open(engine)];
    const first = await one.submit(invoice());
    const second = await other.submit(invoice());
    expect(second.payload_id).not.toBe(first.payload_id);
    expect(second).toMatchObject({
      created: true,
      payload_content_id: first.payload_content_id,
      entities: first.entities,
    });
  });

  test('[TR3] stores the body as sent, with its metadata', async () => {
    const { ask, payloads, read } = open(engine);
    const body = JSON.parse(
      '{"zeta":" A ","title":"Plan","__proto__":{"a":[1.50,-0]},"file_urls":["fourfold://files/a"]}',
    ) as object;
    const given = payloadOf('note', body, { source_refs: ['q', 'p', 'q'], agent_id: 'claude' });
    const { payload_id } = await ask('submit_payload', { ...given, client_request_id: 'retry-1' });
    const row = await read(function* (db) {
      return {
        whole: yield* payloads.findWhole(db, String(payload_id)),
        head: yield* payloads.find(db, String(payload_id)),
      };
    });
    expect(row.whole?.body).toBe(
      '{"zeta":" A ","title":"Plan","__proto__":{"a":[1.5,0]},"file_urls":["fourfold://files/a"]}',
    );
    expect(row.head).toMatchObject({
      capability_id: 'neotoma:store_note:v1',
      primary_type: 'note',
      client_request_id: 'retry-1',
      agent_id: 'claude',
      extractor_version: 'neotoma-mcp:v0.2.1',
      extracted_at: Date.parse('2025-01-15T10:30:00Z'),
      source_refs: '["q","p","q"]',
      file_urls: '["fourfold://files/a"]',
    });
    expect(row.head).not.toHaveProperty('body');
  });

  test('treats file_urls that are not a list of texts as an ordinary field', async () => {
    const { submit, payloads, read } = open(engine);
    const { payload_id } = await submit(payloadOf('note', { title: 'a', file_urls: ['x', 1] }));
    expect(await read((db) => payloads.findMany(db, [payload_id, 'none']))).toMatchObject([{ file_urls: '[]' }]);
  });

  describe('[TR3] rejects without a change', () => {
    const { bodyDepth, bodyBytes, clockAheadMs, payloadEntitiesCount } = truthLimits;
    const late = new Date(engine.clock.now() + clockAheadMs + 1).toISOString();
    const envelope = invoice();
    test.each<[string, unknown, string]>([
      ['an unknown capability', { ...envelope, capability_id: 'neotoma:store_dream:v1' }, 'UNKNOWN_CAPABILITY'],
      [
        'a capability of another version',
        { ...envelope, capability_id: 'neotoma:store_invoice:v2' },
        'UNKNOWN_CAPABILITY',
      ],
      ['no capability', { ...envelope, capability_id: undefined }, 'VALIDATION_ERROR'],
      ['no body', { ...envelope, body: undefined }, 'VALIDATION_ERROR'],
      ['a list for a body', { ...envelope, body: [] }, 'VALIDATION_ERROR'],
      ['null for a body', { ...envelope, body: null }, 'VALIDATION_ERROR'],
      ['a text for a body', { ...envelope, body: '{}' }, 'VALIDATION_ERROR'],
      ['no provenance', { ...envelope, provenance: undefined }, 'VALIDATION_ERROR'],
      ['an unknown member', { ...envelope, more: 1 }, 'VALIDATION_ERROR'],
      ['an unknown member of provenance', invoice({}, { more: 1 }), 'VALIDATION_ERROR'],
      ['no source_refs', invoice({}, { source_refs: undefined }), 'VALIDATION_ERROR'],
      ['source_refs of another type', invoice({}, { source_refs: [1] }), 'VALIDATION_ERROR'],
      [
        'too many source_refs',
        invoice({}, { source_refs: Array.from({ length: truthLimits.sourceRefsCount + 1 }, (_, i) => `${i}`) }),
        'VALIDATION_ERROR',
      ],
      ['an empty extractor_version', invoice({}, { extractor_version: '' }), 'VALIDATION_ERROR'],
      ['no extracted_at', invoice({}, { extracted_at: undefined }), 'VALIDATION_ERROR'],
      ['a time without a zone', invoice({}, { extracted_at: '2025-01-15T10:30:00' }), 'VALIDATION_ERROR'],
      ['a day that is not', invoice({}, { extracted_at: '2025-02-30T10:30:00Z' }), 'VALIDATION_ERROR'],
      ['a time that is none', invoice({}, { extracted_at: 'yesterday' }), 'VALIDATION_ERROR'],
      ['a time more than a day ahead', invoice({}, { extracted_at: late }), 'VALIDATION_ERROR'],
      ['a number that is not finite', { ...envelope, body: JSON.parse('{"amount":1e999}') }, 'VALIDATION_ERROR'],
      ['such a number deep inside', { ...envelope, body: JSON.parse('{"a":[{"b":-1e999}]}') }, 'VALIDATION_ERROR'],
      ['a body one level too deep', { ...envelope, body: { a: nested(bodyDepth) } }, 'VALIDATION_ERROR'],
      ['a body a hundred levels deep', { ...envelope, body: { a: nested(100) } }, 'VALIDATION_ERROR'],
      ['a body one byte too large', { ...envelope, body: bodyOf(bodyBytes + 1) }, 'VALIDATION_ERROR'],
      ['NUL in a text', invoice({ memo: 'a\0b' }), 'VALIDATION_ERROR'],
      ['half a surrogate pair', invoice({ memo: '\ud800' }), 'VALIDATION_ERROR'],
      [
        'too many entities',
        payloadOf('contract', { parties: Array.from({ length: payloadEntitiesCount }, (_, i) => `p${i}`) }),
        'VALIDATION_ERROR',
      ],
      [
        'an end before the start',
        { ...envelope, effective_at: '2025-05', effective_until: '2025-04' },
        'VALIDATION_ERROR',
      ],
      [
        'an end at the start',
        { ...envelope, effective_at: '2025-05', effective_until: '2025-05-01' },
        'VALIDATION_ERROR',
      ],
      ['an end before the time of the source', { ...envelope, effective_until: '2025-01-15' }, 'VALIDATION_ERROR'],
      ['an effective time that does not exist', { ...envelope, effective_at: '2025-02-30' }, 'VALIDATION_ERROR'],
      ['an effective time without a zone', { ...envelope, effective_at: '2025-02-03T10:00:00' }, 'VALIDATION_ERROR'],
      ['a client_request_id that is not a string', { ...envelope, client_request_id: 5 }, 'VALIDATION_ERROR'],
    ])('%s', async (_, given, code) => {
      const { ask, storage, tenant, read } = open(engine);
      expect(codeOf(await ask('submit_payload', given))).toBe(code);
      expect(await storage.version(tenant, undefined)).toBe(0);
      expect(await read(rows)).toEqual({ payloads: 0, observations: [] });
    });

    test('accepts values just within the limits', async () => {
      const { ask } = open(engine);
      const edge = new Date(engine.clock.now() + clockAheadMs).toISOString();
      for (const given of [
        invoice({ a: nested(bodyDepth - 1) }),
        { ...envelope, body: bodyOf(bodyBytes) },
        invoice({ invoice_number: 'edge' }, { extracted_at: edge }),
        invoice({ invoice_number: 'zone' }, { extracted_at: '2025-01-15T10:30:00+05:30' }),
      ]) {
        expect(await ask('submit_payload', given)).toMatchObject({ created: true });
      }
    });
  });

  test('[TR4] stores no payload if its observations cannot be written', async () => {
    const base = engine.base();
    const truth = createTruthFixture(base, {}).as(engine.newTenant());
    const failure = new Error('injected');
    const broken = createPayloads({
      ...base,
      schemas: {
        ...base.schemas,
        // biome-ignore lint/correctness/useYield: must be a generator that fails before its first step.
        *activeOf() {
          throw failure;
        },
      },
    });
    await expect(broken.submit(invoice(), truth.call('submit_payload'))).rejects.toBe(failure);
    expect(await truth.read(rows)).toEqual({ payloads: 0, observations: [] });
    expect(await truth.submit(invoice())).toMatchObject({ created: true });
  });

  test('[TR28] keeps tenants apart', async () => {
    const [one, other] = [open(engine), open(engine)];
    const { payload_id } = await one.submit(invoice());
    expect(await other.submit(invoice())).toMatchObject({ created: true });
    expect(await other.read((db) => other.payloads.find(db, payload_id))).toBeUndefined();
  });

  test('answers the same for the same idempotency key and rejects another payload with it', async () => {
    const { ask } = open(engine);
    const first = await ask('submit_payload', invoice(), { idempotencyKey: 'key' });
    expect(await ask('submit_payload', invoice(), { idempotencyKey: 'key' })).toEqual(first);
    expect(codeOf(await ask('submit_payload', invoice({ amount: 2 }), { idempotencyKey: 'key' }))).toBe(
      'IDEMPOTENCY_CONFLICT',
    );
  });

  test('reports the payload and each of its entities as changes', async () => {
    const { submit, storage, tenant } = open(engine);
    const { payload_id, entities } = await submit(invoice());
    await submit(invoice({ invoice_number: 'INV-002' }));
    const answer = (await storage.changesSince(tenant, undefined, 0, 100)).map(
      ({ topic, id, what }) => `${what} ${topic} ${id}`,
    );
    const [own, vendor, customer] = entities.map(({ entity_id }) => entity_id);
    expect(answer.slice(0, 4).sort()).toEqual(
      [`create payload ${payload_id}`, ...[own, vendor, customer].map((id) => `create entity ${id}`)].sort(),
    );
    expect(answer.slice(4)).toEqual(expect.arrayContaining([`update entity ${vendor}`, `update entity ${customer}`]));
    expect(answer).toHaveLength(8);
  });

  test('writes several payloads in one transaction and counts them together', async () => {
    const { payloads, call, read } = open(engine);
    const answers = await payloads.submitMany([invoice(), invoice({ invoice_number: '2' }), invoice()], call());
    expect(answers.map(({ created }) => created)).toEqual([true, true, false]);
    expect(await read(rows)).toMatchObject({ payloads: 2, observations: { length: 6 } });
  });

  test('stores none of several payloads if one is rejected', async () => {
    const { payloads, call, read } = open(engine);
    const unknown = { ...invoice(), capability_id: 'unknown:store:v1' };
    await expect(payloads.submitMany([invoice(), unknown], call())).rejects.toMatchObject({
      code: 'UNKNOWN_CAPABILITY',
    });
    expect(await read(rows)).toMatchObject({ payloads: 0, observations: { length: 0 } });
  });
});

/** A body whose JSON has exactly this many bytes, mostly two-byte letters. */
function bodyOf(bytes: number): object {
  const spare = bytes - JSON.stringify({ title: 'x', content: '' }).length;
  return { title: 'x', content: 'é'.repeat(Math.floor(spare / 2)) + 'a'.repeat(spare % 2) };
}

function* rows(db: Parameters<typeof payloadsCount>[0]) {
  return { payloads: (yield* payloadsCount(db))?.count, observations: yield* allObservations(db) };
}
