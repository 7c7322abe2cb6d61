import { expect, test } from 'vitest';
import { createFacts } from '../facts/store-fact.ts';
import { createTruthFixture, describeTruth, invoice, type TruthEngine } from '../truth.fixture.ts';
import { factTools } from '../truth-toolset.ts';

function open(engine: TruthEngine) {
  const base = engine.base();
  const truth = createTruthFixture(base, { facts: createFacts(base) }, factTools);
  return { ...truth, ...truth.as(engine.newTenant()) };
}

describeTruth('get_payload', (engine) => {
  test('[TR95] returns the body, provenance and submissions by each of the three ids', async () => {
    const { ask, submit } = open(engine);
    const input = { ...invoice({ memo: { a: [1] } }, { agent_id: 'reader' }), client_request_id: 'r1' };
    const sent = await submit(input);
    const { payload_id, payload_content_id, submission_id, entities } = sent;
    const answer = await ask('get_payload', { payload_id });
    expect(answer).toMatchObject({
      ...{ payload_id, payload_content_id, submission_id, entity_id: entities[0]!.entity_id, entity_type: 'invoice' },
      capability_id: 'neotoma:store_invoice:v1',
      body: input.body,
      provenance: { ...input.provenance, extracted_at: '2025-01-15T10:30:00.000Z' },
      submissions: [{ submission_id, agent_id: 'reader', client_request_id: 'r1', submitted_by: expect.any(String) }],
      submissions_total: 1,
    });
    expect(await ask('get_payload', { payload_content_id })).toEqual(answer);
    expect(await ask('get_payload', { submission_id })).toEqual(answer);
  });

  test('[TR95] shows what each submission said, and when it holds', async () => {
    const { ask, submit } = open(engine);
    const first = await submit(invoice({ status: 'open' }));
    engine.clock.advance(1);
    const second = await submit({ ...invoice({ status: 'paid' }), effective_at: '2025-02' });
    expect(second.payload_id).toBe(first.payload_id);
    const { payload_id } = first;
    expect(await ask('get_payload', { payload_id })).toMatchObject({
      submission_id: first.submission_id,
      body: { status: 'open' },
      submissions: [
        { submission_id: first.submission_id },
        { submission_id: second.submission_id, effective_at: '2025-02', has_own_body: true },
      ],
      submissions_total: 2,
    });
    expect(await ask('get_payload', { submission_id: second.submission_id })).toMatchObject({
      ...{ payload_id, submission_id: second.submission_id },
      body: { status: 'paid' },
    });
  });

  test('[TR95] shows facts, and retractions of submissions', async () => {
    const { ask } = open(engine);
    const fact = { subject: { type: 'person', name: 'Ada' }, fields: { role: 'engineer' } };
    const { submission_id } = await ask('store_fact', { ...fact, source: 'chat' });
    await ask('retract_statement', { id: submission_id, reason: 'wrong person' });
    expect(await ask('get_payload', { submission_id })).toMatchObject({
      capability_id: 'fourfold:store_fact:v1',
      body: fact,
      provenance: { source_refs: ['chat'] },
      submissions: [{ submission_id, retracted_at: expect.any(String), retraction_reason: 'wrong person' }],
    });
  });

  test('[TR95] answers NOT_FOUND with the way to find payloads, also for another tenant', async () => {
    const [one, other] = [open(engine), open(engine)];
    const { payload_id, payload_content_id, submission_id } = await one.submit(invoice());
    for (const asked of [{ payload_id }, { payload_content_id }, { submission_id }, { payload_id: 'nothing' }]) {
      expect(await other.ask('get_payload', asked)).toMatchObject({
        error: { code: 'NOT_FOUND', message: expect.stringContaining('list_observations') },
      });
    }
  });

  test('[TR95] needs exactly one id', async () => {
    const { ask } = open(engine);
    for (const asked of [{}, { payload_id: 'a', submission_id: 'b' }, { payload_id: '' }]) {
      expect(await ask('get_payload', asked)).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    }
  });
});
