import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCall, createMemoryCatalog } from '../catalog/memory-catalog.fixture.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { openWrites } from '../writes/writes.fixture.ts';
import { importFiles } from './import-files.ts';
import { toRuleSync } from './read-sources.ts';
import { syncFiles } from './sync-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fourfold-sync-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** A catalog with the commands of a lead. */
function openLead() {
  const box = openWrites(createMemoryCatalog());
  const call = createCall();
  const deps = {
    ask: (tool: string, args: unknown) => box.call(tool.replace('instructions/', ''), args),
    progress() {},
    sync: toRuleSync(box.writes, call),
  };
  const entries = async (): Promise<readonly InstructionEntry[]> => (await box.catalog.state(call)).entries;
  return {
    ...box,
    entries,
    add(entry: object) {
      box.clock.advance(1_000);
      return box.add(entry, { overwrite: true });
    },
    entry: async (id: string) => (await entries()).find((one) => one.id === id),
    govern: (id: string, patch: object) => box.call('governanceUpdate', { id, patch }),
    import(paths: readonly string[] = ['.'], more: object = {}) {
      box.clock.advance(1_000);
      return importFiles(deps, {
        paths: paths.map((path) => join(folder, path)),
        mode: 'skip',
        dryRun: false,
        ...more,
      });
    },
    sync: (paths: readonly string[] = ['.'], more: object = {}) =>
      syncFiles(deps, { paths: paths.map((path) => join(folder, path)), removed: false, dryRun: false, ...more }),
    texts: async () => (await entries()).map(({ title, body }) => `${title}: ${body}`).sort(),
  };
}

const testing = '## Testing\n\nRun all tests before you push.\n';
const commits = '## Commits\n\nKeep commits small and explain them.\n';
const naming = '## Naming\n\nUse kebab-case for file names.\n';
const doc = (...sections: readonly string[]): string => ['# Rules\n', ...sections].join('\n');

