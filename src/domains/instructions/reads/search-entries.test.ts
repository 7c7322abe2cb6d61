import { afterAll, describe, expect, it } from 'vitest';
import type { HybridAnswer } from '#kernel/search/hybrid.ts';
import { poolEntry } from '#kernel/workers/pool-entry.ts';
import { createRegexRunner } from '#kernel/workers/regex-runner.ts';
import { createWorkers } from '#kernel/workers/workers.ts';
import { createCall, createEntry } from '../catalog/memory-catalog.fixture.ts';
import type { SemanticSearch } from '../catalog/semantic-search.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { idsOf, openReads } from './reads.fixture.ts';

const commits = createEntry({ id: 'commits', title: 'Commit messages', body: 'Say why, not what.', priority: 20 });
const branches = createEntry({ id: 'branches', title: 'Branches', body: 'One commit each, rebased.', priority: 10 });
const tests = createEntry({ id: 'tests', title: 'Tests', body: 'An uncommitted test is no test.' });
const all = [commits, branches, tests];

interface Mark {
  readonly id: string;
  readonly field: string;
  readonly snippet: string;
  readonly ranges: readonly (readonly [number, number])[];
}
const marked = (highlights: unknown) =>
  (highlights as readonly Mark[]).map(({ id, field, snippet, ranges }) => [
    id,
    field,
    ...ranges.map(([start, end]) => snippet.slice(start, end)),
  ]);

describe('instructions/search by words', () => {
  const { ask } = openReads(all);

  it('[IN32] ranks words, then what stands inside of words, and counts all', async () => {
    const answer = await ask('search', { q: 'commit', limit: 2 });
    expect(answer).toMatchObject({ count: 3, query: 'commit', mode: 'keyword' });
    expect(idsOf(answer)).toEqual(['commits', 'branches']);
    const rest = await ask('search', { q: 'commit', limit: 2, cursor: answer['nextCursor'] });
    expect(idsOf(rest)).toEqual(['tests']);
    expect(rest).not.toHaveProperty('nextCursor');
  });

  it('shows where it was found only when asked', async () => {
    const answer = await ask('search', { q: 'rebased', highlight: true });
    expect(marked(answer['highlights'])).toContainEqual(['branches', 'body', 'rebased']);
    expect(await ask('search', { q: 'rebased' })).not.toHaveProperty('highlights');
  });

  it('[IN32] helps when nothing was found', async () => {
    const answer = await ask('search', { q: 'branchs comit' });
    const nothing = await ask('search', { q: 'qqqqq' });
    expect(nothing).toMatchObject({ count: 0, items: [] });
    expect(nothing['hints']).not.toHaveLength(0);
    expect(answer['count'] === 0 ? answer['hints'] : ['branches']).toContainEqual(expect.stringContaining('branches'));
    expect(await ask('search', { q: '  ' })).toMatchObject({ count: 0, hints: [expect.stringContaining('blank')] });
  });

  it('says that the catalog is empty rather than that the words are wrong', async () => {
    const { hints } = await openReads([]).ask('search', { q: 'commit' });
    expect(hints).toEqual([expect.stringContaining('empty')]);
  });

  it('refuses a query that is too long, and a cursor of another one', async () => {
    expect((await ask('search', { q: 'x'.repeat(instructionLimits.searchChars + 1) })).error?.code).toBe(-32001);
    const { nextCursor: cursor } = await ask('search', { q: 'commit', limit: 1 });
    expect((await ask('search', { q: 'test', limit: 1, cursor })).error?.code).toBe(-32602);
    expect((await ask('search', {})).error?.code).toBe(-32602);
  });

  it.each(['regex', 'semantic', 'hybrid'])(
    'says so when mode %s is not to be had, and answers by words',
    async (mode) => {
      const answer = await ask('search', { q: 'rebased', mode });
      expect(answer).toMatchObject({ mode: 'keyword', count: 1, hints: [expect.stringContaining('mode keyword')] });
    },
  );

  it('answers a short page when no limit is named', async () => {
    const many = Array.from({ length: 40 }, (_, i) => createEntry({ id: `e${i}`, body: 'same word' }));
    const door = openReads(many);
    const page = await door.ask('search', { q: 'word' });
    expect(page['count']).toBe(40);
    expect(page.items.length).toBeLessThan(15);
    expect((await door.ask('search', { q: 'word', limit: 40 })).items).toHaveLength(40);
  });
});

