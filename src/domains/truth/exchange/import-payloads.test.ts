import { expect, test } from 'vitest';
import { allTotals } from '../observations/table-rows.fixture.ts';
import type { SubmitInput } from '../payloads/payload-model.ts';
import { createTruthBase, createTruthFixture, describeTruth, invoice, payloadOf } from '../truth.fixture.ts';
import { importPayloads } from './import-payloads.ts';

async function* linesOf(envelopes: readonly object[]) {
  for (const [i, envelope] of envelopes.entries()) yield { number: i + 1, text: JSON.stringify(envelope) };
}

describeTruth('payload import', (engine) => {
  /** Records every write, in order. */
  function open() {
    const base = engine.base();
    const { read, call } = createTruthFixture(base, {}).as(engine.newTenant());
    const writes: ('soon' | 'now' | 'flush')[] = [];
    const { payloads } = createTruthBase({
      ...base.storage,
      async write(by, work) {
        const value = await base.storage.write(by, work);
        writes.push(by.durability ?? 'now');
        return value;
      },
      async flush(by) {
        await base.storage.flush(by);
        writes.push('flush');
      },
    });
    const deps = {
      submitMany: (inputs: readonly SubmitInput[]) =>
        payloads.submitMany(inputs, { ...call('submit_payload'), durability: 'soon' }),
      checkMany: (inputs: readonly SubmitInput[]) => payloads.checkMany(inputs, call('submit_payload')),
      flush: () => payloads.flush(call('submit_payload')),
      signal: undefined,
      progress() {},
    };
    const take = (envelopes: readonly object[], dryRun = false) => importPayloads(deps, linesOf(envelopes), { dryRun });
    return { take, writes, read };
  }
  const some = [invoice(), invoice({ invoice_number: 'INV-002' }), invoice()];

  test('flushes last, even if all payloads existed already', async () => {
    const { take, writes } = open();
    expect(await take(some)).toMatchObject({ created: 2, duplicates: 1 });
    expect(await take(some)).toMatchObject({ created: 0, duplicates: 3 });
    expect(writes).toEqual(['soon', 'flush', 'soon', 'flush']);
  });

  test('a flush does not change the totals', async () => {
    const { take, read } = open();
    await take(some);
    expect(await read(allTotals)).toContainEqual({ kind: 'payloads', key: '', count: 2 });
  });

  test('writes nothing for a dry run or for a file without valid lines', async () => {
    const { take, writes } = open();
    await take(some, true);
    expect(await take([{}])).toMatchObject({ created: 0, refused: 1 });
    expect(writes).toEqual([]);
  });

  test('a dry run rejects the same lines as an import and writes nothing', async () => {
    const { take, writes } = open();
    let deep: object = {};
    for (let i = 0; i < 40; i += 1) deep = { deep };
    const lines = [
      invoice(),
      { ...invoice(), capability_id: 'unknown:store:v1' },
      invoice({ amount: 1 }),
      invoice({ deep }),
      invoice({}, { extracted_at: 'yesterday' }),
      payloadOf('note', { title: 'Too many', tasks: Array.from({ length: 1_000 }, (_, i) => `t${i}`) }),
      { capability_id: 'neotoma:store_note:v1' },
    ];
    const answer = await take(lines, true);
    expect(writes).toEqual([]);
    expect(answer).toMatchObject({ lines: 7, created: 2, duplicates: 0, refused: 5 });
    expect(answer.errors.map(({ line, code }) => [line, code])).toEqual([
      [2, 'UNKNOWN_CAPABILITY'],
      [4, 'VALIDATION_ERROR'],
      [5, 'VALIDATION_ERROR'],
      [6, 'VALIDATION_ERROR'],
      [7, 'VALIDATION_ERROR'],
    ]);
    expect(await take(lines)).toEqual(answer);
  });

  test('splits lines with very many entities into several writes within the limits', async () => {
    const { take } = open();
    const notes = Array.from({ length: 42 }, (_, note) =>
      payloadOf('note', {
        title: `n${note}`,
        tasks: Array.from({ length: 190 }, (_each, i) => (note * 190 + i).toString(36)),
      }),
    );
    expect(await take(notes)).toMatchObject({ created: 42, refused: 0 });
  });
});
