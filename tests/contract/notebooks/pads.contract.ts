import { describe, expect, test } from 'vitest';
import type { Engine } from '../storage/engine.ts';
import { at, codeOf, md, useNotebooks } from './open-notebooks.ts';

export function describePads(engine: Engine): void {
  describe(`pads on ${engine.name}`, () => {
    const { start } = useNotebooks(engine);

    test('[NB1] [NB2] [NB3] creates a pad, appends to it and reads it back', async () => {
      const { ask } = start();
      const light = {
        ...{ scratch_id: 'plan', title: 'Plan', description: null, namespace: 'release', tags: ['draft'] },
        ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
        cell_tags: ['a', 'b'],
        metadata: {
          ...{ colour: 'red', title: 'Plan', description: null, namespace: 'release', tags: ['draft'] },
          cell_tags: ['a', 'b'],
        },
      };
      const one = { cell_id: 'one', index: 0, language: 'md', type: 'markup', revision: 1, tags: ['a', 'b'] };
      const two = { cell_id: 'two', index: 1, language: 'json', type: 'data', revision: 1 };
      expect(
        await ask('scratch_create', {
          scratch_id: 'plan',
          metadata: { title: 'Plan', namespace: 'release', tags: ['draft', 'draft'], colour: 'red' },
          cells: [md('# one', { cell_id: 'one', tags: ['a'], metadata: { tags: ['b', 'a'], note: 1 } })],
        }),
      ).toEqual({ ok: true, scratchpad: { ...light, cell_count: 1, revision: 1, cells: [one] } });
      const cell = { cell_id: 'two', language: 'json', content: '{}', json_schema: { type: 'object' } };
      expect(await ask('scratch_append_cell', { scratch_id: 'plan', cell })).toEqual({
        ok: true,
        scratchpad: { ...light, cell_count: 2, revision: 2, cells: [one, two] },
      });
      const read = {
        ok: true,
        scratchpad: {
          ...{ ...light, cell_count: 2, revision: 2 },
          cells: [
            { ...one, content: '# one', validate: false, metadata: { note: 1, tags: ['a', 'b'] } },
            { ...two, content: '{}', validate: false, metadata: {}, tags: [], json_schema: { type: 'object' } },
          ],
        },
      };
      expect(await ask('scratch_read', { scratch_id: 'plan' })).toEqual(read);
      expect(await ask('scratch_read', { scratch_id: 'plan' })).toEqual(read);
    });

    test('[NB2] shows summary and shared schemas in the metadata', async () => {
      const { ask } = start();
      await ask('scratch_create', {
        scratch_id: 'p',
        metadata: { summary: 'short', schemas: { task: { type: 'object' } } },
      });
      const { scratchpad } = await ask('scratch_read', { scratch_id: 'p' });
      expect(scratchpad).toMatchObject({ summary: 'short', title: null });
      expect(at(scratchpad, 'metadata')).toMatchObject({
        summary: 'short',
        schemas: { task: { name: 'task', description: null, schema: { type: 'object' } } },
      });
      const light = await ask('scratch_append_cell', { scratch_id: 'p', cell: md('x') });
      expect(at(light['scratchpad'], 'metadata')).toMatchObject({ summary: 'short' });
      expect(at(light['scratchpad'], 'metadata')).not.toHaveProperty('schemas');
      const bare = await ask('scratch_read', { scratch_id: 'p', include_metadata: false });
      expect(bare['scratchpad']).not.toHaveProperty('metadata');
      expect(bare['scratchpad']).toMatchObject({ summary: 'short' });
    });

    test('[NB4] rejects invalid, reserved and repeated ids and changes nothing', async () => {
      const { ask } = start();
      const codes = [
        await ask('scratch_create', { scratch_id: 'a/b' }),
        await ask('scratch_create', { scratch_id: 'schemas' }),
        await ask('scratch_create', { scratch_id: 'x'.repeat(129) }),
        await ask('scratch_create', { scratch_id: '' }),
        await ask('scratch_create', { scratch_id: 7 }),
        await ask('scratch_create', { scratch_id: 'p', cells: [md('x', { cell_id: 'ä' })] }),
        await ask('scratch_read', { scratch_id: '../p' }),
      ].map(codeOf);
      expect(codes).toEqual(Array.from({ length: 7 }, () => 'INVALID_ID'));
      const twice = await ask('scratch_create', {
        scratch_id: 'p',
        cells: [md('x', { cell_id: 'c' }), md('y', { cell_id: 'c' })],
      });
      expect(codeOf(twice)).toBe('CONFLICT');
      expect(await ask('scratch_list')).toEqual({ ok: true, scratchpads: [] });
      await ask('scratch_create', { scratch_id: 'p', cells: [md('x', { cell_id: 'c' })] });
      const again = await ask('scratch_append_cell', { scratch_id: 'p', cell: md('y', { cell_id: 'c' }) });
      expect(codeOf(again)).toBe('CONFLICT');
      expect(await ask('scratch_read', { scratch_id: 'p' })).toMatchObject({
        scratchpad: { revision: 1, cell_count: 1 },
      });
      const made = await ask('scratch_create', { cells: [md('x')] });
      expect(at(made, 'scratchpad', 'scratch_id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(at(made, 'scratchpad', 'cells', 0, 'cell_id')).toMatch(/^[0-9a-f-]{36}$/);
    });

    test('rejects unknown languages and unknown arguments with VALIDATION_ERROR', async () => {
      const { ask } = start();
      expect(codeOf(await ask('scratch_create', { cells: [{ language: 'cobol', content: '' }] }))).toBe(
        'VALIDATION_ERROR',
      );
      expect(codeOf(await ask('scratch_create', { colour: 'red' }))).toBe('VALIDATION_ERROR');
      expect(codeOf(await ask('scratch_create', { metadata: { title: 7 } }))).toBe('VALIDATION_ERROR');
      expect(codeOf(await ask('scratch_create', { metadata: { namespace: '  ' } }))).toBe('VALIDATION_ERROR');
      expect(codeOf(await ask('scratch_list', { limit: 0 }))).toBe('VALIDATION_ERROR');
      expect(await ask('scratch_list')).toEqual({ ok: true, scratchpads: [] });
    });

    test('[NB5] resets an existing pad unless if_exists is fail', async () => {
      const { ask } = start();
      await ask('scratch_create', { scratch_id: 'p', metadata: { tags: ['old'] }, cells: [md('one'), md('two')] });
      const failed = await ask('scratch_create', { scratch_id: 'p', if_exists: 'fail' });
      expect(codeOf(failed)).toBe('CONFLICT');
      expect(await ask('scratch_read', { scratch_id: 'p' })).toMatchObject({
        scratchpad: { revision: 1, cell_count: 2 },
      });
      const reset = await ask('scratch_create', { scratch_id: 'p', cells: [md('new')] });
      expect(reset).toMatchObject({ ok: true, reset: true, scratchpad: { revision: 2, cell_count: 1, tags: [] } });
      expect(await ask('scratch_list_tags')).toEqual({ ok: true, scratchpad_tags: [], cell_tags: [] });
      const contents = at(await ask('scratch_read', { scratch_id: 'p' }), 'scratchpad', 'cells') as {
        content: string;
      }[];
      expect(contents.map(({ content }) => content)).toEqual(['new']);
    });

    test('[NB6] rejects one cell, one byte and one pad above the limit and changes nothing', async () => {
      const { ask } = start({ maxScratchpads: 1, maxCellsPerPad: 2, maxCellBytes: 4 });
      expect(codeOf(await ask('scratch_create', { cells: [md('1'), md('2'), md('3')] }))).toBe(
        'CAPACITY_LIMIT_REACHED',
      );
      expect(codeOf(await ask('scratch_create', { cells: [md('äöü')] }))).toBe('CAPACITY_LIMIT_REACHED');
      await ask('scratch_create', { scratch_id: 'p', cells: [md('äö'), md('2')] });
      expect(codeOf(await ask('scratch_append_cell', { scratch_id: 'p', cell: md('3') }))).toBe(
        'CAPACITY_LIMIT_REACHED',
      );
      expect(codeOf(await ask('scratch_create', { scratch_id: 'q' }))).toBe('CAPACITY_LIMIT_REACHED');
      expect(await ask('scratch_read', { scratch_id: 'p' })).toMatchObject({
        scratchpad: { revision: 1, cell_count: 2 },
      });
      expect(await ask('scratch_list')).toMatchObject({ scratchpads: [{ scratch_id: 'p' }] });
      expect(await ask('scratch_create', { scratch_id: 'p' })).toMatchObject({ reset: true });
    });

    test('[NB6] treats a limit of 0 as unlimited', async () => {
      const { ask } = start({ maxScratchpads: 0, maxCellsPerPad: 0, maxCellBytes: 0 });
      const cells = Array.from({ length: 1030 }, (_, i) => md(`cell ${i}`));
      expect(await ask('scratch_create', { scratch_id: 'p', cells })).toMatchObject({
        scratchpad: { cell_count: 1030 },
      });
      expect(await ask('scratch_append_cell', { scratch_id: 'p', cell: md('x'.repeat(6_000_000)) })).toMatchObject({
        scratchpad: { cell_count: 1031 },
      });
    });

    test('[NB6] rejects content that no answer could hold and reads content just below that', async () => {
      const { ask } = start({ maxCellBytes: 0 });
      const create = (content: string) => ask('scratch_create', { scratch_id: 'p', cells: [md(content)] });
      expect(codeOf(await create('\n'.repeat(5 * 1024 * 1024)))).toBe('CAPACITY_LIMIT_REACHED');
      expect(codeOf(await ask('scratch_read', { scratch_id: 'p' }))).toBe('NOT_FOUND');
      const content = '\n'.repeat((7 * 1024 * 1024) / 2 - 1);
      await create(content);
      expect(await ask('scratch_read', { scratch_id: 'p' })).toMatchObject({ scratchpad: { cells: [{ content }] } });
    });

    test('[NB14] selects the same pads by tags and namespaces, however many are given', async () => {
      const { ask } = start();
      for (let i = 0; i < 24; i += 1) {
        const metadata = { namespace: `n${i % 3}`, tags: [`t${i % 4}`] };
        await ask('scratch_create', { scratch_id: `p${i + 10}`, metadata, cells: [md('x', { tags: [`t${i % 6}`] })] });
      }
      const expected = Array.from({ length: 24 }, (_, i) => i)
        .filter((i) => i % 3 !== 2 && (i % 4 === 1 || i % 6 === 1 || i % 6 === 5))
        .map((i) => `p${i + 10}`);
      const idsOf = (answer: object) =>
        (at(answer, 'scratchpads') as { scratch_id: string }[]).map(({ scratch_id }) => scratch_id);
      const filter = { namespaces: ['n0', 'n1', 'none'], tags: ['t1', 't5'] };
      expect(idsOf(await ask('scratch_list', filter))).toEqual(expected);
      const first = await ask('scratch_list', { ...filter, limit: 3 });
      expect(idsOf(first)).toEqual(expected.slice(0, 3));
      const second = await ask('scratch_list', { ...filter, limit: 3, cursor: first['next_cursor'] });
      expect(idsOf(second)).toEqual(expected.slice(3, 6));
      // More tags than the list looks up one by one.
      const tags = [...filter.tags, ...Array.from({ length: 90 }, (_, i) => `other${i}`)];
      const ofTags = Array.from({ length: 24 }, (_, i) => i)
        .filter((i) => i % 4 === 1 || i % 6 === 1 || i % 6 === 5)
        .map((i) => `p${i + 10}`);
      expect(idsOf(await ask('scratch_list', { tags }))).toEqual(ofTags);
    });

    test('[NB7] selects cells by id, then by tag; cell_tags covers all cells', async () => {
      const { ask } = start();
      const cells = [
        md('1', { cell_id: 'c1', tags: ['x'] }),
        md('2', { cell_id: 'c2', tags: ['y'] }),
        md('3', { cell_id: 'c3', tags: ['x', 'z'] }),
        md('4', { cell_id: 'c4' }),
      ];
      await ask('scratch_create', { scratch_id: 'p', cells });
      // Twice: from the store and from the cache.
      for (const again of [false, true]) {
        const idsOf = async (args: object) => {
          if (again) await ask('scratch_read', { scratch_id: 'p' });
          const answer = await ask('scratch_read', { scratch_id: 'p', ...args });
          expect(at(answer, 'scratchpad', 'cell_tags')).toEqual(['x', 'y', 'z']);
          const listed = await ask('scratch_list_cells', { scratch_id: 'p', ...args });
          const ids = (at(answer, 'scratchpad', 'cells') as { cell_id: string }[]).map(({ cell_id }) => cell_id);
          expect((listed['cells'] as { cell_id: string }[]).map(({ cell_id }) => cell_id)).toEqual(ids);
          return ids;
        };
        expect(await idsOf({ cell_ids: ['c3', 'c1', 'c3'] })).toEqual(['c1', 'c3']);
        expect(await idsOf({ tags: ['z', 'y'] })).toEqual(['c2', 'c3']);
        expect(await idsOf({ cell_ids: ['c1', 'c4'], tags: ['x'] })).toEqual(['c1']);
        expect(await idsOf({ tags: ['nowhere'] })).toEqual([]);
        expect(await idsOf({ cell_ids: [], tags: [] })).toEqual(['c1', 'c2', 'c3', 'c4']);
        const unknown = await ask('scratch_read', { scratch_id: 'p', cell_ids: ['c1', 'c9'], tags: ['x'] });
        expect(codeOf(unknown)).toBe('INVALID_ID');
        expect(at(unknown, 'error', 'details')).toEqual({
          cell_ids: ['c9'],
          fix: expect.stringContaining('scratch_list_cells'),
        });
        expect(codeOf(await ask('scratch_list_cells', { scratch_id: 'p', cell_ids: ['c9'] }))).toBe('INVALID_ID');
      }
      expect(codeOf(await ask('scratch_read', { scratch_id: 'none' }))).toBe('NOT_FOUND');
      expect(codeOf(await ask('scratch_list_cells', { scratch_id: 'none' }))).toBe('NOT_FOUND');
    });

    test('lists cells with metadata, size and a preview of the content', async () => {
      const { ask } = start();
      const content = `${'é'.repeat(79)}ab`;
      await ask('scratch_create', {
        scratch_id: 'p',
        cells: [md(content, { cell_id: 'c', metadata: { title: 'T' } })],
      });
      expect(await ask('scratch_list_cells', { scratch_id: 'p' })).toEqual({
        ok: true,
        scratch_id: 'p',
        cells: [
          {
            ...{ cell_id: 'c', index: 0, language: 'md', type: 'markup', revision: 1 },
            ...{ metadata: { title: 'T' }, preview: `${'é'.repeat(79)}a`, content_bytes: 160 },
          },
        ],
      });
    });

    test('[NB8] gives the same answer for a pad outside the namespaces and a missing pad', async () => {
      const { ask } = start();
      await ask('scratch_create', { scratch_id: 'p', metadata: { namespace: 'one' } });
      await ask('scratch_create', { scratch_id: 'bare' });
      const read = (scratch_id: string, ...namespaces: string[]) => ask('scratch_read', { scratch_id, namespaces });
      expect(await read('p', 'two', 'one')).toMatchObject({ ok: true });
      const outside = await read('p', 'two');
      expect(codeOf(outside)).toBe('CONFLICT');
      const missing = await read('q', 'two');
      expect(JSON.stringify(missing).replaceAll(/\bq\b/g, 'p')).toBe(JSON.stringify(outside));
      expect(codeOf(await read('bare', 'one'))).toBe('CONFLICT');
      expect(codeOf(await read('q'))).toBe('NOT_FOUND');
    });

    test('[NB9] omits contents of a long pad and reports that', async () => {
      const { ask } = start();
      const sizes = [3_000_000, 500_000, 1_000_000, 10];
      const cells = sizes.map((size, i) => md(String(i).repeat(size), { cell_id: `c${i}` }));
      await ask('scratch_create', { scratch_id: 'p', cells });
      const answer = await ask('scratch_read', { scratch_id: 'p' });
      expect(answer).toMatchObject({ truncated: true, nextOffset: 2 });
      const shown = at(answer, 'scratchpad', 'cells') as { content?: string; content_omitted?: true }[];
      expect(shown.map(({ content }) => content?.length)).toEqual([3_000_000, 500_000, undefined, undefined]);
      expect(shown.map((cell) => cell.content_omitted)).toEqual([undefined, undefined, true, true]);
      const rest = await ask('scratch_read', { scratch_id: 'p', cell_ids: ['c2', 'c3'] });
      expect(rest).not.toHaveProperty('truncated');
      expect(at(rest, 'scratchpad', 'cells', 0, 'content')).toBe('2'.repeat(1_000_000));
    });

    test('[NB9] shows a single content that is longer than an answer', async () => {
      const { ask } = start();
      await ask('scratch_create', { scratch_id: 'p', cells: [md('x'.repeat(5_000_000), { cell_id: 'c' }), md('y')] });
      const answer = await ask('scratch_read', { scratch_id: 'p' });
      expect(answer).toMatchObject({ truncated: true, nextOffset: 1 });
      expect((at(answer, 'scratchpad', 'cells', 0, 'content') as string).length).toBe(5_000_000);
    });

    test('[NB9] fits contents full of escapes into an answer', async () => {
      const { ask } = start();
      const cells = Array.from({ length: 6 }, (_, i) => md('"\n'.repeat(300_000), { cell_id: `c${i}` }));
      await ask('scratch_create', { scratch_id: 'p', cells });
      expect(await ask('scratch_read', { scratch_id: 'p' })).toMatchObject({
        ok: true,
        truncated: true,
        nextOffset: 5,
      });
    });

    test('[NB10] replaces and moves a cell and shifts the others', async () => {
      const { ask } = start();
      const ids = ['a', 'b', 'c', 'd'];
      await ask('scratch_create', { scratch_id: 'p', cells: ids.map((id) => md(id, { cell_id: id, tags: [id] })) });
      const order = async () => {
        const answer = await ask('scratch_read', { scratch_id: 'p' });
        const cells = at(answer, 'scratchpad', 'cells') as { cell_id: string; index: number; content: string }[];
        expect(cells.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
        return cells.map(({ cell_id, content }) => `${cell_id}:${content}`).join(' ');
      };
      const replace = (cell_id: string, content: string, part: object = {}) =>
        ask('scratch_replace_cell', { scratch_id: 'p', cell_id, cell: md(content), ...part });
      const moved = await replace('a', 'A', { new_index: 2 });
      expect(moved).toMatchObject({ scratchpad: { revision: 2, cell_tags: ['b', 'c', 'd'] } });
      expect(at(moved, 'scratchpad', 'cells', 2)).toEqual({
        ...{ cell_id: 'a', index: 2, language: 'md', type: 'markup', revision: 2 },
      });
      expect(await order()).toBe('b:b c:c a:A d:d');
      await replace('d', 'D', { new_index: 0 });
      expect(await order()).toBe('d:D b:b c:c a:A');
      expect(codeOf(await replace('b', 'B', { new_index: 4 }))).toBe('INVALID_INDEX');
      expect(codeOf(await replace('b', 'B', { new_index: -1 }))).toBe('INVALID_INDEX');
      expect(codeOf(await replace('b', 'B', { new_index: 1.5 }))).toBe('INVALID_INDEX');
      expect(codeOf(await replace('z', 'Z'))).toBe('INVALID_ID');
      expect(codeOf(await replace('b', 'B', { cell: md('B', { cell_id: 'c' }) }))).toBe('INVALID_ID');
      expect(codeOf(await ask('scratch_replace_cell', { scratch_id: 'q', cell_id: 'b', cell: md('') }))).toBe(
        'NOT_FOUND',
      );
      expect(await order()).toBe('d:D b:b c:c a:A');
      expect(await ask('scratch_list_tags')).toEqual({ ok: true, scratchpad_tags: [], cell_tags: ['b', 'c'] });
      await replace('b', 'B', { cell: md('B', { cell_id: 'b', tags: ['new'] }) });
      expect(await ask('scratch_list_tags')).toEqual({ ok: true, scratchpad_tags: [], cell_tags: ['c', 'new'] });
    });

    test('[NB11] answers CONFLICT with both revisions when the revision differs', async () => {
      const { ask } = start();
      await ask('scratch_create', { scratch_id: 'p', cells: [md('a', { cell_id: 'a' })] });
      const on = { scratch_id: 'p', expected_revision: 1 };
      expect(await ask('scratch_append_cell', { ...on, cell: md('b') })).toMatchObject({ scratchpad: { revision: 2 } });
      const late = [
        await ask('scratch_append_cell', { ...on, cell: md('c') }),
        await ask('scratch_replace_cell', { ...on, cell_id: 'a', cell: md('A') }),
        await ask('scratch_delete', on),
      ];
      expect(late.map(codeOf)).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT']);
      expect(late.map((answer) => at(answer, 'error', 'details'))).toEqual(
        Array.from({ length: 3 }, () => ({ expected: 1, actual: 2, fix: expect.stringContaining('scratch_read') })),
      );
      expect(await ask('scratch_read', { scratch_id: 'p' })).toMatchObject({
        scratchpad: { revision: 2, cell_count: 2 },
      });
    });

    test('[NB12] validates the cells that request it after the commit', async () => {
      const { ask, validated } = start();
      const created = await ask('scratch_create', {
        scratch_id: 'p',
        cells: [md('a'), md('b', { cell_id: 'b', validate: true, json_schema: 'scratchpad://schemas/s' })],
      });
      const result = { valid: true, errors: [], warnings: [], language: 'md' };
      expect(created['validation']).toEqual([{ ...result, cell_id: 'b', cell_index: 1 }]);
      expect(validated).toEqual([
        {
          ...{ cellId: 'b', index: 1, language: 'md', content: 'b' },
          schema: { kind: 'missing', ref: 'scratchpad://schemas/s' },
        },
      ]);
      const appended = await ask('scratch_append_cell', {
        scratch_id: 'p',
        cell: md('c', { cell_id: 'c', validate: true }),
      });
      expect(appended['validation']).toEqual([{ ...result, cell_id: 'c', cell_index: 2 }]);
      const replaced = await ask('scratch_replace_cell', {
        ...{ scratch_id: 'p', cell_id: 'c', new_index: 0 },
        cell: md('c', { validate: true }),
      });
      expect(replaced['validation']).toEqual([{ ...result, cell_id: 'c', cell_index: 0 }]);
      expect(await ask('scratch_append_cell', { scratch_id: 'p', cell: md('d') })).not.toHaveProperty('validation');
      expect(validated).toHaveLength(3);
    });

    test('repeats the answer to a repeated idempotency key without a second effect', async () => {
      const { ask } = start();
      await ask('scratch_create', { scratch_id: 'p' });
      const append = { scratch_id: 'p', cell: md('a') };
      const first = await ask('scratch_append_cell', append, { idempotencyKey: 'key-1' });
      expect(await ask('scratch_append_cell', append, { idempotencyKey: 'key-1' })).toEqual(first);
      expect(await ask('scratch_read', { scratch_id: 'p' })).toMatchObject({ scratchpad: { cell_count: 1 } });
    });
  });
}
