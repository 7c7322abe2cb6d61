import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createAsk, noSync } from './catalog-client.fixture.ts';
import { exportCatalog } from './export-catalog.ts';
import { importFiles } from './import-files.ts';
import { noteCandidates, planImport } from './plan-import.ts';
import { resetCatalog } from './reset-catalog.ts';
import { seedCatalog, starterCatalog } from './starter-catalog.ts';

const clock = createManualClock();
let folder: string;

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fourfold-outside-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('planImport', () => {
  it('finds each rule file of a project once and skips foreign folders', async () => {
    write('AGENTS.md', '# A\n\n## Testing\n\nRun it.\n\n## Style\n\nShort.');
    write('.cursor/rules/ts.mdc', '---\nglobs: *.ts\n---\nNo any.');
    write('.github/copilot-instructions.md', 'Be kind.');
    write('.github/instructions/py.instructions.md', '---\napplyTo: "**/*.py"\n---\nType hints.');
    write('skills/tidy/SKILL.md', '---\nname: tidy\ndescription: d\n---\nTidy.');
    write('node_modules/x/AGENTS.md', '# Not ours\n\nNo.');
    write('.git/AGENTS.md', 'No.');
    write('sub/package.json', '{}');
    symlinkSync(join(folder, 'AGENTS.md'), join(folder, 'CLAUDE.md'));
    const plan = await planImport([folder]);
    expect(plan.entries.map(({ id }) => id).toSorted()).toEqual([
      'copilot-instructions',
      'py',
      'style',
      'testing',
      'tidy',
      'ts',
    ]);
    expect(plan.skipped).toEqual([{ source: 'CLAUDE.md', reason: expect.stringContaining('link') as string }]);
    expect(JSON.stringify(plan)).not.toContain(folder);
  });

  it('merges equal texts with one title and renames different ones', async () => {
    write('AGENTS.md', '## Testing\n\nRun it.\n\n## Same\n\nS');
    write('CLAUDE.md', '## Testing\n\nWrite it first.\n\n## Same\n\nS');
    const plan = await planImport([folder]);
    expect(plan.entries.map(({ id }) => id)).toEqual(['testing', 'same', 'testing-claude-md']);
    expect(plan.skipped).toHaveLength(1);
    expect(plan.warnings).toHaveLength(1);
    expect((await planImport([folder])).entries).toEqual(plan.entries);
  });

  it('reports unreadable parts and imports the rest', async () => {
    write('good.json', '{"id":"good","body":"x"}');
    write('cut.json', '{"id":"cu');
    write('latin.json', Uint8Array.from([0x22, 0xff, 0x22]));
    mkdirSync(join(folder, 'folder.json'));
    execFileSync('mkfifo', [join(folder, 'pipe.json')]);
    write('twice.json', '[{"id":"good","body":"other"}]');
    const plan = await planImport([folder]);
    expect(plan.entries.map(({ id }) => id)).toEqual(['good']);
    expect(plan.skipped.map(({ source }) => source).toSorted()).toEqual([
      'cut.json',
      'latin.json',
      'pipe.json',
      'twice.json',
    ]);
  });

  it('[IN49] follows the references of a CLAUDE.md, which apply where the CLAUDE.md does', async () => {
    write('CLAUDE.md', '# Rules\r\n\r\n@AGENTS.md\r\n- @docs/git.md\r\n');
    write('AGENTS.md', '## Testing\n\nRun it.');
    write('docs/git.md', '## Git\n\nSmall commits, ask @ann or `@docs/code.md`. See @style.md.');
    write('docs/style.md', '## Style\n\nShort. @git.md');
    write('web/CLAUDE.md', '## Web\n\nSee @notes.md, @types/react and\n\n```\n@docs/fenced.md\n```');
    write('web/notes.md', '## Notes\n\nN');
    const plan = await planImport([folder]);
    expect(plan.entries.map(({ id, appliesTo }) => [id, appliesTo])).toEqual([
      ['testing', { always: true }],
      ['git', { always: true }],
      ['style', { always: true }],
      ['web', { folders: ['web'] }],
      ['notes', { folders: ['web'] }],
    ]);
    expect([plan.files, plan.skipped]).toEqual([6, []]);
    expect(plan.entries[1]?.extensions).toMatchObject({ source: { file: 'docs/git.md', format: 'claude' } });
  });

  it('[IN49] follows no reference out of the folder, to a missing file or further than five steps', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'fourfold-secret-'));
    writeFileSync(join(outside, 'secret.md'), 'SECRET');
    symlinkSync(join(outside, 'secret.md'), join(folder, 'link.md'));
    const upwards = `@../${outside.slice(outside.lastIndexOf('/') + 1)}/secret.md`;
    write(
      'CLAUDE.md',
      `## A\n\nX @../../etc/passwd ${upwards} @/etc/passwd @~/x.md @link.md @gone.md @logo.png @d1.md`,
    );
    write('logo.png', 'SECRET');
    for (let i = 1; i <= 6; i += 1) write(`d${i}.md`, `## D${i}\n\nText @d${i + 1}.md @CLAUDE.md`);
    const plan = await planImport([folder]);
    rmSync(outside, { recursive: true });
    expect(plan.entries.map(({ id }) => id)).toEqual(['a', 'd1', 'd2', 'd3', 'd4', 'd5']);
    expect(plan.skipped.map(({ reason }) => reason)).toEqual([
      '@../../etc/passwd is outside the imported folder',
      `${upwards} is outside the imported folder`,
      '@/etc/passwd is outside the imported folder',
      '@~/x.md is outside the imported folder',
      '@link.md is a link out of the imported folder',
      '@gone.md does not exist',
      '@logo.png is not a Markdown file',
      '@d6.md is more than 5 references away',
    ]);
    expect(JSON.stringify(plan)).not.toContain('SECRET');
  });

  it('[IN49] reports the rules that a person may confirm as mandatory', async () => {
    write('AGENTS.md', '## Testing\n\nNever skip a test.\n\n## Style\n\nShort.');
    const { entries } = await planImport([folder]);
    expect(noteCandidates(entries)).toEqual([expect.stringMatching(/^1 of the rules .* confirm .*: testing$/)]);
  });

  it('rejects a missing path by name', async () => {
    await expect(planImport([join(folder, 'missing')])).rejects.toThrow('missing');
  });
});

