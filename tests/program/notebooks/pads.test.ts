import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Cell,
  engines,
  type Json,
  lightFields,
  md,
  type NotebookProgram,
  openOn,
  type Pad,
  type Written,
} from './notebook-program.ts';

const secret = 'the content that light answers never hold';
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const anyUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const idsOf = ({ cells }: Pad): readonly string[] => cells.map(({ cell_id }) => cell_id);
const indicesOf = ({ cells }: Pad): readonly number[] => cells.map(({ index }) => index);

describe.each(engines)('scratchpads through a real client, on %s', (engine) => {
  let program: NotebookProgram;
  const create = (args: Json): Promise<Written> => program.call<Written>('scratch_create', args);
  /** A pad with the cells a, b, c, …, whose content is their id. */
  const plant = async (scratch_id: string, names = 'abc', more: Json = {}): Promise<Written> =>
    create({ scratch_id, cells: [...names].map((name) => md(`# ${name}`, { cell_id: name })), ...more });

  beforeAll(async () => {
    program = await openOn(engine);
  });
  afterAll(() => program.close());

  describe('scratch_create', () => {
    it('generates missing ids and creates an empty pad', async () => {
      const { scratchpad, ...rest } = await create({ cells: [md(secret)] });
      expect(rest).toEqual({ ok: true });
      expect(scratchpad.scratch_id).toMatch(anyUuid);
      expect(scratchpad.cells[0]?.cell_id).toMatch(anyUuid);
      const { scratchpad: empty } = await create({ scratch_id: 'empty' });
      expect(empty).toEqual({
        scratch_id: 'empty',
        title: null,
        description: null,
        namespace: null,
        tags: [],
        cell_tags: [],
        cell_count: 0,
        revision: 1,
        created_at: expect.stringMatching(isoTime),
        updated_at: expect.stringMatching(isoTime),
        metadata: { title: null, description: null, namespace: null, tags: [], cell_tags: [] },
        cells: [],
      });
    });

    it('answers structure without content, and the named fields at the top and in metadata', async () => {
      const canonical = {
        title: 'Plan',
        description: 'Two steps',
        summary: 'short',
        namespace: 'made',
        tags: ['p', 'q'],
      };
      const own = { colour: { deep: [1, null, 'x'] }, ticket: 7 };
      const cells = [
        md(secret, { cell_id: 'one', tags: ['t1', 't2'], metadata: { tags: ['t2', 't3'], note: 'n' } }),
        { language: 'json', content: '{}', cell_id: 'two' },
      ];
      const { scratchpad } = await create({ scratch_id: 'whole', metadata: { ...canonical, ...own }, cells });
      const fields = { ...canonical, cell_tags: ['t1', 't2', 't3'] };
      expect(scratchpad).toMatchObject({ scratch_id: 'whole', ...fields, cell_count: 2, revision: 1 });
      expect(scratchpad.metadata).toEqual({ ...own, ...fields });
      expect(scratchpad.cells).toEqual([
        { cell_id: 'one', index: 0, language: 'md', type: 'markup', revision: 1, tags: ['t1', 't2', 't3'] },
        { cell_id: 'two', index: 1, language: 'json', type: 'data', revision: 1 },
      ]);
      expect(JSON.stringify(scratchpad)).not.toContain(secret);
      const read = await program.read('whole');
      expect(read).toEqual({
        ...scratchpad,
        cells: [
          {
            ...scratchpad.cells[0],
            content: secret,
            validate: false,
            metadata: { note: 'n', tags: ['t1', 't2', 't3'] },
          },
          { ...scratchpad.cells[1], content: '{}', validate: false, metadata: {}, tags: [] },
        ],
      });
    });

    it('resets an existing pad, reports that, and continues its revision', async () => {
      const first = await plant('again');
      expect(first.reset).toBeUndefined();
      const second = await create({ scratch_id: 'again', cells: [md('# new', { tags: ['fresh'] })] });
      expect(second).toMatchObject({
        ok: true,
        reset: true,
        scratchpad: { cell_count: 1, revision: 2, cell_tags: ['fresh'] },
      });
      expect((await program.read('again')).cells.map(({ content }) => content)).toEqual(['# new']);
      expect(await create({ scratch_id: 'again', if_exists: 'reset' })).toMatchObject({ reset: true });
    });

    it('answers CONFLICT for if_exists=fail and keeps the pad', async () => {
      await plant('there');
      const before = await program.read('there');
      const error = await program.fail('scratch_create', { scratch_id: 'there', if_exists: 'fail', cells: [md('x')] });
      expect(error).toMatchObject({ code: 'CONFLICT', details: { scratch_id: 'there' } });
      expect(await program.read('there')).toEqual(before);
      expect(await create({ scratch_id: 'not-there', if_exists: 'fail' })).not.toHaveProperty('reset');
    });

    it('keeps validate, json_schema as map and as text, and metadata of a cell', async () => {
      const schema = { type: 'object', required: ['a'] };
      const cells = [
        { language: 'json', content: '{}', validate: true, json_schema: schema },
        { language: 'json', content: '{}', json_schema: JSON.stringify(schema), metadata: { description: 'd' } },
      ];
      const { validation } = await create({ scratch_id: 'parts', cells });
      expect(validation?.map(({ cell_index, valid }) => [cell_index, valid])).toEqual([[0, false]]);
      const read = await program.read('parts');
      expect(read.cells[0]).toMatchObject({ validate: true, json_schema: schema });
      expect(read.cells[1]).toMatchObject({
        validate: false,
        json_schema: JSON.stringify(schema),
        metadata: { description: 'd' },
      });
    });

    it('accepts null for a missing field, and an empty namespace for none', async () => {
      const metadata = { title: null, description: null, summary: null, namespace: null };
      expect((await create({ scratch_id: 'nulls', metadata })).scratchpad).toMatchObject({
        title: null,
        namespace: null,
      });
      const { scratchpad } = await create({ scratch_id: 'nulls', metadata: { namespace: '' } });
      expect(scratchpad).toMatchObject({ namespace: null, metadata: { namespace: null } });
    });
  });

  describe('scratch_read', () => {
    beforeAll(async () => {
      const cells = [
        md('one', { cell_id: 'one', tags: ['x'] }),
        md('two', { cell_id: 'two', tags: ['x', 'y'] }),
        md('three', { cell_id: 'three', tags: ['z'] }),
      ];
      await create({ scratch_id: 'reading', metadata: { title: 'T', namespace: 'inside', tags: ['p'] }, cells });
    });

    it.each([
      [{ cell_ids: ['three', 'one'] }, ['one', 'three']],
      [{ tags: ['y', 'z'] }, ['two', 'three']],
      [{ tags: ['nothing'] }, []],
      [{ tags: ['p'] }, []],
      [{ cell_ids: ['one', 'two'], tags: ['y'] }, ['two']],
      [{ cell_ids: [], tags: [], namespaces: [] }, ['one', 'two', 'three']],
      [{ namespaces: ['other', 'inside'] }, ['one', 'two', 'three']],
    ])('with %j answers the cells %j, and the tags of all', async (filter, expected) => {
      const pad = await program.read('reading', filter);
      expect(idsOf(pad)).toEqual(expected);
      expect(pad.cell_tags).toEqual(['x', 'y', 'z']);
      expect(pad.tags).toEqual(['p']);
      expect(pad.cell_count).toBe(3);
      for (const { content, cell_id } of pad.cells) expect(content).toBe(cell_id);
    });

    it('omits only the metadata for include_metadata=false', async () => {
      const { metadata, ...rest } = await program.read('reading');
      expect(metadata).toMatchObject({ title: 'T' });
      expect(await program.read('reading', { include_metadata: false })).toEqual(rest);
      expect(await program.read('reading', { include_metadata: true })).toEqual({ metadata, ...rest });
    });

    it('rejects unknown cell_ids with INVALID_ID before it filters by tags', async () => {
      for (const cell_ids of [['one', 'nine'], ['nine']]) {
        const error = await program.fail('scratch_read', { scratch_id: 'reading', cell_ids, tags: ['nothing'] });
        expect(error.code).toBe('INVALID_ID');
        expect(error.message).toContain('nine');
      }
    });

    it('answers NOT_FOUND for a missing pad, and with namespaces the same CONFLICT as for a pad outside', async () => {
      expect((await program.fail('scratch_read', { scratch_id: 'missing' })).code).toBe('NOT_FOUND');
      const outside = await program.fail('scratch_read', { scratch_id: 'reading', namespaces: ['other'] });
      const missing = await program.fail('scratch_read', { scratch_id: 'missing', namespaces: ['other'] });
      expect(outside.code).toBe('CONFLICT');
      expect(JSON.stringify(missing).replaceAll('missing', 'reading')).toBe(JSON.stringify(outside));
      await create({ scratch_id: 'homeless' });
      expect((await program.fail('scratch_read', { scratch_id: 'homeless', namespaces: ['inside'] })).code).toBe(
        'CONFLICT',
      );
    });

    it('is complete up to 4 MiB, then reports the omitted cells and where they start', async () => {
      const mebibytes = (count: number) => 'm'.repeat(count * 1024 * 1024);
      const cells = [2, 2, 1, 0].map((count, i) => md(mebibytes(count), { cell_id: `c${i}` }));
      await create({ scratch_id: 'large', cells });
      const answer = await program.call<{ scratchpad: Pad; truncated?: true; nextOffset?: number }>('scratch_read', {
        scratch_id: 'large',
      });
      expect(answer).toMatchObject({ truncated: true, nextOffset: 2 });
      expect(answer.scratchpad.cells.map(({ content }) => content?.length)).toEqual([
        2 ** 21,
        2 ** 21,
        undefined,
        undefined,
      ]);
      for (const cell of answer.scratchpad.cells.slice(2)) {
        expect(Object.keys(cell).toSorted()).toEqual([...lightFields, 'content_omitted'].toSorted());
        expect(cell.content_omitted).toBe(true);
      }
      const rest = await program.read('large', { cell_ids: ['c2', 'c3'] });
      expect(rest.cells.map(({ content }) => content?.length)).toEqual([2 ** 20, 0]);
    });
  });

  describe('scratch_list_cells', () => {
    it('shows structure, metadata, size and a preview of at most 80 characters', async () => {
      const long = `# ${'ä'.repeat(100)}`;
      const cells = [md(long, { cell_id: 'a', tags: ['x'], metadata: { description: 'd' } }), md('', { cell_id: 'b' })];
      await create({ scratch_id: 'cells', cells });
      expect(await program.call('scratch_list_cells', { scratch_id: 'cells' })).toEqual({
        ok: true,
        scratch_id: 'cells',
        cells: [
          {
            cell_id: 'a',
            index: 0,
            language: 'md',
            type: 'markup',
            revision: 1,
            tags: ['x'],
            metadata: { description: 'd', tags: ['x'] },
            preview: long.slice(0, 80),
            content_bytes: 202,
          },
          {
            cell_id: 'b',
            index: 1,
            language: 'md',
            type: 'markup',
            revision: 1,
            metadata: {},
            preview: '',
            content_bytes: 0,
          },
        ],
      });
    });

    it('intersects cell_ids and tags, and rejects unknown cells and missing pads', async () => {
      const cells = ['a', 'b', 'c'].map((name, i) => md(name, { cell_id: name, tags: [i < 2 ? 'low' : 'high'] }));
      await create({ scratch_id: 'chosen', cells });
      const list = async (filter: Json): Promise<readonly string[]> =>
        (
          await program.call<{ cells: readonly Cell[] }>('scratch_list_cells', { scratch_id: 'chosen', ...filter })
        ).cells.map(({ cell_id }) => cell_id);
      expect(await list({ cell_ids: ['c', 'b'], tags: ['low'] })).toEqual(['b']);
      expect(await list({ tags: ['high', 'low'] })).toEqual(['a', 'b', 'c']);
      expect((await program.fail('scratch_list_cells', { scratch_id: 'chosen', cell_ids: ['nine'] })).code).toBe(
        'INVALID_ID',
      );
      expect((await program.fail('scratch_list_cells', { scratch_id: 'missing' })).code).toBe('NOT_FOUND');
    });
  });

  describe('scratch_append_cell', () => {
    it('adds a cell at the end and answers all cells without content', async () => {
      await plant('growing', 'a');
      const cell = { language: 'py', content: secret, tags: ['late'], metadata: { tags: ['later'] } };
      const answer = await program.call<Written>('scratch_append_cell', { scratch_id: 'growing', cell });
      expect(answer.scratchpad).toMatchObject({ revision: 2, cell_count: 2, cell_tags: ['late', 'later'] });
      expect(answer.scratchpad.cells[1]).toEqual({
        cell_id: expect.stringMatching(anyUuid),
        index: 1,
        language: 'py',
        type: 'code',
        revision: 1,
        tags: ['late', 'later'],
      });
      expect(JSON.stringify(answer)).not.toContain(secret);
      expect(answer).not.toHaveProperty('validation');
      expect((await program.read('growing')).cells.map(({ content }) => content)).toEqual(['# a', secret]);
    });

    it('rejects a missing pad, an existing cell_id, and a changed revision', async () => {
      await plant('guarded');
      const before = await program.read('guarded');
      const append = (more: Json, cell: Json = {}) =>
        program.fail('scratch_append_cell', { scratch_id: 'guarded', cell: md('x', cell), ...more });
      expect((await append({ scratch_id: 'missing' })).code).toBe('NOT_FOUND');
      expect(await append({}, { cell_id: 'b' })).toMatchObject({ code: 'CONFLICT', details: { cell_id: 'b' } });
      expect(await append({ expected_revision: 7 })).toMatchObject({
        code: 'CONFLICT',
        details: { expected: 7, actual: 1 },
      });
      expect(await program.read('guarded')).toEqual(before);
      const appended = await program.call<Written>('scratch_append_cell', {
        scratch_id: 'guarded',
        cell: md('x'),
        expected_revision: 1,
      });
      expect(appended.scratchpad.revision).toBe(2);
    });
  });

  describe('scratch_replace_cell', () => {
    it.each([
      ['a', 0, 'abcd'],
      ['a', 1, 'bacd'],
      ['a', 3, 'bcda'],
      ['b', 0, 'bacd'],
      ['b', 2, 'acbd'],
      ['d', 0, 'dabc'],
      ['d', 2, 'abdc'],
      ['d', 3, 'abcd'],
      ['c', undefined, 'abcd'],
    ])('replaces %s and moves it to %s: %s', async (cell_id, new_index, expected) => {
      await plant('moving', 'abcd');
      const args = { scratch_id: 'moving', cell_id, cell: { language: 'txt', content: secret } };
      const { scratchpad } = await program.call<Written>('scratch_replace_cell', {
        ...args,
        ...(new_index === undefined ? {} : { new_index }),
      });
      expect(idsOf(scratchpad).join('')).toBe(expected);
      expect(JSON.stringify(scratchpad)).not.toContain(secret);
      const read = await program.read('moving');
      expect(idsOf(read).join('')).toBe(expected);
      expect(indicesOf(read)).toEqual([0, 1, 2, 3]);
      for (const { cell_id: id, content, language, revision } of read.cells) {
        const isReplaced = id === cell_id;
        expect({ content, language, revision }).toEqual(
          isReplaced
            ? { content: secret, language: 'txt', revision: 2 }
            : { content: `# ${id}`, language: 'md', revision: 1 },
        );
      }
    });

    it('drops the tags and metadata of the old cell, also from cell_tags', async () => {
      const old = md('old', { cell_id: 'a', tags: ['old', 'both'], metadata: { note: 1 }, validate: true });
      await create({ scratch_id: 'taken', cells: [old, md('b', { tags: ['both'] })] });
      const cell = md('new', { tags: ['new'] });
      const { scratchpad } = await program.call<Written>('scratch_replace_cell', {
        scratch_id: 'taken',
        cell_id: 'a',
        cell,
      });
      expect(scratchpad.cell_tags).toEqual(['new', 'both']);
      expect((await program.read('taken')).cells[0]).toMatchObject({
        tags: ['new'],
        metadata: { tags: ['new'] },
        validate: false,
      });
      const { cell_tags } = await program.call<{ cell_tags: readonly string[] }>('scratch_list_tags');
      expect(cell_tags).not.toContain('old');
    });

    it.each([
      ['an index past the end', { new_index: 3 }, 'INVALID_INDEX'],
      ['a negative index', { new_index: -1 }, 'INVALID_INDEX'],
      ['half an index', { new_index: 0.5 }, 'INVALID_INDEX'],
      ['an index in words', { new_index: '1' }, 'INVALID_INDEX'],
      ['a cell that is not there', { cell_id: 'nine' }, 'INVALID_ID'],
      ['a bad cell_id', { cell_id: 'a/b' }, 'INVALID_ID'],
      ['another id inside of the cell', { cell: md('x', { cell_id: 'b' }) }, 'INVALID_ID'],
      ['a pad that is not there', { scratch_id: 'missing' }, 'NOT_FOUND'],
      ['a revision that has moved', { expected_revision: 5 }, 'CONFLICT'],
    ])('rejects %s and changes nothing', async (_what, args, code) => {
      await plant('kept');
      const before = await program.read('kept');
      const whole = { scratch_id: 'kept', cell_id: 'a', cell: md('x', { tags: ['x'] }), ...args };
      expect((await program.fail('scratch_replace_cell', whole)).code).toBe(code);
      expect(await program.read('kept')).toEqual(before);
    });
  });

  describe('scratch_delete', () => {
    it('deletes a pad once, then answers deleted: false', async () => {
      await plant('gone');
      expect(await program.call('scratch_delete', { scratch_id: 'gone' })).toEqual({
        ok: true,
        scratch_id: 'gone',
        deleted: true,
        restore: { tool: 'scratch_restore', arguments: { scratch_id: 'gone', copy: expect.any(String) } },
      });
      expect(await program.call('scratch_delete', { scratch_id: 'gone' })).toEqual({
        ok: true,
        scratch_id: 'gone',
        deleted: false,
      });
      expect((await program.fail('scratch_read', { scratch_id: 'gone' })).code).toBe('NOT_FOUND');
      expect((await plant('gone')).scratchpad.revision).toBe(1);
    });

    it('keeps a pad whose revision has changed', async () => {
      await plant('moved');
      const error = await program.fail('scratch_delete', { scratch_id: 'moved', expected_revision: 2 });
      expect(error).toMatchObject({ code: 'CONFLICT', details: { expected: 2, actual: 1 } });
      expect((await program.read('moved')).cell_count).toBe(3);
      expect(await program.call('scratch_delete', { scratch_id: 'moved', expected_revision: 1 })).toMatchObject({
        deleted: true,
      });
    });
  });

  describe('scratch_list and scratch_list_tags', () => {
    interface Listed {
      readonly scratchpads: readonly { readonly scratch_id: string }[];
      readonly next_cursor?: string;
    }
    const list = (args: Json): Promise<Listed> => program.call<Listed>('scratch_list', args);
    const listIds = async (args: Json): Promise<readonly string[]> =>
      (await list(args)).scratchpads.map(({ scratch_id }) => scratch_id);

    beforeAll(async () => {
      // Not in the order of the list.
      for (const n of [7, 2, 5, 0, 9, 3, 8, 1, 6, 4]) {
        const namespace = n < 5 ? 'list-low' : 'list-high';
        const tags = n % 2 === 0 ? ['list-even'] : [];
        const cells = n % 3 === 0 ? [md('x', { tags: ['list-third'] })] : [];
        await create({ scratch_id: `list-${n}`, metadata: { title: `T${n}`, namespace, tags }, cells });
      }
    });

    it('shows exactly the documented fields', async () => {
      const { scratchpads } = await list({ namespaces: ['list-low'], tags: ['list-third'], limit: 1 });
      expect(scratchpads).toEqual([
        { scratch_id: 'list-0', title: 'T0', description: null, namespace: 'list-low', cell_count: 1 },
      ]);
    });

    it.each([
      [{ namespaces: ['list-low'] }, '01234'],
      [{ namespaces: ['list-low', 'list-high'] }, '0123456789'],
      [{ namespaces: ['list-high'], tags: ['list-even'] }, '68'],
      [{ tags: ['list-third'] }, '0369'],
      [{ tags: ['list-third', 'list-even'] }, '0234689'],
      [{ namespaces: ['nowhere'] }, ''],
      [{ namespaces: ['nowhere', 'list-low'], tags: ['list-third'] }, '03'],
      [{ namespaces: ['list-high'], tags: ['list-even'], limit: 1 }, '6'],
      [{ tags: ['list-third'], limit: 3 }, '036'],
    ])('with %j answers the pads %s, by id, filtered before the limit', async (args, expected) => {
      expect(await listIds(args)).toEqual([...expected].map((n) => `list-${n}`));
    });

    it('returns each pad once over all pages', async () => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({
          tags: ['list-even', 'list-third'],
          limit: 3,
          ...(cursor === undefined ? {} : { cursor }),
        });
        seen.push(...page.scratchpads.map(({ scratch_id }) => scratch_id));
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      expect(seen).toEqual([...'0234689'].map((n) => `list-${n}`));
    });

    it.each([{ limit: 0 }, { limit: 1001 }, { limit: 1.5 }, { cursor: 'nonsense' }])('rejects %j', async (args) => {
      expect((await program.fail('scratch_list', args)).code).toBe('VALIDATION_ERROR');
    });

    it('lists the tags of pads and cells separately, sorted, of all or of given namespaces', async () => {
      const ask = (args: Json = {}) => program.call('scratch_list_tags', args);
      expect(await ask({ namespaces: ['list-low'] })).toEqual({
        ok: true,
        scratchpad_tags: ['list-even'],
        cell_tags: ['list-third'],
      });
      expect(await ask({ namespaces: ['nowhere'] })).toEqual({ ok: true, scratchpad_tags: [], cell_tags: [] });
      const all = await ask();
      expect(all['scratchpad_tags']).toEqual(expect.arrayContaining(['list-even']));
      expect(all['cell_tags']).toEqual([...(all['cell_tags'] as readonly string[])].toSorted());
      await create({ scratch_id: 'tagged', metadata: { namespace: 'tagging', tags: ['brief'] } });
      expect(await ask({ namespaces: ['tagging'] })).toMatchObject({ scratchpad_tags: ['brief'] });
      await program.call('scratch_delete', { scratch_id: 'tagged' });
      expect(await ask({ namespaces: ['tagging'] })).toMatchObject({ scratchpad_tags: [] });
    });
  });
});
