import { expect, test } from 'vitest';
import { describeOnEngines } from '#kernel/jobs/engines.fixture.ts';
import { limits } from '#kernel/limits.ts';
import { sql } from '#kernel/storage/sql.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { createPadsFixture } from '../pads/pads.fixture.ts';
import { findMiscounts } from '../pads/recount.ts';

type Json = Readonly<Record<string, unknown>>;
interface Change extends Json {
  readonly change: number;
  readonly cell_id?: string;
  readonly action: string;
  readonly restore?: { readonly tool: string; readonly arguments: Json };
}

const dayMs = 86_400_000;
const md = (content: string, more: object = {}) => ({ language: 'md', content, ...more });

describeOnEngines('the history of cells', (engine) => {
  function start() {
    const { clock } = engine;
    const notebooks = engine.closeAtEnd(createPadsFixture({ storage: engine.storage(), clock }));
    const tenant = engine.newTenant();
    const { ask: send, call } = notebooks.as(tenant);
    async function ask(name: string, args: object): Promise<Json> {
      const answer = await send(name, args);
      expect(answer).toMatchObject({ ok: true });
      return answer;
    }
    const list = async (args: object) => (await ask('scratch_history', args))['changes'] as readonly Change[];
    const said = async (scratch_id: string) => {
      const { scratchpad } = await ask('scratch_read', { scratch_id });
      return (scratchpad as { cells: Json[] }).cells.map(
        ({ cell_id, content }) => `${String(cell_id)}: ${String(content)}`,
      );
    };
    const bytes = async () =>
      Number(
        (
          await engine.storage().read(call('look'), function* (db) {
            return yield* db.get(sql<{ n: number }>`
              select cast(coalesce(sum(kept_bytes), 0) as bigint) as n from notebook_cell_changes
              where tenant = ${db.tenant}`);
          })
        )?.n,
      );
    const purge = () =>
      notebooks
        .jobsOf([tenant])
        .find(({ name }) => name === 'notebook-purge')!
        .run(new AbortController().signal);
    const counts = () => findMiscounts(engine.storage(), () => call('count', { audit: 'none' }));
    return { clock, tenant, send, ask, list, said, bytes, purge, counts };
  }

  test.each([
    ['present', false],
    ['deleted before', true],
  ])('[NB25] deletes a cell that is %s with all its former versions', async (_state, isDeleted) => {
    const { ask, send, list, said, bytes, counts } = start();
    await ask('scratch_create', {
      scratch_id: 'p',
      cells: [md('swordfish', { cell_id: 'a' }), md('b', { cell_id: 'b' })],
    });
    await ask('scratch_replace_cell', { scratch_id: 'p', cell_id: 'a', cell: md('swordfish again') });
    await ask('scratch_replace_cell', { scratch_id: 'p', cell_id: 'b', cell: md('bb') });
    if (isDeleted) await ask('scratch_delete_cell', { scratch_id: 'p', cell_id: 'a' });
    // Negative control.
    expect(JSON.stringify(await list({ scratch_id: 'p' }))).toContain('swordfish');
    const forgotten = { scratch_id: 'p', cell_id: 'a', permanently: true };
    const answer = await ask('scratch_delete_cell', forgotten);
    expect(answer).not.toHaveProperty('restore');
    expect(answer).toMatchObject({ scratchpad: { cell_count: 1 } });
    const changes = await list({ scratch_id: 'p' });
    expect(JSON.stringify(changes)).not.toContain('swordfish');
    expect(changes[0]).toMatchObject({ cell_id: 'a', action: 'deleted' });
    expect(await said('p')).toEqual(['b: bb']);
    expect(await send('scratch_restore', { scratch_id: 'p', cell_id: 'a' })).toMatchObject({ ok: false });
    expect(await send('scratch_delete_cell', forgotten)).toMatchObject({ ok: false, error: { code: 'INVALID_ID' } });
    expect(await bytes()).toBeGreaterThan(0);
    expect((await counts()).totals).toBe(0);
  });

  test('[NB30] lists who changed what, newest first, with every kind of change', async () => {
    const { ask, list, clock } = start();
    await ask('scratch_create', { scratch_id: 'p', cells: [md('one', { cell_id: 'a' }), md('two', { cell_id: 'b' })] });
    clock.advance(1_000);
    await ask('scratch_append_cell', { scratch_id: 'p', cell: md('three', { cell_id: 'c' }) });
    const cell = md('ONE', { tags: ['x'] });
    await ask('scratch_replace_cell', { scratch_id: 'p', cell_id: 'a', cell });
    await ask('scratch_replace_cell', { scratch_id: 'p', cell_id: 'a', cell, new_index: 1 });
    await ask('scratch_move_cell', { scratch_id: 'p', cell_id: 'c', to_index: 0 });
    await ask('scratch_delete_cell', { scratch_id: 'p', cell_id: 'b' });
    await ask('scratch_restore', { scratch_id: 'p', cell_id: 'b' });
    const changes = await list({ scratch_id: 'p' });
    expect(changes.map(({ change, cell_id, action }) => [change, cell_id, action])).toEqual([
      [7, 'b', 'restored'],
      [6, 'b', 'deleted'],
      [5, 'c', 'moved'],
      [4, 'a', 'moved'],
      [3, 'a', 'replaced'],
      [2, 'c', 'created'],
      [1, undefined, 'created'],
    ]);
    expect(changes[4]).toMatchObject({
      ...{ actor: expect.any(String), at: expect.stringContaining('T'), version: 1, language: 'md', tags: [] },
      ...{ index: 0, content_bytes: 3, preview: 'one' },
      restore: { tool: 'scratch_restore', arguments: { scratch_id: 'p', cell_id: 'a', change: 3 } },
    });
    expect(changes[2]).toMatchObject({ index: 2, new_index: 0 });
    const ofA = await list({ scratch_id: 'p', cell_id: 'a' });
    expect(ofA.map(({ change, action }) => [change, action])).toEqual([
      [4, 'moved'],
      [3, 'replaced'],
      [1, 'created'],
    ]);
  });

  test('[NB30] returns what a cell said before a change, and the change after it', async () => {
    const { ask, send } = start();
    await ask('scratch_create', { scratch_id: 'p', cells: [md('v1', { cell_id: 'a', tags: ['t'] })] });
    await ask('scratch_replace_cell', { scratch_id: 'p', cell_id: 'a', cell: { language: 'txt', content: 'v2' } });
    await ask('scratch_replace_cell', { scratch_id: 'p', cell_id: 'a', cell: md('v3') });
    const first = await ask('scratch_history', { scratch_id: 'p', cell_id: 'a', change: 2 });
    expect(first).toMatchObject({
      cell: { cell_id: 'a', content: 'v1', language: 'md', tags: ['t'], revision: 1 },
      next_change: 3,
    });
    const second = await ask('scratch_history', { scratch_id: 'p', cell_id: 'a', change: 3 });
    expect(second).toMatchObject({ cell: { content: 'v2', language: 'txt', revision: 2 } });
    expect(second).not.toHaveProperty('next_change');
    for (const [args, code] of [
      [{ scratch_id: 'p', cell_id: 'a', change: 1 }, 'NOT_FOUND'],
      [{ scratch_id: 'p', cell_id: 'x', change: 2 }, 'NOT_FOUND'],
      [{ scratch_id: 'q' }, 'NOT_FOUND'],
      [{ scratch_id: 'p', change: 2 }, 'VALIDATION_ERROR'],
    ] as const) {
      expect(await send('scratch_history', args)).toMatchObject({ error: { code } });
    }
  });

  test('[NB30] brings back a version of the history, as often as asked, also of a deleted cell', async () => {
    const { ask, list, said } = start();
    await ask('scratch_create', {
      scratch_id: 'p',
      cells: [md('v1', { cell_id: 'a' }), md('other', { cell_id: 'b' })],
    });
    for (const text of ['v2', 'v3']) {
      await ask('scratch_replace_cell', { scratch_id: 'p', cell_id: 'a', cell: md(text) });
    }
    const undoFirst = (await list({ scratch_id: 'p' })).find(({ change }) => change === 2)!.restore!;
    await ask(undoFirst.tool, undoFirst.arguments);
    expect(await said('p')).toEqual(['a: v1', 'b: other']);
    await ask('scratch_delete_cell', { scratch_id: 'p', cell_id: 'a' });
    const restored = await ask(undoFirst.tool, undoFirst.arguments);
    expect(await said('p')).toEqual(['a: v1', 'b: other']);
    // A later version than all former ones, so that no two share a number.
    expect(restored).toMatchObject({ scratchpad: { cells: [{ cell_id: 'a', revision: 5 }, { cell_id: 'b' }] } });
  });

  test('[NB30] pages through the history, and rejects the cursor of another one', async () => {
    const { ask, send } = start();
    await ask('scratch_create', { scratch_id: 'p', cells: [md('0', { cell_id: 'a' }), md('x', { cell_id: 'b' })] });
    for (let n = 1; n <= 6; n += 1) {
      await ask('scratch_replace_cell', { scratch_id: 'p', cell_id: 'a', cell: md(`${n}`) });
    }
    const seen: number[] = [];
    let cursor: unknown;
    do {
      const page = await ask('scratch_history', {
        scratch_id: 'p',
        limit: 3,
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...(page['changes'] as Change[]).map(({ change }) => change));
      cursor = page['next_cursor'];
    } while (cursor !== undefined);
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
    const { next_cursor } = await ask('scratch_history', { scratch_id: 'p', limit: 3 });
    for (const other of [{ scratch_id: 'p', cell_id: 'a' }, { scratch_id: 'q' }]) {
      if (other.scratch_id === 'q') await ask('scratch_create', { scratch_id: 'q' });
      const answer = await send('scratch_history', { ...other, cursor: next_cursor });
      expect(answer).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    }
  });

  test('[NB30] keeps the last changes of each cell and counts their bytes', async () => {
    const { ask, list, bytes, counts } = start();
    await ask('scratch_create', { scratch_id: 'p', cells: [md('x0000', { cell_id: 'a' })] });
    const count = notebookLimits.cellChangesCount + 5;
    for (let n = 1; n <= count; n += 1) {
      const content = `x${String(n).padStart(4, '0')}`;
      await ask('scratch_replace_cell', { scratch_id: 'p', cell_id: 'a', cell: md(content) });
    }
    const changes = await list({ scratch_id: 'p', limit: 200 });
    // The creation of the pad is not a change of the cell.
    expect(changes).toHaveLength(notebookLimits.cellChangesCount + 1);
    expect(changes.at(-2)).toMatchObject({ preview: 'x0005' });
    // Content, `{}` and `[]`.
    expect(await bytes()).toBe(notebookLimits.cellChangesCount * 9);
    expect((await counts()).totals).toBe(0);
  });

  test('[NB30] drops the oldest contents of a tenant above its limit, a few per write', async () => {
    const { ask, list, tenant, clock, purge } = start();
    await ask('scratch_create', { scratch_id: 'p', cells: [md('0', { cell_id: 'a' }), md('x', { cell_id: 'b' })] });
    const replace = async (cell_id: string, text: string) => {
      clock.advance(1);
      await ask('scratch_replace_cell', { scratch_id: 'p', cell_id, cell: md(text) });
    };
    for (let n = 1; n <= 30; n += 1) await replace('a', String(n));
    const tooMany = notebookLimits.historyBytes + 1;
    await engine.testStore().tamper(`update notebook_totals set history_bytes = ${tooMany} where tenant = '${tenant}'`);
    await replace('b', 'y');
    const left = await list({ scratch_id: 'p', limit: 100 });
    expect(left.filter(({ action }) => action === 'replaced')).toHaveLength(31 - notebookLimits.historyDropCount);
    expect(left[0]).toMatchObject({ cell_id: 'b', preview: 'x' });
    await engine.testStore().tamper(`update notebook_totals set history_bytes = ${tooMany} where tenant = '${tenant}'`);
    await purge();
    expect(await list({ scratch_id: 'p' })).toHaveLength(1);
  });

  test('[NB30] forgets the history of a purged pad, and that of a deleted cell after the same time', async () => {
    const { ask, list, purge, bytes, counts, clock } = start();
    for (const scratch_id of ['gone', 'kept']) {
      await ask('scratch_create', { scratch_id, cells: [md('v1', { cell_id: 'a' }), md('w1', { cell_id: 'b' })] });
      await ask('scratch_replace_cell', { scratch_id, cell_id: 'a', cell: md('v2') });
      await ask('scratch_replace_cell', { scratch_id, cell_id: 'b', cell: md('w2') });
    }
    await ask('scratch_delete', { scratch_id: 'gone' });
    await ask('scratch_restore', { scratch_id: 'gone', as: 'back' });
    expect(await list({ scratch_id: 'back' })).toHaveLength(3);
    await ask('scratch_delete', { scratch_id: 'back' });
    await ask('scratch_delete_cell', { scratch_id: 'kept', cell_id: 'a' });
    clock.advance((limits.trashDays - 1) * dayMs);
    await purge();
    expect(await list({ scratch_id: 'kept' })).toHaveLength(4);
    clock.advance(2 * dayMs);
    await purge();
    expect((await list({ scratch_id: 'kept' })).map(({ cell_id, action }) => [cell_id, action])).toEqual([
      ['b', 'replaced'],
      [undefined, 'created'],
    ]);
    expect(await bytes()).toBe(6);
    expect((await counts()).totals).toBe(0);
  });

  test('[NB30] another tenant sees no history', async () => {
    const [mine, other] = [start(), start()];
    await mine.ask('scratch_create', { scratch_id: 'p', cells: [md('v1', { cell_id: 'a' })] });
    await mine.ask('scratch_replace_cell', { scratch_id: 'p', cell_id: 'a', cell: md('v2') });
    expect(await other.send('scratch_history', { scratch_id: 'p' })).toMatchObject({ error: { code: 'NOT_FOUND' } });
    await other.ask('scratch_create', { scratch_id: 'p', cells: [md('x', { cell_id: 'a' })] });
    expect(await other.list({ scratch_id: 'p', cell_id: 'a' })).toHaveLength(1);
    const stolen = await other.send('scratch_restore', { scratch_id: 'p', cell_id: 'a', change: 2 });
    expect(stolen).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  test('[NB31] moves a cell and answers with the new indices', async () => {
    const { ask, send, said } = start();
    const cells = ['a', 'b', 'c', 'd'].map((id) => md(id, { cell_id: id, tags: [id] }));
    await ask('scratch_create', { scratch_id: 'p', cells });
    const order = ({ scratchpad }: Json) =>
      (scratchpad as { cells: Json[] }).cells.map(({ cell_id, index }) => `${String(index)}${String(cell_id)}`);
    const moved = await ask('scratch_move_cell', { scratch_id: 'p', cell_id: 'd', to_index: 1, expected_revision: 1 });
    expect(order(moved)).toEqual(['0a', '1d', '2b', '3c']);
    expect(moved).toMatchObject({ scratchpad: { revision: 2, cell_tags: ['a', 'd', 'b', 'c'] } });
    expect(order(await ask('scratch_move_cell', { scratch_id: 'p', cell_id: 'a', to_index: 3 }))).toEqual([
      ...['0d', '1b', '2c', '3a'],
    ]);
    for (const [args, code] of [
      [{ cell_id: 'a', to_index: 4 }, 'INVALID_INDEX'],
      [{ cell_id: 'a', to_index: -1 }, 'INVALID_INDEX'],
      [{ cell_id: 'x', to_index: 0 }, 'INVALID_ID'],
      [{ cell_id: 'a', to_index: 0, expected_revision: 1 }, 'CONFLICT'],
      [{ scratch_id: 'q', cell_id: 'a', to_index: 0 }, 'NOT_FOUND'],
    ] as const) {
      const answer = await send('scratch_move_cell', { scratch_id: 'p', ...args });
      expect(answer).toMatchObject({ error: { code } });
    }
    expect(await said('p')).toEqual(['d: d', 'b: b', 'c: c', 'a: a']);
  });
});
