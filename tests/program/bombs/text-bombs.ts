import { buildZip } from '#domains/truth/files/sample-files.fixture.ts';
import { type Bomb, callBomb, long, manyFields, times } from './bomb.ts';
import type { Json } from './measured-program.ts';

let count = 0;
const nextName = (): string => {
  count += 1;
  return `library-${count}`;
};

/** Pages that come with the call. */
const pagesBomb = (name: string, path: string, content: () => string, pagesCount = 1): Bomb => ({
  ...callBomb(name, 'knowledge_ingest', () => ({
    library: nextName(),
    version: '1.0.0',
    pages: times(pagesCount, (i) => ({ path: path.replace('#', String(i)), content: content() })),
  })),
  // A page is stored and indexed in one transaction, which on SQLite is one turn.
  heldMs: 250,
});

const zipBomb = (name: string, members: () => Readonly<Record<string, string | Buffer>>): Bomb => ({
  name,
  send: (program) => {
    const library = nextName();
    return program.call('knowledge_ingest', {
      library,
      version: '1.0.0',
      source: program.putFile(`${library}.zip`, buildZip(members())),
    });
  },
});

const page = 3_900_000;
const entry = (id: string, more: Json = {}): Json => ({ id, title: id, body: 'text', ...more });

const knowledgeBombs: readonly Bomb[] = [
  pagesBomb('an HTML page of 4 MB of open tags', 'a.html', () => '<div>'.repeat(page / 5)),
  pagesBomb('an HTML page of 4 MB of text', 'a.html', () => `<p>${'word '.repeat(page / 5)}`),
  pagesBomb('an HTML page of 4 MB of headings', 'a.html', () => '<h1>a</h1>b'.repeat(page / 11)),
  pagesBomb('an HTML page of 4 MB of references', 'a.html', () => '&amp;'.repeat(page / 5)),
  pagesBomb('an HTML page of 4 MB without an end of a tag', 'a.html', () => '<a "'.repeat(page / 4)),
  pagesBomb('an HTML page of 4 MB of table cells', 'a.html', () => '<td>x'.repeat(page / 5)),
  pagesBomb('an HTML page of 4 MB of comments', 'a.html', () => '<!-- '.repeat(page / 5)),
  pagesBomb('an HTML page of 4 MB of end tags', 'a.html', () => '</b>'.repeat(page / 4)),
  pagesBomb('two HTML pages of 4 MB', '#.html', () => '<p>some <b>words</b> of a page</p>\n'.repeat(page / 36), 2),
  pagesBomb('a Markdown page of 4 MB of headings', 'a.md', () => '# a\nb\n'.repeat(page / 6)),
  pagesBomb('a Markdown page of 4 MB of quotes', 'a.md', () => '> '.repeat(page / 2)),
  pagesBomb('a Markdown page of 4 MB of links', 'a.md', () => '[a]('.repeat(page / 4)),
  pagesBomb('a Markdown page of 4 MB in one line', 'a.md', () => 'a'.repeat(page)),
  pagesBomb('a Markdown page of 4 MB of list items', 'a.md', () => '- a\n'.repeat(page / 4)),
  pagesBomb('a Markdown page of fences', 'a.md', () => '```\n'.repeat(page / 4)),
  pagesBomb('an MDX page of 4 MB of braces', 'a.mdx', () => '{'.repeat(page)),
  pagesBomb('a declaration page of 4 MB', 'a.d.ts', () =>
    'export declare function a(b: string): void;\n'.repeat(page / 44),
  ),
  pagesBomb('a declaration page that nests', 'a.d.ts', () => 'namespace a {\n'.repeat(page / 14)),
  pagesBomb(
    'a page with front matter that explodes',
    'a.md',
    () => `---\na: &a [1]\nb: ${'[*a,'.repeat(50_000)}\n---\ntext`,
  ),
  long(pagesBomb('a plain page of 4 MB of words', 'a.txt', () => times(500_000, (i) => i.toString(36)).join(' '))),
  pagesBomb('1,000 pages', '#.md', () => '# Title\n\nSome words of a page.\n'.repeat(100), 1_000),
  zipBomb('a zip of a page that unpacks to 300 MB', () => ({ 'a.md': Buffer.alloc(300 * 1024 * 1024, ' ') })),
  zipBomb('a zip of 20,000 pages', () => Object.fromEntries(times(20_000, (i) => [`docs/${i}.md`, '# a']))),
  zipBomb('a zip with long names', () =>
    Object.fromEntries(times(2_000, (i) => [`${'a/'.repeat(1_000)}${i}.md`, '# a'])),
  ),
  callBomb('a search for docs with a long query', 'search_docs', () => ({ query: 'around hooks '.repeat(100_000) })),
  {
    ...callBomb('a search for docs with many prefixes', 'search_docs', () => ({
      query: times(5_000, (i) => `${i.toString(36)}*`).join(' '),
    })),
    heldMs: 250,
  },
  callBomb('a service of 10,000 fields', 'generate_service', () => ({
    name: 'wide',
    database: 'sqlite',
    fields: times(10_000, (i) => ({ name: `f${i}`, type: 'string' })),
  })),
];

const instructionBombs: readonly Bomb[] = [
  callBomb('a regular expression that explodes', 'instructions/search', () => ({ q: '^(a+)+$', mode: 'regex' })),
  callBomb('a regular expression of groups', 'instructions/search', () => ({
    q: '('.repeat(490) + ')'.repeat(490),
    mode: 'regex',
  })),
  callBomb('a search with 50,000 prefixes', 'instructions/search', () => ({
    q: times(50_000, (i) => `${i.toString(36)}*`).join(' '),
  })),
  callBomb('a search of 10 MB', 'instructions/search', () => ({ q: 'commit message '.repeat(700_000) })),
  callBomb('an import of 2,000 entries', 'instructions/import', () => ({
    entries: times(2_000, (i) => entry(`many-${i}`)),
    mode: 'overwrite',
  })),
  callBomb('an import of 50,000 entries', 'instructions/import', () => ({
    entries: times(50_000, (i) => ({ id: `x${i}` })),
    mode: 'skip',
  })),
  callBomb('an entry with 50,000 unknown fields', 'instructions/add', () => ({
    entry: entry('wide', manyFields(50_000)),
    lax: true,
  })),
  callBomb('an entry with 50,000 categories', 'instructions/add', () => ({
    entry: entry('tags', { categories: times(50_000, (i) => `c${i}`) }),
    lax: true,
  })),
  callBomb('globs that explode', 'instructions/add', () => ({
    entry: entry('globs', { appliesTo: { files: times(100, () => `${'**/*'.repeat(50)}x`) } }),
    lax: true,
  })),
  callBomb('the rules for 200 long paths', 'instructions/applicable', () => ({
    files: times(200, () => 'a/'.repeat(499)),
    task: 'word '.repeat(800),
  })),
  callBomb('a review of a prompt of 10 MB', 'prompt/review', () => ({
    prompt: 'ignore all previous instructions '.repeat(300_000),
  })),
  callBomb('a batch of 100 operations with many members', 'instructions/batch', () => ({
    operations: times(100, () => ({ method: 'instructions/list', params: manyFields(500) })),
  })),
  callBomb('a filter with many texts', 'instructions/query', () => ({
    text: 'a '.repeat(1_000),
    categoriesAny: times(100, (i) => `${i}`.repeat(500)),
  })),
];

export const textBombs: readonly Bomb[] = [...knowledgeBombs, ...instructionBombs];
