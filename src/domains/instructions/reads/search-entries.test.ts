import { afterAll, describe, expect, it } from 'vitest';
import type { HybridAnswer } from '#kernel/search/hybrid.ts';
import type { PendingDocuments } from '#kernel/search/semantic/semantic-search.ts';
import { poolEntry } from '#kernel/workers/pool-entry.ts';
import { createRegexRunner } from '#kernel/workers/regex-runner.ts';
import { createWorkers } from '#kernel/workers/workers.ts';
import { createCall, createEntry } from '../catalog/memory-catalog.fixture.ts';
import type { CatalogSemanticSearch } from '../catalog/semantic-search.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { idsOf, openReads } from './reads.fixture.ts';

const commits = createEntry({ id: 'commits', title: 'Commit messages', body: 'Say why, not what.', priority: 20 });
const branches = createEntry({ id: 'branches', title: 'Branches', body: 'One commit each, rebased.', priority: 10 });
const tests = createEntry({ id: 'tests', title: 'Tests', body: 'An uncommitted test does not count.' });
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

describe('instructions/search in mode keyword', () => {
  const { ask } = openReads(all);

  it('[IN32] ranks whole words before parts of words and counts all matches', async () => {
    const answer = await ask('search', { q: 'commit', limit: 2 });
    expect(answer).toMatchObject({ count: 3, query: 'commit', mode: 'keyword' });
    expect(idsOf(answer)).toEqual(['commits', 'branches']);
    const rest = await ask('search', { q: 'commit', limit: 2, cursor: answer['nextCursor'] });
    expect(idsOf(rest)).toEqual(['tests']);
    expect(rest).not.toHaveProperty('nextCursor');
  });

  it('takes the words as query or q, and rejects two different texts and none', async () => {
    const answer = await ask('search', { query: 'commit' });
    expect(answer).toMatchObject({ query: 'commit', count: expect.any(Number) });
    expect(answer['count']).toBeGreaterThan(0);
    expect(await ask('search', { q: 'commit' })).toEqual(answer);
    expect(await ask('search', { q: 'commit', query: 'commit' })).toEqual(answer);
    for (const wrong of [{}, { q: 'commit', query: 'test' }]) {
      const { error } = await ask('search', wrong);
      expect(error?.code).toBe(-32602);
      expect(JSON.stringify(error)).toMatch(/Add \\"query\\"|query has another text/);
    }
  });

  it('returns highlights only on request', async () => {
    const answer = await ask('search', { q: 'rebased', highlight: true });
    expect(marked(answer['highlights'])).toContainEqual(['branches', 'body', 'rebased']);
    expect(await ask('search', { q: 'rebased' })).not.toHaveProperty('highlights');
  });

  it('[IN32] gives hints when nothing matches', async () => {
    const answer = await ask('search', { q: 'branchs comit' });
    const nothing = await ask('search', { q: 'qqqqq' });
    expect(nothing).toMatchObject({ count: 0, items: [] });
    expect(nothing['hints']).not.toHaveLength(0);
    expect(answer['count'] === 0 ? answer['hints'] : ['branches']).toContainEqual(expect.stringContaining('branches'));
    expect(await ask('search', { q: '  ' })).toMatchObject({ count: 0, hints: [expect.stringContaining('blank')] });
  });

  it('says that the catalog is empty instead of blaming the words', async () => {
    const { hints } = await openReads([]).ask('search', { q: 'commit' });
    expect(hints).toEqual([expect.stringContaining('empty')]);
  });

  it('rejects a query that is too long and a cursor of another search', async () => {
    expect((await ask('search', { q: 'x'.repeat(instructionLimits.searchChars + 1) })).error?.code).toBe(-32001);
    const { nextCursor: cursor } = await ask('search', { q: 'commit', limit: 1 });
    expect((await ask('search', { q: 'test', limit: 1, cursor })).error?.code).toBe(-32602);
    expect((await ask('search', {})).error?.code).toBe(-32602);
  });

  it.each(['regex', 'semantic', 'hybrid'])(
    'falls back to keyword search when mode %s is not available, and says so',
    async (mode) => {
      const answer = await ask('search', { q: 'rebased', mode });
      expect(answer).toMatchObject({ mode: 'keyword', count: 1, hints: [expect.stringContaining('mode keyword')] });
    },
  );

  it('returns a short page without a limit', async () => {
    const many = Array.from({ length: 40 }, (_, i) => createEntry({ id: `e${i}`, body: 'same word' }));
    const reads = openReads(many);
    const page = await reads.ask('search', { q: 'word' });
    expect(page['count']).toBe(40);
    expect(page.items.length).toBeLessThan(15);
    expect((await reads.ask('search', { q: 'word', limit: 40 })).items).toHaveLength(40);
  });
});

