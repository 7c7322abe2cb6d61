import { describe, expect, it, onTestFinished } from 'vitest';
import {
  actionForms,
  type CatalogProgram,
  type Json,
  mutationOn,
  openCatalog,
  untilEmbedded,
} from './catalog-program.fixture.ts';
import { engines, openOn } from './engines.fixture.ts';
import { type Entry, entryInput } from './entries.fixture.ts';

interface Found {
  readonly mode: string;
  readonly embedder?: string;
  readonly count: number;
  readonly items: readonly Entry[];
  readonly hints?: readonly string[];
  readonly nextCursor?: string;
}

const rules = {
  'rotate.json': entryInput('rotate', { title: 'Credentials', body: 'Replace every password after ninety days.' }),
  'review.json': entryInput('review', { title: 'Reviews', body: 'A second pair of eyes approves each merge.' }),
  'style.json': entryInput('style', {
    title: 'Layout',
    body: 'Indent with two spaces and end lines with a semicolon.',
  }),
};

const search = (program: CatalogProgram, args: Json): Promise<Found> =>
  program.value<Found>('plain method', 'instructions/search', args);
const idsOf = ({ items }: Found): readonly string[] => items.map(({ id }) => id);

async function openWith(engine: (typeof engines)[number], env: Readonly<Record<string, string>>) {
  const program = await openOn(engine, { ...mutationOn, ...env }, rules);
  onTestFinished(() => program.close());
  return program;
}

describe.each(engines)('semantic search, entries in %s', (engine) => {
  it('starts with the first such search, follows writes and removals, and names the model', async () => {
    const program = await openWith(engine, { FOURFOLD_EMBEDDING_MODEL: 'debug' });
    const first = await search(program, { q: 'second pair of eyes', mode: 'semantic' });
    expect(first).toMatchObject({ mode: 'keyword', hints: [expect.stringContaining('try again soon')] });
    await untilEmbedded(program);
    const near = await search(program, { q: 'a second pair of eyes approves', mode: 'semantic', limit: 1 });
    expect(near).toMatchObject({ mode: 'semantic', embedder: 'debug-hash-1' });
    expect(idsOf(near)).toEqual(['review']);
    const entry = entryInput('late', { title: 'Late', body: 'Lunch is at noon sharp.' });
    await program.value('plain method', 'instructions/add', { entry });
    const noon = async () => idsOf(await search(program, { q: 'lunch is at noon sharp', mode: 'semantic', limit: 1 }));
    await expect.poll(noon, { timeout: 120_000, interval: 50 }).toEqual(['late']);
    await program.value('plain method', 'instructions/remove', { ids: ['late'] });
    expect(await noon()).not.toContain('late');
  });

  it('hybrid search ranks the exact word first and pages through one ranking', async () => {
    const program = await openWith(engine, { FOURFOLD_EMBEDDING_MODEL: 'debug' });
    await untilEmbedded(program);
    const q = 'semicolon eyes';
    const whole = await search(program, { q, mode: 'hybrid', limit: 10 });
    expect(whole).toMatchObject({ mode: 'hybrid', embedder: 'debug-hash-1' });
    expect([...idsOf(whole)].slice(0, 2).sort()).toEqual(['review', 'style']);
    const first = await search(program, { q, mode: 'hybrid', limit: 1 });
    const rest = await search(program, { q, mode: 'hybrid', limit: 10, cursor: first.nextCursor });
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(idsOf(whole));
  });
});

describe.each(actionForms)('capabilities and search, by %s', (form) => {
  it('offer all modes with a model', async () => {
    const program = await openWith('files', { FOURFOLD_EMBEDDING_MODEL: 'debug' });
    expect(await program.value(form, 'instructions/capabilities')).toMatchObject({
      searchModes: ['keyword', 'regex', 'semantic', 'hybrid'],
    });
  });

  it('fall back to keyword search when embeddings are off, and say so', async () => {
    const program = await openWith('files', { FOURFOLD_SEMANTIC_SEARCH: '0' });
    expect(await program.value(form, 'instructions/capabilities')).toMatchObject({ searchModes: ['keyword', 'regex'] });
    for (const mode of ['semantic', 'hybrid']) {
      expect(await program.value(form, 'instructions/search', { q: 'password', mode })).toMatchObject({
        mode: 'keyword',
        count: 1,
        hints: [`Mode ${mode} needs an embedder, and none is configured; used mode keyword instead.`],
      });
    }
  });
});

describe('with the bundled model', () => {
  it('finds a rule in other words where keyword search finds nothing', async () => {
    const program = await openCatalog(mutationOn, rules);
    onTestFinished(() => program.close());
    const q = 'how often must secrets be changed';
    expect(idsOf(await search(program, { q: 'secrets', mode: 'keyword' }))).toEqual([]);
    await untilEmbedded(program);
    const near = await search(program, { q, mode: 'semantic', limit: 1 });
    expect(near).toMatchObject({ mode: 'semantic', embedder: expect.stringContaining('minilm') });
    expect(idsOf(near)).toEqual(['rotate']);
    expect(idsOf(await search(program, { q, mode: 'hybrid', limit: 1 }))).toEqual(['rotate']);
  });
});
