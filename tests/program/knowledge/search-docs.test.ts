import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { estimateTokens } from '#kernel/text/estimate-tokens.ts';
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
  readonly text?: string;
  readonly cut?: true;
}

interface Found {
  readonly query: string;
  readonly version: string;
  readonly results: readonly Hit[];
  readonly hint?: string;
  readonly more?: string;
}

let program: KnowledgeProgram;
beforeAll(async () => {
  program = await openKnowledge();
});
afterAll(() => program.close());

const search = (query: string, more: object = {}) => program.call<Found>('search_docs', { query, ...more });

describe('search_docs', () => {
  const documented = {
    search_docs: {
      properties: {
        query: { type: 'string' },
        limit: { type: 'number', minimum: 1, maximum: 50 },
        version: { type: 'string', enum: ['v4', 'v5', 'both', 'all'] },
      },
      required: ['query'],
    },
    get_feathers_template: {
      properties: {
        database: { type: 'string', enum: ['mongodb', 'postgresql', 'sqlite'] },
        auth: { type: 'boolean' },
        typescript: { type: 'boolean' },
        version: { type: 'string', enum: ['v4', 'v5', 'both'] },
      },
      required: ['database'],
    },
    generate_service: {
      properties: {
        name: { type: 'string' },
        database: { type: 'string', enum: ['mongodb', 'postgresql', 'sqlite'] },
        fields: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              type: { type: 'string', enum: ['string', 'number', 'boolean', 'date', 'objectId', 'array', 'object'] },
              required: { type: 'boolean' },
              unique: { type: 'boolean' },
            },
            required: ['name', 'type'],
          },
        },
      },
      required: ['name', 'database', 'fields'],
    },
  } as const;

  test('the documented tools are listed with the documented properties, exactly, and optional ones of our own', async () => {
    const whole = await openKnowledge({ FOURFOLD_TOOLSETS: 'knowledge' });
    const lists = [await program.client.listTools(), await whole.client.listTools()];
    await whole.close();
    for (const [name, { properties, required }] of Object.entries(documented)) {
      const schemas = lists
        .flatMap(({ tools }) => tools.filter((tool) => tool.name === name))
        .map((tool) => tool.inputSchema);
      expect(schemas).toHaveLength(name === 'search_docs' ? 2 : 1);
      for (const schema of schemas) {
        expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
        expect(schema.required).toEqual(required);
        for (const [property, exact] of Object.entries(properties))
          expect(schema.properties?.[property]).toEqual(exact);
      }
    }
  });

  test('knowledge_read is listed, and library describes ranges', async () => {
    const { tools } = await program.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('knowledge_read');
    const { properties } = tools.find(({ name }) => name === 'search_docs')!.inputSchema;
    expect(properties?.['library']).toMatchObject({
      description: expect.stringContaining('zod@3.23 or a range') as string,
    });
  });

  it('[KN26] lists what a client needs to read the next page and to choose the mode', async () => {
    const { tools } = await program.client.listTools();
    const { properties = {}, additionalProperties } = tools.find(({ name }) => name === 'search_docs')!.inputSchema;
    expect(additionalProperties).toBe(false);
    const searchAsListed = (args: Record<string, unknown>) => {
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(args)));
      return program.call<Found & { next_cursor?: string }>('search_docs', args);
    };
    const ids = ({ results }: Found) => results.map(({ id }) => id);
    const first = await searchAsListed({ query: 'hooks', limit: 3 });
    const second = await searchAsListed({ query: 'hooks', limit: 3, cursor: first.next_cursor });
    expect(new Set([...ids(first), ...ids(second)]).size).toBe(6);
    const { enum: modes } = properties['mode'] as { enum: string[] };
    expect(modes).toEqual(['hybrid', 'words', 'meaning']);
    // The model of the tests has no vectors of the knowledge base: who asks for meaning gets a hint.
    const hints = await Promise.all(modes.map(async (mode) => (await searchAsListed({ query: 'hooks', mode })).hint));
    expect(hints.map((hint) => hint !== undefined)).toEqual([true, false, true]);
    const { results } = await searchAsListed({ query: 'around hooks', explain: true });
    expect(results[0]).toHaveProperty('why');
  });

  it('[KN26] gives the first search of a program a cursor too', async () => {
    const fresh = await openKnowledge();
    try {
      const args = { query: 'hooks', mode: 'words', limit: 3 };
      const first = await fresh.call<Found>('search_docs', args);
      expect(first).toHaveProperty('next_cursor');
      expect(await fresh.call<Found>('search_docs', args)).toEqual(first);
    } finally {
      await fresh.close();
    }
  });

  it('[KN24] returns whole sections with their code, and names knowledge_read for the others', async () => {
    const { results, more } = await search('around hooks');
    const whole = results.filter(({ text }) => text !== undefined);
    expect(whole.length).toBeGreaterThan(1);
    expect(whole.length).toBeLessThan(results.length);
    expect(results.slice(0, whole.length)).toEqual(whole);
    const tokens = whole.reduce((sum, { text = '' }) => sum + estimateTokens(text), 0);
    expect(tokens).toBeGreaterThan(1_000);
    expect(tokens).toBeLessThanOrEqual(1_500);
    for (const { id, text = '' } of whole) {
      expect(text.split('```').length % 2, id).toBe(1);
      expect((await program.call<{ text: string }>('knowledge_read', { id })).text).toBe(text);
    }
    expect(more).toContain('knowledge_read');
    const last = results.at(-1)!;
    expect((await program.call<{ text: string }>('knowledge_read', { id: last.id })).text.length).toBeGreaterThan(0);
    expect((await search('around hooks', { max_tokens: 0 })).results.some(({ text }) => text !== undefined)).toBe(
      false,
    );
  });

  it('answers the documented example: best first, scores from 1 down, with version and source', async () => {
    const { results, ...rest } = await search('hooks', { limit: 3, version: 'v5' });
    expect(rest).toMatchObject({ query: 'hooks', version: 'v5' });
    expect(rest).not.toHaveProperty('hint');
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
    ['""', 'quotation marks'],
    ['" "', 'quoted blanks'],
    ['"', 'one quotation mark'],
    ['"the of"', 'quoted stop words'],
  ])('[KN2] returns no results for %j (%s), which is not an error', async (query, _what) => {
    const found = await search(query);
    expect(found.results).toEqual([]);
    expect(found.hint).toMatch(/words/);
  });

  it('accepts a query of any length, and says that it was cut', async () => {
    const { results, hint } = await search('channel publish '.repeat(20_000), { limit: 3 });
    expect(results).toHaveLength(3);
    expect(hint).toMatch(/^The query is long/);
    const words = Array.from({ length: 10_000 }, (_, i) => `hooks${i}`).join(' ');
    expect((await search(`hooks ${words}`)).hint).toMatch(/^The query is long/);
  });

  it('treats an unbalanced quotation mark as a blank', async () => {
    const ids = async (query: string) => (await search(query)).results.map(({ id }) => id);
    expect((await ids('"around hooks'))[0]).toBe((await ids('around hooks'))[0]);
  });

  it.each([
    ['nowhere', /^Error: No library is named "nowhere"; known: feathers/],
    ['feathers@9', /^Error: feathers has no version that matches "9"; known: feathers@v4, feathers@v5/],
  ])('[KN4] rejects the library %s in one line with the known ones', async (library, line) => {
    const text = await program.fail('search_docs', { query: 'hooks', library });
    expect(text).toMatch(line);
    expect(text).not.toContain('\n');
  });

  it('[KN6] gives a hint if nothing is found', async () => {
    expect((await search('authenticatoin')).hint).toMatch(/authentication/);
    expect((await search('xqzzyv')).hint).toMatch(/^Nothing was found\./);
  });

  it.each([
    [{}, 'no query'],
    [{ query: 7 }, 'a number'],
    [{ query: 'hooks', limit: 0 }, 'limit 0'],
    [{ query: 'hooks', limit: 51 }, 'limit 51'],
    [{ query: 'hooks', limit: '3' }, 'a limit that is a text'],
    [{ query: 'hooks', version: 'v3' }, 'an unknown version'],
    [{ query: 'hooks', page: 2 }, 'an unknown argument'],
    [{ query: 'hooks', max_tokens: -1 }, 'a negative number of tokens'],
    [{ query: 'hooks', max_tokens: 1e9 }, 'too many tokens'],
  ])('rejects %j (%s) in one line', async (args, _what) => {
    expect(await program.fail('search_docs', args)).toMatch(/^Error: [^\n]+$/);
  });
});