describe('instructions/search by pattern', () => {
  const workers = createWorkers({ entry: poolEntry, threadsCount: 1 });
  afterAll(() => workers.close());
  const { ask } = openReads(all, { patterns: createRegexRunner(workers) });

  it('finds in titles and bodies, titles first, then by importance', async () => {
    const answer = await ask('search', { q: 'comm?it', mode: 'regex', highlight: true });
    expect(answer).toMatchObject({ mode: 'regex', count: 3 });
    expect(idsOf(answer)).toEqual(['commits', 'branches', 'tests']);
    expect(marked(answer['highlights'])).toEqual([
      ['commits', 'title', 'Commit'],
      ['branches', 'body', 'commit'],
      ['tests', 'body', 'commit'],
    ]);
  });

  it('pages', async () => {
    const first = await ask('search', { q: '.', mode: 'regex', limit: 2 });
    const second = await ask('search', { q: '.', mode: 'regex', limit: 2, cursor: first['nextCursor'] });
    expect([...idsOf(first), ...idsOf(second)].sort()).toEqual(['branches', 'commits', 'tests']);
    expect(second).not.toHaveProperty('nextCursor');
  });

  it('goes on behind the last match, whatever came before it meanwhile', async () => {
    const { ask: askLive, catalog } = openReads(all, { patterns: createRegexRunner(workers) });
    const first = await askLive('search', { q: 'commit', mode: 'regex', limit: 2 });
    expect(idsOf(first)).toEqual(['commits', 'branches']);
    catalog.drop(createEntry({ id: 'ahead', title: 'Commit early', priority: 1 }));
    await catalog.reload({ ...createCall() });
    const second = await askLive('search', { q: 'commit', mode: 'regex', limit: 2, cursor: first['nextCursor'] });
    expect([second['count'], idsOf(second)]).toEqual([4, ['tests']]);
  });

  it('says what a pattern is matched against when it finds nothing', async () => {
    const { hints } = await ask('search', { q: 'nothing here', mode: 'regex' });
    expect(hints).toEqual([expect.stringContaining('pattern'), expect.stringContaining('categories')]);
  });

  it('[IN33] refuses a pattern that is none, one that is too long, and ends one that explodes', async () => {
    const exploding = openReads([createEntry({ id: 'x', body: `${'a'.repeat(4_000)}!` })], {
      patterns: createRegexRunner(workers),
    });
    expect((await ask('search', { q: '(', mode: 'regex' })).error?.code).toBe(-32002);
    expect(
      (await openReads([], { patterns: createRegexRunner(workers) }).ask('search', { q: '(', mode: 'regex' })).error
        ?.code,
    ).toBe(-32002);
    expect((await ask('search', { q: 'x'.repeat(1_001), mode: 'regex' })).error?.code).toBe(-32001);
    const { error } = await exploding.ask('search', { q: '(a+)+$', mode: 'regex' });
    expect(error).toMatchObject({ code: -32001, data: { name: 'JOB_TIMEOUT' } });
  });

  it('searches more text than one job may have', async () => {
    const many = Array.from({ length: 200 }, (_, i) =>
      createEntry({ id: `e${i}`, body: `${'x '.repeat(24_000)}${i} end` }),
    );
    const door = openReads(many, { patterns: createRegexRunner(workers) });
    const answer = await door.ask('search', { q: '\\b1[0-9]{2} end$', mode: 'regex', limit: 3 });
    expect([answer['count'], idsOf(answer)]).toEqual([100, ['e100', 'e101', 'e102']]);
  });
});

