import { expect, test } from 'vitest';
import { describeOnEngines } from '../notebooks.fixture.ts';

type Json = Readonly<Record<string, unknown>>;
const md = (content: string, more: object = {}) => ({ language: 'md', content, ...more });

describeOnEngines('what a page shows', (engine) => {
  const start = () => engine.open().as(engine.newTenant());
  const cellsOf = ({ scratchpad }: Json) => (scratchpad as { cells: Json[] }).cells.map(({ content }) => content);

  test('[NB9] reads the cells of a pad page by page, from the store and from the cache', async () => {
    const { ask } = start();
    const cells = Array.from({ length: 10 }, (_, n) => md(`cell ${n}`));
    await ask('scratch_create', { scratch_id: 'p', cells });
    const page = (more: object) => ask('scratch_read', { scratch_id: 'p', ...more });
    const expected = ['cell 4', 'cell 5', 'cell 6'];
    expect(cellsOf(await page({ offset: 4, limit: 3 }))).toEqual(expected);
    await page({});
    expect(cellsOf(await page({ offset: 4, limit: 3 }))).toEqual(expected);
    expect(cellsOf(await page({ offset: 9 }))).toEqual(['cell 9']);
    expect(cellsOf(await page({ offset: 10 }))).toEqual([]);
    expect(await page({ offset: 1, tags: ['x'] })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });

  test('[NB14] lists tags and the time of the last change if asked', async () => {
    const { ask } = start();
    await ask('scratch_create', { scratch_id: 'p', metadata: { tags: ['t'] } });
    const { scratchpads } = await ask('scratch_list', { include_details: true });
    expect(scratchpads).toEqual([
      {
        ...{ scratch_id: 'p', title: null, description: null, namespace: null, cell_count: 0 },
        ...{ tags: ['t'], updated_at: expect.stringContaining('T') },
      },
    ]);
    expect(await ask('scratch_list')).not.toHaveProperty('scratchpads.0.tags');
  });

  test('[NB19] lists the trash page by page', async () => {
    const { ask } = start();
    for (const scratch_id of ['a', 'b', 'c']) {
      await ask('scratch_create', { scratch_id });
      await ask('scratch_delete', { scratch_id });
      engine.clock.advance(1);
    }
    const first = await ask('scratch_trash', { limit: 2 });
    expect(first['scratchpads']).toMatchObject([{ scratch_id: 'c' }, { scratch_id: 'b' }]);
    const second = await ask('scratch_trash', { limit: 2, cursor: first['next_cursor'] });
    expect(second['scratchpads']).toMatchObject([{ scratch_id: 'a' }]);
    expect(second).not.toHaveProperty('next_cursor');
    expect(await ask('scratch_trash', { cursor: 'x' })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });

  test('[NB12] validates a text with the schemas of a pad and stores nothing', async () => {
    const { ask } = start();
    const schemas = { task: { type: 'object', required: ['done'] } };
    await ask('scratch_create', { scratch_id: 'p', metadata: { schemas } });
    const validate = (cell: object) => ask('scratch_validate', { scratch_id: 'p', cell });
    expect(await validate({ language: 'json', content: '{"a": 1,\n}' })).toMatchObject({
      results: [{ valid: false, errors: [{ line: 2 }] }],
    });
    const bySchema = { language: 'json', content: '{}', json_schema: 'scratchpad://schemas/task' };
    expect(await validate(bySchema)).toMatchObject({ results: [{ valid: false }] });
    expect(await validate({ ...bySchema, content: '{"done": true}' })).toMatchObject({ results: [{ valid: true }] });
    expect(await ask('scratch_read', { scratch_id: 'p' })).toMatchObject({
      scratchpad: { cell_count: 0, revision: 1 },
    });
    const cell = { language: 'json', content: '{}' };
    const missing = await ask('scratch_validate', { scratch_id: 'q', cell });
    expect(missing).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  test('returns a pad as Markdown and as a notebook', async () => {
    const { ask } = start();
    const cells = [md('# Plan'), { language: 'py', content: 'print(1)' }];
    await ask('scratch_create', { scratch_id: 'p', metadata: { title: 'Plan' }, cells });
    const markdown = await ask('scratch_export', { scratch_id: 'p' });
    expect(markdown).toMatchObject({ file_name: 'p.md', revision: 1, text: expect.stringContaining('# Plan') });
    const notebook = await ask('scratch_export', { scratch_id: 'p', format: 'ipynb' });
    expect(notebook).toMatchObject({ file_name: 'p.ipynb' });
    expect(JSON.parse(String(notebook['text']))).toMatchObject({ nbformat: 4, cells: [{}, { cell_type: 'code' }] });
    expect(await ask('scratch_export', { scratch_id: 'q' })).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  test('does not return a file that is too large for an answer', async () => {
    const { ask } = start();
    const cells = Array.from({ length: 2 }, () => ({ language: 'txt', content: 'x'.repeat(4 * 1024 * 1024) }));
    await ask('scratch_create', { scratch_id: 'p', cells });
    const refused = await ask('scratch_export', { scratch_id: 'p' });
    expect(refused).toMatchObject({ error: { code: 'CAPACITY_LIMIT_REACHED' } });
    expect(JSON.stringify(refused)).toContain('fourfold notebooks export');
  });
});
