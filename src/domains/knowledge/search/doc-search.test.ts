import { beforeAll, expect, it } from 'vitest';
import { describeDocs, section } from './docs.fixture.ts';

const base = [
  section('v5/hooks', { title: 'Hooks', text: 'Hooks run around methods.', breadcrumb: ['Hooks'] }),
  section('v5/hooks#around', { title: 'Around hooks', text: 'An around hook wraps a method with `next`.' }),
  section('v5/query#or', { title: 'Combine conditions', text: 'Use `$or` for any.', url: 'https://feathersjs.com/q' }),
  section('v4/hooks#before', { title: 'Before hooks in v4', version: 'v4', text: 'A hook before a method.' }),
  section('both/errors#list', {
    title: 'Errors',
    version: 'both',
    text: 'Every error has a code. A hook may throw one.',
  }),
  section('v5/remove#many', { title: 'Remove several records', text: 'Pass null as the id.' }),
];

describeDocs('search_docs', (engine) => {
  let docs: ReturnType<ReturnType<typeof engine.open>['as']>;
  let fixture: ReturnType<typeof engine.open>;
  beforeAll(async () => {
    fixture = engine.open(base);
    docs = fixture.as(engine.newTenant());
    await docs.addPage('react', '19.2.0', 'guide/hooks.md', [
      ['Custom hooks', 'A hook is a function whose name begins with use.'],
      ['Rules', 'Call hooks at the top level.'],
    ]);
    await docs.addPage('react', '18.0.0', 'guide/hooks.md', [['Custom hooks', 'An older text on hooks.']]);
    await docs.addPage('long', '1', 'page.md', [
      ['Zebra', 'zebra first piece of a long section'],
      ['', 'zebra second piece'],
      ['', 'zebra third piece'],
      ['Other', 'a zebra elsewhere'],
    ]);
  });
  const idsOf = async (query: string, more: object = {}) => (await docs.find(query, more)).results.map(({ id }) => id);

  it('[KN1] ranks a matching title first with score 1', async () => {
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

  it('answers synchronously from the base alone, with the same result as asynchronously', async () => {
    const opening = engine.open(base).as(docs.call.tenant);
    const waited = await opening.find('around hooks', { version: 'v5' });
    const atOnce = opening.find('around hooks', { version: 'v5' });
    // A store without a stamp must always be queried.
    expect(atOnce instanceof Promise).toBe(engine.kind === 'postgres');
    expect(await atOnce).toEqual(waited);
    const withLibraries = opening.find('hooks');
    expect(withLibraries).toBeInstanceOf(Promise);
    expect(await withLibraries).toEqual(await docs.find('hooks'));
  });

  it('[KN4] ranks libraries and the base together unless a version is given', async () => {
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

  it('[KN4] searches one library or one version of it', async () => {
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

  it('[KN1] shows one hit per section, even if the section was split', async () => {
    for (const limit of [2, 10]) {
      const { results } = await docs.find('zebra', { limit });
      expect(results.map(({ breadcrumb, title }) => `${breadcrumb} > ${title}`)).toEqual([
        'A page > Zebra',
        'A page > Other',
      ]);
    }
  });

  it('finds names with a sigil, synonyms and substrings', async () => {
    expect(await idsOf('$or')).toEqual(['v5/query#or']);
    expect((await idsOf('delete'))[0]).toBe('v5/remove#many');
    expect(await idsOf('ombin')).toEqual(['v5/query#or']);
  });

  it('[KN2] finds nothing for blanks, symbols and stop words, and gives a hint', async () => {
    for (const query of ['', '  ', '?!', 'the of and']) {
      expect(await docs.find(query)).toMatchObject({ query, results: [], hint: expect.stringMatching(/words/) });
    }
  });

  it.each([
    ['wrps', {}, /Similar words: wraps/],
    ['older', { library: 'react@19.2.0' }, /Other libraries have it/],
    ['hooks', { library: 'react', version: 'v4' }, /Other versions have it/],
    ['before', { version: 'v5' }, /version "all"/],
    ['hooks', { library: 'vue' }, /No library is named "vue"; available: feathers, long@1, react@18.0.0, react@19.2.0/],
    ['hooks', { library: 'react@1' }, /Available versions: react@18.0.0, react@19.2.0/],
    ['qqqqqqqq', { version: 'all' }, /Try other or fewer words/],
  ])('[KN6] gives a hint for %j with %j', async (query, more, hint) => {
    const answer = await docs.find(query, more);
    expect(answer.results).toEqual([]);
    expect(answer.hint).toMatch(hint);
  });

  it('hides the libraries of other tenants', async () => {
    const stranger = fixture.as(engine.newTenant());
    expect((await stranger.find('hooks')).results.every(({ library }) => library === undefined)).toBe(true);
    await expect(stranger.read({ id: 'react@19.2.0/guide/hooks.md#s0' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await stranger.list()).libraries.every(({ library }) => library === 'feathers')).toBe(true);
  });

  it('[KN14] omits a removed library and gives the best remaining hit score 1', async () => {
    const own = fixture.as(engine.newTenant());
    await own.addPage('gone', '1', 'a.md', [['Hooks', 'hooks hooks hooks']]);
    expect((await own.find('hooks')).results.some(({ library }) => library === 'gone')).toBe(true);
    await own.remove('gone', '1');
    const { results } = await own.find('hooks');
    expect(results.some(({ library }) => library === 'gone')).toBe(false);
    expect(results[0]?.score).toBe(1);
  });

  it('reads a section by its id and a page by its path', async () => {
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
  ])('rejects reading %j with %s', async (request, code) => {
    await expect(docs.read(request)).rejects.toMatchObject({ code });
  });

  it('lists libraries and the pages of one library', async () => {
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