describe('import and export', () => {
  const doneCounts: number[] = [];
  const depsOf = (catalog: ReturnType<typeof createAsk>) => ({
    ask: catalog.ask,
    sync: noSync,
    clock,
    progress: (done: number) => void doneCounts.push(done),
  });

  it('[IN55] promises in a dry run what the import does, and stores nothing', async () => {
    write('AGENTS.md', '## A\n\n1\n\n## B\n\n2');
    const catalog = createAsk([{ id: 'b', body: 'other' }]);
    const options = { paths: [folder], mode: 'skip' } as const;
    const promised = await importFiles(depsOf(catalog), { ...options, dryRun: true });
    expect(promised).toMatchObject({ dryRun: true, found: 2, imported: 1, kept: 1, ids: ['a', 'b'] });
    expect([...catalog.entries.keys()]).toEqual(['b']);
    expect(await importFiles(depsOf(catalog), { ...options, dryRun: false })).toEqual({ ...promised, dryRun: false });
  });

  it('imports in chunks with progress and keeps existing entries the second time', async () => {
    const entries = Array.from({ length: 450 }, (_, i) => ({ id: `e-${i}`, body: 'x' }));
    write('backup.json', JSON.stringify({ entries }));
    const catalog = createAsk();
    const options = { paths: [join(folder, 'backup.json')], mode: 'skip', dryRun: false } as const;
    expect(await importFiles(depsOf(catalog), options)).toMatchObject({ imported: 450, kept: 0, errors: [] });
    expect(catalog.asked).toHaveLength(3);
    expect(doneCounts.at(-1)).toBe(450);
    expect(await importFiles(depsOf(catalog), options)).toMatchObject({ imported: 0, kept: 450 });
  });

  it.each(['out', 'out.json'])('[IN44] imports an export to %s unchanged', async (name) => {
    const catalog = createAsk(starterCatalog, 3);
    const to = join(folder, name);
    const report = await exportCatalog(depsOf(catalog), { to });
    expect(report).toMatchObject({ count: starterCatalog.length });
    const other = createAsk();
    await importFiles(depsOf(other), { paths: [to], mode: 'skip', dryRun: false });
    expect([...other.entries.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      [...catalog.entries.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  it('overwrites existing files only with force and leaves no temporary files', async () => {
    write('page.md', 'mine');
    const deps = depsOf(createAsk(starterCatalog));
    await expect(exportCatalog(deps, { to: join(folder, 'page.md') })).rejects.toThrow('already exists');
    await expect(exportCatalog(deps, { to: folder })).rejects.toThrow('already exists');
    expect(readFileSync(join(folder, 'page.md'), 'utf8')).toBe('mine');
    await exportCatalog(deps, { to: join(folder, 'page.md'), force: true });
    expect(readFileSync(join(folder, 'page.md'), 'utf8')).toContain('## Keep secrets out of text');
    expect(readdirSync(folder)).toEqual(['page.md']);
  });

  it('reads a catalog that changes between two pages again, a limited number of times', async () => {
    const catalog = createAsk(starterCatalog, 4);
    let count = 0;
    const restless: typeof catalog.ask = async (tool, args) => {
      const answer = await catalog.ask(tool, args);
      count += 1;
      return count <= 3 ? { ...answer, hash: `moved-${count}` } : answer;
    };
    await exportCatalog({ ...depsOf(catalog), ask: restless }, { to: join(folder, 'a.json') });
    const never: typeof catalog.ask = async (tool, args) => ({
      ...(await catalog.ask(tool, args)),
      hash: `${Math.random()}`,
    });
    await expect(exportCatalog({ ...depsOf(catalog), ask: never }, { to: join(folder, 'b.json') })).rejects.toThrow(
      'changing',
    );
  });

  it('seeds missing entries and keeps changed ones', async () => {
    const [first] = starterCatalog;
    const catalog = createAsk([{ ...first!, body: 'Ours.' }]);
    expect(await seedCatalog(depsOf(catalog))).toMatchObject({ added: starterCatalog.length - 1, kept: 1, errors: [] });
    expect(catalog.entries.get(first!.id)?.body).toBe('Ours.');
  });

  it.each([
    ['empty', 0],
    ['seed', starterCatalog.length],
  ] as const)('resets to %s after a backup of every file', async (mode, left) => {
    write('instructions/gates.json', '{"gates":[]}');
    write('instructions/broken.json', '{');
    const catalog = createAsk(Array.from({ length: 250 }, (_, i) => ({ id: `e-${i}`, body: 'x' })));
    const report = await resetCatalog(
      { ...depsOf(catalog), backupsFolder: join(folder, 'backups'), instructionsFolder: join(folder, 'instructions') },
      { mode },
    );
    expect(report.removed).toBe(250);
    expect(catalog.entries.size).toBe(left);
    expect(readdirSync(join(report.backup, 'files')).toSorted()).toEqual(['broken.json', 'gates.json']);
    const again = createAsk();
    await importFiles(depsOf(again), { paths: [join(report.backup, 'catalog.json')], mode: 'skip', dryRun: false });
    expect(again.entries.size).toBe(250);
  });

  it('removes nothing when the backup fails', async () => {
    write('backups', 'a file where the folder should be');
    const catalog = createAsk([{ id: 'a', body: 'x' }]);
    const deps = { ...depsOf(catalog), backupsFolder: join(folder, 'backups') };
    await expect(resetCatalog(deps, { mode: 'empty' })).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(catalog.entries.size).toBe(1);
  });
});
