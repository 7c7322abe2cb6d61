import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeOnEngines } from '#kernel/jobs/engines.fixture.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { Libraries } from '../libraries/libraries.ts';
import { createLibrarySections } from '../search/library-sections.ts';
import { createIngest } from './ingest.ts';
import { createKnowledgeFixture, readHere } from './knowledge.fixture.ts';

const page = { path: 'a.md', content: '# Walrus\n\nIt sings.' };

describeOnEngines('an ingest', (engine) => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'ff-ingest-')));
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  function open(forbidden: readonly string[] = []) {
    const fixture = engine.closeAtEnd(
      createKnowledgeFixture({ storage: engine.storage(), clock: engine.clock, roots: [top], forbidden }),
    );
    return { ...fixture, ...fixture.as(engine.newTenant()) };
  }

  test('rejects pages without a library name and writes nothing', async () => {
    const { ask } = open();
    expect(await ask('knowledge_ingest', { pages: [page] })).toMatchObject({
      code: 'VALIDATION_ERROR',
      error: expect.stringContaining('give library'),
    });
    expect(await ask('knowledge_list')).toEqual({ libraries: [] });
  });

  test('lists the versions of a library from the oldest to the newest', async () => {
    const { call, ingestDocs } = open();
    for (const version of ['10.0.0', '9.0.0', '10.0.0-beta.1'])
      await ingestDocs({ library: 'sea', version, pages: [page] });
    const names = await createLibrarySections({ storage: engine.storage() }).names(call());
    expect(names.map(({ version }) => version)).toEqual(['9.0.0', '10.0.0-beta.1', '10.0.0']);
  });

  test('rejects an invalid library name or version', async () => {
    const { ingest, ingestDocs, ask, call } = open();
    mkdirSync(join(top, 'bad'));
    writeFileSync(join(top, 'bad/a.md'), page.content);
    const source = join(top, 'bad');
    const bad = [
      { library: 'a b', version: '1' },
      { library: 'sea', version: '1 2' },
    ];
    for (const names of bad) {
      await expect(ingest.run({ source, ...names }, call())).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    expect(await ask('knowledge_list')).toEqual({ libraries: [] });
    expect(await ingestDocs({ source, library: 'sea', version: '1' })).toMatchObject({ library: 'sea', version: '1' });
  });

  test('uses the version of the source, also for another library name, unless one is given', async () => {
    const { ingestDocs } = open();
    mkdirSync(join(top, 'named'));
    writeFileSync(join(top, 'named/a.md'), page.content);
    writeFileSync(join(top, 'named/package.json'), '{"name": "whale", "version": "3.2.1"}');
    const source = join(top, 'named');
    expect(await ingestDocs({ source })).toMatchObject({ library: 'whale', version: '3.2.1' });
    expect(await ingestDocs({ source, library: 'whale' })).toMatchObject({ version: '3.2.1' });
    expect(await ingestDocs({ source, library: 'other' })).toMatchObject({ library: 'other', version: '3.2.1' });
    expect(await ingestDocs({ source, version: '4' })).toMatchObject({ library: 'whale', version: '4' });
    expect(await ingestDocs({ library: 'bare', pages: [page] })).toMatchObject({ version: 'latest' });
  });

  /** The real libraries, except for the overridden functions. */
  const ingestOver = ({ libraries }: ReturnType<typeof open>, pages: Partial<Libraries['pages']>) =>
    createIngest({
      libraries: { pages: { ...libraries.pages, ...pages } },
      access: { roots: [top], forbidden: [], base: top },
      readPage: readHere,
    });
  const names = { library: 'sea', version: '1' };

  test('counts existing pages against the maximum per library', async () => {
    const opened = open();
    const known = (count: number) => ({
      hashes: async () => new Map(Array.from({ length: count }, (_, i) => [`${i}.md`, 'h'])),
      put: async () => {},
      finish: async () => ({ pages_count: count + 1, sections_count: 0 }) as never,
    });
    const ingestDocs = (count: number, input: object = {}) =>
      ingestOver(opened, known(count)).run({ ...names, pages: [page], ...input }, opened.call());
    await expect(ingestDocs(knowledgeLimits.pagesCount)).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
    expect(await ingestDocs(knowledgeLimits.pagesCount - 1)).toMatchObject({
      added: 1,
      pages: knowledgeLimits.pagesCount,
    });
    // Pages that are removed do not count.
    expect(await ingestDocs(knowledgeLimits.pagesCount, { replace: true, dry_run: true })).toMatchObject({
      added: 1,
      pages: 1,
    });
  });

  test('reports a conflict if the library is removed meanwhile', async () => {
    const opened = open();
    const { libraries, call } = opened;
    const put: Libraries['pages']['put'] = async (...args) => {
      await libraries.pages.put(...args);
      await libraries.remove(names, call());
    };
    await expect(ingestOver(opened, { put }).run({ ...names, pages: [page] }, call())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('ingest it again'),
    });
  });

  test('names some skipped pages and counts all of them', async () => {
    const { ingestDocs } = open();
    const count = knowledgeLimits.reportedSkippedCount + 1;
    const empty = Array.from({ length: count }, (_, i) => ({ path: `e${i}.md`, content: '\n' }));
    const answer = await ingestDocs({ ...names, pages: [page, ...empty] });
    expect(answer).toMatchObject({ added: 1, skipped_count: count });
    expect(answer.skipped).toHaveLength(knowledgeLimits.reportedSkippedCount);
  });

  test('never reads forbidden folders, even inside an allowed one', async () => {
    mkdirSync(join(top, 'home/docs'), { recursive: true });
    writeFileSync(join(top, 'home/docs/a.md'), page.content);
    const { ask, ingestDocs, find } = open([join(top, 'home')]);
    for (const source of ['home', 'home/docs', 'home/docs/a.md']) {
      expect(await ask('knowledge_ingest', { ...names, source: join(top, source) })).toMatchObject({
        code: 'PATH_REFUSED',
      });
    }
    const { skipped } = await ingestDocs({ ...names, source: top });
    expect(skipped).toContainEqual({ path: 'home/docs/a.md', reason: 'it cannot be opened' });
    expect((await find('walrus')).filter((id) => id.includes('home'))).toEqual([]);
  });
});