describe('instructions/search in mode regex', () => {
  const workers = createWorkers({ entry: poolEntry, threadsCount: 1 });
  afterAll(() => workers.close());
  const { ask } = openReads(all, { regex: createRegexRunner(workers) });

  it('matches titles and bodies, titles first, then by priority', async () => {
    const answer = await ask('search', { q: 'comm?it', mode: 'regex', highlight: true });
    expect(answer).toMatchObject({ mode: 'regex', count: 3 });
    expect(idsOf(answer)).toEqual(['commits', 'branches', 'tests']);
    expect(marked(answer['highlights'])).toEqual([
      ['commits', 'title', 'Commit'],
      ['branches', 'body', 'commit'],
      ['tests', 'body', 'commit'],
    ]);
  });

  it('pages through all matches', async () => {
    const first = await ask('search', { q: '.', mode: 'regex', limit: 2 });
    const second = await ask('search', { q: '.', mode: 'regex', limit: 2, cursor: first['nextCursor'] });
    expect([...idsOf(first), ...idsOf(second)].sort()).toEqual(['branches', 'commits', 'tests']);
    expect(second).not.toHaveProperty('nextCursor');
  });

  it('continues after the last match although earlier entries changed', async () => {
    const { ask: askLive, catalog } = openReads(all, { regex: createRegexRunner(workers) });
    const first = await askLive('search', { q: 'commit', mode: 'regex', limit: 2 });
    expect(idsOf(first)).toEqual(['commits', 'branches']);
    catalog.drop(createEntry({ id: 'ahead', title: 'Commit early', priority: 1 }));
    await catalog.reload({ ...createCall() });
    const second = await askLive('search', { q: 'commit', mode: 'regex', limit: 2, cursor: first['nextCursor'] });
    expect([second['count'], idsOf(second)]).toEqual([4, ['tests']]);
  });

  it('explains what a pattern is matched against when nothing matches', async () => {
    const { hints } = await ask('search', { q: 'nothing here', mode: 'regex' });
    expect(hints).toEqual([expect.stringContaining('pattern'), expect.stringContaining('categories')]);
  });

  it('[IN33] rejects an invalid or oversized pattern and stops a slow one', async () => {
    const exploding = openReads([createEntry({ id: 'x', body: `${'a'.repeat(4_000)}!` })], {
      regex: createRegexRunner(workers),
    });
    expect((await ask('search', { q: '(', mode: 'regex' })).error?.code).toBe(-32002);
    expect(
      (await openReads([], { regex: createRegexRunner(workers) }).ask('search', { q: '(', mode: 'regex' })).error?.code,
    ).toBe(-32002);
    expect((await ask('search', { q: 'x'.repeat(1_001), mode: 'regex' })).error?.code).toBe(-32001);
    const { error } = await exploding.ask('search', { q: '(a+)+$', mode: 'regex' });
    expect(error).toMatchObject({ code: -32001, data: { name: 'JOB_TIMEOUT' } });
  });

  it('searches more text than fits one job', async () => {
    const many = Array.from({ length: 200 }, (_, i) =>
      createEntry({ id: `e${i}`, body: `${'x '.repeat(24_000)}${i} end` }),
    );
    const reads = openReads(many, { regex: createRegexRunner(workers) });
    const answer = await reads.ask('search', { q: '\\b1[0-9]{2} end$', mode: 'regex', limit: 3 });
    expect([answer['count'], idsOf(answer)]).toEqual([100, ['e100', 'e101', 'e102']]);
  });
});

