import { expect, test } from 'vitest';
import type { Call } from '#kernel/call.ts';
import { allTotals } from '../observations/table-rows.fixture.ts';
import type { SubmitInput } from '../payloads/submit-input.ts';
import { createTruthBase, createTruthFixture, describeTruth, invoice, payloadOf } from '../truth.fixture.ts';
import { importPayloads } from './import-payloads.ts';

async function* linesOf(envelopes: readonly object[]) {
  for (const [i, envelope] of envelopes.entries()) yield { number: i + 1, text: JSON.stringify(envelope) };
}

describeTruth('importing envelopes', (engine) => {
  /** Records every write, in order. */
  function open() {
    const base = engine.base();
    const { read, call } = createTruthFixture(base, {}).as(engine.newTenant());
    const writes: { readonly durability: Call['durability']; readonly changed: number }[] = [];
    const { payloads } = createTruthBase({
      ...base.storage,
      write: (by, work) =>
        base.storage.write(by, function* (db) {
          let changed = 0;
          const counting = {
            ...db,
            *run(query: Parameters<typeof db.run>[0]) {
              const count = yield* db.run(query);
              changed += count;
              return count;
            },
          };
          const value = yield* work(counting);
          writes.push({ durability: by.durability, changed });
          return value;
        }),
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
    const flushed = writes.filter(({ durability }) => durability === undefined);
    expect(new Set(flushed.map(({ changed }) => changed))).toEqual(new Set([2]));
    expect(writes.at(-1)).toEqual({ durability: undefined, changed: 2 });
    expect(writes[0]).toMatchObject({ durability: 'soon' });
  });

  test('does not count the flush as a write', async () => {
    const { take, read } = open();
    await take(some);
    const totals = await read(function* (db) {
      return yield* allTotals(db);
    });
    expect(totals).toContainEqual({ kind: 'payloads', key: '', count: 2 });
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
