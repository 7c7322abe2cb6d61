import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { type CatalogProgram, type Json, mutationOn } from './catalog-program.fixture.ts';
import { engines, openOn } from './engines.fixture.ts';
import { newerCatalog } from './newer-catalog.fixture.ts';

const form = 'tools/call';
const get = async (program: CatalogProgram, id: string) =>
  (await program.value<{ item?: Json }>(form, 'instructions/get', { id })).item;

interface Mapped {
  readonly mappedCount: number;
  readonly mapped: readonly {
    readonly id: string;
    readonly field: string;
    readonly from: string;
    readonly to: string;
  }[];
}

async function expectMapped(program: CatalogProgram): Promise<void> {
  expect(await get(program, 'git-rule0')).toMatchObject({
    title: 'Git rule 0',
    audience: 'group',
    requirement: 'mandatory',
    priorityTier: 'P1',
    categories: ['git', 'quality', 'team'],
    classification: 'restricted',
    lastReviewedAt: '2026-03-04T00:00:00.000Z',
    extensions: { mappedFrom: { id: 'Git.Rule0', audience: 'developers', requirement: 'MUST' }, contentType: 'policy' },
  });
  expect(await get(program, 'review-rule_27')).toMatchObject({ requirement: 'mandatory', categories: ['review'] });
  expect(await get(program, 'testing-rule8')).toMatchObject({ dependencies: ['git-rule_7'] });
}

/** A category that is not the first in the alphabet, through changes, grooming, export and import. */
async function expectPrimaryFirst(program: CatalogProgram): Promise<void> {
  const categories = async (id: string) => (await get(program, id))?.['categories'];
  const id = 'testing-rule8';
  expect(await categories(id)).toEqual(['testing', 'quality', 'team']);
  await program.value(form, 'instructions/governanceUpdate', { id, patch: { owner: 'platform' } });
  const groomed = await program.value(form, 'instructions/groom', { mode: { dryRun: true } });
  expect(groomed).toMatchObject({ normalizedCategories: 0 });
  expect(await categories(id)).toEqual(['testing', 'quality', 'team']);
  const { items } = await program.value<{ items: readonly Json[] }>(form, 'instructions/export', { ids: [id] });
  await program.value(form, 'instructions/remove', { ids: [id] });
  await program.value(form, 'instructions/import', { entries: items });
  expect(await get(program, id)).toEqual(expect.objectContaining({ categories: ['testing', 'quality', 'team'] }));
  await program.value(form, 'instructions/governanceUpdate', { id, patch: { categories: ['team', 'api'] } });
  expect(await categories(id)).toEqual(['api', 'team']);
}

describe.each(engines)('[IN57] a newer catalog, with %s', (engine) => {
  it('imports every entry through the tool and reports the mapping', async () => {
    const program = await openOn(engine, mutationOn, {});
    const entries = { entries: newerCatalog };
    const promised = await program.value(form, 'instructions/import', { ...entries, dryRun: true });
    expect(await program.value(form, 'instructions/list', {})).toMatchObject({ count: 0 });
    const answer = await program.value<Json & Mapped>(form, 'instructions/import', entries);
    expect(answer).toMatchObject({ imported: 97, errors: [] });
    expect({ ...promised, hash: '', processingTimeMs: 0 }).toEqual({ ...answer, hash: '', processingTimeMs: 0 });
    expect(answer.mappedCount).toBeGreaterThan(200);
    expect(answer.mapped).toHaveLength(100);
    expect(answer.mapped[0]).toEqual({ index: 0, id: 'git-rule0', field: 'id', from: 'Git.Rule0', to: 'git-rule0' });
    await expectMapped(program);
    await program.value(form, 'instructions/reload', {});
    await expectMapped(program);
    await expectPrimaryFirst(program);
    expect(await program.value(form, 'instructions/import', entries)).toMatchObject({ skipped: 97, errors: [] });
    const rival = { id: 'GIT.rule0', body: 'other', schemaVersion: '3' };
    for (const mode of ['skip', 'overwrite']) {
      expect(await program.value(form, 'instructions/import', { entries: [rival], mode })).toMatchObject({
        imported: 0,
        overwritten: 0,
        errors: [{ code: 'DUPLICATE_ID', error: expect.stringContaining('GIT.rule0') }],
      });
    }
    await program.close();
  });

  it('imports a backup file and a folder of files from the command line', async () => {
    const program = await openOn(engine, mutationOn, {});
    const { folder, remove } = makeFolder();
    writeFileSync(join(folder, 'catalog.json'), JSON.stringify({ schemaVersion: 3, entries: newerCatalog }));
    const run = async (...args: readonly string[]): Promise<Json> => {
      const { stdout, stderr } = await runProgram(['instructions', ...args, '--json'], program.env, '', folder);
      return JSON.parse(stdout || stderr) as Json;
    };
    const promised = await run('import', 'catalog.json', '--dry-run');
    const answer = await run('import', 'catalog.json');
    expect(answer).toMatchObject({ imported: 97, errors: [], skipped: [] });
    expect({ ...promised, dryRun: false }).toEqual(answer);
    await program.value(form, 'instructions/reload', {});
    await expectMapped(program);
    remove();
    await program.close();
  });
});

