import { expect, test } from 'vitest';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { describeOnEngines } from '#kernel/jobs/engines.fixture.ts';
import { limits } from '#kernel/limits.ts';
import { rowCount } from '#kernel/search/contract/search-index.fixture.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { createKnowledgeFixture } from '../ingest/knowledge.fixture.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';

const sea = { library: 'sea', version: '1' };
const source = { kind: 'pages', name: 'test' } as const;
const sectionOf = (i: number, text = 'x') => ({ anchor: `s${i}`, level: 1, title: 'A', breadcrumb: ['A'], text });
const pageOf = (path: string, sectionsCount = 1) => ({
  ...{ path, title: 'A', category: 'docs', hash: path },
  sections: Array.from({ length: sectionsCount }, (_, i) => sectionOf(i)),
});
const never = new AbortController().signal;

describeOnEngines('libraries', (engine) => {
  function open(storage: Storage = engine.storage()) {
    const fixture = engine.closeAtEnd(createKnowledgeFixture({ storage, clock: engine.clock, roots: [] }));
    return { ...fixture, ...fixture.as(engine.newTenant()) };
  }
  type Opened = ReturnType<typeof open>;

  const rowsOf = ({ call }: Opened): Promise<readonly unknown[]> =>
    engine.storage().read(call(), function* (db) {
      const rows = [];
      rows.push(
        yield* db.get(sql<{ n: number }>`select count(*) as n from knowledge_sections where tenant = ${db.tenant}`),
      );
      rows.push(
        yield* db.get(sql<{ n: number }>`select count(*) as n from knowledge_pages where tenant = ${db.tenant}`),
      );
      rows.push(
        yield* db.get(sql<{ n: number }>`select count(*) as n from knowledge_removals where tenant = ${db.tenant}`),
      );
      return rows.map((row) => Number(row?.n));
    });

  test('deletes everything of a library that can no longer be restored', async () => {
    const mine = open();
    const { libraries, call, tenant } = mine;
    const count = knowledgeLimits.purgeSectionsCount / 4;
    for (let i = 0; i < 5; i += 1) await libraries.pages.put(sea, source, [pageOf(`${i}.md`, count)], call());
    await libraries.remove(sea, call());
    const [sweep] = libraries.jobs(async () => [tenant]);
    engine.clock.advance(limits.trashDays * 86_400_000 + 1);
    await sweep!.run(AbortSignal.abort()).catch(() => {});
    expect(await rowsOf(mine)).toEqual([5 * count, 5, 1]);
    await sweep!.run(never);
    expect(await rowsOf(mine)).toEqual([0, 0, 0]);
  });

  test('merges the index after many changed pages and leaves a few for the next merge', async () => {
    const { libraries, call, tenant } = open();
    const waiting = () =>
      engine.storage().read(call(), function* (db) {
        return Number((yield* db.get(rowCount(db.tenant)))?.n);
      });
    await libraries.pages.put(sea, source, [pageOf('a.md', 3)], call());
    await libraries.mergeIndex(tenant, knowledgeLimits.mergePagesCount - 1);
    expect(await waiting()).toBe(1);
    await libraries.mergeIndex(tenant, knowledgeLimits.mergePagesCount);
    expect(await waiting()).toBe(0);
  });

  test('does not report a library as removed if another process removed it first', async () => {
    const mine = open();
    const { call } = mine;
    await mine.libraries.pages.put(sea, source, [pageOf('a.md')], call());
    const storage = engine.storage();
    let isFirst = true;
    const late = open({
      ...storage,
      async write(by, work) {
        if (isFirst) await mine.libraries.remove(sea, call());
        isFirst = false;
        return storage.write(by, work);
      },
    });
    expect(await late.libraries.remove(sea, call())).toEqual({ library: 'sea', removed: [] });
    expect(await rowsOf(mine)).toEqual([1, 1, 1]);
  });

  test('reports a conflict if a newer copy was removed meanwhile', async () => {
    const mine = open();
    const { call, libraries } = mine;
    await libraries.pages.put(sea, source, [pageOf('old.md')], call());
    await libraries.remove(sea, call());
    const storage = engine.storage();
    let isFirst = true;
    const late = open({
      ...storage,
      async write(by, work) {
        if (isFirst) {
          isFirst = false;
          engine.clock.advance(1);
          await libraries.pages.put(sea, source, [pageOf('new.md')], call());
          await libraries.remove(sea, call());
        }
        return storage.write(by, work);
      },
    });
    await expect(late.libraries.restore(sea, call())).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await mine.ask('knowledge_list')).toEqual({ libraries: [] });
    await libraries.restore(sea, call());
    expect([...(await libraries.pages.hashes(sea, call())).keys()]).toEqual(['new.md']);
  });

  test('changes nothing when it removes missing pages', async () => {
    const { libraries, call, ask } = open();
    expect(await libraries.pages.remove(sea, ['a.md'], call())).toBe(0);
    await libraries.pages.put(sea, source, [pageOf('a.md')], call());
    await libraries.pages.finish(sea, source, [pageOf('a.md')], call());
    const before = await ask('knowledge_list');
    engine.clock.advance(1_000);
    expect(await libraries.pages.remove(sea, ['b.md'], call())).toBe(0);
    expect(await ask('knowledge_list')).toEqual(before);
    expect(await libraries.pages.remove(sea, ['a.md', 'b.md'], call())).toBe(1);
  });

  test('writes no change for an ingest that changes nothing', async () => {
    const { ingestDocs, ask, tenant } = open();
    const input = { ...sea, pages: [{ path: 'a.md', content: '# A\n\nText.' }], replace: true };
    const changes = () =>
      engine
        .storage()
        .read(open().as(tenant).call(), (db) =>
          db.all(sql<{ seq: number }>`select seq from changes where tenant = ${db.tenant}`),
        );
    await ingestDocs(input);
    const before = [await ask('knowledge_list'), await changes()];
    engine.clock.advance(1_000);
    expect(await ingestDocs(input)).toMatchObject({ unchanged: 1 });
    expect([await ask('knowledge_list'), await changes()]).toEqual(before);
  });

  test('limits a list to the answer size and returns a cursor', async () => {
    const { libraries, call, ask } = open();
    const long = { kind: 'folder', name: 'x'.repeat(knowledgeLimits.sourceChars) } as const;
    for (let i = 100; i < 300; i += 1) {
      await libraries.pages.put({ library: `l${i}`, version: '1' }, long, [pageOf('a.md')], call());
    }
    const names: string[] = [];
    let pagesCount = 0;
    for (let cursor: unknown; cursor !== undefined || pagesCount === 0; pagesCount += 1) {
      const answer = await ask('knowledge_list', { limit: 200, ...(cursor === undefined ? {} : { cursor }) });
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(limits.pageBytes);
      names.push(...(answer['libraries'] as readonly { library: string }[]).map(({ library }) => library));
      cursor = answer['next_cursor'];
    }
    expect(names).toEqual(Array.from({ length: 200 }, (_, i) => `l${100 + i}`));
    expect(pagesCount).toBeGreaterThan(1);
  });

  test('rejects a cursor of another list', async () => {
    const { ask, tenant } = open();
    const cursor = createCursors(Buffer.from('the cursors of a test')).seal('knowledge_list', tenant, ['only one']);
    expect(await ask('knowledge_list', { cursor })).toMatchObject({
      code: 'INVALID_PARAMS',
      error: expect.stringContaining('belongs to another list'),
    });
  });
});
