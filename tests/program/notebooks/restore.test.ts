import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Cell,
  engines,
  type Json,
  md,
  type NotebookProgram,
  openOn,
  type Pad,
  type Written,
} from './notebook-program.ts';

interface RestoreCall {
  readonly tool: string;
  readonly arguments: Json;
}
interface History {
  readonly changes: readonly { readonly action: string; readonly restore?: RestoreCall }[];
  readonly cell?: Cell;
}
interface Restorable extends Written {
  readonly restore?: RestoreCall;
  readonly created?: true;
  readonly appended?: true;
  readonly next_cursor?: string;
}

describe.each(engines)('notebooks on %s', (engine) => {
  let program: NotebookProgram;
  beforeAll(async () => {
    program = await openOn(engine);
  });
  afterAll(() => program?.close());

  const call = (name: string, args: Json) => program.call<Restorable>(name, args);
  const undo = ({ restore }: { readonly restore?: RestoreCall }) => {
    expect(restore).toBeDefined();
    return call(restore!.tool, restore!.arguments);
  };
  const contents = async (scratchId: string) => (await program.read(scratchId)).cells.map(({ content }) => content);

  describe('the restore call of an answer', () => {
    it('[NB5] undoes the reset of a pad, and the restored pad can be exchanged again', async () => {
      await call('scratch_create', { scratch_id: 'reset', metadata: { title: 'old' }, cells: [md('old')] });
      const reset = await call('scratch_create', { scratch_id: 'reset', cells: [md('new')] });
      expect(reset.reset).toBe(true);
      const restored = await undo(reset);
      expect(restored.scratchpad).toMatchObject({ title: 'old', revision: 3 });
      expect(await contents('reset')).toEqual(['old']);
      await undo(restored);
      expect(await contents('reset')).toEqual(['new']);
    });

    it('[NB19] undoes the deletion of a pad', async () => {
      await call('scratch_create', { scratch_id: 'gone', cells: [md('kept')] });
      const { restore } = await program.call<{ restore: RestoreCall }>('scratch_delete', { scratch_id: 'gone' });
      await undo({ restore });
      expect(await contents('gone')).toEqual(['kept']);
      expect((await program.fail('scratch_restore', { scratch_id: 'gone' })).code).toBe('NOT_FOUND');
    });

    it('[NB26] undoes replacing a cell, with tags and search', async () => {
      const cells = [md('first zebra', { cell_id: 'a', tags: ['x'] }), md('second', { cell_id: 'b' })];
      await call('scratch_create', { scratch_id: 'cells', cells });
      const replaced = await call('scratch_replace_cell', {
        scratch_id: 'cells',
        cell_id: 'a',
        cell: md('changed', { tags: ['y'] }),
      });
      expect(replaced.scratchpad.cell_tags).toEqual(['y']);
      const restored = await undo(replaced);
      expect(restored.scratchpad.cell_tags).toEqual(['x']);
      expect(await contents('cells')).toEqual(['first zebra', 'second']);
      const { hits } = await program.call<{ hits: readonly Json[] }>('scratch_search', { query: 'zebra' });
      expect(hits[0]).toMatchObject({ scratch_id: 'cells', cell_id: 'a' });
      await undo(restored);
      expect(await contents('cells')).toEqual(['changed', 'second']);
    });

    it('[NB25] undoes deleting a cell, at its former position', async () => {
      const cells = ['a', 'b', 'c'].map((id) => md(`text ${id}`, { cell_id: id, tags: [id] }));
      await call('scratch_create', { scratch_id: 'del', cells });
      const deleted = await call('scratch_delete_cell', { scratch_id: 'del', cell_id: 'b', expected_revision: 1 });
      expect(deleted.scratchpad).toMatchObject({ cell_count: 2, cell_tags: ['a', 'c'], revision: 2 });
      expect(deleted.scratchpad.cells.map(({ cell_id, index }) => [cell_id, index])).toEqual([
        ['a', 0],
        ['c', 1],
      ]);
      expect((await program.fail('scratch_delete_cell', { scratch_id: 'del', cell_id: 'b' })).code).toBe('INVALID_ID');
      const restored = await undo(deleted);
      expect(restored.scratchpad).toMatchObject({ cell_count: 3, cell_tags: ['a', 'b', 'c'] });
      expect(await contents('del')).toEqual(['text a', 'text b', 'text c']);
      const again = { scratch_id: 'del', cell_id: 'b' };
      expect((await program.fail('scratch_restore', again)).code).toBe('NOT_FOUND');
    });

    it('[NB26] keeps the last versions of a cell', async () => {
      await call('scratch_create', { scratch_id: 'many', cells: [md('v1', { cell_id: 'a' })] });
      for (let n = 2; n <= 55; n += 1) {
        await call('scratch_replace_cell', { scratch_id: 'many', cell_id: 'a', cell: md(`v${n}`) });
      }
      const at = (copy: string) => ({ scratch_id: 'many', cell_id: 'a', copy });
      expect((await program.fail('scratch_restore', at('1'))).code).toBe('NOT_FOUND');
      await call('scratch_restore', at('8'));
      expect(await contents('many')).toEqual(['v8']);
    });

    it('[NB30] of a change in the history brings back what a cell said before it', async () => {
      await call('scratch_create', { scratch_id: 'past', cells: [md('before', { cell_id: 'a' }), md('b')] });
      await call('scratch_replace_cell', { scratch_id: 'past', cell_id: 'a', cell: md('after') });
      await call('scratch_move_cell', { scratch_id: 'past', cell_id: 'a', to_index: 1 });
      const ofCell = { scratch_id: 'past', cell_id: 'a' };
      const { changes } = await program.call<History>('scratch_history', ofCell);
      expect(changes.map(({ action }) => action)).toEqual(['moved', 'replaced', 'created']);
      const { cell } = await program.call<History>('scratch_history', { ...ofCell, change: 2 });
      expect(cell).toMatchObject({ content: 'before' });
      await undo(changes[1]!);
      expect(await contents('past')).toEqual(['b', 'before']);
      expect((await program.fail('scratch_history', { ...ofCell, cursor: 'x' })).code).toBe('VALIDATION_ERROR');
    });

    it('[NB26] undoes changing a schema', async () => {
      await call('scratch_create', { scratch_id: 'schemas-of' });
      const schema = (type: string) => ({ scratch_id: 'schemas-of', schema: { name: 'task', schema: { type } } });
      await program.call('scratch_upsert_schema', schema('object'));
      const { restore } = await program.call<{ restore: RestoreCall }>('scratch_upsert_schema', schema('array'));
      expect(await program.call(restore.tool, restore.arguments)).toMatchObject({
        schema: { schema: { type: 'object' } },
      });
      expect(await program.call('scratch_get_schema', { scratch_id: 'schemas-of', schema_id: 'task' })).toMatchObject({
        schema: { schema: { type: 'object' } },
      });
    });

    it('[NB18] undoes deleting a namespace with its pads, except those whose id is taken', async () => {
      for (const id of ['n1', 'n2']) {
        await call('scratch_create', { scratch_id: id, metadata: { namespace: 'team' }, cells: [md(id)] });
      }
      const { restore } = await program.call<{ restore: RestoreCall }>('scratch_namespace_delete', {
        namespace: 'team',
        delete_scratchpads: true,
      });
      await call('scratch_create', { scratch_id: 'n2', cells: [md('newer')] });
      expect(await program.call(restore.tool, restore.arguments)).toMatchObject({
        namespace: 'team',
        restored_scratchpads: ['n1'],
        skipped_scratchpads: ['n2'],
      });
      expect(await contents('n1')).toEqual(['n1']);
      expect(await contents('n2')).toEqual(['newer']);
    });
  });

  describe('creating and appending', () => {
    it('[NB27] creates a missing pad on request, once for a repeated request', async () => {
      const append = { scratch_id: 'inbox', cell: md('one') };
      const failed = await program.fail('scratch_append_cell', append);
      expect([failed.code, failed.details?.['fix']]).toEqual([
        'NOT_FOUND',
        expect.stringContaining('create_if_missing: true'),
      ]);
      const wanted = { name: 'scratch_append_cell', arguments: { ...append, create_if_missing: true } };
      const keyed = { ...wanted, _meta: { idempotencyKey: `inbox-${engine}` } };
      const first = await program.client.callTool(keyed);
      expect(first.structuredContent).toMatchObject({ created: true, scratchpad: { cell_count: 1 } });
      expect((await program.client.callTool(keyed)).structuredContent).toEqual(first.structuredContent);
      const second = await call('scratch_append_cell', { ...append, cell: md('two'), create_if_missing: true });
      expect(second).not.toHaveProperty('created');
      expect(await contents('inbox')).toEqual(['one', 'two']);
    });

    it('[NB5] resets, refuses or appends to a pad that exists', async () => {
      const create = { scratch_id: 'exists', metadata: { title: 'first' }, cells: [md('a')] };
      expect(await call('scratch_create', { ...create, if_exists: 'append' })).not.toHaveProperty('appended');
      const appended = await call('scratch_create', {
        ...create,
        metadata: { title: 'other' },
        cells: [md('b', { tags: ['t'] }), md('c', { validate: true })],
        if_exists: 'append',
      });
      expect(appended).toMatchObject({
        appended: true,
        scratchpad: { title: 'first', cell_count: 3, cell_tags: ['t'] },
      });
      expect(appended.validation).toMatchObject([{ cell_index: 2, valid: true }]);
      expect(await contents('exists')).toEqual(['a', 'b', 'c']);
      const refused = await program.fail('scratch_create', { ...create, if_exists: 'fail' });
      expect(refused.code).toBe('CONFLICT');
      expect(await contents('exists')).toEqual(['a', 'b', 'c']);
    });

    it('[NB28] takes languages by all usual names and stores the documented ones', async () => {
      const names = {
        python: 'py',
        Markdown: 'md',
        bash: 'sh',
        text: 'txt',
        javascript: 'js',
        typescript: 'ts',
        'c++': 'cpp',
        shell: 'sh',
        plaintext: 'txt',
        rust: 'rs',
        'C#': 'cs',
        golang: 'go',
        ruby: 'rb',
        yml: 'yml',
      };
      const cells = Object.keys(names).map((language) => ({ language, content: '' }));
      await call('scratch_create', { scratch_id: 'langs', cells });
      expect((await program.read('langs')).cells.map(({ language }) => language)).toEqual(Object.values(names));
      const wrong = await program.fail('scratch_append_cell', {
        scratch_id: 'langs',
        cell: { language: 'klingon', content: '' },
      });
      expect(wrong).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { fix: expect.stringContaining('json, yaml') },
      });
    });
  });

  describe('the answer to a write', () => {
    const make = (id: string, count: number) =>
      call('scratch_create', {
        scratch_id: id,
        cells: Array.from({ length: count }, (_, n) => md(`text ${n}`, { cell_id: `c${n}` })),
      });
    const indices = ({ cells }: Pad) => cells.map(({ index }) => index);
    const rest = async (scratchId: string, cursor: string | undefined) => {
      const found: Cell[] = [];
      for (let next = cursor; next !== undefined; ) {
        const page = await program.call<{ cells: readonly Cell[]; next_cursor?: string }>('scratch_list_cells', {
          scratch_id: scratchId,
          cursor: next,
        });
        found.push(...page.cells);
        next = page.next_cursor;
      }
      return found;
    };

    it('[NB29] is whole up to 50 cells', async () => {
      expect((await make('whole', 49)).scratchpad.cells).toHaveLength(49);
      const fifty = await call('scratch_append_cell', { scratch_id: 'whole', cell: md('50') });
      expect(fifty.scratchpad.cells).toHaveLength(50);
      expect(fifty).not.toHaveProperty('next_cursor');
      const more = await call('scratch_append_cell', { scratch_id: 'whole', cell: md('51', { cell_id: 'new' }) });
      expect(indices(more.scratchpad)).toEqual([45, 46, 47, 48, 49, 50]);
      expect(more.scratchpad).toMatchObject({ cell_count: 51 });
      expect(more.scratchpad.cells.at(-1)).toMatchObject({ cell_id: 'new' });
    });

    it('[NB29] shows the cells around a change, and a cursor for the others', async () => {
      expect((await make('long', 500)).scratchpad.cells).toHaveLength(500);
      const replaced = await call('scratch_replace_cell', {
        scratch_id: 'long',
        cell_id: 'c250',
        cell: md('changed', { validate: true }),
        new_index: 100,
      });
      expect(indices(replaced.scratchpad)).toEqual([95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105]);
      expect(replaced.scratchpad.cells[5]).toMatchObject({ cell_id: 'c250' });
      expect(replaced.validation).toMatchObject([{ cell_id: 'c250', cell_index: 100 }]);
      const others = await rest('long', replaced.next_cursor);
      const all = [...others, ...replaced.scratchpad.cells].map(({ index }) => index).toSorted((a, b) => a - b);
      expect(all).toEqual(Array.from({ length: 500 }, (_, n) => n));
      const whole = await call('scratch_append_cell', { scratch_id: 'long', cell: md('x'), cells: 'all' });
      expect(whole.scratchpad.cells).toHaveLength(501);
      expect(whole).not.toHaveProperty('next_cursor');
    });

    it('[NB29] an append answers with the same size whatever the pad has', async () => {
      await make('short', 60);
      const append = (id: string) =>
        call('scratch_append_cell', { scratch_id: id, cell: md('x', { cell_id: 'same' }) });
      const sizes = [JSON.stringify(await append('short')).length, JSON.stringify(await append('long')).length];
      expect(Math.abs(sizes[0]! - sizes[1]!)).toBeLessThan(50);
    });

    it('[NB29] refuses a cursor with a filter, of another tool, or changed', async () => {
      const { next_cursor } = await call('scratch_append_cell', { scratch_id: 'long', cell: md('y') });
      const list = (more: Json) => program.fail('scratch_list_cells', { scratch_id: 'long', ...more });
      expect((await list({ cursor: next_cursor, tags: ['x'] })).code).toBe('VALIDATION_ERROR');
      expect((await list({ cursor: `${next_cursor}x` })).code).toBe('VALIDATION_ERROR');
    });
  });
});
