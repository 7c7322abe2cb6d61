import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { engines, type Json, md, type NotebookProgram, openNotebooks, openOn } from './notebook-program.ts';

interface Hit {
  readonly scratch_id: string;
  readonly cell_id: string | null;
  readonly namespace: string | null;
  readonly tags: readonly string[];
  readonly score: number;
  readonly snippet: string;
}
interface Found {
  readonly hits: readonly Hit[];
  readonly embedder: string | null;
  readonly mode: string;
  readonly hint?: string;
  /** The texts that are not yet embedded. */
  readonly pending?: number;
}

const find = (program: NotebookProgram, query: string, more: Json = {}): Promise<Found> =>
  program.call<Found>('scratch_search', { query, ...more });
const positionsOf = ({ hits }: Found): readonly string[] =>
  hits.map(({ scratch_id, cell_id }) => (cell_id === null ? scratch_id : `${scratch_id}/${cell_id}`)).toSorted();

async function plant(program: NotebookProgram): Promise<void> {
  for (let n = 0; n < 12; n += 1) {
    await program.call('scratch_create', {
      scratch_id: `pad-${n}`,
      metadata: {
        title: n === 3 ? 'Zeppelin schedule' : `Pad ${n}`,
        namespace: n < 6 ? 'low' : 'high',
        tags: n % 2 === 0 ? ['even'] : ['odd'],
      },
      cells: [md(`The walrus number ${n} sings.`, { cell_id: 'c', tags: [`own-${n}`] })],
    });
  }
}

/** Waits until all texts are embedded; a search with few hits reports the remaining ones. */
const settled = (program: NotebookProgram): Promise<void> =>
  vi.waitFor(async () => expect((await find(program, 'zeppelin', { tags: ['no-such-tag'] })).pending).toBeUndefined(), {
    timeout: 120_000,
    interval: 50,
  });

/** Keyword search only, because the configured model does not exist. */
const noModel = { SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'minilm-that-does-not-exist' };