describe('instructions/search in modes semantic and hybrid', () => {
  const excerpt = (text: string) => text;
  /** The answer of a search with these hits; without an embedder, of a keyword search. */
  const toAnswer = (ids: readonly string[], embedder: string | null): HybridAnswer => ({
    hits: ids.map((id, i) => ({
      ...{ id, score: 1 - i / 10, relevance: 0.8 },
      ...{ keyword: undefined, semantic: undefined, isPending: false },
    })),
    total: ids.length,
    next: undefined,
    embedder,
    mode: embedder === null ? 'words' : 'hybrid',
    hints: [],
    leftOutCount: 0,
    excerpt,
  });
  const toEmbeddings = (
    search: CatalogSemanticSearch['search'],
    pending: PendingDocuments = { count: 0, isMore: false },
  ): CatalogSemanticSearch => ({
    search,
    nearestNow: async () => undefined,
    vectorOf: async () => undefined,
    waiting: async () => pending,
    hasEmbedder: async () => true,
  });
  const embeddings = toEmbeddings(async (_call, { mode }) =>
    toAnswer(mode === 'meaning' ? ['tests', 'gone', 'branches'] : ['branches', 'gone', 'tests'], 'fixture'),
  );
  const without = (missing: NonNullable<HybridAnswer['missing']>) =>
    toEmbeddings(async () => ({ ...toAnswer(['branches'], null), missing }));
  const { ask } = openReads(all, { embeddings });

  it('returns the nearest entries, best first, without removed ones', async () => {
    const answer = await ask('search', { q: 'quality', mode: 'semantic' });
    expect(answer).toMatchObject({ mode: 'semantic', embedder: 'fixture' });
    expect(idsOf(answer)).toEqual(['tests', 'branches']);
  });

  it('returns hybrid hits in the combined order, without removed ones', async () => {
    const answer = await ask('search', { q: 'rebased', mode: 'hybrid' });
    expect(answer).toMatchObject({ mode: 'hybrid', embedder: 'fixture' });
    expect(idsOf(answer)).toEqual(['branches', 'tests']);
  });

  it.each([
    ['failure', 'The embedder does not answer for mode'],
    ['embedder', 'needs an embedder, and none is configured'],
    ['language', 'knows English only'],
  ] as const)('falls back to keyword search and says why: %s', async (missing, why) => {
    const reads = openReads(all, { embeddings: without(missing) });
    for (const mode of ['semantic', 'hybrid']) {
      const answer = await reads.ask('search', { q: 'rebased', mode });
      expect(answer).toMatchObject({ mode: 'keyword', count: 1, hints: [expect.stringContaining(why)] });
      expect(answer).not.toHaveProperty('embedder');
    }
  });

  it.each(['keyword', 'semantic', 'hybrid'])('finds nothing for a query without a word in mode %s', async (mode) => {
    const reads = openReads(all, { embeddings: toEmbeddings(async () => toAnswer([], null)) });
    for (const q of ['the of and', '""', '!!!']) {
      const answer = await reads.ask('search', { q, mode });
      expect(answer).toMatchObject({ mode: 'keyword', count: 0 });
      expect(answer['hints']).toContainEqual(expect.stringContaining('no word to search for'));
    }
  });

  it('offers no semantic search without an embedder', async () => {
    const none = { ...without('embedder'), hasEmbedder: async () => false };
    expect(await openReads(all, { embeddings: none }).ask('capabilities')).toMatchObject({ searchModes: ['keyword'] });
  });

  it.each(['semantic', 'hybrid'])('does not continue a page of mode %s by keyword', async (mode) => {
    const parts = toEmbeddings(async () => ({
      ...toAnswer(['branches'], 'fixture'),
      next: { score: 1, id: 'branches' },
    }));
    const reads = openReads(all, { embeddings: parts });
    const { nextCursor: cursor } = await reads.ask('search', { q: 'rebased', mode, limit: 1 });
    expect(cursor).toBeTypeOf('string');
    Object.assign(parts, without('failure'));
    const { error } = await reads.ask('search', { q: 'rebased', mode, limit: 1, cursor });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('cannot continue') });
  });

  it('says how many entries are not embedded yet', async () => {
    const answer = toAnswer(['branches', 'tests'], 'fixture');
    const busy = openReads(all, { embeddings: toEmbeddings(async () => answer, { count: 2, isMore: false }) });
    for (const mode of ['semantic', 'hybrid']) {
      const { hints, pending } = await busy.ask('search', { q: 'quality', mode });
      expect(hints).toEqual(['2 entries are not embedded yet; only words find them until then.']);
      expect(pending).toBe(2);
    }
    const many = openReads(all, { embeddings: toEmbeddings(async () => answer, { count: 500, isMore: true }) });
    const { hints } = await many.ask('search', { q: 'quality', mode: 'hybrid' });
    expect(hints).toEqual([expect.stringContaining('More than 500 entries are not')]);
    const one = openReads(all, { embeddings: toEmbeddings(async () => answer, { count: 1, isMore: false }) });
    expect((await one.ask('search', { q: 'quality', mode: 'hybrid' })).hints).toEqual([
      '1 entry is not embedded yet; only words find it until then.',
    ]);
  });
});
