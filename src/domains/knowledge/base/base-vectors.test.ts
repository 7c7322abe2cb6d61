import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import type { BaseVectors } from './base-vectors.ts';
import { loadBaseSections, openBase, writeBase } from './knowledge-base.ts';
import { compareVectors, embedBase, readVectorsFile, vectorsFile } from './vectors-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fourfold-vectors-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

function put(path: string, content: unknown): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), typeof content === 'string' ? content : JSON.stringify(content));
}

const doc = (id: string, content: string, version = 'v5') => ({ id, title: id, version, category: 'hooks', content });

/** Counts the texts that it embeds. */
function createCounted(id = 'debug-hash-1') {
  const inner = createDebugEmbedder();
  const embedded: string[] = [];
  return {
    ...inner,
    id,
    batchCount: 2,
    embedded,
    embed(texts: readonly string[], options: Parameters<typeof inner.embed>[1]) {
      embedded.push(...texts);
      return inner.embed(texts, options);
    },
  };
}

const { signal } = new AbortController();

async function embed(name: string, embedder = createCounted()) {
  const sections = await loadBaseSections(at(name), createLogFixture());
  put(`${name}/${vectorsFile}`, await embedBase(sections, readVectorsFile(at(name)), embedder, signal));
  return embedder;
}

const openVectors = async (log = createLogFixture(), ...names: readonly string[]) =>
  (await openBase(names.map(at), log)).vectors();

async function near(vectors: BaseVectors | undefined, text: string, version = ['v5'], similarityMin = 0.2) {
  const [vector] = await createDebugEmbedder().embed([text], { signal, purpose: 'query' });
  const found = vectors?.searchWithin([{ key: 'version', any: version }])?.({
    vector: vector!,
    limit: 2,
    similarityMin,
  });
  return found?.map(({ id }) => id);
}

const animals = [doc('one', 'zebra quagga'), doc('two', 'lemur'), doc('old', 'zebra quagga okapi', 'v4')];

describe('base vectors', () => {
  it('find similar entries within the filters, down to the minimum similarity', async () => {
    put('a/docs/x.json', animals);
    await embed('a');
    const vectors = await openVectors(createLogFixture(), 'a');
    expect(vectors?.model).toBe('debug-hash-1');
    expect(await near(vectors, 'zebra quagga')).toContain('one');
    expect(await near(vectors, 'feathers one zebra quagga', ['v4', 'v5'])).toEqual(['one', 'old']);
    expect(await near(vectors, 'zebra quagga', ['v5'], 0.99)).toEqual([]);
    expect(await near(vectors, 'zebra quagga', ['v3'])).toBeUndefined();
    expect(vectors?.searchWithin([])?.({ vector: Float32Array.of(1, 0), limit: 2, similarityMin: 0 })).toEqual([]);
  });

  it('give the similarity of the model, apart from rounding', async () => {
    put('a/docs/x.json', animals);
    const { embedded, ...embedder } = await embed('a');
    const [vector] = await embedder.embed([embedded[0]!], { signal, purpose: 'query' });
    const [best] = (await openVectors(createLogFixture(), 'a'))!.searchWithin([])!({
      vector: vector!,
      limit: 1,
      similarityMin: 0,
    });
    expect(best).toMatchObject({ id: 'one' });
    expect(best?.similarity).toBeCloseTo(1, 3);
  });

  it('are written into the compiled base', async () => {
    put('a/docs/x.json', animals);
    await embed('a');
    await writeBase(at('a'), at('out'), createLogFixture());
    expect(readVectorsFile(at('out'))).toEqual(readVectorsFile(at('a')));
    expect(await near(await openVectors(createLogFixture(), 'out'), 'zebra quagga')).toContain('one');
  });

  it('ignore vectors of changed texts and of entries that a later folder replaces', async () => {
    put('a/docs/x.json', animals);
    await embed('a');
    put('b/docs/x.json', [doc('one', 'something else')]);
    expect(await near(await openVectors(createLogFixture(), 'a', 'b'), 'zebra quagga')).not.toContain('one');
    put('a/docs/x.json', [doc('one', 'zebra quagga and more'), doc('two', 'lemur')]);
    expect(await near(await openVectors(createLogFixture(), 'a'), 'zebra quagga')).not.toContain('one');
  });

  it('may be missing; if folders use different models, the first model wins', async () => {
    put('a/docs/x.json', animals);
    put('b/docs/x.json', [doc('three', 'zebra quagga')]);
    expect(await openVectors(createLogFixture(), 'a', 'b')).toBeUndefined();
    await embed('a');
    await embed('b', createCounted('another'));
    expect(await near(await openVectors(createLogFixture(), 'a', 'b'), 'zebra three quagga')).not.toContain('three');
    rmSync(at(`b/${vectorsFile}`));
    await embed('b');
    expect(await near(await openVectors(createLogFixture(), 'a', 'b'), 'zebra three quagga')).toContain('three');
  });

  it.each(['{"model": ', '{"model":"m","dimension":2}', '{"model":"m","dimension":2,"entries":{"one":["x"]}}'])(
    'are read once, on first use, and ignored if the file is damaged: %s',
    async (text) => {
      const log = createLogFixture();
      put('a/docs/x.json', animals);
      put(`a/${vectorsFile}`, text);
      const base = await openBase([at('a')], log);
      expect(log.lines).toEqual([]);
      expect([base.vectors(), base.vectors()]).toEqual([undefined, undefined]);
      expect(log.lines).toMatchObject([{ level: 'warn', fields: { directory: at('a') } }]);
    },
  );

  it('ignore a truncated vector', async () => {
    put('a/docs/x.json', [doc('one', 'zebra')]);
    await embed('a');
    const file = readVectorsFile(at('a'))!;
    put(`a/${vectorsFile}`, { ...file, entries: { one: [file.entries['one']![0], 'AAAA'] } });
    expect((await openVectors(createLogFixture(), 'a'))?.searchWithin([])).toBeUndefined();
  });
});

