import { beforeAll, expect, it } from 'vitest';
import { describeDocs, passage } from './docs.fixture.ts';

const base = [
  passage('v5/hooks', { title: 'Hooks', text: 'Hooks run around methods.', breadcrumb: ['Hooks'] }),
  passage('v5/hooks#around', { title: 'Around hooks', text: 'An around hook wraps a method with `next`.' }),
  passage('v5/query#or', { title: 'Combine conditions', text: 'Use `$or` for any.', url: 'https://feathersjs.com/q' }),
  passage('v4/hooks#before', { title: 'Before hooks in v4', version: 'v4', text: 'A hook before a method.' }),
  passage('both/errors#list', {
    title: 'Errors',
    version: 'both',
    text: 'Every error has a code. A hook may throw one.',
  }),
  passage('v5/remove#many', { title: 'Remove several records', text: 'Pass null as the id.' }),
];

describeDocs('search_docs', (engine) => {
  let docs: ReturnType<ReturnType<typeof engine.open>['as']>;
  let planted: ReturnType<typeof engine.open>;
  beforeAll(async () => {
    planted = engine.open(base);
    docs = planted.as(engine.newTenant());
    await docs.take('react', '19.2.0', 'guide/hooks.md', [
      ['Custom hooks', 'A hook is a function whose name begins with use.'],
      ['Rules', 'Call hooks at the top level.'],
    ]);
    await docs.take('react', '18.0.0', 'guide/hooks.md', [['Custom hooks', 'An older text on hooks.']]);
    await docs.take('long', '1', 'page.md', [
      ['Zebra', 'zebra first piece of a long section'],
      ['', 'zebra second piece'],
      ['', 'zebra third piece'],
      ['Other', 'a zebra elsewhere'],
    ]);
  });
  const idsOf = async (query: string, more: object = {}) => (await docs.find(query, more)).results.map(({ id }) => id);

  it('[KN1] ranks what is named so first, with a score of 1, and the rest below', async () => {
    const { results } = await docs.find('around hooks', { version: 'v5' });
    expect(results[0]).toEqual({
      id: 'v5/hooks#around',
      title: 'Around hooks',
      version: 'v5',
      category: 'hooks',
      source: { path: 'docs/v5/hooks.md' },
      score: 1,
      snippet: 'An around hook wraps a method with `next`.',
      breadcrumb: 'Page',
    });
    expect(results.slice(1).every(({ score }) => score > 0 && score < 1)).toBe(true);
  });

  it('answers at once what the base alone has, and the same as after a wait', async () => {
    const opening = engine.open(base).as(docs.call.tenant);
    const waited = await opening.find('around hooks', { version: 'v5' });
    const atOnce = opening.find('around hooks', { version: 'v5' });
    // Where the store has no stamp there is always a question to it.
    expect(atOnce instanceof Promise).toBe(engine.kind === 'postgres');
    expect(await atOnce).toEqual(waited);
    const withLibraries = opening.find('hooks');
    expect(withLibraries).toBeInstanceOf(Promise);
    expect(await withLibraries).toEqual(await docs.find('hooks'));
  });

  it('[KN4] finds libraries and the base in one ranking, unless a version is asked for', async () => {
    const all = await docs.find('hooks');
    expect(all.version).toBe('v5');
    expect(new Set(all.results.map(({ library }) => library))).toEqual(new Set([undefined, 'react']));
    expect(all.results.some(({ id }) => id.startsWith('v4/'))).toBe(false);
    const v5 = await docs.find('hooks', { version: 'v5' });
    expect(v5.results.every(({ version }) => version === 'v5' || version === 'both')).toBe(true);
    expect(v5.results.length).toBeGreaterThan(0);
    expect(await idsOf('hooks', { version: 'v4' })).toEqual(['v4/hooks#before', 'both/errors#list']);
    expect((await idsOf('hooks', { version: 'all' })).length).toBe((await idsOf('hooks')).length + 1);
  });

  it('[KN4] keeps to one library, or to one version of it', async () => {
    expect(new Set(await idsOf('hooks', { library: 'react' }))).toEqual(
      new Set(['react@19.2.0/guide/hooks.md#s0', 'react@19.2.0/guide/hooks.md#s1', 'react@18.0.0/guide/hooks.md#s0']),
    );
    const { results } = await docs.find('hooks', { library: 'react@18.0.0' });
    expect(results).toEqual([
      {
        id: 'react@18.0.0/guide/hooks.md#s0',
        ...{ library: 'react', version: '18.0.0', title: 'Custom hooks', category: 'guide', score: 1 },
        source: { path: 'guide/hooks.md' },
        snippet: 'An older text on hooks.',
        breadcrumb: 'A page',
      },
    ]);
    expect(await idsOf('hooks', { library: 'feathers' })).not.toContain('v4/hooks#before');
    expect(await idsOf('hooks', { library: 'feathers@v4' })).toContain('v4/hooks#before');
  });

  it('[KN1] shows one hit a section, however many pieces it was taken in', async () => {
    for (const limit of [2, 10]) {
      const { results } = await docs.find('zebra', { limit });
      expect(results.map(({ breadcrumb, title }) => `${breadcrumb} > ${title}`)).toEqual([
        'A page > Zebra',
        'A page > Other',
      ]);
    }
  });

  it('finds a name with a sign, a kindred word, and what stands inside of words', async () => {
    expect(await idsOf('$or')).toEqual(['v5/query#or']);
    expect((await idsOf('delete'))[0]).toBe('v5/remove#many');
    expect(await idsOf('ombin')).toEqual(['v5/query#or']);
  });

  it('[KN2] finds nothing in blanks, symbols and stop words, and says so', async () => {
    for (const query of ['', '  ', '?!', 'the of and']) {
      expect(await docs.find(query)).toMatchObject({ query, results: [], hint: expect.stringMatching(/words/) });
    }
  });

  it.each([
    ['wrps', {}, /Words that are there: wraps/],
    ['older', { library: 'react@19.2.0' }, /Other libraries have it/],
    ['hooks', { library: 'react', version: 'v4' }, /Other versions have it/],
    ['before', { version: 'v5' }, /version "all"/],
    [
      'hooks',
      { library: 'vue' },
      /No library is called "vue"; there are: feathers, long@1, react@18.0.0, react@19.2.0/,
    ],
    ['hooks', { library: 'react@1' }, /Of react there are: react@18.0.0, react@19.2.0/],
    ['qqqqqqqq', { version: 'all' }, /Try other or fewer words/],
  ])('[KN6] of %j in %j says what to try', async (query, more, hint) => {
    const answer = await docs.find(query, more);
    expect(answer.results).toEqual([]);
    expect(answer.hint).toMatch(hint);
  });

  it('shows nobody the libraries of another tenant', async () => {
    const stranger = planted.as(engine.newTenant());
    expect((await stranger.find('hooks')).results.every(({ library }) => library === undefined)).toBe(true);
    await expect(stranger.read({ id: 'react@19.2.0/guide/hooks.md#s0' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await stranger.list()).libraries.every(({ library }) => library === 'feathers')).toBe(true);
  });

  it('[KN14] forgets a library that was removed, and what is best of the rest has 1', async () => {
    const own = planted.as(engine.newTenant());
    await own.take('gone', '1', 'a.md', [['Hooks', 'hooks hooks hooks']]);
    expect((await own.find('hooks')).results.some(({ library }) => library === 'gone')).toBe(true);
    await own.remove('gone', '1');
    const { results } = await own.find('hooks');
    expect(results.some(({ library }) => library === 'gone')).toBe(false);
    expect(results[0]?.score).toBe(1);
  });

  it('reads a section by its id, and a page by its place', async () => {
    expect(await docs.read({ id: 'v5/query#or' })).toEqual({
      ...{
        id: 'v5/query#or',
        library: 'feathers',
        version: 'v5',
        path: 'docs/v5/query.md',
        title: 'Combine conditions',
      },
      ...{ url: 'https://feathersjs.com/q', text: 'Use `$or` for any.' },
    });
    expect((await docs.read({ library: 'feathers', version: 'v5', path: 'hooks' })).text).toBe(
      '# Hooks\n\nHooks run around methods.\n\n## Around hooks\n\nAn around hook wraps a method with `next`.',
    );
    expect(await docs.read({ version: 'v5', path: 'docs/v5/hooks.md' })).toMatchObject({
      path: 'hooks',
      title: 'Hooks',
    });
    expect((await docs.read({ library: 'react', version: '19.2.0', path: 'guide/hooks.md' })).text).toBe(
      '## Custom hooks\n\nA hook is a function whose name begins with use.\n\n## Rules\n\nCall hooks at the top level.',
    );
  });

  it.each([
    [{ id: 'v5/none' }, 'NOT_FOUND'],
    [{ id: 'react@1/x#y' }, 'NOT_FOUND'],
    [{ library: 'react', version: '19.2.0', path: 'none.md' }, 'NOT_FOUND'],
    [{ library: 'vue', version: '1', path: 'x' }, 'NOT_FOUND'],
    [{ version: 'v5', path: '../secret' }, 'NOT_FOUND'],
    [{}, 'VALIDATION_ERROR'],
    [{ library: 'react', path: 'guide/hooks.md' }, 'VALIDATION_ERROR'],
    [{ id: 'v5/hooks', version: 'v5', path: 'hooks' }, 'VALIDATION_ERROR'],
  ])('reading %j is %s', async (request, code) => {
    await expect(docs.read(request)).rejects.toMatchObject({ code });
  });

  it('lists libraries, and the pages of one', async () => {
    const { libraries, pages } = await docs.list();
    expect(libraries.map(({ library, version }) => `${library}@${version}`)).toEqual([
      ...['feathers@v5', 'feathers@v4', 'feathers@both'],
      ...['long@1', 'react@18.0.0', 'react@19.2.0'],
    ]);
    expect(pages).toEqual([]);
    expect((await docs.list({ library: 'feathers', version: 'v5' })).pages.map(({ path }) => path)).toEqual([
      'hooks',
      'query',
      'remove',
    ]);
    const guide = await docs.list({ library: 'react', version: '19.2.0', prefix: 'guide/' });
    expect(guide).toMatchObject({ pages: [{ path: 'guide/hooks.md', title: 'A page' }], hasMore: false });
    expect((await docs.list({ library: 'react', version: '19.2.0', prefix: 'x' })).pages).toEqual([]);
  });
});