describe('[IN55] sync', () => {
  it('changes, renames, adds and archives what changed in the file, and keeps what the lead set', async () => {
    const lead = openLead();
    write('AGENTS.md', doc(testing, commits, naming));
    await lead.import();
    for (const { id } of await lead.entries()) await lead.govern(id, { owner: 'ann', priority: 30 });
    await lead.add({ ...(await lead.entry('commits')), tags: ['git'], appliesTo: { tasks: ['commit'] } });
    write(
      'AGENTS.md',
      doc(
        testing.replace('before you push', 'before you commit'),
        commits.replace('## Commits', '## Small commits'),
        '## Reviews\n\nEvery change has a reviewer.\n',
      ),
    );
    const promised = await lead.sync(['.'], { dryRun: true });
    expect(await lead.texts()).toContain('Naming: Use kebab-case for file names.');
    const report = await lead.sync();
    expect(report).toEqual({ ...promised, dryRun: false });
    expect(report).toMatchObject({ added: 1, updated: 1, renamed: 1, archived: 1, conflicts: 0, unchanged: 0 });
    expect(report.sections).toEqual([
      { action: 'update', id: 'testing', title: 'Testing', source: 'AGENTS.md', fields: ['body'] },
      {
        action: 'rename',
        id: 'commits',
        title: 'Small commits',
        source: 'AGENTS.md',
        fields: ['title'],
        renamedFrom: 'Commits',
      },
      { action: 'add', id: 'reviews', title: 'Reviews', source: 'AGENTS.md' },
      { action: 'archive', id: 'naming', title: 'Naming', source: 'AGENTS.md' },
    ]);
    expect(await lead.entry('testing')).toMatchObject({
      body: 'Run all tests before you commit.',
      owner: 'ann',
      version: '1.0.1',
      semanticSummary: 'Run all tests before you commit.',
    });
    expect((await lead.entry('testing'))?.changeLog.at(-1)?.summary).toBe('synced from AGENTS.md');
    expect(await lead.entry('commits')).toMatchObject({
      title: 'Small commits',
      owner: 'ann',
      tags: ['git'],
      appliesTo: { tasks: ['commit'] },
    });
    expect(await lead.call('restore', { ids: ['naming'] })).toMatchObject({ restored: 1 });
    expect(await lead.sync()).toMatchObject({ archived: 1, unchanged: 3 });
  });

  it('writes nothing when nothing changed, also if only line ends or a byte order mark did', async () => {
    const lead = openLead();
    write('AGENTS.md', doc(testing, commits));
    write('.cursor/rules/ts.mdc', '---\ndescription: d\nglobs: *.ts\n---\nNo any.\n');
    await lead.import();
    const before = lead.catalog.commits.length;
    write('AGENTS.md', `\uFEFF${doc(testing, commits).replaceAll('\n', '\r\n')}\r\n`);
    write('.cursor/rules/ts.mdc', '\uFEFF---\r\ndescription: d\r\nglobs: *.ts\r\n---\r\nNo any.\r\n');
    for (const paths of [['.'], ['AGENTS.md'], ['AGENTS.md', '.']]) {
      const shown = await lead.sync(paths);
      expect(shown).toMatchObject({ added: 0, updated: 0, renamed: 0, archived: 0, sections: [] });
    }
    expect(lead.catalog.commits).toHaveLength(before);
    expect(await lead.import()).toMatchObject({ differ: [], imported: 0, kept: 3 });
  });

  it('takes over globs and descriptions, unless the lead set them', async () => {
    const lead = openLead();
    for (const name of ['a', 'b']) write(`.cursor/rules/${name}.mdc`, `---\nglobs: *.ts\n---\nRule ${name}.\n`);
    await lead.import();
    await lead.add({ ...(await lead.entry('b')), appliesTo: { tasks: ['x'] } });
    for (const name of ['a', 'b'])
      write(`.cursor/rules/${name}.mdc`, '---\ndescription: new\nglobs: *.tsx\n---\nChanged.\n');
    expect(await lead.sync()).toMatchObject({ updated: 2 });
    expect(await lead.entry('a')).toMatchObject({
      appliesTo: { files: ['*.tsx'] },
      description: 'new',
      body: 'Changed.',
    });
    expect(await lead.entry('b')).toMatchObject({ appliesTo: { tasks: ['x'] }, description: 'new' });
    write('.cursor/rules/a.mdc', 'Changed.\n');
    await lead.sync();
    expect(await lead.entry('a')).not.toHaveProperty('appliesTo');
    expect(await lead.sync()).toMatchObject({ sections: [] });
  });

  it('keeps a confirmed rule mandatory, and marks a text that demands something now', async () => {
    const lead = openLead();
    write('AGENTS.md', doc(testing, '## Push\n\nNever force push to the main branch.\n'));
    await lead.import();
    await lead.govern('push', { requirement: 'mandatory', owner: 'ann' });
    write(
      'AGENTS.md',
      doc(testing.replace('Run', 'You must run'), '## Push\n\nNever force push to a shared branch.\n'),
    );
    const { warnings } = await lead.sync();
    expect(warnings).toEqual([expect.stringMatching(/^1 of the rules .*: testing$/)]);
    expect(await lead.entry('push')).toMatchObject({
      requirement: 'mandatory',
      body: expect.stringContaining('shared'),
    });
    expect(await lead.entry('testing')).toMatchObject({
      requirement: 'recommended',
      extensions: { candidate: 'mandatory' },
    });
  });

  it('leaves a rule alone if only the catalog changed', async () => {
    const lead = openLead();
    write('AGENTS.md', doc(testing, commits));
    await lead.import();
    await lead.add({ ...(await lead.entry('testing')), title: 'Tests', body: 'Ours.' });
    expect(await lead.sync()).toMatchObject({ unchanged: 2, sections: [] });
    expect(await lead.entry('testing')).toMatchObject({ title: 'Tests', body: 'Ours.' });
  });

  it('follows a section into another file of the project', async () => {
    const lead = openLead();
    write('AGENTS.md', doc(testing, commits));
    await lead.import();
    write('AGENTS.md', doc(commits));
    write('docs/AGENTS.md', doc(testing));
    expect(await lead.sync()).toMatchObject({ added: 0, updated: 1, archived: 0 });
    expect(await lead.entry('testing')).toMatchObject({
      appliesTo: { folders: ['docs'] },
      extensions: { source: { file: 'docs/AGENTS.md' } },
    });
  });

  it('reads a nested file as part of its project, whether the file or the project is named', async () => {
    const lead = openLead();
    mkdirSync(join(folder, '.git'));
    write('AGENTS.md', doc(testing, commits));
    write('api/AGENTS.md', doc(testing.replace('Run', 'Start'), naming));
    await lead.import();
    const before = lead.catalog.commits.length;
    for (const paths of [['api/AGENTS.md'], ['api'], ['AGENTS.md'], ['.']]) {
      expect(await lead.sync(paths)).toMatchObject({ sections: [], kept: [] });
    }
    expect(lead.catalog.commits).toHaveLength(before);
    expect(await lead.entry('naming')).toMatchObject({ appliesTo: { folders: ['api'] } });
  });

  it('keeps projects apart that have files of the same name', async () => {
    const lead = openLead();
    write('one/AGENTS.md', doc(testing));
    write('two/AGENTS.md', doc(testing.replace('Run', 'Never skip'), naming));
    await lead.import(['one']);
    await lead.import(['two']);
    expect((await lead.entries()).map(({ id }) => id)).toEqual(['naming', 'testing', 'testing-agents-md']);
    expect(await lead.sync(['one'])).toMatchObject({ unchanged: 1, sections: [] });
    await expect(lead.sync(['one/AGENTS.md'], { project: 'three' })).rejects.toThrow(/add --project (?:one|two)/);
    expect(await lead.sync(['one'], { project: 'two' })).toMatchObject({ added: 0 });
  });

  it('says which files differ when they are imported again, and adds no second entry for a renamed section', async () => {
    const lead = openLead();
    write('AGENTS.md', doc(testing, commits, naming));
    await lead.import();
    write('AGENTS.md', doc(testing.replace('## Testing', '## Tests'), commits.replace('small', 'tiny')));
    for (const dryRun of [true, false]) {
      const report = await lead.import(['.'], { dryRun });
      expect(report).toMatchObject({ imported: 0, kept: 2, differ: [{ file: 'AGENTS.md', sections: 3 }] });
      expect(report.warnings).toEqual([
        '3 sections of AGENTS.md differ from what was imported; run fourfold instructions sync AGENTS.md',
      ]);
    }
    expect(await lead.import(['.'], { mode: 'overwrite' })).toMatchObject({ overwritten: 2, imported: 0 });
    expect(await lead.entry('testing')).toMatchObject({ title: 'Tests' });
  });
});

