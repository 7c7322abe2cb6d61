import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commitAll, type Git, gitIn, makeHostile } from '#domains/instructions/catalog/files/git-repository.fixture.ts';
import { makeFolder } from '#tests/support/program.ts';
import { type Json, mutationOn } from './catalog-program.fixture.ts';
import { openOn } from './engines.fixture.ts';
import { entryInput } from './entries.fixture.ts';

interface History {
  readonly count: number;
  readonly versions: readonly Json[];
}

const soon = { timeout: 60_000 } as const;

async function openFolder() {
  const program = await openOn('files', mutationOn, {});
  onTestFinished(() => program.close());
  const ask = <T = Json>(action: string, args: Json) => program.value<T>('tools/call', `instructions/${action}`, args);
  return {
    ...program,
    ask,
    fail: (action: string, args: Json) => program.error('tools/call', `instructions/${action}`, args),
    versionsOf: async (id: string) => (await ask<History>('history', { id })).versions,
    bodyOf: async (id: string) => (await ask<{ item?: { body: string } }>('get', { id })).item?.body,
    put: (id: string, body: string) => program.writeFile(`${id}.json`, entryInput(id, { body })),
  };
}

type Folder = Awaited<ReturnType<typeof openFolder>>;

async function knows(folder: Folder, id: string, count: number): Promise<void> {
  await expect.poll(async () => (await folder.versionsOf(id)).length, soon).toBe(count);
}

it('[IN48] a version that is exactly as committed names the git author', async () => {
  const folder = await openFolder();
  // Committed from another folder, so that the program never sees a file before its commit.
  const { folder: elsewhere, remove } = makeFolder();
  onTestFinished(remove);
  const commit = (git: Git, body: string) => {
    writeFileSync(join(elsewhere, 'committed.json'), JSON.stringify(entryInput('committed', { body }), null, 2));
    git([`--git-dir=${join(folder.entries, '.git')}`, `--work-tree=${elsewhere}`, 'add', '.']);
    git(['commit', '--quiet', '--message', 'a change']);
    folder.put('committed', body);
  };
  const git = gitIn(folder.entries);
  git(['init', '--quiet']);
  commit(git, 'one');
  await expect
    .poll(() => folder.versionsOf('committed'), soon)
    .toMatchObject([{ what: 'create', by: 'file', gitAuthor: 'Ada Lovelace <ada@example.org>' }]);
  // A version that is not committed has no git author, and an author found later belongs to its own version.
  folder.put('committed', 'two, not committed');
  await knows(folder, 'committed', 2);
  commit(gitIn(folder.entries, 'Grace', 'grace@example.org'), 'three');
  await knows(folder, 'committed', 3);
  await expect
    .poll(async () => (await folder.versionsOf('committed'))[0], soon)
    .toHaveProperty('gitAuthor', 'Grace <grace@example.org>');
  const [, uncommitted] = await folder.versionsOf('committed');
  expect(uncommitted).not.toHaveProperty('gitAuthor');
  // Changes by tools are signed by their caller.
  await folder.ask('add', { entry: { id: 'committed', body: 'four' }, overwrite: true });
  const [byTool] = await folder.versionsOf('committed');
  expect(byTool).toMatchObject({ by: 'local' });
  expect(byTool).not.toHaveProperty('gitAuthor');
});

it('[IN48] reading the git author runs no program that the repository names', async () => {
  const folder = await openFolder();
  const git = gitIn(folder.entries);
  git(['init', '--quiet']);
  folder.put('first', 'one');
  commitAll(git);
  const { folder: tools, remove } = makeFolder();
  onTestFinished(remove);
  const hostile = makeHostile(git, folder.entries, tools);
  await expect.poll(async () => (await folder.versionsOf('first'))[0], soon).toHaveProperty('gitAuthor');
  expect(hostile.wasRun()).toBe(false);
  // Negative control: git itself runs them.
  expect(hostile.runs(['log', '-1'])).toBe(true);
});

it('[IN48] a file that is renamed keeps its former id, and can be rolled back past the rename', async () => {
  const folder = await openFolder();
  folder.put('old-name', 'first');
  await knows(folder, 'old-name', 1);
  folder.put('old-name', 'second');
  await knows(folder, 'old-name', 2);
  rmSync(join(folder.entries, 'old-name.json'));
  folder.put('new-name', 'second');
  await knows(folder, 'new-name', 1);
  await knows(folder, 'old-name', 3);
  expect(await folder.versionsOf('new-name')).toMatchObject([{ what: 'create', renamedFrom: 'old-name' }]);
  expect((await folder.versionsOf('old-name'))[0]).toMatchObject({ what: 'delete', renamedTo: 'new-name' });

  // Each wrong way names the right one, and changes nothing.
  expect((await folder.fail('rollback', { id: 'old-name', to: 1 })).message).toContain(
    'roll that back instead, with id: "new-name", of: "old-name", to: 1',
  );
  expect((await folder.fail('rollback', { id: 'new-name', to: 2 })).message).toContain('pass of: "old-name"');
  expect((await folder.fail('rollback', { id: 'new-name', of: 'other', to: 1 })).message).toContain(
    'its former ids are old-name',
  );
  expect(readdirSync(folder.entries).filter((name) => name.endsWith('.json'))).toEqual(['new-name.json']);

  const past = { id: 'new-name', of: 'old-name', from: 1 };
  expect(await folder.ask('compare', past)).toMatchObject({
    of: 'old-name',
    changes: { id: { before: 'old-name', after: 'new-name' } },
    bodyDiff: expect.stringContaining('-first\n+second'),
  });
  expect((await folder.fail('compare', { ...past, of: 'other' })).message).toContain('its former ids are old-name');

  await folder.ask('rollback', { id: 'new-name', of: 'old-name', to: 1 });
  expect(await folder.bodyOf('new-name')).toBe('first');
  expect(await folder.bodyOf('old-name')).toBeUndefined();
  expect((await folder.versionsOf('new-name'))[0]).toMatchObject({
    number: 2,
    reason: 'rolled back to version 1 of old-name',
  });
});

it('[IN48] recognises a rename in two steps, and neither a copy nor a restored file as a rename', async () => {
  const folder = await openFolder();
  folder.put('kept', 'same body');
  folder.put('moved', 'body to move');
  await knows(folder, 'moved', 1);
  // After the first step the file is not an entry, because its id differs from its name.
  renameSync(join(folder.entries, 'moved.json'), join(folder.entries, 'arrived.json'));
  await knows(folder, 'moved', 2);
  folder.put('arrived', 'body to move');
  await knows(folder, 'arrived', 1);
  expect(await folder.versionsOf('arrived')).toMatchObject([{ renamedFrom: 'moved' }]);
  // Once a rename is known, a second file with that body is a copy.
  folder.put('copy', 'body to move');
  folder.put('kept-copy', 'same body');
  await knows(folder, 'copy', 1);
  await knows(folder, 'kept-copy', 1);
  rmSync(join(folder.entries, 'kept.json'));
  await knows(folder, 'kept', 2);
  folder.put('kept', 'same body');
  await knows(folder, 'kept', 3);
  for (const id of ['copy', 'kept-copy', 'kept']) {
    for (const version of await folder.versionsOf(id)) expect(version, id).not.toHaveProperty('renamedFrom');
  }
});