describe('instructions/search by meaning', () => {
  const hits = ['tests', 'gone', 'branches'].map((id, i) => ({ id, similarity: 0.9 - i / 10, part: 0 }));
  const excerpt = (text: string) => text;
  const progress: SemanticSearch['progress'] = async () => ({ embedder: 'fixture', embedded: 3, pending: 0 });
  /** What a hybrid search answers with these hits; without an embedder, by words. */
  const toAnswer = (ids: readonly string[], embedder: string | null): HybridAnswer => ({
    hits: ids.map((id, i) => ({ id, score: 1 - i / 10, keyword: undefined, semantic: undefined })),
    total: ids.length,
    next: undefined,
    embedder,
    hints: [],
    leftOutCount: 0,
    excerpt,
  });
  const embeddings: SemanticSearch = {
    nearest: async () => ({ embedder: 'fixture', hits, excerpt }),
    hybrid: async () => toAnswer(['branches', 'gone', 'tests'], 'fixture'),
    progress,
  };
  const silent: SemanticSearch = {
    nearest: async () => undefined,
    hybrid: async () => toAnswer(['branches'], null),
    progress,
  };
  const { ask } = openReads(all, { embeddings });

  it('answers the nearest, best first, and drops what is gone', async () => {
    const answer = await ask('search', { q: 'quality', mode: 'semantic' });
    expect(answer).toMatchObject({ mode: 'semantic', count: 2 });
    expect(idsOf(answer)).toEqual(['tests', 'branches']);
  });

  it('hybrid answers in the order of the fused ranking, and drops what is gone', async () => {
    const answer = await ask('search', { q: 'rebased', mode: 'hybrid' });
    expect(answer).toMatchObject({ mode: 'hybrid', embedder: 'fixture' });
    expect(idsOf(answer)).toEqual(['branches', 'tests']);
  });

  it.each(['semantic', 'hybrid'])(
    'answers by words, and says so, when the embedder is silent in mode %s',
    async (mode) => {
      const answer = await openReads(all, { embeddings: silent }).ask('search', { q: 'rebased', mode });
      expect(answer).toMatchObject({ mode: 'keyword', count: 1, hints: [expect.stringContaining('does not answer')] });
      expect(answer).not.toHaveProperty('embedder');
    },
  );

  it('says that none is set up when there is none', async () => {
    const none = { ...silent, progress: async () => ({ embedder: undefined, embedded: 0, pending: 0 }) };
    const door = openReads(all, { embeddings: none });
    expect(await door.ask('search', { q: 'rebased', mode: 'semantic' })).toMatchObject({
      mode: 'keyword',
      hints: ['Mode semantic needs an embedder, and none is configured; used mode keyword instead.'],
    });
    expect(await door.ask('capabilities')).toMatchObject({ searchModes: ['keyword'] });
  });

  it.each(['semantic', 'hybrid'])('does not go on by words behind a page of mode %s', async (mode) => {
    const parts = { ...embeddings };
    parts.hybrid = async () => ({ ...toAnswer(['branches'], 'fixture'), next: { score: 1, id: 'branches' } });
    const door = openReads(all, { embeddings: parts });
    const { nextCursor: cursor } = await door.ask('search', { q: 'rebased', mode, limit: 1 });
    expect(cursor).toBeTypeOf('string');
    Object.assign(parts, silent);
    const { error } = await door.ask('search', { q: 'rebased', mode, limit: 1, cursor });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('cannot go on') });
  });

  it('tells how many entries wait', async () => {
    const busy = { ...embeddings, progress: async () => ({ embedder: 'fixture', embedded: 1, pending: 2 }) };
    const { hints } = await openReads(all, { embeddings: busy }).ask('search', { q: 'quality', mode: 'semantic' });
    expect(hints).toEqual([expect.stringContaining('2 entries wait')]);
  });
});
