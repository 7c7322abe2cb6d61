import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actionForms, type CatalogProgram, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { catalogHashOf, type Entry, entryFiles, entryIds, entryInput, hexHash, sha256 } from './entries.fixture.ts';

interface Listed {
  readonly hash: string;
  readonly count: number;
  readonly items: readonly Entry[];
}

const traversals = [
  ...['../escape', '..', '.', '/etc/passwd', 'a/b', 'a\\b', '..\\escape', '%2e%2e%2fescape', 'a\u0000b', 'a.json'],
  ...['.hidden', 'UPPER', 'con:', '-dash', 'dash-', '_under', 'a b', 'ä', 'x'.repeat(121), '~', 'C:', 'file:a', ''],
];

describe.each(actionForms)('catalog writes, by %s', (form) => {
  let program: CatalogProgram;
  const ask = <T>(action: string, args: Readonly<Record<string, unknown>> = {}): Promise<T> =>
    program.value<T>(form, `instructions/${action}`, args);
  const ids = async (): Promise<readonly string[]> => (await ask<Listed>('list')).items.map(({ id }) => id);
  const find = async (id: string): Promise<Entry> => (await ask<{ item: Entry }>('get', { id })).item;
  const filesOf = (): readonly string[] =>
    readdirSync(program.entries)
      .filter((name) => name.endsWith('.json'))
      .toSorted();

  beforeAll(async () => {
    program = await openCatalog(mutationOn, entryFiles);
  });
  afterAll(() => program?.close());
  beforeEach(() => program.replaceFiles(entryFiles));

  it('add answers after the entry is on disk and read back', async () => {
    const answer = await ask<{ hash: string; governanceHash: string }>('add', { entry: entryInput('delta') });
    expect(answer).toMatchObject({
      id: 'delta',
      created: true,
      overwritten: false,
      skipped: false,
      verified: true,
      sourceHash: sha256('Body of delta.'),
      governanceHash: expect.stringMatching(hexHash),
    });
    const stored = JSON.parse(readFileSync(join(program.entries, 'delta.json'), 'utf8')) as Entry;
    expect(stored).toMatchObject({ id: 'delta', body: 'Body of delta.', governanceHash: answer.governanceHash });
    const { hash, items } = await ask<Listed>('list');
    expect(hash).toBe(answer.hash);
    expect(hash).toBe(catalogHashOf(items));
  });

  it('add stores the canonical body', async () => {
    await ask('add', { entry: entryInput('spaced', { body: '\r\n  one  \r\ntwo\t\u2028three\n\n' }) });
    const { body, sourceHash } = await find('spaced');
    expect(body).toBe('  one\ntwo\nthree');
    expect(sourceHash).toBe(sha256(body));
  });

  it('add skips an existing id, and overwrites it on request', async () => {
    expect(await ask('add', { entry: entryInput('alpha', { owner: 'x' }) })).toMatchObject({
      id: 'alpha',
      created: false,
      skipped: true,
      overwritten: false,
    });
    expect((await find('alpha')).title).toBe('Alpha rule');
    const over = await ask('add', { entry: entryInput('alpha', { body: 'New.' }), overwrite: true });
    expect(over).toMatchObject({ id: 'alpha', overwritten: true, skipped: false, verified: true });
    expect((await find('alpha')).body).toBe('New.');
  });

  it('lax fills missing fields; otherwise they are required', async () => {
    const bare = { id: 'bare', body: 'First line.\nSecond.' };
    expect(await ask('add', { entry: bare })).toMatchObject({ created: false, error: expect.any(String) });
    expect(await ask('add', { entry: bare, lax: true })).toMatchObject({ id: 'bare', created: true, verified: true });
    expect(await find('bare')).toMatchObject({
      version: '1.0.0',
      status: 'approved',
      owner: 'unowned',
      classification: 'internal',
      audience: 'all',
      semanticSummary: 'First line.',
      changeLog: [{ version: '1.0.0' }],
    });
  });

  it('accepts a flat call, with a hint', async () => {
    const answer = await ask<{ id: string; created: boolean }>('add', { ...entryInput('flat'), lax: true });
    expect(answer).toMatchObject({ id: 'flat', created: true });
    expect(JSON.stringify(answer)).toContain('entry');
  });

  it.each([
    ['missing entry', { lax: true }],
    ['missing id', { entry: { body: 'x' }, lax: true }],
    ['missing body', { entry: { id: 'no-body' }, lax: true }],
  ])('add answers %s as a result with the schema', async (error, args) => {
    const answer = await ask<object>('add', args);
    expect(answer).toMatchObject({ created: false, error, feedbackHint: expect.any(String) });
    expect(answer).toHaveProperty('reproEntry');
    expect(JSON.stringify(answer)).toContain('"properties"');
  });

  it.each([
    ['mandatory/critical require owner', { requirement: 'mandatory' }],
    ['owner', { priority: 1 }],
    ['category', { requirement: 'critical', owner: 'me', categories: [] }],
    ['deprecatedBy', { requirement: 'deprecated' }],
    ['unknown', { colour: 'red' }],
    ['title', { title: 'x'.repeat(201) }],
    ['priority', { priority: 101 }],
    ['categories', { categories: Array.from({ length: 26 }, (_, i) => `c${i}`) }],
  ])('add rejects a violation (%s) and returns the input', async (words, more) => {
    const answer = await ask<{ error: string; reproEntry: { id: string } }>('add', {
      entry: entryInput('ruled', more),
    });
    expect(answer).toMatchObject({ created: false, feedbackHint: expect.any(String), reproEntry: { id: 'ruled' } });
    expect(answer.error).toContain(words);
    expect(filesOf()).toEqual(entryIds.map((id) => `${id}.json`));
  });

  it('rejects a body over the limit with -32001 and writes nothing', async () => {
    const refused = await program.error(form, 'instructions/add', {
      entry: entryInput('ruled', { body: 'x'.repeat(50_001) }),
    });
    expect(refused.code).toBe(-32001);
    expect(filesOf()).toEqual(entryIds.map((id) => `${id}.json`));
  });

  it('no id can name a path', async () => {
    for (const id of traversals) {
      const one = await program.call(form, 'instructions/add', { entry: entryInput('x', { id }), lax: true });
      expect(one.error !== undefined || one.value?.['created'] === false, JSON.stringify(id)).toBe(true);
      const many = await program.call(form, 'instructions/import', {
        entries: [entryInput('x', { id })],
        mode: 'overwrite',
        validate: false,
      });
      // A dot or a capital of another catalog's id becomes part of a plain id; it names no path.
      const { mapped } = (many.value ?? {}) as { mapped?: readonly { field: string; to?: unknown }[] };
      const plain = mapped?.find(({ field }) => field === 'id')?.to;
      expect(
        many.error !== undefined || many.value?.['imported'] === 0 || /^[a-z0-9_-]+$/.test(String(plain)),
        JSON.stringify(id),
      ).toBe(true);
      if (typeof plain === 'string') await ask('remove', { ids: [plain] });
    }
    expect(filesOf()).toEqual(entryIds.map((id) => `${id}.json`));
    expect(readdirSync(join(program.entries, '..')).toSorted()).toEqual(['home', 'instructions']);
  });

  it('rejects a cycle of supersedes or dependencies', async () => {
    await ask('add', { entry: entryInput('one') });
    await ask('add', { entry: entryInput('two', { supersedes: 'one', dependencies: ['one'] }) });
    for (const more of [{ supersedes: 'two' }, { dependencies: ['two'] }]) {
      const { value, error } = await program.call(form, 'instructions/add', {
        entry: entryInput('one', more),
        overwrite: true,
      });
      expect(error?.code === -32002 || value?.['created'] === false).toBe(true);
      expect(error?.message ?? String(value?.['error'])).toContain('cycle');
    }
  });

  it('import skips, overwrites and merges, and reports each failure by its index', async () => {
    const entries = [
      entryInput('delta'),
      entryInput('alpha', { body: 'Imported.', owner: 'me' }),
      { id: 'Bad Id', body: 'x' },
    ];
    const skipped = await ask('import', { entries, mode: 'skip' });
    expect(skipped).toMatchObject({
      hash: expect.stringMatching(hexHash),
      imported: 1,
      skipped: 1,
      overwritten: 0,
      total: 3,
      errors: [{ index: 2, id: 'Bad Id', error: expect.any(String), code: expect.any(String) }],
      processingTimeMs: expect.any(Number),
    });
    expect(await ask('import', { entries: entries.slice(0, 2), mode: 'overwrite' })).toMatchObject({
      overwritten: 2,
      errors: [],
    });
    expect((await find('alpha')).body).toBe('Imported.');
    const merged = { entries: [{ id: 'beta', body: 'Merged.' }], mode: 'merge' };
    expect(await ask('import', merged)).toMatchObject({ total: 1, errors: [] });
    expect(await find('beta')).toMatchObject({
      body: 'Merged.',
      title: 'Beta rule',
      categories: ['git'],
      userId: 'ada',
    });
  });

  it('import fills missing fields like lax, and reports a duplicate id', async () => {
    const entries = [
      { id: 'bare', body: 'x' },
      { id: 'bare', body: 'y' },
    ];
    const answer = await ask<{ imported: number; errors: { index: number; id: string }[] }>('import', {
      entries,
      mode: 'skip',
      batchSize: 1,
    });
    expect(answer.imported).toBe(1);
    expect((await find('bare')).body).toBe('x');
  });

  it('remove reports removed and missing ids, and restore brings them back', async () => {
    const before = await find('alpha');
    expect(await ask('remove', { ids: ['alpha', 'unknown'] })).toMatchObject({
      removed: 1,
      removedIds: ['alpha'],
      missing: ['unknown'],
      errorCount: 0,
      errors: [],
    });
    expect(filesOf()).toEqual(['beta.json', 'gamma.json']);
    expect(JSON.stringify(await ask('listArchived'))).toContain('"alpha"');
    expect(await ask('restore', { ids: ['alpha', 'unknown'] })).toMatchObject({
      restored: 1,
      restoredIds: ['alpha'],
      missing: ['unknown'],
    });
    expect(await find('alpha')).toMatchObject({ body: before.body, version: before.version, owner: before.owner });
  });

  it('remove needs confirm for more than ten', async () => {
    const entries = Array.from({ length: 11 }, (_, i) => entryInput(`many-${i}`));
    await ask('import', { entries, mode: 'skip' });
    const many = entries.map(({ id }) => id);
    const refused = await program.error(form, 'instructions/remove', { ids: many });
    expect(refused.code).toBe(-32002);
    expect(refused.data).toMatchObject({ name: 'VALIDATION_ERROR', suggestion: expect.any(String) });
    expect((await ids()).length).toBe(14);
    expect(await ask('remove', { ids: many, confirm: true })).toMatchObject({ removed: 11 });
  });

  it('cascade also removes dependents', async () => {
    await ask('add', { entry: entryInput('needs-beta', { dependencies: ['beta'] }) });
    await ask('add', { entry: entryInput('needs-more', { dependencies: ['needs-beta'] }) });
    const answer = await ask<{ cascadeRemovals: string[] }>('remove', { ids: ['beta'], cascade: true });
    expect(answer.cascadeRemovals.toSorted()).toEqual(['needs-beta', 'needs-more']);
    expect(await ids()).toEqual(['alpha', 'gamma']);
  });

  it('reload returns hash and count', async () => {
    const { hash } = await ask<Listed>('list');
    expect(await ask('reload')).toEqual({ reloaded: true, hash, count: 3 });
  });

  it('groom reports what it would do, then does it', async () => {
    program.writeFile(
      'twin.json',
      entryInput('twin', { body: 'Name branches after the ticket.', priority: 7, owner: 'me', userId: 'ada' }),
    );
    program.writeFile('loud.json', entryInput('loud', { categories: ['Loud', 'loud', 'scope:team:t9'] }));
    await ask('reload');
    const dry = await ask<{ notes: string[] }>('groom', { mode: { dryRun: true, mergeDuplicates: true } });
    expect(dry).toMatchObject({ dryRun: true, filesRewritten: 0, duplicatesMerged: 1, scanned: 5 });
    expect(dry.notes.join(' ')).toMatch(/would-rewrite:\d+/);
    const wet = await ask<Record<string, unknown>>('groom', {
      mode: { mergeDuplicates: true, removeDeprecated: true, purgeLegacyScopes: true },
    });
    const counts = [
      ...['previousHash', 'hash', 'scanned', 'repairedHashes', 'normalizedCategories', 'deprecatedRemoved'],
      ...['duplicatesMerged', 'usagePruned', 'filesRewritten', 'purgedScopes', 'dryRun', 'notes', 'performanceMs'],
    ];
    for (const count of counts) expect(wet, count).toHaveProperty(count);
    expect(wet).toMatchObject({ dryRun: false, duplicatesMerged: 1, deprecatedRemoved: 1 });
    expect(await ids()).not.toContain('twin');
    expect((await find('beta')).priority).toBe(7);
    expect((await find('loud')).categories).toEqual(['loud']);
  });

  it('repair answers like diff with known, and corrects stored hashes without', async () => {
    const { hash, items } = await ask<Listed>('list');
    expect(await ask('repair', { clientHash: hash })).toEqual({ upToDate: true, hash, schemaVersion: '2' });
    const known = items.map(({ id, sourceHash }) => ({ id, sourceHash }));
    expect(await ask('repair', { known })).toMatchObject({ added: [], updated: [], removed: [] });
    program.writeFile('beta.json', { ...items[1], sourceHash: sha256('wrong') });
    await ask('reload');
    expect(await ask('repair')).toMatchObject({ repaired: 1, updated: ['beta'] });
    expect(await program.value('plain method', 'integrity/verify')).toMatchObject({ issueCount: 0 });
  });

  it('enrich writes missing governance fields once', async () => {
    const first = await ask<{ enriched: number; rewritten: number; updated: string[]; skipped: unknown }>('enrich');
    expect(first).toMatchObject({ updated: [...entryIds] });
    expect(first).toHaveProperty('skipped');
    expect(JSON.parse(readFileSync(join(program.entries, 'beta.json'), 'utf8'))).toMatchObject({
      version: '1.0.0',
      governanceHash: expect.stringMatching(hexHash),
    });
    expect(await ask('enrich')).toMatchObject({ updated: [] });
  });

  it('batch keeps the order and continues after a failure', async () => {
    const operations = [
      { action: 'get', id: 'alpha' },
      { action: 'list' },
      { action: 'nonsense' },
      { action: 'get' },
      { action: 'add', entry: { id: 'temp', body: 'x' }, lax: true },
    ];
    const { results } = await ask<{ results: Readonly<Record<string, unknown>>[] }>('batch', { operations });
    expect(results).toHaveLength(5);
    expect(results[0]).toMatchObject({ item: { id: 'alpha' } });
    expect(results[1]).toMatchObject({ count: 3 });
    expect(results[2]).toMatchObject({ error: { code: -32601, data: { action: 'nonsense' } } });
    expect(results[3]).toMatchObject({ error: { code: -32602 } });
    expect(results[4]).toMatchObject({ id: 'temp', created: true });
  });
});
