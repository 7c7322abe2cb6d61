import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutationOn } from '../instructions/catalog-program.fixture.ts';
import { engines, type Json, openTruth, type TruthProgram } from '../truth/truth-program.fixture.ts';

interface Call {
  readonly tool: string;
  readonly arguments: Json;
}

interface Shown {
  readonly snapshot: Json;
  readonly relations?: readonly Json[];
  readonly raw_fragments?: Json;
}

interface History {
  readonly history: readonly (Json & { readonly source_record: Json })[];
}

describe.each(engines)('[CX20] what forget took back on %s', (engine) => {
  let program: TruthProgram;
  beforeAll(async () => {
    program = await openTruth(engine, mutationOn);
  });
  afterAll(() => program?.close());

  const store = (fact: Json) =>
    program.call<{ readonly entity_id: string; readonly submission_id: string }>('store_fact', fact);
  const shown = (entity_id: string) =>
    program.call<Shown>('get_entity_snapshot', { entity_id, include_relations: true });
  const forget = (id: string) =>
    program.call<{ readonly forgotten: boolean; readonly restore: Call }>('forget', { id });
  const run = ({ tool, arguments: args }: Call) => program.call('tools_call', { name: tool, arguments: args });
  const historyOf = async (entity_id: string, field: string) => {
    const { history } = await program.call<History>('get_field_history', { entity_id, field });
    return history.map(
      ({ value, effective_at, effective_until, observed_at, agent_id, source_priority, retracted_at }) => ({
        ...{
          value,
          effective_at,
          effective_until,
          observed_at,
          agent_id,
          source_priority,
          isRetracted: retracted_at !== undefined,
        },
      }),
    );
  };

  it('[TR105] a fact has its name, times, source and relationships again', async () => {
    const stored = await store({
      subject: { type: 'company', name: 'Zed Ltd' },
      fields: { plan: 'gold', founded_date: 'some day' },
      relations: [{ type: 'PART_OF', to: { type: 'company', name: 'Zed Group' }, effective_at: '2024-05' }],
      ...{ effective_at: '2025-01', effective_until: '2990-01-01', source: 'mail of Bill' },
    });
    const { entity_id } = stored;
    const before = await shown(entity_id);
    expect(before).toMatchObject({ snapshot: { name: 'Zed Ltd', plan: 'gold' }, relations: [{ type: 'PART_OF' }] });
    const [statement] = await historyOf(entity_id, 'plan');
    const { forgotten, restore } = await forget(`fact:${stored.submission_id}`);
    expect({ forgotten, restore }).toEqual({
      forgotten: true,
      restore: { tool: 'restore_statement', arguments: { id: stored.submission_id } },
    });
    const gone = await shown(entity_id);
    expect(gone).toMatchObject({ snapshot: {}, relations: [] });
    await run(restore);
    const after = await shown(entity_id);
    expect(after.snapshot).toEqual(before.snapshot);
    expect(after.relations).toEqual(before.relations);
    expect(after.raw_fragments).toEqual(before.raw_fragments);
    // The author, the time of reading and the period as stated are those of before, not those of the restoration.
    const history = await historyOf(entity_id, 'plan');
    expect(history.filter(({ isRetracted }) => !isRetracted)).toEqual([statement]);
    expect(history.filter(({ isRetracted }) => isRetracted)).toEqual([{ ...statement, isRetracted: true }]);
    const { facts } = await program.call<{ facts: readonly Json[] }>('recall', {
      task: 'plan of Zed Ltd',
      memories: ['truth'],
    });
    expect(facts).toContainEqual(expect.objectContaining({ entity_id, source: 'mail of Bill' }));
  });

  it('[TR105] a statement is restored once, and can be taken back and restored again', async () => {
    const { entity_id, submission_id } = await store({
      subject: { type: 'person', name: 'Uma' },
      fields: { role: 'cook' },
    });
    expect(await program.call('restore_statement', { id: submission_id })).toMatchObject({ restored: false });
    const { restore } = await forget(submission_id);
    const answer = await program.call<{ readonly id: string }>('restore_statement', { id: submission_id });
    expect(answer).toMatchObject({ restored: true, restored_from: submission_id });
    const again = await run(restore);
    expect(again).toMatchObject({ id: answer.id, restored: false });
    await forget(`fact:${answer.id}`);
    expect((await shown(entity_id)).snapshot).toEqual({});
    await run(restore);
    expect((await shown(entity_id)).snapshot).toEqual({ name: 'Uma', role: 'cook' });
    expect(await program.fail('restore_statement', { id: 'sub_unknown' })).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('[TR105] the entity was without the fact in between, as a question about that time says', async () => {
    const { entity_id, submission_id } = await store({
      subject: { type: 'person', name: 'Pia' },
      fields: { role: 'cook' },
    });
    await store({ entity_id, fields: { city: 'Bonn' } });
    await program.call('retract_statement', { id: submission_id });
    const { recorded } = await program.call<{ recorded: readonly { at: string }[] }>('list_entity_moments', {
      entity_id,
    });
    const as_known_at = recorded[0]!.at;
    await program.call('restore_statement', { id: submission_id });
    const then = await program.call<Shown>('get_entity_snapshot', { entity_id, as_known_at });
    expect(then.snapshot).toEqual({ city: 'Bonn' });
    expect((await shown(entity_id)).snapshot).toEqual({ city: 'Bonn', name: 'Pia', role: 'cook' });
  });

  it('[TR105] a correction decides again, but not over one that was made later', async () => {
    const { entity_id } = await store({ subject: { type: 'person', name: 'Kim' }, fields: { role: 'cook' } });
    const correct = (role: string) =>
      program.call<{ correction_id: string }>('correct_entity', { entity_id, fields: { role }, reason: `is ${role}` });
    const first = await correct('chef');
    await program.call('retract_statement', { id: first.correction_id });
    expect((await shown(entity_id)).snapshot['role']).toBe('cook');
    expect(await program.call('restore_statement', { id: first.correction_id })).toMatchObject({
      kind: 'correction',
      restored: true,
    });
    expect((await shown(entity_id)).snapshot['role']).toBe('chef');
    const second = await correct('baker');
    const third = await correct('waiter');
    await program.call('retract_statement', { id: second.correction_id });
    await program.call('restore_statement', { id: second.correction_id });
    expect((await shown(entity_id)).snapshot['role']).toBe('waiter');
    await program.call('retract_statement', { id: third.correction_id });
    expect((await shown(entity_id)).snapshot['role']).toBe('baker');
  });

  it('[TR105] a payload counts again with all its entities', async () => {
    await program.call('submit_payload', {
      capability_id: 'neotoma:store_invoice:v1',
      body: { invoice_number: 'R-77', amount: 12, vendor_name: 'Ink Works' },
      provenance: { source_refs: ['scan 7'], extracted_at: '2025-02-03T04:05:06Z', extractor_version: 'x' },
    });
    const invoices = async () =>
      (
        await program.call<{ entities: readonly (Shown & { entity_id: string })[] }>('retrieve_entities', {
          entity_type: 'invoice',
        })
      ).entities;
    const before = await invoices();
    const { entity_id } = before[0]!;
    const { observations } = await program.call<{ observations: readonly Json[] }>('list_observations', { entity_id });
    const { restore } = await forget(`fact:${String(observations[0]!['submission_id'])}`);
    expect((await invoices())[0]!.snapshot).toEqual({});
    await run(restore);
    expect((await invoices())[0]!.snapshot).toEqual(before[0]!.snapshot);
    expect(await program.call('get_field_provenance', { entity_id, field: 'amount' })).toMatchObject({
      observed_at: '2025-02-03T04:05:06.000Z',
      source_refs: [{ ref: 'scan 7' }],
    });
  });

  it('[CX20] a withdrawn proposal waits again with its whole text', async () => {
    const text = `Always call the harbour office before unloading.\n${'Then wait for the bell. '.repeat(100)}`.trim();
    const { remembered } = await program.call<{ remembered: readonly { id: string }[] }>('remember', { text });
    const [{ id }] = remembered as readonly [{ id: string }];
    const waiting = async () => {
      const { items } = await program.call<{ items: readonly Json[] }>('instructions_proposals', {
        state: 'pending',
      });
      return items.filter(({ proposal_id }) => `proposal:${String(proposal_id)}` === id).length;
    };
    const { forgotten, restore } = await forget(id);
    expect({ forgotten, waiting: await waiting() }).toEqual({ forgotten: true, waiting: 0 });
    expect(restore).toEqual({ tool: 'instructions/propose', arguments: { reopen: id.replace('proposal:', '') } });
    await run(restore);
    expect(await waiting()).toBe(1);
    // A second time changes nothing.
    await run(restore);
    expect(await waiting()).toBe(1);
    await program.call('instructions_reject', { proposal_id: id.replace('proposal:', ''), reason: 'no harbour' });
    await expect(program.call('instructions_propose', restore.arguments)).rejects.toThrow(/was rejected by/);
  });
});
