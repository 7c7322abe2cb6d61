import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '#tests/support/program.ts';
import { engines, type Json, makeSharedStore, type SharedStore, type TruthCaller } from './truth-program.fixture.ts';

interface Listed {
  readonly contradictions: readonly {
    readonly contradiction_id: string;
    readonly entity_id: string;
    readonly field: string;
    readonly statements: readonly { readonly value: unknown; readonly submission_id: string }[];
    readonly shown: { readonly value: unknown };
    readonly closing?: Json;
  }[];
  readonly how_to_close?: string;
}
interface Written {
  readonly submission_id: string;
  readonly entities: readonly { readonly entity_id: string }[];
  readonly contradictions?: readonly { readonly contradiction_id: string; readonly field: string }[];
}

/** What an agent reads in a document of 15 January. */
const document = (amount: unknown, from: string, number = 'INV-7'): Json => ({
  capability_id: 'neotoma:store_invoice:v1',
  body: { invoice_number: number, amount, vendor_name: from === 'scan' ? 'ACME Inc.' : 'acme inc', currency: 'EUR' },
  provenance: { source_refs: [from], extracted_at: '2025-01-15T10:30:00Z', extractor_version: 'reader:v1' },
  effective_at: '2025-01-15',
});

describe.each(engines)('an agent whose documents disagree on %s', (engine) => {
  let store: SharedStore;
  let agent: TruthCaller & { close(): Promise<void> };
  const read = (amount: unknown, from: string, number?: string) =>
    agent.call<Written>('submit_payload', document(amount, from, number));
  const list = (args: Json = {}) => agent.call<Listed>('list_contradictions', args);

  beforeAll(async () => {
    store = await makeSharedStore(engine);
    agent = await store.open();
  });
  afterAll(async () => {
    await agent.close();
    await store.remove();
  });

  it('learns of it when it writes, looks at both, corrects the value and is done', async () => {
    const first = await read(1500, 'scan');
    expect(first.contradictions).toBeUndefined();
    // The spelling of the vendor and of the amount differ, and nothing else.
    expect((await read('1,500.00', 'copy')).contradictions).toBeUndefined();
    const second = await read(1550, 'mail');
    expect(second.contradictions).toMatchObject([{ field: 'amount' }]);
    const { contradictions, how_to_close } = await list({ entity_type: 'invoice' });
    expect(contradictions).toMatchObject([
      { field: 'amount', statements: [{ value: 1500 }, { value: 1550 }], shown: { value: 1550 } },
    ]);
    expect(how_to_close).toContain('accept_contradiction');
    const { entity_id } = contradictions[0]!;
    const provenance = await agent.call('get_field_provenance', { entity_id, field: 'amount' });
    expect(provenance['disputed_in']).toEqual([contradictions[0]!.contradiction_id]);
    const before = new Date().toISOString();
    // The correction is recorded in a later millisecond.
    while (new Date().toISOString() === before) await agent.call('list_capabilities');
    await agent.call('correct_entity', { entity_id, fields: { amount: 1500 }, reason: 'The mail included a fee' });
    expect((await list()).contradictions).toEqual([]);
    expect((await list({ as_known_at: before })).contradictions).toMatchObject([{ entity_id, shown: { value: 1550 } }]);
    expect((await list({ status: 'closed' })).contradictions).toMatchObject([
      { entity_id, closing: { closed_by: 'correction', reason: 'The mail included a fee' } },
    ]);
  });

  it('takes a wrong document back, or accepts what is shown', async () => {
    await read(10, 'scan', 'INV-8');
    const wrong = await read(11, 'mail', 'INV-8');
    await agent.call('retract_statement', { id: wrong.submission_id });
    expect((await list()).contradictions).toEqual([]);
    await read(20, 'scan', 'INV-9');
    const [opened] = (await read(21, 'mail', 'INV-9')).contradictions!;
    const accepted = await agent.call('accept_contradiction', { ...pick(opened!), reason: 'The mail is right' });
    expect(accepted).toMatchObject({ accepted: true, shown: { value: 21 }, closing: { closed_by: 'accept' } });
    expect((await list()).contradictions).toEqual([]);
    expect((await agent.fail('accept_contradiction', { contradiction_id: 'con_1' })).code).toBe('NOT_FOUND');
  });

  it('finds it in a copy of the data, with its decisions', async () => {
    await read(30, 'scan', 'INV-10');
    await read(31, 'mail', 'INV-10');
    const before = await list({ status: 'all' });
    expect(before.contradictions).toHaveLength(4);
    const file = join(store.folder, 'all.jsonl');
    await agent.close();
    const run = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
      const { code, stdout, stderr } = await runProgram([...args, '--json'], env);
      expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, '']);
    };
    await run(store.env, 'truth', 'export', file);
    const copy = await makeSharedStore(engine);
    await run(copy.env, 'truth', 'import', file);
    agent = await copy.open();
    expect(await list({ status: 'all' })).toEqual(before);
    await agent.close();
    await copy.remove();
    agent = await store.open();
  });
});

const pick = ({ contradiction_id }: { readonly contradiction_id: string }): Json => ({ contradiction_id });