describe('[IN55] sync of sources that look wrong', () => {
  it('refuses a missing or unknown file, and one that became a folder, unless its rules are to be archived', async () => {
    const lead = openLead();
    write('AGENTS.md', doc(testing));
    write('OTHER.md', doc(naming));
    await lead.import(['AGENTS.md']);
    await expect(lead.sync(['AGENT.md'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(lead.sync(['OTHER.md'])).rejects.toThrow(/nothing was imported from .*fourfold instructions import/);
    rmSync(join(folder, 'AGENTS.md'));
    await expect(lead.sync(['AGENTS.md'])).rejects.toThrow(/1 rule came; --removed/);
    mkdirSync(join(folder, 'AGENTS.md'));
    await expect(lead.sync(['AGENTS.md'])).rejects.toThrow(/1 rule came; --removed/);
    expect(await lead.sync(['.'])).toMatchObject({
      kept: [{ source: 'AGENTS.md', rules: 1 }],
      warnings: [expect.stringContaining('--removed')],
      archived: 0,
    });
    expect(await lead.entries()).toHaveLength(1);
    rmSync(join(folder, 'AGENTS.md'), { recursive: true });
    expect(await lead.sync(['AGENTS.md'], { removed: true })).toMatchObject({ archived: 1 });
    expect(await lead.entries()).toHaveLength(0);
  });

  it.each([
    ['has no text', ''],
    ['has other rules only', doc('## Billing\n\nInvoices are sent on Mondays by the office.\n')],
  ])('keeps the rules of a file that %s', async (_what, text) => {
    const lead = openLead();
    write('AGENTS.md', doc(testing, commits));
    await lead.import();
    write('AGENTS.md', text);
    expect(await lead.sync()).toMatchObject({ archived: 0, added: 0, kept: [{ source: 'AGENTS.md', rules: 2 }] });
    expect(await lead.sync(['.'], { removed: true })).toMatchObject({ archived: 2, kept: [] });
  });

  it.each([
    ['is not UTF-8', () => write('docs/AGENTS.md', Uint8Array.from([0x23, 0xff, 0xfe]))],
    [
      'became a link',
      () => {
        rmSync(join(folder, 'docs/AGENTS.md'));
        symlinkSync(join(folder, 'AGENTS.md'), join(folder, 'docs/AGENTS.md'));
      },
    ],
    ['is too large', () => write('docs/AGENTS.md', 'x'.repeat(4 * 1024 * 1024 + 1))],
  ])('never archives the rules of a file that %s', async (_what, damage) => {
    const lead = openLead();
    write('AGENTS.md', doc(testing));
    write('docs/AGENTS.md', doc(commits));
    await lead.import();
    damage();
    const report = await lead.sync(['.'], { removed: true });
    expect(report).toMatchObject({ archived: 0, unchanged: 1, skipped: [{ source: 'docs/AGENTS.md' }] });
    expect(await lead.entries()).toHaveLength(2);
  });

  it('follows references inside the project only, and notices a file that is no longer referred to', async () => {
    const lead = openLead();
    const secret = mkdtempSync(join(tmpdir(), 'fourfold-secret-'));
    writeFileSync(join(secret, 'x.md'), '## Secret\n\nSECRET\n');
    write('CLAUDE.md', doc(testing, '## More\n\nSee @docs/git.md for commits.\n'));
    write('docs/git.md', doc(commits, '## Loop\n\nBack to @../CLAUDE.md and @git.md here.\n'));
    await lead.import(['CLAUDE.md']);
    symlinkSync(join(secret, 'x.md'), join(folder, 'link.md'));
    write('CLAUDE.md', doc(testing, '## More\n\nSee @../../etc/passwd and @link.md now.\n'));
    const report = await lead.sync(['CLAUDE.md']);
    rmSync(secret, { recursive: true });
    expect(report).toMatchObject({ updated: 1, archived: 0, kept: [{ source: 'docs/git.md', rules: 2 }] });
    expect(report.skipped.map(({ reason }) => reason)).toEqual([
      '@../../etc/passwd is outside the imported folder',
      '@link.md is a link out of the imported folder',
    ]);
    expect(JSON.stringify(await lead.entries())).not.toContain('SECRET');
    expect(await lead.sync(['CLAUDE.md'], { removed: true })).toMatchObject({ archived: 2 });
  });

  it('plans again when another writer was faster, and writes nothing twice', async () => {
    const lead = openLead();
    write('AGENTS.md', doc(testing, commits));
    await lead.import();
    write('AGENTS.md', doc(testing.replace('all', 'the'), commits.replace('small', 'tiny'), naming));
    const entry = await lead.entry('commits');
    lead.catalog.beforeCommit = () => lead.catalog.put({ ...entry!, owner: 'eve', version: '1.0.7' });
    expect(await lead.sync()).toMatchObject({ updated: 2, added: 1, errors: [] });
    expect(await lead.entry('commits')).toMatchObject({ owner: 'eve', version: '1.0.8' });
    expect(await lead.sync()).toMatchObject({ sections: [] });
  });

  it('syncs ten thousand sections', { timeout: 60_000 }, async () => {
    const lead = openLead();
    const sections = (word: string) =>
      Array.from({ length: 10_000 }, (_, i) => `## Rule ${i}\n\nText ${i} ${i % 2 === 0 ? word : 'stays'}.\n`);
    write('AGENTS.md', doc(...sections('old')));
    expect(await lead.import()).toMatchObject({ imported: 10_000, errors: [] });
    write('AGENTS.md', doc(...sections('new')));
    expect(await lead.sync()).toMatchObject({ updated: 5_000, unchanged: 5_000, errors: [] });
  });
});

const word = fc.constantFrom(
  'tests',
  'commit',
  'review',
  'names',
  'errors',
  'docs',
  'logs',
  'types',
  'release',
  'must',
);
const section = fc.record({
  title: fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
  body: fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' ')),
});
const document = fc.array(section, { minLength: 2, maxLength: 8 });
const edit = fc.record({
  kind: fc.constantFrom('text', 'heading', 'both', 'remove', 'add', 'swap'),
  at: fc.nat(20),
  section,
});
type Sections = readonly { readonly title: string; readonly body: string }[];

function applyEdit(
  sections: Sections,
  { kind, at, section: given }: { kind: string; at: number; section: Sections[0] },
): Sections {
  const i = at % Math.max(1, sections.length);
  const now = sections[i];
  if (kind === 'add' || now === undefined) return [...sections.slice(0, i), given, ...sections.slice(i)];
  if (kind === 'remove') return sections.filter((_, n) => n !== i);
  if (kind === 'swap') return [...sections.slice(i), ...sections.slice(0, i)];
  const changed = {
    title: kind === 'text' ? now.title : given.title,
    body: kind === 'heading' ? now.body : given.body,
  };
  return sections.map((one, n) => (n === i ? changed : one));
}

const render = (sections: Sections): string =>
  doc(...sections.map(({ title, body }) => `## ${title}\n\n${body}\n`), '## End\n\nThe end of the file.\n');

describe('[IN55] sync and import', () => {
  it('after any edits, a sync gives the texts of a fresh import, and a second sync writes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(document, fc.array(edit, { maxLength: 6 }), async (before, edits) => {
        const lead = openLead();
        write('AGENTS.md', render(before));
        await lead.import();
        for (const { id } of await lead.entries()) await lead.govern(id, { owner: `owner of ${id}` });
        write('AGENTS.md', render(edits.reduce(applyEdit, before as Sections)));
        const promised = await lead.sync(['.'], { dryRun: true });
        expect(await lead.sync()).toEqual({ ...promised, dryRun: false });
        const fresh = openLead();
        await fresh.import();
        expect(await lead.texts()).toEqual(await fresh.texts());
        const added = new Set(promised.sections.filter(({ action }) => action === 'add').map(({ id }) => id));
        for (const { id, owner } of await lead.entries())
          expect(owner).toBe(added.has(id) ? 'unowned' : `owner of ${id}`);
        expect((await lead.sync()).sections).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