describe.each(engines)('search with the debug embedder, on %s', (engine) => {
  let program: NotebookProgram;
  beforeAll(async () => {
    program = await openOn(engine);
    await plant(program);
    await settled(program);
  });
  afterAll(() => program.close());

  it('answers every documented field and the embedder', async () => {
    const found = await find(program, 'zeppelin');
    expect(Object.keys(found).toSorted()).toEqual(['embedder', 'hits', 'mode', 'ok']);
    expect(found).toMatchObject({ mode: 'hybrid', embedder: expect.stringContaining('debug') });
    expect(found.hits[0]).toEqual({
      scratch_id: 'pad-3',
      cell_id: null,
      namespace: 'low',
      tags: ['odd'],
      score: expect.any(Number),
      relevance: expect.any(Number),
      snippet: expect.stringContaining('Zeppelin'),
    });
  });

  it('answers ten hits by default, and one to fifty', async () => {
    expect((await find(program, 'walrus')).hits).toHaveLength(10);
    expect((await find(program, 'walrus', { limit: 1 })).hits).toHaveLength(1);
    expect((await find(program, 'walrus', { limit: 50 })).hits.length).toBeGreaterThanOrEqual(12);
    for (const limit of [0, 51, 1.5]) {
      expect((await program.fail('scratch_search', { query: 'x', limit })).code).toBe('VALIDATION_ERROR');
    }
  });

  it('filters before the limit, by namespace and by tags of the pad and of the cell', async () => {
    const only = (found: Found) => [...new Set(found.hits.map(({ scratch_id }) => scratch_id))].toSorted();
    expect(only(await find(program, 'walrus', { tags: ['own-9'], limit: 1 }))).toEqual(['pad-9']);
    expect(only(await find(program, 'walrus', { namespaces: ['high'], tags: ['even'], limit: 50 }))).toEqual([
      'pad-10',
      'pad-6',
      'pad-8',
    ]);
    expect(only(await find(program, 'walrus', { namespaces: ['low', 'nowhere'], limit: 50 }))).toEqual(
      [0, 1, 2, 3, 4, 5].map((n) => `pad-${n}`),
    );
  });

  it('gives a hint when nothing is found', async () => {
    const nowhere = await find(program, 'walrus', { namespaces: ['nowhere'] });
    expect(nowhere).toMatchObject({ hits: [], hint: expect.stringContaining('scratch_namespace_list') });
    const filtered = await find(program, 'walrus', { tags: ['no-such-tag'] });
    expect(filtered).toMatchObject({ hits: [], hint: expect.stringContaining('without namespaces and tags') });
  });

  it('finds new content immediately, and no replaced, reset or deleted content', async () => {
    const inBrief = async (): Promise<readonly string[]> =>
      (await find(program, 'ocelot', { namespaces: ['brief'] })).hits.map(({ snippet }) => snippet);
    const cell = (content: string): Json => md(content, { cell_id: 'c' });
    const metadata = { namespace: 'brief' };
    await program.call('scratch_create', { scratch_id: 'brief', metadata, cells: [cell('An ocelot.')] });
    expect((await inBrief()).join()).toContain('An ocelot.');
    await program.call('scratch_replace_cell', { scratch_id: 'brief', cell_id: 'c', cell: cell('A badger.') });
    expect((await inBrief()).join()).not.toContain('ocelot');
    await program.call('scratch_append_cell', { scratch_id: 'brief', cell: md('The second ocelot.') });
    expect((await inBrief()).join()).toContain('The second ocelot.');
    await program.call('scratch_create', { scratch_id: 'brief', metadata });
    expect((await inBrief()).join()).not.toContain('ocelot');
    await program.call('scratch_namespace_rename', { old_namespace: 'brief', new_namespace: 'briefer' });
    expect((await find(program, 'brief', { namespaces: ['briefer'] })).hits).toMatchObject([{ namespace: 'briefer' }]);
    await program.call('scratch_delete', { scratch_id: 'brief' });
    expect((await find(program, 'brief', { namespaces: ['briefer'] })).hits).toEqual([]);
  });

  it.each([
    { query: '' },
    { query: ' \n' },
    {},
    { query: 7 },
    { query: 'x'.repeat(10_001) },
    { query: 'x', colour: 1 },
  ])('rejects %#', async (args) => {
    expect((await program.fail('scratch_search', args)).code).toBe('VALIDATION_ERROR');
  });
});

it('[NB34] says on the last page that the ranking ends before the matches do', async ({ onTestFinished }) => {
  const program = await openNotebooks();
  onTestFinished(() => program.close());
  for (const [scratch_id, count] of [
    ['few', 299],
    ['many', 301],
  ] as const) {
    const cells = Array.from({ length: count }, (_, n) => md(`A gramophone plays record ${n}.`, { cell_id: `c${n}` }));
    await program.call('scratch_create', { scratch_id, metadata: { namespace: scratch_id }, cells });
  }
  await settled(program);
  const pagesOf = async (more: Json): Promise<(Found & { next_cursor?: string })[]> => {
    const page: Found & { next_cursor?: string } = await program.call('scratch_search', {
      ...{ query: 'gramophone', limit: 50, ...more },
    });
    const { next_cursor: cursor } = page;
    return cursor === undefined ? [page] : [page, ...(await pagesOf({ ...more, cursor }))];
  };
  for (const mode of ['hybrid', 'words']) {
    const pages = await pagesOf({ mode, namespaces: ['many'] });
    expect(pages.length, mode).toBeGreaterThanOrEqual(6);
    const ends = pages.map(({ hint = '' }) => hint.includes('The ranking ends here, with the best 300 matches'));
    expect(ends, mode).toEqual(pages.map((_, i) => i === pages.length - 1));
    const whole = await pagesOf({ mode, namespaces: ['few'] });
    expect(whole.flatMap(({ hits }) => hits).length, mode).toBeGreaterThanOrEqual(299);
    expect(JSON.stringify(whole.map(({ hint }) => hint)), mode).not.toContain('ends here');
  }
});

