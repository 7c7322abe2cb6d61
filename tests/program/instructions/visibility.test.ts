import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '#tests/support/program.ts';
import { actionForms, type CatalogProgram, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { type Entry, entryFiles, entryIds, entryInput } from './entries.fixture.ts';

interface Listed {
  readonly hash: string;
  readonly count: number;
  readonly items: readonly Entry[];
}

describe.each(actionForms)('visibility of files in the folder, by %s', (form) => {
  let program: CatalogProgram;
  const ask = <T>(action: string, args: Readonly<Record<string, unknown>> = {}): Promise<T> =>
    program.value<T>(form, `instructions/${action}`, args);
  const ids = async (args: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> =>
    (await ask<Listed>('list', args)).items.map(({ id }) => id);

  beforeAll(async () => {
    program = await openCatalog(mutationOn, entryFiles);
  });
  afterAll(() => program?.close());
  beforeEach(async () => {
    await program.replaceFiles(entryFiles);
    await ask('list');
  });

  it('get sees a new, an edited and a deleted file immediately', async () => {
    program.writeFile('late.json', entryInput('late'));
    expect(await ask('get', { id: 'late' })).toMatchObject({ item: { id: 'late', body: 'Body of late.' } });
    program.writeFile('late.json', entryInput('late', { body: 'Edited.' }));
    expect(await ask('get', { id: 'late' })).toMatchObject({ item: { body: 'Edited.' } });
    rmSync(join(program.entries, 'late.json'));
    expect(await ask('get', { id: 'late' })).toMatchObject({ notFound: true, id: 'late' });
  });

  it('list with expectId sees a file that was just added', async () => {
    program.writeFile('late.json', entryInput('late'));
    expect(await ids({ expectId: 'late' })).toEqual([...entryIds, 'late']);
  });

  it('getEnhanced repairs one id for later lists', async () => {
    program.writeFile('late.json', entryInput('late'));
    expect(await ask('getEnhanced', { id: 'late' })).toMatchObject({ item: { id: 'late' } });
    expect(await ids()).toContain('late');
  });

  it('lists follow outside edits within two seconds', async () => {
    program.writeFile('late.json', entryInput('late'));
    rmSync(join(program.entries, 'beta.json'));
    await expect.poll(() => ids(), { timeout: 120_000, interval: 100 }).toEqual(['alpha', 'gamma', 'late']);
    const found = await ask<Listed>('search', { q: 'late' });
    expect(found.items.map(({ id }) => id)).toContain('late');
  });

  it('renaming the version file causes a full reload', async () => {
    await ask('add', { entry: entryInput('touched') });
    const version = join(program.entries, '.catalog-version');
    renameSync(version, `${version}.away`);
    program.writeFile('late.json', entryInput('late'));
    await expect.poll(() => ids(), { timeout: 120_000, interval: 100 }).toContain('late');
  });

  it('reports an invalid file and serves the valid ones', async () => {
    program.writeFile('broken.json', '{"id":"broken","bo');
    program.writeFile('other-name.json', entryInput('not-that-name'));
    writeFileSync(join(program.entries, 'latin.json'), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    mkdirSync(join(program.entries, 'folder.json'));
    symlinkSync(join(program.entries, 'alpha.json'), join(program.entries, 'link.json'));
    execFileSync('mkfifo', [join(program.entries, 'pipe.json')]);
    await ask('reload');
    expect(await ids()).toEqual(entryIds);
    for (const id of ['broken', 'other-name', 'latin', 'folder', 'link', 'pipe', 'not-that-name']) {
      expect(await ask('get', { id }), id).toMatchObject({ notFound: true });
    }
    const report = JSON.stringify(await ask('inspect', { scope: 'catalog' }));
    for (const name of ['broken.json', 'other-name.json', 'latin.json']) expect(report).toContain(name);
    expect(await ask('add', { entry: entryInput('still-works') })).toMatchObject({ created: true });
  });

  it('neither serves nor reports files that are not entries', async () => {
    program.writeFile('gates.json', { gates: [] });
    program.writeFile('owners.json', { ownership: [] });
    program.writeFile('README.md', '# Rules');
    await ask('reload');
    expect(await ids()).toEqual(entryIds);
    const report = JSON.stringify(await ask('inspect', { scope: 'catalog' }));
    expect(report).not.toContain('"gates.json","problem"');
  });

  it('two processes on one folder see each other', async () => {
    const other = await openCatalog({ ...mutationOn, INSTRUCTIONS_DIR: program.entries, FOURFOLD_HOME: program.home });
    await other.value(form, 'instructions/add', { entry: entryInput('from-other') });
    expect(await ask('get', { id: 'from-other' })).toMatchObject({ item: { id: 'from-other' } });
    await expect.poll(() => ids(), { timeout: 120_000, interval: 100 }).toContain('from-other');
    await other.close();
  });
});

describe('traces', () => {
  it('list traces what it repaired, in the documented form', async () => {
    const { folder, remove } = makeFolder();
    const env = { MCP_TRACE_DIR: folder, MCP_TRACE_SESSION: 'session-7', MCP_CATALOG_DIAG: '1' };
    const program = await openCatalog(env, entryFiles);
    await program.plain('instructions/list', {});
    program.writeFile('late.json', entryInput('late'));
    await program.plain('instructions/list', { expectId: 'late' });
    const lines = (): readonly string[] =>
      readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
    const traced = (): readonly string[] => lines().filter((line) => line.includes('[trace:list]'));
    await expect.poll(() => traced().join(' '), { timeout: 120_000, interval: 50 }).toContain('late');
    const line = traced().at(-1) ?? '';
    expect(line).toMatch(/^\[trace:list\] \{.*\}$/);
    const fields = JSON.parse(line.slice(line.indexOf('{'))) as object;
    const flags = ['repairedVisibility', 'lateMaterialized', 'attemptedReload', 'attemptedLate'];
    for (const flag of [...flags, 'expectOnDisk', 'expectInCatalog']) expect(line, flag).toContain(flag);
    expect(fields).toBeTypeOf('object');
    await program.close();
    remove();
  });
});
