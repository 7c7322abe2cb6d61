import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogProgram, type Json, mutationOn } from './catalog-program.fixture.ts';
import { engines, openOn } from './engines.fixture.ts';

interface Version {
  readonly number: number;
  readonly what: string;
  readonly by?: string;
  readonly reason?: string;
  readonly version?: string;
}

interface History {
  readonly count: number;
  readonly versions: readonly Version[];
  readonly nextBefore?: number;
  readonly hint?: string;
}

describe.each(engines)('[IN48] history of instructions, with %s', (engine) => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openOn(engine, mutationOn, {});
  });
  afterAll(() => program?.close());

  const ask = <T = Json>(action: string, args: Json) => program.value<T>('tools/call', `instructions/${action}`, args);
  const write = (id: string, body: string, more: Json = {}) =>
    ask('add', { entry: { id, body, owner: 'platform', categories: ['git'], ...more }, overwrite: true, lax: true });
  const bodyOf = async (id: string) => (await ask<{ item?: { body: string } }>('get', { id })).item?.body;
  const numbersOf = ({ versions }: History) => versions.map(({ number, what }) => `${number} ${what}`);

  it('a rule is changed, the change is reviewed, and rolled back', async () => {
    await write('commit-style', 'Write in the imperative.\nKeep it short.');
    await write('commit-style', 'Write in the past tense.\nKeep it short.');
    const history = await ask<History>('history', { id: 'commit-style' });
    expect(history).toMatchObject({
      count: 2,
      versions: [
        { number: 2, what: 'update', by: 'local', reason: 'body changed', version: '1.0.1' },
        { number: 1, what: 'create', by: 'local', version: '1.0.0' },
      ],
    });
    expect(await ask('compare', { id: 'commit-style', from: 1 })).toMatchObject({
      changedFields: ['body', 'semanticSummary'],
      bodyDiff: '-Write in the imperative.\n+Write in the past tense.\n Keep it short.',
    });
    expect(await ask('rollback', { id: 'commit-style', to: 1, reason: 'reviewers disagree' })).toMatchObject({
      rolledBackTo: 1,
      version: '1.0.2',
    });
    expect(await bodyOf('commit-style')).toContain('imperative');
    expect(await ask<History>('history', { id: 'commit-style', limit: 1 })).toMatchObject({
      count: 3,
      versions: [{ number: 3, what: 'update', reason: 'rolled back to version 1: reviewers disagree' }],
      nextBefore: 3,
    });
    expect(await ask('compare', { id: 'commit-style', from: 1, to: 3 })).toMatchObject({
      changedFields: [],
      bodyDiff: '',
    });
  });

  it('governance, removal and restoration are versions too, and a removed rule can be rolled back', async () => {
    await write('life', 'one');
    await ask('governanceUpdate', { id: 'life', patch: { owner: 'other' }, bump: 'minor' });
    await ask('remove', { ids: ['life'] });
    expect(numbersOf(await ask<History>('history', { id: 'life' }))).toEqual(['3 delete', '2 update', '1 create']);
    expect(await ask('compare', { id: 'life', from: 1, to: 2 })).toMatchObject({
      changedFields: ['owner'],
      changes: { owner: { before: 'platform', after: 'other' } },
    });
    await ask('rollback', { id: 'life', to: 2 });
    expect(await bodyOf('life')).toBe('one');
    await ask('remove', { ids: ['life'] });
    await ask('restore', { ids: ['life'] });
    const { versions } = await ask<History>('history', { id: 'life' });
    expect(versions.map(({ what }) => what)).toEqual(['create', 'delete', 'create', 'delete', 'update', 'create']);
  });

  it('refuses versions that do not exist or have no content, and changes nothing', async () => {
    await write('kept', 'one');
    await ask('remove', { ids: ['kept'] });
    for (const [action, args] of [
      ['rollback', { id: 'kept', to: 9 }],
      ['rollback', { id: 'nothing', to: 1 }],
      ['compare', { id: 'kept', from: 9 }],
      ['rollback', { id: 'kept', to: 2 }],
      ['rollback', { id: 'kept', to: 0 }],
      ['history', { id: 'kept', limit: 1_000 }],
    ] as const) {
      const { message } = await program.error('tools/call', `instructions/${action}`, args);
      expect(message).toMatch(/history|params|limit|1/i);
    }
    expect(await bodyOf('kept')).toBeUndefined();
    expect(await ask<History>('history', { id: 'kept' })).toMatchObject({ count: 2 });
    expect(await ask<History>('history', { id: 'nothing' })).toMatchObject({ count: 0, versions: [] });
  });

  it('two writers who roll back together make two versions or one conflict, and lose nothing', async () => {
    await write('race', 'one');
    await write('race', 'two');
    const outcomes = await Promise.all(
      [1, 2].map((to) => program.call('tools/call', 'instructions/rollback', { id: 'race', to })),
    );
    const done = outcomes.filter(({ error }) => error === undefined).length;
    expect(done).toBeGreaterThan(0);
    const { count, versions } = await ask<History>('history', { id: 'race' });
    expect(count).toBe(2 + done);
    expect(versions.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, i) => count - i));
  });
});

describe('[IN48] history of a folder', () => {
  it('a change on disk is a version with the author file', async () => {
    const program = await openOn('files', mutationOn, {});
    const history = () => program.value<History>('tools/call', 'instructions/history', { id: 'by-hand' });
    program.writeFile('by-hand.json', { id: 'by-hand', body: 'first' });
    await expect.poll(async () => (await history()).count, { timeout: 60_000 }).toBe(1);
    program.writeFile('by-hand.json', { id: 'by-hand', body: 'second' });
    await expect.poll(async () => (await history()).count, { timeout: 60_000 }).toBe(2);
    rmSync(join(program.entries, 'by-hand.json'));
    await expect.poll(async () => (await history()).count, { timeout: 60_000 }).toBe(3);
    expect((await history()).versions).toMatchObject([
      { what: 'delete', by: 'file' },
      { what: 'update', by: 'file' },
      { what: 'create', by: 'file' },
    ]);
    await program.value('tools/call', 'instructions/rollback', { id: 'by-hand', to: 1 });
    const { item } = await program.value<{ item: { body: string } }>('tools/call', 'instructions/get', {
      id: 'by-hand',
    });
    expect(item.body).toBe('first');
    await program.close();
  });
});
