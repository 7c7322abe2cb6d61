import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type KnowledgeProgram, openKnowledge } from './knowledge-program.ts';

interface Hit {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly category: string;
  readonly source: { readonly url?: string; readonly path?: string };
  readonly score: number;
  readonly snippet: string;
  readonly breadcrumb: string;
  readonly library?: string;
}

interface Found {
  readonly query: string;
  readonly version: string;
  readonly results: readonly Hit[];
  readonly hint?: string;
}

let program: KnowledgeProgram;
beforeAll(async () => {
  program = await openKnowledge();
});
afterAll(() => program.close());

const search = (query: string, more: object = {}) => program.call<Found>('search_docs', { query, ...more });

describe('search_docs', () => {
  test('is listed with the documented schema plus library', async () => {
    const whole = await openKnowledge({ FOURFOLD_TOOLSETS: 'knowledge' });
    const { tools } = await whole.client.listTools();
    await whole.close();
    expect(tools.find(({ name }) => name === 'search_docs')?.inputSchema).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: 'number', minimum: 1, maximum: 50 },
        version: { type: 'string', enum: ['v4', 'v5', 'both', 'all'] },
        library: { type: 'string' },
      },
      required: ['query'],
      additionalProperties: false,
    });
  });

  it('answers the documented example: best first, scores from 1 down, with version and source', async () => {
    const { results, ...rest } = await search('hooks', { limit: 3, version: 'v5' });
    expect(rest).toEqual({ query: 'hooks', version: 'v5' });
    expect(results).toHaveLength(3);
    expect(results[0]!.score).toBe(1);
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const hit of results) {
      expect(hit.version).toMatch(/^(?:v5|both)$/);
      expect(hit.source.path).toMatch(/^(?:docs|snippets|patterns|best-practices)\//);
      expect(hit.snippet.toLowerCase()).toContain('hook');
      expect(hit.breadcrumb).toMatch(hit.id.includes('#') ? /^[^>]+/ : hit.title);
      expect(hit).not.toHaveProperty('library');
    }
    expect(new Set(results.map(({ id }) => id)).size).toBe(3);
  });

  it('returns ten results by default and rounds a fractional limit down', async () => {
    expect((await search('service')).results).toHaveLength(10);
    expect((await search('service', { limit: 2.9 })).results).toHaveLength(2);
    expect((await search('service', { limit: 50 })).results.length).toBeGreaterThan(10);
  });

  it('[KN3] finds v4 only on request', async () => {
    const v5 = await search('authentication', { limit: 50 });
    expect(v5.version).toBe('v5');
    expect(v5.results.every(({ version }) => version === 'v5' || version === 'both')).toBe(true);
    const v4 = await search('authentication', { limit: 50, version: 'v4' });
    expect(v4.results.every(({ version }) => version === 'v4' || version === 'both')).toBe(true);
    expect(v4.results.some(({ version }) => version === 'v4')).toBe(true);
    for (const version of ['both', 'all']) {
      const all = await search('authentication', { limit: 50, version });
      expect(all.version).toBe(version);
      expect(new Set(all.results.map((hit) => hit.version))).toEqual(new Set(['v4', 'v5', 'both']));
    }
  });

  it.each([
    ['', 'nothing'],
    ['   \n\t ', 'blanks'],
    ['!?%& --- ***', 'symbols'],
    ['the of and is it', 'stop words'],
    ['\u0000\u0001\u0002', 'control characters'],
  ])('[KN2] returns no results for %j (%s), which is not an error', async (query, _what) => {
    const found = await search(query);
    expect(found.results).toEqual([]);
    expect(found.hint).toMatch(/words/);
  });

  it('accepts a query of any length', async () => {
    const { results } = await search('channel publish '.repeat(20_000), { limit: 3 });
    expect(results).toHaveLength(3);
  });

  it('[KN6] gives a hint if nothing is found', async () => {
    expect((await search('authenticatoin')).hint).toMatch(/authentication/);
    expect((await search('xqzzyv')).hint).toMatch(/^Nothing was found\./);
    expect((await search('hooks', { library: 'nowhere' })).hint).toMatch(/No library is named "nowhere".*feathers/);
  });

  it.each([
    [{}, 'no query'],
    [{ query: 7 }, 'a number'],
    [{ query: 'hooks', limit: 0 }, 'limit 0'],
    [{ query: 'hooks', limit: 51 }, 'limit 51'],
    [{ query: 'hooks', limit: '3' }, 'a limit that is a text'],
    [{ query: 'hooks', version: 'v3' }, 'an unknown version'],
    [{ query: 'hooks', page: 2 }, 'an unknown argument'],
  ])('rejects %j (%s) in one line', async (args, _what) => {
    expect(await program.fail('search_docs', args)).toMatch(/^Error: [^\n]+$/);
  });
});
