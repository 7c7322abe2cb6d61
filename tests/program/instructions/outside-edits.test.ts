import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CatalogProgram, type Json, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { entryFiles, entryIds, entryInput, sha256 } from './entries.fixture.ts';

interface Listed {
  readonly hash: string;
  readonly items: readonly { readonly id: string; readonly sourceHash: string }[];
}

describe('files that an editor changed', () => {
  let program: CatalogProgram;
  const ask = <T = Json>(name: string, args: Json = {}): Promise<T> => program.value<T>('tools/call', name, args);

  beforeEach(async () => {
    program = await openCatalog(mutationOn, entryFiles);
  });
  afterEach(() => program.close());

  /** Changes the body in the stored document and leaves all other fields as they are. */
  function editBody(id: string, body: string): void {
    const stored = JSON.parse(readFileSync(join(program.entries, `${id}.json`), 'utf8')) as Json;
    program.writeFile(`${id}.json`, { ...stored, body });
  }

  it('get a new source hash, catalog hash and diff, and the integrity check reports the recorded hash', async () => {
    await ask('instructions/add', { entry: entryInput('edited', { body: 'Before.' }) });
    const before = await ask<Listed>('instructions/list');
    const known = before.items.map(({ id, sourceHash }) => ({ id, sourceHash }));
    mkdirSync(join(program.entries, 'snapshots'));
    program.writeFile('snapshots/canonical-instructions.json', { items: known });
    editBody('edited', 'After.');
    expect(await ask('instructions/get', { id: 'edited' })).toMatchObject({ item: { sourceHash: sha256('After.') } });
    const after = await ask<Listed>('instructions/list');
    expect(after.hash).not.toBe(before.hash);
    expect(await ask('instructions/diff', { clientHash: before.hash, known })).toMatchObject({
      added: [],
      updated: [{ id: 'edited', sourceHash: sha256('After.') }],
      removed: [],
    });
    const drift = [{ id: 'edited', change: 'hash-mismatch' }];
    expect(await ask('integrity/manifest')).toMatchObject({ drift: 1, details: drift });
    const issue = { id: 'edited', expected: sha256('Before.'), actual: sha256('After.') };
    expect(await ask('integrity/verify')).toMatchObject({ issues: [issue], issueCount: 1 });
    expect(await ask('instructions/inspect', { id: 'edited' })).toMatchObject({
      data: { validation: { valid: false, sourceHash: { expected: issue.expected, actual: issue.actual } } },
    });
    expect(await ask('instructions/repair')).toMatchObject({ repaired: 1, updated: ['edited'] });
    expect(await ask('integrity/verify')).toMatchObject({ issueCount: 0 });
    expect(await ask<Listed>('instructions/list')).toMatchObject({ hash: after.hash });
  });

  it('have a wrong recorded hash until a write corrects it, even a write that changes nothing else', async () => {
    const entry = entryInput('edited', { body: 'Before.' });
    await ask('instructions/add', { entry });
    editBody('edited', 'After.');
    await ask('instructions/enrich');
    expect(await ask('integrity/verify')).toMatchObject({ issueCount: 1 });
    const again = { entry: { ...entry, body: 'After.' }, overwrite: true };
    expect(await ask('instructions/add', again)).toMatchObject({ overwritten: true });
    expect(await ask('integrity/verify')).toMatchObject({ issueCount: 0 });
  });

  it('pass the integrity check with the plain SHA-256 of the body, and keep it', async () => {
    const body = 'Windows line ends.\r\nAnd a blank line.\r\n\r\n';
    program.writeFile('plain.json', entryInput('plain', { body, sourceHash: sha256(body) }));
    await ask('instructions/list', { expectId: 'plain' });
    expect(await ask('integrity/verify')).toMatchObject({ issues: [], issueCount: 0 });
    expect(await ask('instructions/repair')).toMatchObject({ repaired: 0 });
    program.writeFile('plain.json', entryInput('plain', { body, sourceHash: sha256(`${body}x`) }));
    await ask('instructions/get', { id: 'plain' });
    expect(await ask('integrity/verify')).toMatchObject({ issueCount: 1 });
  });

  it('never break an answer: oversized, empty and broken ones are left out and reported', async () => {
    program.writeFile('long-body.json', entryInput('long-body', { body: 'zebra '.repeat(10_000) }));
    program.writeFile('empty-body.json', entryInput('empty-body', { body: '' }));
    program.writeFile('broken.json', '{"id":"broken","bo');
    program.writeFile('huge.json', entryInput('huge', { body: 'x'.repeat(1_200_000) }));
    await ask('instructions/reload');
    const { items, hash } = await ask<Listed>('instructions/list');
    expect(items.map(({ id }) => id)).toEqual(entryIds);
    expect(await ask('instructions/diff', { clientHash: 'other' })).toMatchObject({ hash, changed: items });
    expect(await ask('instructions/export')).toMatchObject({ items });
    expect(await ask('instructions/search', { q: 'zebra' })).toMatchObject({ count: 0 });
    const names = ['broken.json', 'empty-body.json', 'huge.json', 'long-body.json'];
    expect(await ask('instructions/dir')).toMatchObject({ problems: names.map((file) => ({ file })) });
    expect(await ask('instructions/health')).toMatchObject({
      status: 'degraded',
      reasons: [expect.stringContaining('4 files are not served')],
    });
    expect(await ask('instructions/inspect')).toMatchObject({ data: { validation: { problemCount: 4 } } });
    expect(await ask('instructions/get', { id: 'long-body' })).toMatchObject({ notFound: true });
  });
});
