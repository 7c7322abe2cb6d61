import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { describeOnEngines } from '../notebooks.fixture.ts';
import { type ExportOptions, exportPads } from './export-pads.ts';
import { type ImportOptions, importPads } from './import-pads.ts';
import { toFileNames, toScratchId } from './pad-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ff-pads-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const newFolder = () => mkdtemp(join(folder, 'f-'));

const deps = (ask: Ask) => ({ ask, progress() {} });
const exporting = (part: Partial<ExportOptions> & { to: string }): ExportOptions => ({
  format: 'md',
  force: false,
  dryRun: false,
  ...part,
});
const importing = (...paths: string[]): ImportOptions => ({ paths, mode: 'skip', dryRun: false });

/** Without the fields that change with each creation. */
function timeless(answer: ToolAnswer): unknown {
  const { created_at, updated_at, revision, ...pad } = answer['scratchpad'] as Record<string, unknown>;
  return pad;
}

describeOnEngines('pads as files', (engine) => {
  const plan = {
    scratch_id: 'plan',
    metadata: {
      title: 'The plan',
      namespace: 'work',
      tags: ['a'],
      owner: { name: 'ada' },
      schemas: { task: { id: 't-1', description: 'A task', schema: { type: 'object' } } },
    },
    cells: [
      { cell_id: 'one', language: 'md', content: '# Plan\n```py\nx\n```\r\n', tags: ['x'] },
      { cell_id: 'two', language: 'json', content: '{}', json_schema: 'scratchpad://schemas/task' },
      { cell_id: 'three', language: 'py', content: '', metadata: { title: 'Empty', tags: ['y'] } },
    ],
  };

  test.each(['md', 'ipynb'] as const)('exports a pad as %s and imports it unchanged', async (format) => {
    const memory = engine.open();
    const ada = memory.as(engine.newTenant());
    const bob = memory.as(engine.newTenant());
    await ada.ask('scratch_create', plan);
    await ada.ask('scratch_create', { scratch_id: 'Empty' });
    const to = join(await newFolder(), 'new');
    expect(await exportPads(deps(ada.askOrThrow), exporting({ to, format }))).toEqual({
      dryRun: false,
      to,
      format,
      exported: 2,
      files: [`Empty.${format}`, `plan.${format}`],
      existing: [],
      skipped: [],
    });
    expect(await importPads(deps(bob.askOrThrow), importing(to))).toEqual({
      dryRun: false,
      files: 2,
      imported: 2,
      overwritten: 0,
      kept: 0,
      ids: ['Empty', 'plan'],
      skipped: [],
      warnings: [],
      errors: [],
    });
    for (const scratch_id of ['plan', 'Empty']) {
      const [before, after] = await Promise.all([ada, bob].map(({ ask }) => ask('scratch_read', { scratch_id })));
      expect(timeless(after!)).toEqual(timeless(before!));
    }
  });

  test('exports a pad completely when its contents take several answers', async () => {
    const memory = engine.open();
    const { ask, askOrThrow } = memory.as(engine.newTenant());
    const content = 'x'.repeat(1_500_000);
    const cells = ['a', 'b', 'c', 'd', 'e'].map((cell_id) => ({
      cell_id,
      language: 'txt',
      content: cell_id + content,
    }));
    await ask('scratch_create', { scratch_id: 'big', cells });
    const to = await newFolder();
    await exportPads(deps(askOrThrow), exporting({ to }));
    const text = await readFile(join(to, 'big.md'), 'utf8');
    expect(text.match(/[a-e]x{1500000}/g)?.map((one) => one[0])).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('exports only the named or matching pads, and writes nothing in a dry run', async () => {
    const memory = engine.open();
    const { ask, askOrThrow } = memory.as(engine.newTenant());
    await ask('scratch_create', plan);
    await ask('scratch_create', { scratch_id: 'other', metadata: { tags: ['b'] } });
    const files = async (part: Partial<ExportOptions>) => {
      const to = join(await newFolder(), 'x');
      const report = await exportPads(deps(askOrThrow), exporting({ to, ...part }));
      const there = await readdir(to).catch(() => 'no folder');
      return { files: report.files, skipped: report.skipped, there };
    };
    expect(await files({ namespaces: ['work'] })).toMatchObject({ files: ['plan.md'], there: ['plan.md'] });
    expect(await files({ tags: ['b'] })).toMatchObject({ files: ['other.md'] });
    expect(await files({ ids: ['plan', 'gone', 'plan'] })).toMatchObject({
      files: ['plan.md'],
      skipped: [{ source: 'gone', reason: 'the scratchpad does not exist' }],
    });
    expect(await files({ dryRun: true })).toMatchObject({ files: ['other.md', 'plan.md'], there: 'no folder' });
  });

  test('keeps existing files unless force is given', async () => {
    const memory = engine.open();
    const { ask, askOrThrow } = memory.as(engine.newTenant());
    await ask('scratch_create', plan);
    await ask('scratch_create', { scratch_id: 'another' });
    const to = await newFolder();
    await writeFile(join(to, 'PLAN.MD'), 'mine');
    await expect(exportPads(deps(askOrThrow), exporting({ to }))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('plan.md is already in'),
    });
    expect(await readdir(to)).toEqual(['PLAN.MD']);
    expect(await exportPads(deps(askOrThrow), exporting({ to, dryRun: true }))).toMatchObject({
      existing: ['plan.md'],
    });
    expect(await exportPads(deps(askOrThrow), exporting({ to, force: true }))).toMatchObject({ exported: 2 });
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    await expect(exportPads(deps(askOrThrow), exporting({ to: file }))).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('keeps existing pads, or moves them to the trash when they are overwritten', async () => {
    const memory = engine.open();
    const { ask, askOrThrow, callOf } = memory.as(engine.newTenant());
    const from = await newFolder();
    await writeFile(join(from, 'n.md'), '---\nscratch_id: plan\ntitle: new\n---\n\nHello\n');
    await ask('scratch_create', plan);
    await writeFile(join(from, 'other.md'), 'Other\n');
    const dry = (mode: ImportOptions['mode']) =>
      importPads(deps(askOrThrow), { ...importing(from), mode, dryRun: true });
    expect(await dry('skip')).toMatchObject({ dryRun: true, imported: 1, overwritten: 0, kept: 1 });
    expect(await dry('overwrite')).toMatchObject({ dryRun: true, imported: 1, overwritten: 1, kept: 0 });
    expect(await ask('scratch_list')).toMatchObject({ scratchpads: [{ scratch_id: 'plan', title: 'The plan' }] });
    await rm(join(from, 'other.md'));
    expect(await importPads(deps(askOrThrow), importing(from))).toMatchObject({ imported: 0, kept: 1, errors: [] });
    expect(await ask('scratch_read', { scratch_id: 'plan' })).toMatchObject({ scratchpad: { title: 'The plan' } });
    const report = await importPads(deps(askOrThrow), { ...importing(from), mode: 'overwrite' });
    expect(report).toMatchObject({ imported: 0, overwritten: 1 });
    expect(await ask('scratch_read', { scratch_id: 'plan' })).toMatchObject({
      scratchpad: { title: 'new', cells: [{ language: 'md', content: 'Hello' }] },
    });
    expect(await memory.pads.trashed({}, callOf())).toMatchObject([{ scratch_id: 'plan', title: 'The plan' }]);
  });

  test('imports Markdown and notebooks from folders and reports unreadable files', async () => {
    const memory = engine.open();
    const { ask, askOrThrow } = memory.as(engine.newTenant());
    const from = await newFolder();
    await mkdir(join(from, 'sub'));
    await mkdir(join(from, '.ipynb_checkpoints'));
    await writeFile(join(from, 'My notes (2).markdown'), '# Hi\n');
    await writeFile(join(from, 'sub', 'My notes (2).md'), 'second\n');
    await writeFile(join(from, 'a.txt'), 'no');
    await writeFile(join(from, '.ipynb_checkpoints', 'c.ipynb'), '{}');
    await writeFile(join(from, 'broken.ipynb'), '{');
    await writeFile(join(from, 'old.ipynb'), '{"nbformat": 3}');
    await writeFile(join(from, 'bytes.md'), Buffer.from([0xff, 0xfe, 0xfd]));
    await writeFile(join(from, 'nul.md'), 'a\0b');
    await writeFile(join(from, 'x1.md'), '---\nscratch_id: same\n---\n');
    await writeFile(join(from, 'x2.md'), '---\nscratch_id: same\n---\n');
    await writeFile(join(from, 'x3.md'), '---\nscratch_id: "../../up"\n---\n');
    await symlink(join(from, 'x1.md'), join(from, 'y.md'));
    const dry = await importPads(deps(askOrThrow), { ...importing(from), dryRun: true });
    expect(await ask('scratch_list')).toMatchObject({ scratchpads: [] });
    const report = await importPads(deps(askOrThrow), { ...importing(from), namespace: 'inbox' });
    expect(report.ids).toEqual(dry.ids);
    expect(report.ids).toEqual(['My-notes-2', 'nul', 'My-notes-2-2', 'same', 'x3']);
    expect(report.imported).toBe(4);
    expect(report.errors).toMatchObject([{ source: 'nul.md', scratch_id: 'nul' }]);
    expect(report.skipped.map(({ source }) => source).sort()).toEqual([
      'broken.ipynb',
      'bytes.md',
      'old.ipynb',
      'x2.md',
      'y.md',
    ]);
    expect(await ask('scratch_read', { scratch_id: 'My-notes-2-2' })).toMatchObject({
      scratchpad: { namespace: 'inbox', cells: [{ content: 'second' }] },
    });
    await expect(importPads(deps(askOrThrow), importing(join(from, 'nothing')))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('takes the format of a named file from its extension or from --format', async () => {
    const memory = engine.open();
    const { ask, askOrThrow } = memory.as(engine.newTenant());
    const from = await newFolder();
    const file = join(from, 'hostname');
    await writeFile(file, '# A host\n');
    const skipped = await importPads(deps(askOrThrow), importing(file));
    expect(skipped).toMatchObject({ files: 0, imported: 0, skipped: [{ source: 'hostname' }] });
    expect(skipped.skipped[0]?.reason).toContain('--format');
    expect(await ask('scratch_list')).toMatchObject({ scratchpads: [] });
    expect(await importPads(deps(askOrThrow), { ...importing(file), format: 'md' })).toMatchObject({ imported: 1 });
    expect(await ask('scratch_list')).toMatchObject({ scratchpads: [{ scratch_id: 'hostname', title: 'A host' }] });
  });

  test('drops outputs that exceed the limit with a warning and keeps small ones', async () => {
    const memory = engine.open();
    const { ask, askOrThrow } = memory.as(engine.newTenant());
    const from = await newFolder();
    const output = (data: string) => ({ output_type: 'stream', name: 'stdout', text: data });
    const code = (id: string, ...outputs: object[]) => ({ id, cell_type: 'code', metadata: {}, outputs, source: 'x' });
    const notebook = {
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { widgets: { state: 'w'.repeat(100_000) }, kernelspec: { name: 'python3' } },
      cells: [code('a', output('small')), code('b', output('first'), output('p'.repeat(50_000)))],
    };
    await writeFile(join(from, 'n.ipynb'), JSON.stringify(notebook));
    const report = await importPads(deps(askOrThrow), importing(from));
    expect(report).toMatchObject({ imported: 1, errors: [] });
    expect(report.warnings).toHaveLength(2);
    expect(await ask('scratch_read', { scratch_id: 'n' })).toMatchObject({
      scratchpad: {
        metadata: { jupyter: { metadata: { kernelspec: { name: 'python3' } } } },
        cells: [
          { metadata: { jupyter: { outputs: [output('small')] } } },
          { metadata: { jupyter: { outputs: [output('first')] } } },
        ],
      },
    });
  });

  test('stops the import at a fault of the server and continues after a rejected pad', async () => {
    const memory = engine.open({ maxScratchpads: 1 });
    const { askOrThrow } = memory.as(engine.newTenant());
    const from = await newFolder();
    for (const name of ['a', 'b', 'c']) await writeFile(join(from, `${name}.md`), 'x');
    expect(await importPads(deps(askOrThrow), importing(from))).toMatchObject({
      imported: 1,
      errors: [
        { source: 'b.md', code: 'CAPACITY_LIMIT_REACHED' },
        { source: 'c.md', code: 'CAPACITY_LIMIT_REACHED' },
      ],
    });
    const refusing: Ask = async () => {
      throw faults.READ_ONLY({ tool: 'scratch_create' });
    };
    await expect(importPads(deps(refusing), importing(from))).rejects.toMatchObject({ code: 'READ_ONLY' });
  });

  test('reports progress and stops when aborted', async () => {
    const memory = engine.open();
    const { askOrThrow } = memory.as(engine.newTenant());
    const from = await newFolder();
    for (const name of ['a', 'b']) await writeFile(join(from, `${name}.md`), 'x');
    const reports: unknown[] = [];
    const stop = new AbortController();
    const progress = (done: number, total: number | undefined, message: string) => {
      reports.push([done, total, message]);
      stop.abort();
    };
    await expect(importPads({ ask: askOrThrow, progress, signal: stop.signal }, importing(from))).rejects.toThrow(
      'aborted',
    );
    expect(reports).toEqual([[0, 2, 'importing a.md']]);
  });
});

test('gives every id a file name of its own, also where case is ignored, and never a device name', () => {
  const id = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/),
    fc.constantFrom('con', 'CON', 'Aux', 'com1', 'a', 'A'),
  );
  fc.assert(
    fc.property(fc.uniqueArray(id), (ids) => {
      const names = [...toFileNames(ids, 'md').values()].map((name) => name.toLowerCase());
      expect(new Set(names).size).toBe(ids.length);
      for (const name of names) {
        expect(name).toMatch(/^[a-z0-9_.-]+\.md$/);
        expect(name).not.toMatch(/^(con|aux|com1)\.md$/);
      }
    }),
  );
});

test('makes a valid id of any file name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
      const id = toScratchId(name);
      expect(id).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
      expect(id).not.toBe('schemas');
    }),
  );
  expect(toScratchId('schemas.md')).toMatch(/^pad-/);
  expect(toScratchId('Été à la mer.md')).toBe('E-te-a-la-mer');
});
