import { describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createTestStore } from '#kernel/jobs/store.fixture.ts';
import type { Storage, Writer } from '#kernel/storage/port.ts';
import { newTenant } from '#tests/contract/storage/call.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { createPadsFixture } from './pads.fixture.ts';

/** Counts the statements of every write of a tool call, and the rows that they return. */
function countWork(storage: Storage) {
  const counted = { statements: 0, rows: 0 };
  const heard = (db: Writer): Writer =>
    Object.create(db, {
      get: {
        *value(...[query]: Parameters<Writer['get']>) {
          counted.statements += 1;
          const row = yield* db.get(query);
          counted.rows += row === undefined ? 0 : 1;
          return row;
        },
      },
      all: {
        *value(...[query]: Parameters<Writer['all']>) {
          counted.statements += 1;
          const rows = yield* db.all(query);
          counted.rows += rows.length;
          return rows;
        },
      },
      run: {
        *value(...[query]: Parameters<Writer['run']>) {
          counted.statements += 1;
          return yield* db.run(query);
        },
      },
    }) as Writer;
  const counting: Storage = Object.create(storage, {
    write: {
      value: (...[call, work]: Parameters<Storage['write']>) =>
        // Index and access jobs write on their own timers, also while a tool runs.
        storage.write(call, (db) => work(call.tool.startsWith('scratch_') ? heard(db) : db)),
    },
    read: { value: storage.read.bind(storage) },
    flush: { value: storage.flush.bind(storage) },
  });
  return { counting, counted };
}

describe.each([sqliteEngine(false), postgresEngine(false)])('appending on $name', (engine) => {
  const store = createTestStore(engine);

  it('[NB29] takes the same statements and rows in a pad of 1,000 cells as in one of 100', async () => {
    const { counting, counted } = countWork(await store.open());
    const notebooks = createPadsFixture({ storage: counting, clock: createManualClock(Date.now()) });
    onTestFinished(() => notebooks.close());
    const { ask } = notebooks.as(newTenant());
    const cell = (n: number) => ({ language: 'md', content: `text ${n}`, tags: [`t${n % 3}`] });
    for (const count of [100, 1_000]) {
      const cells = Array.from({ length: count }, (_, n) => ({ ...cell(n), cell_id: `c${n}` }));
      const made = await ask('scratch_create', { scratch_id: `p${count}`, cells });
      expect(made['error']).toBeUndefined();
    }
    async function workOf(name: string, args: object) {
      Object.assign(counted, { statements: 0, rows: 0 });
      const answer = await ask(name, args);
      expect(answer['error']).toBeUndefined();
      return { ...counted };
    }
    const append = (scratch_id: string, more: object = {}) =>
      workOf('scratch_append_cell', { scratch_id, cell: cell(1), ...more });
    const replace = (scratch_id: string) =>
      workOf('scratch_replace_cell', { scratch_id, cell_id: 'c50', cell: { ...cell(50), content: 'changed' } });
    // The first append after another write also notes the texts to embed.
    for (const id of ['p100', 'p1000']) await append(id);
    const short = await append('p100');
    expect(short.rows).toBeGreaterThan(0);
    expect(await append('p1000')).toEqual(short);
    expect(await replace('p1000')).toEqual(await replace('p100'));
    const remove = (scratch_id: string) => workOf('scratch_delete_cell', { scratch_id, cell_id: 'plain' });
    const move = (scratch_id: string) => workOf('scratch_move_cell', { scratch_id, cell_id: 'plain', to_index: 90 });
    for (const scratch_id of ['p100u', 'p1000u']) {
      const count = Number(scratch_id.slice(1, -1));
      const cells = Array.from({ length: count }, (_, n) => ({
        ...{ language: 'md', content: `text ${n}`, cell_id: n === 80 ? 'plain' : `c${n}` },
      }));
      expect((await ask('scratch_create', { scratch_id, cells }))['error']).toBeUndefined();
    }
    expect(await move('p1000u')).toEqual(await move('p100u'));
    expect(await remove('p1000u')).toEqual(await remove('p100u'));
    // Negative control: the list of all cells is counted.
    expect((await append('p1000', { cells: 'all' })).rows).toBeGreaterThan(1_000);
  });
});
