import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { sql } from '#kernel/storage/sql.ts';
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
      relevance: 1,
      snippet: 'An around hook wraps a method with `next`.',
      breadcrumb: 'Page',
    });
    expect(results.slice(1).every(({ score }) => score > 0 && score < 1)).toBe(true);
  });

  it('[KN26] pages through one ranking without repeating or skipping a result', async () => {
    const paged = fixture.as(engine.newTenant());
    for (let page = 0; page < 4; page += 1) {
      const texts = Array.from(
        { length: 6 },
        (_, n) => [`Walrus ${page} ${n}`, `walrus ${'tusk '.repeat(n + 1)}`] as const,
      );
      await paged.addPage('sea', '1', `walrus-${page}.md`, texts);
    }
    for (const mode of ['words', 'hybrid']) {
      const whole = (await paged.find('walrus tusk', { limit: 20, mode, maxTokens: 100 })).results.map(({ id }) => id);
      expect(whole).toHaveLength(20);
      const seen: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < 5; page += 1) {
        const answer = await paged.find('walrus tusk', { limit: 4, mode, maxTokens: 100, cursor });
        expect(answer.results[0]).toHaveProperty('text');
        seen.push(...answer.results.map(({ id }) => id));
        cursor = answer.next_cursor;
      }
      expect(seen).toEqual(whole);
    }
  });

  it('[KN26] rejects the cursor of another search, of another tenant and of docs that have changed', async () => {
    const paged = fixture.as(engine.newTenant());
    const texts = Array.from({ length: 6 }, (_, n) => [`Otter ${n}`, `otter ${'river '.repeat(n + 1)}`] as const);
    await paged.addPage('sea', '1', 'otter.md', texts);
    const { next_cursor: cursor } = await paged.find('otter', { limit: 2 });
    expect(cursor).toBeDefined();
    const find = async (asker: typeof paged, query: string, more: object = {}) =>
      asker.find(query, { limit: 2, cursor, ...more });
    const refused = { code: 'INVALID_PARAMS', details: { field: 'cursor' }, fix: expect.stringContaining('cursor') };
    await expect(find(paged, 'river')).rejects.toMatchObject(refused);
    await expect(find(paged, 'otter', { library: 'sea' })).rejects.toMatchObject(refused);
    await expect(find(paged, 'otter', { cursor: 'x' })).rejects.toMatchObject(refused);
    await expect(find(fixture.as(engine.newTenant()), 'otter')).rejects.toMatchObject(refused);
    await expect(find(paged, 'otter')).resolves.toMatchObject({ results: [{}, {}] });
    await paged.addPage('sea', '1', 'best.md', [['Otter otter', 'otter otter otter']]);
    await expect(find(paged, 'otter')).rejects.toMatchObject(refused);
  });

  it('lists the pages of a library page by page, and rejects the cursor of another list', async () => {
    const paged = fixture.as(engine.newTenant());
    for (let n = 0; n < 105; n += 1) {
      await paged.addPage('many', '1', `p${String(n).padStart(3, '0')}.md`, [['A', 'text']]);
    }
    const first = await paged.list({ library: 'many', version: '1' });
    expect(first).toMatchObject({ hasMore: true, next_cursor: expect.any(String) });
    const cursor = first.next_cursor;
    const second = await paged.list({ library: 'many', version: '1', cursor });
    expect([...first.pages, ...second.pages].map(({ path }) => path)).toHaveLength(105);
    expect(second.pages.map(({ path }) => path)).toEqual(['p100.md', 'p101.md', 'p102.md', 'p103.md', 'p104.md']);
    expect(second).not.toHaveProperty('next_cursor');
    const other = paged.list({ library: 'many', version: '1', prefix: 'p', cursor });
    await expect(other).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('[KN27] explains with which words a section was found', async () => {
    const { results } = await docs.find('wrapping methods', { version: 'v5', explain: true, mode: 'words' });
    expect(results[0]).toMatchObject({ id: 'v5/hooks#around', why: { words: ['wraps', 'method'] } });
    expect((await docs.find('wrapping methods', { version: 'v5' })).results[0]).not.toHaveProperty('why');
  });

  it('answers in mode words synchronously from the base alone, with the same result as asynchronously', async () => {
    const opening = engine.open(base);
    const alone = opening.as(engine.newTenant());
    const waited = await alone.find('around hooks', { version: 'v5', mode: 'words' });
    const atOnce = alone.find('around hooks', { version: 'v5', mode: 'words' });
    // A store without a stamp must always be queried.
    expect(atOnce instanceof Promise).toBe(engine.kind === 'postgres');
    expect(await atOnce).toEqual(waited);
    const withLibraries = opening.as(docs.call.tenant).find('hooks');
    expect(withLibraries).toBeInstanceOf(Promise);
    expect(await withLibraries).toEqual(await docs.find('hooks'));
  });

  it('[KN3] [KN4] ranks libraries and the base together; a version filters the base only', async () => {
    for (const version of [undefined, 'v5', 'v4', 'both', 'all']) {
      const { results } = await docs.find('hooks', { version });
      expect(new Set(results.map(({ library }) => library)), version).toEqual(new Set([undefined, 'react']));
    }
    const inBase = async (version?: string) =>
      (await idsOf('hooks', { version })).filter((id) => !id.startsWith('react@'));
    expect((await docs.find('hooks')).version).toBe('v5');
    expect(await inBase('v5')).toEqual(await inBase());
    expect((await inBase('v5')).some((id) => id.startsWith('v4/'))).toBe(false);
    expect(await inBase('v4')).toEqual(['v4/hooks#before', 'both/errors#list']);
    expect((await inBase('all')).length).toBe((await inBase()).length + 1);
  });

  it('[KN4] searches the newest version of a library, or the one that is asked for', async () => {
    const newest = ['react@19.2.0/guide/hooks.md#s0', 'react@19.2.0/guide/hooks.md#s1'];
    for (const library of [
      'react',
      'react@19.2.0',
      'react@19',
      'react@^19.1',
      'react@>=18',
      ' react ',
      'React.js@latest',
    ])
      expect((await idsOf('hooks', { library })).toSorted(), library).toEqual(newest);
    expect((await docs.find('hooks', { library: 'react' })).library).toBe('react@19.2.0');
    const { results, library } = await docs.find('hooks', { library: 'react@<19' });
    expect(library).toBe('react@18.0.0');
    expect(results).toEqual([
      {
        id: 'react@18.0.0/guide/hooks.md#s0',
        ...{ library: 'react', version: '18.0.0', title: 'Custom hooks', category: 'guide', score: 1 },
        relevance: 1,
        source: { path: 'guide/hooks.md' },
        snippet: 'An older text on hooks.',
        breadcrumb: 'A page',
      },
    ]);
    // Nor does a search in all libraries show the older one.
    expect((await idsOf('hooks')).filter((id) => id.startsWith('react@')).toSorted()).toEqual(newest);
  });

  it('[KN4] searches the version that the query names if library names none', async () => {
    const searched = async (query: string, library: string, more: object = {}) => {
      const answer = await docs.find(query, { library, ...more });
      return [answer.library, answer.version, answer.results[0]?.version];
    };
    expect(await searched('hook in react 18', 'react')).toEqual(['react@18.0.0', '18.0.0', '18.0.0']);
    expect(await searched('hook in react 18', 'react@19')).toEqual(['react@19.2.0', '19.2.0', '19.2.0']);
    expect(await searched('hook in react 7', 'react')).toEqual(['react@19.2.0', '19.2.0', '19.2.0']);
    expect(await searched('hook in react 18', 'react', { version: 'v5' })).toContain('react@18.0.0');
    expect(await searched('before hook in v4', 'feathers')).toEqual(['feathers@v4', 'v4', 'v4']);
    expect(await searched('before hook in v4', 'feathers', { version: 'v5' })).toEqual(['feathers', 'v5', 'v5']);
  });

  it('[KN25] ranks the same candidates whatever the limit, so the first hit stays the first', async () => {
    const own = fixture.as(engine.newTenant());
    const declared = Array.from({ length: 30 }, (_, n) => [`gnu${n}`, 'A gnu is a gnu.'] as const);
    await own.addPage('herd', '1', 'index.d.ts', declared);
    await own.addPage('herd', '1', 'README.md', [['Animals', 'A gnu and what else lives in a herd of animals.']]);
    for (const limit of [1, 10]) {
      const { results } = await own.find('gnu', { limit, mode: 'words' });
      expect(results[0]?.source.path, `limit ${limit}`).toBe('README.md');
    }
  });

  it('[KN25] does not take the version of a named library for a question about changes', async () => {
    const own = fixture.as(engine.newTenant());
    await own.addPage('tapir', '1.2.0', 'CHANGELOG.md', [['Snout care', 'A snout is a snout.']]);
    await own.addPage('tapir', '1.2.0', 'docs/use.md', [['Snout wear', 'A snout is a nose.']]);
    const first = async (query: string) => (await own.find(query)).results[0]?.source.path;
    expect(await first('snout in tapir 1.2')).toBe('docs/use.md');
    expect(await first('what changed about the snout in tapir 1.2')).toBe('CHANGELOG.md');
  });

  it.each([
    ['feathers', 'v5/', 'v4/'],
    ['feathers@v4', 'v4/', 'v5/'],
    ['feathers@4.5.20', 'v4/', 'v5/'],
    ['feathers@^5.0.0', 'v5/', 'v4/'],
    ['feathers@latest', 'v5/', 'v4/'],
    ['FeathersJS@4', 'v4/', 'v5/'],
  ])('[KN4] finds the base as the library %s', async (library, own, other) => {
    const ids = await idsOf('hooks', { library });
    expect(ids.some((id) => id.startsWith(own))).toBe(true);
    expect(ids.some((id) => id.startsWith(other) || id.includes('@'))).toBe(false);
  });

  it.each([
    ['vue', /^No library is named "vue"; known: feathers, long@1, react@18.0.0, react@19.2.0$/],
    ['react@1', /^react has no version that matches "1"; known: react@19.2.0, react@18.0.0$/],
    ['react@', /^react has no version that matches ""; known: react@19.2.0, react@18.0.0$/],
    ['react@newest', /^react has no version that matches "newest"; known: react@19.2.0, react@18.0.0$/],
    ['feathers@6', /^feathers has no version that matches "6"; known: feathers@v4, feathers@v5$/],
    ['@', /^No library is named "@"; known: feathers/],
    ['x'.repeat(100_000), /^No library is named "x+"; known: feathers/],
  ])('[KN4] rejects the library %.20s with the known ones', async (library, message) => {
    await expect(docs.find('hooks', { library })).rejects.toMatchObject({
      code: 'UNKNOWN_LIBRARY',
      message: expect.stringMatching(message),
    });
  });

  it('[KN4] shows how to ingest a library that is not there', async () => {
    await expect(docs.find('slots', { library: '@vue/core@3' })).rejects.toMatchObject({
      fix: expect.stringContaining('knowledge_ingest {"source":"npm:@vue/core"}') as string,
    });
    for (const library of ['no library', 'react@1'])
      await expect(docs.find('slots', { library })).rejects.toMatchObject({
        fix: expect.not.stringContaining('npm:') as string,
      });
  });

  it('[KN4] puts a library that the query names first, without hiding the others', async () => {
    const named = fixture.as(engine.newTenant());
    await named.addPage('@acme/routing', '2.0.0', 'a.md', [['Guards', 'A guard around a method of a route.']]);
    await named.addPage('walls', '1.0.0', 'a.md', [['Around hooks', 'An around hook is a hook around a method.']]);
    await named.addPage('walls', '2.0.0', 'a.md', [['Colours', 'A hook on the wall.']]);
    const ids = async (query: string, more: object = {}) => (await named.find(query, more)).results.map(({ id }) => id);
    for (const query of [
      'around a method in @acme/routing',
      'routing: around a method',
      'around a method with Routing',
    ]) {
      const [first, ...others] = await ids(query);
      expect(first).toBe('@acme/routing@2.0.0/a.md#s0');
      expect(others).toContain('v5/hooks#around');
    }
    expect((await ids('around a method'))[0]).not.toContain('routing');
    expect((await ids('hook in walls'))[0]).toBe('walls@2.0.0/a.md#s0');
    expect((await ids('around hook in walls v1'))[0]).toBe('walls@1.0.0/a.md#s0');
    // The name is not a word of the question.
    expect((await ids('walls', { library: 'walls' }))[0]).toBe('walls@2.0.0/a.md#s0');
    expect(
      (await named.find('walls guard', { library: '@acme/routing', explain: true })).results[0]?.why?.words,
    ).toEqual(['guards', 'guard']);
    const page = await named.find('hook around a method in walls v1', { limit: 1 });
    const next = await named.find('hook around a method in walls v1', { limit: 1, cursor: page.next_cursor });
    expect([...page.results, ...next.results].map(({ id }) => id)).toEqual(
      await ids('hook around a method in walls v1', { limit: 2 }),
    );
  });

  it('[KN3] puts the version of Feathers that the query names first, unless version is given', async () => {
    const alone = fixture.as(engine.newTenant());
    for (const query of ['hook in Feathers 4', 'hook in feathers v4', 'v4 hook', 'feathersjs@4.5 hook']) {
      const { version, results } = await alone.find(query);
      expect([query, version, results[0]?.id]).toEqual([query, 'v5', 'v4/hooks#before']);
      expect(results.map(({ id }) => id)).toContain('v5/hooks#around');
      expect((await alone.find(query, { version: 'v5' })).results.map(({ id }) => id)).not.toContain('v4/hooks#before');
    }
    const migrating = await alone.find('hook from v4 to v5');
    expect(migrating.results.map(({ version }) => version)).not.toContain('v4');
  });

  it('[KN3] names the version of the library that it searched, and otherwise that of Feathers', async () => {
    expect((await docs.find('hooks', { library: 'react' })).version).toBe('19.2.0');
    expect((await docs.find('hooks', { library: 'react@18' })).version).toBe('18.0.0');
    expect((await docs.find('hooks', { library: 'feathers@4' })).version).toBe('v4');
    for (const more of [{}, { library: 'feathers' }]) expect((await docs.find('hooks', more)).version).toBe('v5');
  });

  it('repeats only the beginning of a long query, and says so', async () => {
    const query = `hook ${'x'.repeat(1_000_000)}`;
    const answer = await docs.find(query);
    expect(answer.query).toBe(`${query.slice(0, 1_000)}...`);
    expect(JSON.stringify(answer).length).toBeLessThan(20_000);
    expect(answer.hint).toContain('query repeats only its first 1000 characters.');
    expect(answer.results.map(({ id }) => id)).toContain('v5/hooks');
    const short = await docs.find('hook');
    expect(short.query).toBe('hook');
    expect(short).not.toHaveProperty('hint');
  });

  it('[KN4] prefers the version in the lock file of the project', async () => {
    const project = mkdtempSync(join(tmpdir(), 'ff-project-'));
    onTestFinished(() => rmSync(project, { recursive: true, force: true }));
    const write = (version: string) =>
      writeFileSync(
        join(project, 'package-lock.json'),
        JSON.stringify({ packages: { 'node_modules/react': { version } } }),
      );
    const own = engine.open(base, undefined, undefined, realpathSync(project)).as(docs.call.tenant);
    const versionsFound = async (library?: string) =>
      new Set(
        (await own.find('hooks', { library })).results.filter((hit) => hit.library).map(({ version }) => version),
      );
    write('18.0.0');
    for (const library of [undefined, 'react', 'react@>=17'])
      expect(await versionsFound(library)).toEqual(new Set(['18.0.0']));
    expect(await versionsFound('react@^19')).toEqual(new Set(['19.2.0']));
    write('17.0.22');
    expect(await versionsFound('react')).toEqual(new Set(['19.2.0']));
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

  it('[KN24] returns whole sections up to max_tokens, and one line for the others', async () => {
    const { results, more } = await docs.find('hooks', { maxTokens: 1_500 });
    expect(results.every(({ text, cut }) => text !== undefined && text !== '' && cut === undefined)).toBe(true);
    expect(more).toBeUndefined();
    const [first, ...others] = (await docs.find('hooks', { maxTokens: 12 })).results;
    expect([first?.text, first?.cut]).toEqual([results[0]!.text, undefined]);
    expect(others.every(({ text, snippet }) => text === undefined && !snippet.includes('\n'))).toBe(true);
    expect((await docs.find('hooks', { maxTokens: 12 })).more).toMatch(/knowledge_read/);
    expect((await docs.find('hooks', { maxTokens: 0 })).results.every(({ text }) => text === undefined)).toBe(true);
  });

  it('[KN24] joins the parts of a split section, or returns the part that matches', async () => {
    const whole = 'zebra first piece of a long section\n\nzebra second piece\n\nzebra third piece';
    const [first] = (await docs.find('zebra', { maxTokens: 100 })).results;
    expect([first?.text, first?.cut]).toEqual([whole, undefined]);
    expect((await docs.read({ id: first!.id })).text).toBe(whole);
    const [part] = (await docs.find('zebra second', { maxTokens: 15 })).results;
    expect([part?.text, part?.cut]).toEqual(['zebra second piece', true]);
  });

  it('[KN24] reads nothing of a page but the requested section and its parts', async () => {
    const own = fixture.as(engine.newTenant());
    const parts = ['first part', 'second part'].map((text, i) => [i === 0 ? 'Gecko' : '', text] as const);
    await own.addPage('zoo', '1', 'page.md', [['Newt', 'newt text'], ...parts, ['Toad', 'toad text']]);
    const setText = (anchor: string, body: string) =>
      engine.storage().write(own.call, (db) =>
        db.run(sql`
          update knowledge_sections set body = ${body} where tenant = ${db.tenant} and anchor = ${anchor}`),
      );
    const read = (anchor: string) => own.read({ id: `zoo@1/page.md#${anchor}` });
    await setText('s3', 'damaged');
    expect((await read('s0')).text).toBe('newt text');
    expect((await read('s2')).text).toBe('first part\n\nsecond part');
    await expect(read('s3')).rejects.toMatchObject({ code: 'INTEGRITY_ERROR' });
    await setText('s1', 'damaged');
    await expect(read('s2')).rejects.toMatchObject({ code: 'INTEGRITY_ERROR' });
    await setText('s3', 'toad text');
    await setText('s1', 'first part');
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
    ['zebra', { library: 'react@19.2.0' }, /Other docs than those of react have it/],
    ['before', { version: 'v5' }, /version "all"/],
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

  it('names the tool that finds a section or page if one is missing', async () => {
    await expect(docs.read({ id: 'v5/none' })).rejects.toMatchObject({
      fix: expect.stringContaining('search_docs') as string,
    });
    await expect(docs.read({ library: 'vue', version: '1', path: 'x' })).rejects.toMatchObject({
      fix: expect.stringContaining('knowledge_pages') as string,
    });
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