describe('[IN57] a folder of a newer catalog', () => {
  it('serves every file under a valid id, reports the mapping, and keeps the folder as it is', async () => {
    const files = Object.fromEntries(newerCatalog.map((entry) => [`${entry.id}.json`, entry]));
    const program = await openOn('files', mutationOn, files);
    const listed = await program.value<{ count: number }>(form, 'instructions/list', { limit: 1 });
    expect(listed.count).toBe(97);
    await expectMapped(program);
    const dir = await program.value<Json & Mapped & { problems: readonly Json[] }>(form, 'instructions/dir', {});
    expect(dir.problems).toEqual([]);
    expect(dir.mappedCount).toBeGreaterThan(200);
    expect(dir.mapped).toContainEqual({ id: 'api-rule-5', field: 'id', from: 'api.rule-5', to: 'api-rule-5' });
    expect(await program.value(form, 'instructions/inspect', { id: 'git-rule0' })).toMatchObject({
      data: { filesystem: { file: 'Git.Rule0.json' } },
    });
    expect(JSON.parse(readFileSync(join(program.entries, 'Git.Rule0.json'), 'utf8'))).toEqual(newerCatalog[0]);
    await program.close();
  });

  it('gives a file its new name with the first change, and reports files that claim the same id', async () => {
    const first = { id: 'Git.Style', body: 'first', schemaVersion: '3' };
    const program = await openOn('files', mutationOn, {
      'Git.Style.json': first,
      'git.STYLE.json': { ...first, id: 'git.STYLE' },
    });
    const problems = async () =>
      (await program.value<{ problems: readonly Json[] }>(form, 'instructions/dir', {})).problems;
    expect(await problems()).toEqual([
      { file: 'git.STYLE.json', problem: 'its id git-style is already used by Git.Style.json' },
    ]);
    const patch = { owner: 'platform' };
    expect(await program.value(form, 'instructions/governanceUpdate', { id: 'git-style', patch })).toMatchObject({
      changed: true,
    });
    expect(existsSync(join(program.entries, 'Git.Style.json'))).toBe(false);
    expect(await get(program, 'git-style')).toMatchObject({ body: 'first', owner: 'platform' });
    await expect
      .poll(problems, { timeout: 60_000 })
      .toEqual([{ file: 'git.STYLE.json', problem: 'its id git-style is already used by git-style.json' }]);
    await program.value(form, 'instructions/remove', { ids: ['git-style'] });
    await expect
      .poll(async () => (await get(program, 'git-style'))?.['extensions'], { timeout: 60_000 })
      .toEqual({
        mappedFrom: { id: 'git.STYLE' },
      });
    expect(await problems()).toEqual([]);
    const doctor = await runProgram(['doctor'], { FOURFOLD_HOME: program.home, INSTRUCTIONS_DIR: program.entries });
    expect(doctor.stdout).toContain('1 files in');
    await program.close();
  });
});
