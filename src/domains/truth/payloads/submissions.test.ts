import { expect, test } from 'vitest';
import { createEntitiesFixture } from '../entities/entities.fixture.ts';
import { allObservations, wrongEntities } from '../observations/table-rows.fixture.ts';
import { describeTruth, invoice } from '../truth.fixture.ts';
import type { SubmitInput } from './payload-model.ts';

const first = '2025-03-01T00:00:00Z';
const second = '2025-03-02T00:00:00Z';
const third = '2025-03-03T00:00:00Z';

describeTruth('[TR40] submissions', (engine) => {
  const open = () => {
    const one = createEntitiesFixture(engine);
    return {
      ...one,
      async statusOf(entity_id: string) {
        const { snapshot } = await one.ask('get_entity_snapshot', { entity_id });
        return (snapshot as { readonly status?: string }).status;
      },
      observationCount: async () => (await one.read((db) => allObservations(db))).length,
      check: async () => expect(await one.read((db) => wrongEntities(db, one.schemas))).toEqual([]),
    };
  };

  test('the same invoice is open, then paid: the update is not lost', async () => {
    const { submit, statusOf, ask, check } = open();
    const before = await submit(invoice({ status: 'open' }, { extracted_at: first }));
    const { entity_id } = before.entities[0]!;
    const after = await submit(invoice({ status: 'paid' }, { extracted_at: second }));
    expect(after).toMatchObject({
      created: false,
      observations_added: 3,
      payload_id: before.payload_id,
      payload_content_id: before.payload_content_id,
    });
    expect(after.submission_id).not.toBe(before.submission_id);
    expect(after.payload_submission_id).toBe(after.submission_id);
    expect(after.entities.map((one) => one.entity_id)).toEqual(before.entities.map((one) => one.entity_id));
    expect(after.entities[0]!.observation_id).not.toBe(before.entities[0]!.observation_id);
    expect(await statusOf(entity_id)).toBe('paid');
    expect(await ask('get_entity_snapshot', { entity_id, at: first })).toMatchObject({ snapshot: { status: 'open' } });
    await check();
  });

  test('a value that returns to an earlier one is an update too', async () => {
    const { submit, statusOf } = open();
    const { entity_id } = (await submit(invoice({ status: 'open' }, { extracted_at: first }))).entities[0]!;
    await submit(invoice({ status: 'paid' }, { extracted_at: second }));
    const again = await submit(invoice({ status: 'open' }, { extracted_at: third }));
    expect(again).toMatchObject({ created: false, observations_added: 3 });
    expect(await statusOf(entity_id)).toBe('open');
  });

  test('a submission that is equal in everything adds nothing and answers the ids of the first', async () => {
    const { submit, storage, tenant, observationCount } = open();
    const given: SubmitInput = { ...invoice({ status: 'open' }, { agent_id: 'a' }), effective_at: '2025-02' };
    const before = await submit(given);
    const other = await submit({ ...given, effective_at: '2025-03' });
    const version = await storage.version(tenant, undefined);
    const count = await observationCount();
    engine.clock.advance(1_000);
    const sorted = Object.fromEntries(Object.entries(given.body).toReversed()) as SubmitInput['body'];
    for (const same of [given, { ...given, client_request_id: 'retry' }, { ...given, body: sorted }]) {
      const { message, ...answer } = await submit(same);
      const { message: _message, ...ids } = before;
      expect(answer).toEqual({ ...ids, created: false, observations_added: 0 });
      expect(message).toContain('nothing was added');
    }
    expect(await submit({ ...given, effective_at: '2025-03' })).toMatchObject({
      submission_id: other.submission_id,
      observations_added: 0,
      entities: other.entities,
    });
    expect(await storage.version(tenant, undefined)).toBe(version);
    expect(await observationCount()).toBe(count);
  });

  test.each<[string, (given: SubmitInput) => SubmitInput]>([
    ['its agent', (given) => ({ ...given, provenance: { ...given.provenance, agent_id: 'b' } })],
    ['having no agent', ({ provenance: { agent_id: _agent, ...provenance }, ...given }) => ({ ...given, provenance })],
    ['its extracted_at', (given) => ({ ...given, provenance: { ...given.provenance, extracted_at: second } })],
    ['its effective_at', (given) => ({ ...given, effective_at: '2025-02-02' })],
    ['the precision of its effective_at', (given) => ({ ...given, effective_at: '2025-02' })],
    ['its effective_until', (given) => ({ ...given, effective_until: '2027' })],
    ['a field outside the hash', (given) => ({ ...given, body: { ...given.body, memo: 'x' } })],
    ['the spelling of a field', (given) => ({ ...given, body: { ...given.body, vendor_name: 'ACME CORP' } })],
  ])('a submission that differs only in %s adds observations', async (_what, change) => {
    const { submit, observationCount, check } = open();
    const given: SubmitInput = {
      ...invoice({}, { agent_id: 'a', extracted_at: first }),
      effective_at: '2025-02-01',
    };
    const before = await submit(given);
    const count = await observationCount();
    const after = await submit(change(given));
    expect(after).toMatchObject({ created: false, observations_added: 3, payload_id: before.payload_id });
    expect(await observationCount()).toBe(count + 3);
    expect(await submit(change(given))).toMatchObject({
      submission_id: after.submission_id,
      observations_added: 0,
      entities: after.entities,
    });
    await check();
  });

  test('two submissions in one batch both count, and a third that is equal does not', async () => {
    const { payloads, call, statusOf, observationCount, check } = open();
    const paid = invoice({ status: 'paid' }, { extracted_at: second });
    const answers = await payloads.submitMany(
      [invoice({ status: 'open' }, { extracted_at: first }), paid, paid],
      call('submit_payload'),
    );
    expect(answers.map(({ created, observations_added }) => [created, observations_added])).toEqual([
      [true, 3],
      [false, 3],
      [false, 0],
    ]);
    expect(new Set(answers.map(({ payload_id }) => payload_id)).size).toBe(1);
    expect(answers[2]!.submission_id).toBe(answers[1]!.submission_id);
    expect(await statusOf(answers[0]!.entities[0]!.entity_id)).toBe('paid');
    expect(await observationCount()).toBe(6);
    await check();
  });

  test('concurrent submissions that are equal add one, those that differ add all', async () => {
    const one = open();
    const two = createEntitiesFixture(engine, await engine.openOther(), one.tenant);
    const given = ['open', 'sent', 'paid'].flatMap((status) =>
      [one, two, one, two].map((from) => from.submit(invoice({ status }))),
    );
    const answers = await Promise.all(given);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(answers.filter(({ observations_added }) => observations_added > 0)).toHaveLength(3);
    expect(new Set(answers.map(({ submission_id }) => submission_id)).size).toBe(3);
    expect(await one.observationCount()).toBe(9);
    await one.check();
  });

  test('[TR8] the ids of the observations are the same in any store', async () => {
    const idsOf = async () => {
      const { submit } = open();
      const answers = [await submit(invoice({ status: 'open' })), await submit(invoice({ status: 'paid' }))];
      return answers.map(({ entities }) => entities.map(({ observation_id }) => observation_id));
    };
    const ids = await idsOf();
    expect(await idsOf()).toEqual(ids);
    expect(new Set(ids.flat()).size).toBe(6);
  });

  test('[TR28] what another tenant submitted does not count', async () => {
    const [one, other] = [open(), open()];
    await one.submit(invoice({ status: 'open' }));
    await one.submit(invoice({ status: 'paid' }));
    expect(await other.submit(invoice({ status: 'paid' }))).toMatchObject({ created: true, observations_added: 3 });
  });
});
