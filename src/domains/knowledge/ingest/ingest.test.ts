import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeOnEngines } from '#kernel/jobs/engines.fixture.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { Libraries } from '../libraries/libraries.ts';
import { createIngest } from './ingest.ts';
import { plantKnowledge } from './knowledge.fixture.ts';

const page = { path: 'a.md', content: '# Walrus\n\nIt sings.' };

describeOnEngines('an ingest', (engine) => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'ff-ingest-')));
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  function open(forbidden: readonly string[] = []) {
    const planted = engine.closeAtEnd(
      plantKnowledge({ storage: engine.storage(), clock: engine.clock, roots: [top], forbidden }),
    );
    return { ...planted, ...planted.as(engine.newTenant()) };
  }

  test('of pages without a name is refused, and writes nothing', async () => {
    const { ask } = open();
    expect(await ask('knowledge_ingest', { pages: [page] })).toMatchObject({
      code: 'VALIDATION_ERROR',
      error: expect.stringContaining('give library'),
    });
    expect(await ask('knowledge_list')).toEqual({ libraries: [] });
  });

  test('of a folder whose package is called as nothing can be is refused, unless it is given another name', async () => {
    const { ingest, take, ask, call } = open();
    mkdirSync(join(top, 'bad'));
    writeFileSync(join(top, 'bad/a.md'), page.content);
    const source = join(top, 'bad');
    const bad = [
      { library: 'a b', version: '1' },
      { library: 'sea', version: '1 2' },
    ];
    for (const names of bad) {
      await expect(ingest.take({ source, ...names }, call())).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    expect(await ask('knowledge_list')).toEqual({ libraries: [] });
    expect(await take({ source, library: 'sea', version: '1' })).toMatchObject({ library: 'sea', version: '1' });
  });

  test('takes the version of the source also under another name, unless it is given one', async () => {
    const { take } = open();
    mkdirSync(join(top, 'named'));
    writeFileSync(join(top, 'named/a.md'), page.content);
    writeFileSync(join(top, 'named/package.json'), '{"name": "whale", "version": "3.2.1"}');
    const source = join(top, 'named');
    expect(await take({ source })).toMatchObject({ library: 'whale', version: '3.2.1' });
    expect(await take({ source, library: 'whale' })).toMatchObject({ version: '3.2.1' });
    expect(await take({ source, library: 'other' })).toMatchObject({ library: 'other', version: '3.2.1' });
    expect(await take({ source, version: '4' })).toMatchObject({ library: 'whale', version: '4' });
    expect(await take({ library: 'bare', pages: [page] })).toMatchObject({ version: 'latest' });
  });

  /** The real libraries, but for what one test changes. */
  const ingestOver = ({ libraries }: ReturnType<typeof open>, pages: Partial<Libraries['pages']>) =>
    createIngest({
      libraries: { pages: { ...libraries.pages, ...pages } },
      access: { roots: [top], forbidden: [], base: top },
    });
  const names = { library: 'sea', version: '1' };

  test('counts the pages that stay: a library has so many and no more', async () => {
    const house = open();
    const known = (count: number) => ({
      hashes: async () => new Map(Array.from({ length: count }, (_, i) => [`${i}.md`, 'h'])),
      put: async () => {},
      finish: async () => ({ pages_count: count + 1, sections_count: 0 }) as never,
    });
    const take = (count: number, input: object = {}) =>
      ingestOver(house, known(count)).take({ ...names, pages: [page], ...input }, house.call());
    await expect(take(knowledgeLimits.pagesCount)).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
    expect(await take(knowledgeLimits.pagesCount - 1)).toMatchObject({ added: 1, pages: knowledgeLimits.pagesCount });
    // Those that go do not count.
    expect(await take(knowledgeLimits.pagesCount, { replace: true, dry_run: true })).toMatchObject({
      added: 1,
      pages: 1,
    });
  });

  test('under which the library was removed is a conflict that says what to do', async () => {
    const house = open();
    const { libraries, call } = house;
    const put: Libraries['pages']['put'] = async (...args) => {
      await libraries.pages.put(...args);
      await libraries.remove(names, call());
    };
    await expect(ingestOver(house, { put }).take({ ...names, pages: [page] }, call())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('take it in again'),
    });
  });

  test('names some of the pages that it left out, and counts them all', async () => {
    const { take } = open();
    const count = knowledgeLimits.toldSkippedCount + 1;
    const empty = Array.from({ length: count }, (_, i) => ({ path: `e${i}.md`, content: '\n' }));
    const answer = await take({ ...names, pages: [page, ...empty] });
    expect(answer).toMatchObject({ added: 1, skipped_count: count });
    expect(answer.skipped).toHaveLength(knowledgeLimits.toldSkippedCount);
  });

  test('never reads what is forbidden, also where it lies inside of what may be read', async () => {
    mkdirSync(join(top, 'home/docs'), { recursive: true });
    writeFileSync(join(top, 'home/docs/a.md'), page.content);
    const { ask, take, find } = open([join(top, 'home')]);
    for (const source of ['home', 'home/docs', 'home/docs/a.md']) {
      expect(await ask('knowledge_ingest', { ...names, source: join(top, source) })).toMatchObject({
        code: 'PATH_REFUSED',
      });
    }
    const { skipped } = await take({ ...names, source: top });
    expect(skipped).toContainEqual({ path: 'home/docs/a.md', reason: 'it cannot be opened' });
    expect((await find('walrus')).filter((id) => id.includes('home'))).toEqual([]);
  });
});
