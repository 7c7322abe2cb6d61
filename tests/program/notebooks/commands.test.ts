import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { type Json, md, type NotebookProgram, openNotebooks, type Pad, quietEnv } from './notebook-program.ts';

describe('fourfold notebooks', () => {
  let program: NotebookProgram;
  let folder: string;
  let remove: () => void;

  const run = async (...words: readonly string[]): Promise<{ readonly code: number; readonly value: Json }> => {
    const { code, stdout, stderr } = await runProgram(['notebooks', ...words, '--json'], program.env, '', folder);
    return { code, value: JSON.parse(stdout === '' ? stderr : stdout) as Json };
  };
  const done = async (...words: readonly string[]): Promise<Json> => {
    const { code, value } = await run(...words);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${JSON.stringify(value)}`);
    return value;
  };
  const portable = ({ revision: _r, created_at: _c, updated_at: _u, cells, ...pad }: Pad) => ({
    ...pad,
    cells: cells.map(({ revision: _revision, ...cell }) => cell),
  });

  beforeEach(async () => {
    ({ folder, remove } = makeFolder());
    program = await openNotebooks();
    await program.call('scratch_create', {
      scratch_id: 'plan',
      metadata: {
        title: 'The plan',
        description: 'Two steps',
        summary: 's',
        namespace: 'work',
        tags: ['draft'],
        ticket: { id: 7, open: true },
        schemas: { person: { schema: { type: 'object' }, id: 'p-1', description: 'Somebody' } },
      },
      cells: [
        md('# Plan\n\nWith ```fences``` and\n\n```js\ncode\n```\n', { cell_id: 'intro', tags: ['t'] }),
        { cell_id: 'data', language: 'json', content: '{"a": 1}', validate: true, json_schema: { type: 'object' } },
        { cell_id: 'code', language: 'py', content: 'print("ü")\n', metadata: { note: [1, null] } },
        { cell_id: 'nothing', language: 'txt', content: '' },
      ],
    });
    await program.call('scratch_create', { scratch_id: 'other', metadata: { tags: ['o'] }, cells: [md('other')] });
  });
  afterEach(async () => {
    await program.close();
    remove();
  });

  it.each(['md', 'ipynb'])('exports and imports everything as .%s', async (format) => {
    const report = await done('export', 'out', '--format', format);
    expect(report).toMatchObject({
      format,
      exported: 2,
      files: [`other.${format}`, `plan.${format}`],
      existing: [],
      skipped: [],
    });
    const before = [await program.read('plan'), await program.read('other')];
    for (const scratch_id of ['plan', 'other']) await program.call('scratch_delete', { scratch_id });
    const imported = await done('import', 'out');
    expect(imported).toMatchObject({ files: 2, imported: 2, overwritten: 0, kept: 0, skipped: [], errors: [] });
    expect((imported['ids'] as readonly string[]).toSorted()).toEqual(['other', 'plan']);
    const after = [await program.read('plan'), await program.read('other')];
    expect(after.map(portable)).toEqual(before.map(portable));
  });

  it('exports matching pads, overwrites files only when forced, and writes nothing in a dry run', async () => {
    expect(await done('export', 'dry', '--dry-run')).toMatchObject({ dryRun: true, exported: 0 });
    expect(readdirSync(folder)).toEqual([]);
    await done('export', 'out', '--ids', 'plan');
    await done('export', 'tagged', '--tags', 'o');
    await done('export', 'spaced', '--namespaces', 'work');
    expect(['out', 'tagged', 'spaced'].map((name) => readdirSync(join(folder, name)))).toEqual([
      ['plan.md'],
      ['other.md'],
      ['plan.md'],
    ]);
    const file = join(folder, 'out', 'plan.md');
    writeFileSync(file, 'mine');
    const refused = await run('export', 'out');
    expect(refused.code).not.toBe(0);
    expect(JSON.stringify(refused.value)).toContain('CONFLICT');
    expect(readdirSync(join(folder, 'out'))).toEqual(['plan.md']);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await done('export', 'out', '--force');
    expect(readFileSync(file, 'utf8')).toContain('The plan');
    const missing = await done('export', 'none', '--ids', 'missing');
    expect(missing).toMatchObject({ exported: 0, skipped: [{ source: 'missing' }] });
  });

  it('imports new pads, keeps or overwrites existing ones, and reports unreadable files', async () => {
    mkdirSync(join(folder, 'in'));
    writeFileSync(join(folder, 'in', 'fresh notes.md'), '# Fresh\n\n```py\nprint(1)\n```\n');
    writeFileSync(join(folder, 'in', 'other.md'), '---\nscratch_id: other\n---\n\n# Replaced\n');
    writeFileSync(join(folder, 'in', 'broken.ipynb'), '{');
    const before = await program.read('other');
    const dry = await done('import', 'in', '--dry-run');
    expect(dry).toMatchObject({ dryRun: true, imported: 1, overwritten: 0, kept: 1 });
    expect(await done('import', 'in', '--namespace', 'inbox')).toMatchObject({
      imported: 1,
      overwritten: 0,
      kept: 1,
      skipped: [{ source: expect.stringContaining('broken.ipynb') }],
      errors: [],
    });
    expect(await program.read('other')).toEqual(before);
    const { scratchpads } = await program.call<{ scratchpads: readonly Pad[] }>('scratch_list', {
      namespaces: ['inbox'],
    });
    expect(scratchpads).toHaveLength(1);
    const fresh = await program.read(scratchpads[0]!.scratch_id);
    expect(fresh.cells.map(({ language }) => language)).toEqual(['md', 'py']);
    expect(await done('import', join('in', 'other.md'), '--mode', 'overwrite')).toMatchObject({ overwritten: 1 });
    expect((await program.read('other')).cells[0]?.content).toContain('# Replaced');
  });

  it('restores deleted and reset pads completely, under their own or another id', async () => {
    const before = await program.read('plan');
    await program.call('scratch_create', { scratch_id: 'plan', cells: [md('reset')] });
    await program.call('scratch_delete', { scratch_id: 'other' });
    const { scratchpads } = await done('trash');
    expect(scratchpads).toMatchObject([
      { scratch_id: 'other', reason: 'delete' },
      { scratch_id: 'plan', reason: 'reset' },
    ]);
    const taken = await run('restore', 'plan');
    expect(taken.code).not.toBe(0);
    expect(JSON.stringify(taken.value)).toContain('CONFLICT');
    expect((await program.read('plan')).cells[0]?.content).toBe('reset');
    await done('restore', 'plan', '--as', 'plan-before');
    expect(portable(await program.read('plan-before'))).toEqual({ ...portable(before), scratch_id: 'plan-before' });
    await done('restore', 'other');
    expect((await program.read('other')).cells[0]?.content).toBe('other');
    expect(await program.call('scratch_list_tags')).toMatchObject({
      scratchpad_tags: ['draft', 'o'],
      cell_tags: ['t'],
    });
    const found = await program.call<{ hits: readonly Json[] }>('scratch_search', {
      query: 'fences',
      namespaces: ['work'],
    });
    expect(found.hits).toContainEqual(expect.objectContaining({ scratch_id: 'plan-before', cell_id: 'intro' }));
    expect((await done('trash'))['scratchpads']).toEqual([]);
    const nothing = await run('restore', 'missing');
    expect(nothing.code).not.toBe(0);
    expect(JSON.stringify(nothing.value)).toContain('NOT_FOUND');
    expect(JSON.stringify((await run('restore', 'other', '--as', 'a b')).value)).toContain('INVALID');
  });
});

describe('one-shot commands', () => {
  it('write immediately, and the first search embeds what they wrote before it answers', async () => {
    const { folder, remove } = makeFolder();
    const run = async (...words: readonly string[]): Promise<Json> => {
      const env = { ...quietEnv, FOURFOLD_HOME: join(folder, 'home') };
      const { code, stdout, stderr } = await runProgram([...words, '--json'], env, '', folder);
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as Json;
    };
    try {
      writeFileSync(join(folder, 'walrus.md'), '# The walrus\n\nIt sings.\n');
      await run('scratch', 'create', '--scratch-id', 'plan', '--cells', JSON.stringify(md('A zeppelin.')));
      await run('notebooks', 'import', 'walrus.md');
      // A search with few hits reports the texts that are not yet embedded.
      const found = await run('scratch', 'search', 'gramophone', '--limit', '3');
      expect(found).toMatchObject({ mode: 'hybrid' });
      expect(found).not.toHaveProperty('pending');
    } finally {
      remove();
    }
  });
});