describe('search without a model', () => {
  it('uses keywords, reports that, and suggests indexed words without hits', async ({ onTestFinished }) => {
    const program = await openNotebooks(noModel);
    onTestFinished(() => program.close());
    await plant(program);
    const found = await find(program, 'zeppelin');
    expect(found).toMatchObject({ mode: 'words', embedder: null });
    expect(positionsOf(found)).toEqual(['pad-3', 'pad-3/c']);
    for (const [query, word] of [
      ['zepelinn', 'zeppelin'],
      ['walruss', 'walrus'],
    ] as const) {
      expect(await find(program, query), query).toMatchObject({ hits: [], hint: expect.stringContaining(word) });
    }
    await expect.poll(() => program.said(), { timeout: 120_000 }).toContain('only keyword search is available');
    const nothing = await find(program, 'qqqqqqqq');
    expect(nothing).toMatchObject({ hits: [], hint: expect.stringContaining('Nothing was found') });
  });

  it('is CONFIG_ERROR when switched off, and everything else works', async ({ onTestFinished }) => {
    const program = await openNotebooks({ SCRATCH_NOTEBOOK_ENABLE_SEMANTIC_SEARCH: 'false' });
    onTestFinished(() => program.close());
    await program.call('scratch_create', { scratch_id: 'kept', cells: [md('x')] });
    const error = await program.fail('scratch_search', { query: 'x' });
    expect(error).toMatchObject({ code: 'CONFIG_ERROR', message: expect.stringContaining('switched off') });
    expect((await program.read('kept')).cell_count).toBe(1);
  });
});

describe('search with the packaged model', () => {
  it('finds texts by meaning that share no word with the query', async ({ onTestFinished }) => {
    const program = await openNotebooks({ SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'minilm' });
    onTestFinished(() => program.close());
    const texts = [
      'The cat sleeps on the warm sofa.',
      'Invoices are due in thirty days.',
      'Tighten the bolt of the wheel.',
    ];
    await program.call('scratch_create', {
      scratch_id: 'mixed',
      cells: texts.map((content, i) => md(content, { cell_id: `c${i}` })),
    });
    const best = async (query: string) => (await find(program, query)).hits.find(({ cell_id }) => cell_id !== null);
    // Embedding runs in the background.
    await expect
      .poll(() => best('a kitten naps'), { timeout: 120_000, interval: 100 })
      .toMatchObject({ cell_id: 'c0' });
    await expect
      .poll(() => best('paying a bill'), { timeout: 120_000, interval: 100 })
      .toMatchObject({ cell_id: 'c1' });
    expect(await find(program, 'kitten')).toMatchObject({
      mode: 'hybrid',
      embedder: expect.stringContaining('minilm'),
    });
  });

  it('keeps the signs of tokens of cells as long as the cells', async ({ onTestFinished }) => {
    const program = await openNotebooks({ SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'minilm' });
    onTestFinished(() => program.close());
    const content = 'The cat sleeps.';
    await program.call('scratch_create', { scratch_id: 'cats', cells: [md(content, { cell_id: 'one' })] });
    const lengths = () => {
      const db = new DatabaseSync(join(program.home, 'fourfold.db'), { readOnly: true });
      const rows = db.prepare(`select length(signs) as bytes from meaning_tokens where id = 'cats/one'`).all();
      db.close();
      return rows.map(({ bytes }) => bytes);
    };
    // Three words and the full stop, with one bit for each of the 384 numbers.
    await expect.poll(lengths, { timeout: 120_000, interval: 100 }).toEqual([4 * 48]);
    await program.call('scratch_delete', { scratch_id: 'cats' });
    expect(lengths()).toEqual([]);
  });
});