describe('embedBase', () => {
  it('embeds only changed entries and drops deleted ones', async () => {
    put('a/docs/x.json', animals);
    expect((await embed('a')).embedded).toHaveLength(3);
    expect((await embed('a')).embedded).toEqual([]);
    const before = readVectorsFile(at('a'))!;
    put('a/docs/x.json', [doc('one', 'zebra quagga'), doc('two', 'tarsier')]);
    expect((await embed('a')).embedded).toEqual([expect.stringContaining('tarsier')]);
    const after = readVectorsFile(at('a'))!;
    expect(Object.keys(after.entries)).toEqual(['one', 'two']);
    expect(after.entries['one']).toEqual(before.entries['one']);
    expect(after.entries['two']).not.toEqual(before.entries['two']);
  });

  it('embeds everything again for another model, and only the beginning of a long text', async () => {
    put('a/docs/x.json', [doc('one', `${'filler words. '.repeat(200)}zebra`), doc('two', 'lemur')]);
    await embed('a');
    const { embedded, partChars } = await embed('a', createCounted('another'));
    expect(embedded.map((text) => text.length <= partChars)).toEqual([true, true]);
    expect(embedded[0]).not.toContain('zebra');
    expect(readVectorsFile(at('a'))?.model).toBe('another');
  });

  it('reports entries without a vector and vectors without an entry, without embedding', async () => {
    put('a/docs/x.json', animals);
    const { missing, orphanIds: strayIds } = compareVectors(
      undefined,
      await loadBaseSections(at('a'), createLogFixture()),
    );
    expect([missing.length, strayIds]).toEqual([3, []]);
    await embed('a');
    put('a/docs/x.json', [doc('one', 'changed'), doc('two', 'lemur'), doc('new', 'okapi')]);
    const now = compareVectors(readVectorsFile(at('a')), await loadBaseSections(at('a'), createLogFixture()));
    expect([now.missing.map(({ id }) => id), now.orphanIds]).toEqual([['one', 'new'], ['old']]);
  });
});
