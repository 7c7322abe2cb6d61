import { describe, expect, test } from 'vitest';
import { notebookDocuments } from '#domains/notebooks/search/notebook-documents.ts';
import type { Engine } from '../storage/engine.ts';
import { at, codeOf, md, useNotebooks } from './open-notebooks.ts';

type Json = Readonly<Record<string, unknown>>;

export function describeMoves(engine: Engine): void {
  describe(`moves between scratchpads on ${engine.name}`, () => {
    const { start, openOther } = useNotebooks(engine);
    type Started = ReturnType<typeof start>;

    const said = async ({ ask }: Pick<Started, 'ask'>, scratch_id: string) =>
      (at(await ask('scratch_read', { scratch_id }), 'scratchpad', 'cells') as readonly Json[]).map(
        ({ cell_id, content, index }) => `${String(index)} ${String(cell_id)}: ${String(content)}`,
      );

    const changesOf = async ({ ask }: Started, scratch_id: string, cell_id: string) =>
      (await ask('scratch_history', { scratch_id, cell_id }))['changes'] as readonly Json[];

    const found = async ({ searchIndex, call }: Started, text: string) =>
      (await searchIndex.search(call('search'), notebookDocuments, { text, limit: 50 })).hits.map(({ id }) => id);

    async function startWithCells() {
      const notebooks = start({ maxCellsPerPad: 4 });
      const cells = ['a', 'b', 'c'].map((id) => md(`text ${id}`, { cell_id: id, tags: [`tag-${id}`] }));
      await notebooks.ask('scratch_create', { scratch_id: 'inbox', cells });
      await notebooks.ask('scratch_create', { scratch_id: 'plan', cells: [md('first', { cell_id: 'x' })] });
      return notebooks;
    }

    const move = { scratch_id: 'inbox', cell_id: 'b', to_scratch_id: 'plan' };

    test('[NB34] moves a cell to the end of another scratchpad, in one write', async () => {
      const notebooks = await startWithCells();
      const answer = await notebooks.ask('scratch_move_cell', move);
      expect(answer).toMatchObject({
        scratchpad: { scratch_id: 'plan', cell_count: 2, cell_tags: ['tag-b'] },
        moved_from: { scratch_id: 'inbox', revision: 2, cell_count: 2 },
      });
      expect(await said(notebooks, 'inbox')).toEqual(['0 a: text a', '1 c: text c']);
      expect(await said(notebooks, 'plan')).toEqual(['0 x: first', '1 b: text b']);
      expect(await notebooks.ask('scratch_read', { scratch_id: 'inbox' })).toMatchObject({
        scratchpad: { cell_count: 2, cell_tags: ['tag-a', 'tag-c'] },
      });
      expect(await notebooks.pads.totals(notebooks.call())).toEqual({ pads_count: 2, cells_count: 4 });
      expect((await found(notebooks, 'text')).toSorted()).toEqual(['inbox/a', 'inbox/c', 'plan/b']);
    });

    test('[NB34] moves a cell to a position, and back to where it was with its restore call', async () => {
      const notebooks = await startWithCells();
      const { restore } = await notebooks.ask('scratch_move_cell', { ...move, to_index: 0 });
      expect(await said(notebooks, 'plan')).toEqual(['0 b: text b', '1 x: first']);
      const { tool, arguments: args } = restore as { tool: string; arguments: Json };
      await notebooks.ask(tool, args);
      expect(await said(notebooks, 'inbox')).toEqual(['0 a: text a', '1 b: text b', '2 c: text c']);
      expect(await said(notebooks, 'plan')).toEqual(['0 x: first']);
    });

    test('[NB34] takes the history along, and both scratchpads name the other one', async () => {
      const notebooks = await startWithCells();
      for (const text of ['better', 'best']) {
        await notebooks.ask('scratch_replace_cell', { scratch_id: 'inbox', cell_id: 'b', cell: md(text) });
      }
      await notebooks.ask('scratch_move_cell', move);
      await notebooks.ask('scratch_replace_cell', { scratch_id: 'plan', cell_id: 'b', cell: md('last') });
      const changes = await changesOf(notebooks, 'plan', 'b');
      expect(changes.map(({ action }) => action)).toEqual(['replaced', 'moved', 'replaced', 'replaced', 'created']);
      expect(changes[1]).toMatchObject({ from_scratch_id: 'inbox', index: 1, new_index: 1 });
      expect(changes[1]).not.toHaveProperty('version');
      const numbers = changes.slice(0, 4).map(({ change }) => change as number);
      expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
      expect(await changesOf(notebooks, 'inbox', 'b')).toMatchObject([
        { action: 'moved', to_scratch_id: 'plan' },
        { action: 'created' },
      ]);
      await notebooks.ask('scratch_restore', { scratch_id: 'plan', cell_id: 'b', change: changes[3]!['change'] });
      expect(await said(notebooks, 'plan')).toEqual(['0 x: first', '1 b: text b']);
      for (let i = 0; i < 3; i += 1) {
        await notebooks.ask('scratch_move_cell', { scratch_id: 'plan', cell_id: 'b', to_scratch_id: 'inbox' });
        await notebooks.ask('scratch_move_cell', move);
      }
      expect(await changesOf(notebooks, 'plan', 'b')).toHaveLength(changes.length + 1 + 6);
    });

    test('[NB34] restoring it in the former scratchpad says where it is', async () => {
      const notebooks = await startWithCells();
      await notebooks.ask('scratch_move_cell', move);
      const answer = await notebooks.ask('scratch_restore', { scratch_id: 'inbox', cell_id: 'b' });
      expect(answer).toMatchObject({ error: { code: 'NOT_FOUND', details: { moved_to: 'plan' } } });
      expect(at(answer, 'error', 'details', 'fix')).toContain('scratch_move_cell {"scratch_id": "plan"');
      expect(await said(notebooks, 'inbox')).toEqual(['0 a: text a', '1 c: text c']);
    });

    test('[NB34] a cell that is deleted for good after a move leaves none of its texts in either scratchpad', async () => {
      const notebooks = await startWithCells();
      await notebooks.ask('scratch_replace_cell', { scratch_id: 'inbox', cell_id: 'b', cell: md('newer') });
      await notebooks.ask('scratch_move_cell', move);
      await notebooks.pads.deleteCell({ scratch_id: 'plan', cell_id: 'b', permanently: true }, notebooks.call());
      for (const id of ['inbox', 'plan']) {
        expect(JSON.stringify(await notebooks.ask('scratch_history', { scratch_id: id }))).not.toContain('text b');
      }
    });

    test('[NB34] rejects what it cannot move, and changes nothing', async () => {
      const notebooks = await startWithCells();
      const full = ['1', '2', '3', '4'].map((id) => md('x', { cell_id: id }));
      await notebooks.ask('scratch_create', { scratch_id: 'full', cells: full });
      await notebooks.ask('scratch_create', { scratch_id: 'taken', cells: [md('other', { cell_id: 'b' })] });
      const before = await Promise.all(['inbox', 'plan', 'full', 'taken'].map((id) => said(notebooks, id)));
      for (const [args, code] of [
        [{ to_scratch_id: 'taken' }, 'CONFLICT'],
        [{ to_scratch_id: 'full' }, 'CAPACITY_LIMIT_REACHED'],
        [{ to_scratch_id: 'none' }, 'NOT_FOUND'],
        [{ scratch_id: 'none' }, 'NOT_FOUND'],
        [{ cell_id: 'z' }, 'INVALID_ID'],
        [{ to_index: 2 }, 'INVALID_INDEX'],
        [{ expected_revision: 9 }, 'CONFLICT'],
        [{ to_scratch_id: undefined }, 'VALIDATION_ERROR'],
      ] as const) {
        expect(codeOf(await notebooks.ask('scratch_move_cell', { ...move, ...args })), JSON.stringify(args)).toBe(code);
      }
      expect(await Promise.all(['inbox', 'plan', 'full', 'taken'].map((id) => said(notebooks, id)))).toEqual(before);
      expect(await notebooks.ask('scratch_read', { scratch_id: 'inbox' })).toMatchObject({
        scratchpad: { revision: 1 },
      });
    });

    test('[NB34] opposite moves at the same time lose no cell', async () => {
      const here = start();
      const there = (await openOther()).as(here.tenant);
      const ids = Array.from({ length: 8 }, (_, i) => `${i}`);
      await here.ask('scratch_create', { scratch_id: 'p', cells: ids.map((id) => md(id, { cell_id: `p${id}` })) });
      await here.ask('scratch_create', { scratch_id: 'q', cells: ids.map((id) => md(id, { cell_id: `q${id}` })) });
      const answers = await Promise.all(
        ids.flatMap((id) => [
          here.ask('scratch_move_cell', { scratch_id: 'p', cell_id: `p${id}`, to_scratch_id: 'q' }),
          there.ask('scratch_move_cell', { scratch_id: 'q', cell_id: `q${id}`, to_scratch_id: 'p', to_index: 0 }),
        ]),
      );
      expect(answers.map(codeOf)).toEqual(answers.map(() => undefined));
      for (const [pad, other] of [
        ['p', 'q'],
        ['q', 'p'],
      ] as const) {
        const cells = await said(here, pad);
        expect(cells.map((line) => line.split(' ')[0])).toEqual(ids);
        expect(new Set(cells.map((line) => line.split(' ')[1]))).toEqual(new Set(ids.map((id) => `${other}${id}:`)));
      }
    });
  });
}
