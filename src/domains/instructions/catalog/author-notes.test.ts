import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openCatalogFolder } from '#tests/contract/catalog/catalog-folder.fixture.ts';
import { listOrigins } from '../history/origin-store.ts';
import { countVersions } from '../history/version-store.ts';
import type { EntrySource } from './entry-source.ts';

type FindAuthors = NonNullable<EntrySource['findAuthors']>;

/** A catalog whose git answers as given, and two entries that appear on disk. */
async function openWith(findAuthors: FindAuthors) {
  const { open, storage, call, path } = await openCatalogFolder();
  const opened = open({ aroundSource: (_tenant, create) => (sink) => ({ ...create(sink), findAuthors }) });
  for (const id of ['a', 'b']) writeFileSync(path(`${id}.json`), JSON.stringify({ id, body: 'Keep commits small.' }));
  const search = async () => (await opened.catalog.search(call(), { text: 'commits', limit: 5 })).total;
  const etagOf = async (id: string) => (await opened.catalog.lookUp(call(), id)).found?.etag ?? '';
  const versionCount = async () => (await storage.read(call(), (db) => countVersions(db, 'a')))?.count;
  const authorOf = async (id: string) =>
    (await storage.read(call(), (db) => listOrigins(db, id, [1])))[0]?.git_author ?? undefined;
  return { ...opened, search, etagOf, versionCount, authorOf };
}

it('[IN48] records and indexes an edit while git is busy, and notes the author later', async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: answer, resolve: reply } = Promise.withResolvers<Awaited<ReturnType<FindAuthors>>>();
  const catalog = await openWith(() => {
    ask();
    return answer;
  });
  expect(await catalog.search()).toBe(2);
  await asked;
  expect([await catalog.versionCount(), await catalog.authorOf('b')]).toEqual([1, undefined]);
  reply(
    new Map([
      ['a', { author: 'Ada', etag: 'of bytes that came later' }],
      ['b', { author: 'Ada', etag: await catalog.etagOf('b') }],
    ]),
  );
  await expect.poll(() => catalog.authorOf('b')).toBe('Ada');
  expect(await catalog.authorOf('a')).toBeUndefined();
});

it('[IN48] a git that fails is not a problem', async () => {
  const catalog = await openWith(async () => {
    throw new Error('no git today');
  });
  expect(await catalog.search()).toBe(2);
  await catalog.close();
  expect(await catalog.versionCount()).toBe(1);
  expect(catalog.log.lines.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    'debug: could not read the git authors of instructions',
  ]);
});
