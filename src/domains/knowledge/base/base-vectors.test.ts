import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import { createKeptLog } from '#kernel/log/log.ts';
import type { BaseVectors } from './base-vectors.ts';
import { embedBase } from './embed-base.ts';
import { loadPassages, openBase } from './open-base.ts';
import { compareVectors, readVectorsFile, vectorsFile } from './vectors-file.ts';
import { writeBase } from './write-base.ts';

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

/** Words are directions; counts the texts that it is given. */
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
  const passages = await loadPassages(at(name), createKeptLog());
  put(`${name}/${vectorsFile}`, await embedBase(passages, readVectorsFile(at(name)), embedder, signal));
  return embedder;
}

const openVectors = async (log = createKeptLog(), ...names: readonly string[]) =>
  (await openBase(names.map(at), log)).vectors();

async function near(vectors: BaseVectors | undefined, text: string, version = ['v5'], similarityMin = 0.2) {
  const [vector] = await createDebugEmbedder().embed([text], { signal, purpose: 'query' });
  const found = vectors?.among([{ key: 'version', any: version }])?.({ vector: vector!, limit: 2, similarityMin });
  return found?.map(({ id }) => id);
}

const animals = [doc('one', 'zebra quagga'), doc('two', 'lemur'), doc('old', 'zebra quagga okapi', 'v4')];

describe('the vectors of a base', () => {
  it('find what is near among what the filters let through, down to a floor', async () => {
    put('a/docs/x.json', animals);
    await embed('a');
    const vectors = await openVectors(createKeptLog(), 'a');
    expect(vectors?.model).toBe('debug-hash-1');
    expect(await near(vectors, 'zebra quagga')).toContain('one');
    expect(await near(vectors, 'feathers one zebra quagga', ['v4', 'v5'])).toEqual(['one', 'old']);
    expect(await near(vectors, 'zebra quagga', ['v5'], 0.99)).toEqual([]);
    expect(await near(vectors, 'zebra quagga', ['v3'])).toBeUndefined();
    expect(vectors?.among([])?.({ vector: Float32Array.of(1, 0), limit: 2, similarityMin: 0 })).toEqual([]);
  });

  it('are as near as the numbers of the model say, but for their rounding', async () => {
    put('a/docs/x.json', animals);
    const { embedded, ...embedder } = await embed('a');
    const [vector] = await embedder.embed([embedded[0]!], { signal, purpose: 'query' });
    const [best] = (await openVectors(createKeptLog(), 'a'))!.among([])!({
      vector: vector!,
      limit: 1,
      similarityMin: 0,
    });
    expect(best).toMatchObject({ id: 'one' });
    expect(best?.similarity).toBeCloseTo(1, 3);
  });

  it('go into the compiled base', async () => {
    put('a/docs/x.json', animals);
    await embed('a');
    await writeBase(at('a'), at('out'), createKeptLog());
    expect(readVectorsFile(at('out'))).toEqual(readVectorsFile(at('a')));
    expect(await near(await openVectors(createKeptLog(), 'out'), 'zebra quagga')).toContain('one');
  });

  it('are not those of a text that was changed, or of an entry that a later folder hides', async () => {
    put('a/docs/x.json', animals);
    await embed('a');
    put('b/docs/x.json', [doc('one', 'something else')]);
    expect(await near(await openVectors(createKeptLog(), 'a', 'b'), 'zebra quagga')).not.toContain('one');
    put('a/docs/x.json', [doc('one', 'zebra quagga and more'), doc('two', 'lemur')]);
    expect(await near(await openVectors(createKeptLog(), 'a'), 'zebra quagga')).not.toContain('one');
  });

  it('may be missing; of two models those of the first folder are taken', async () => {
    put('a/docs/x.json', animals);
    put('b/docs/x.json', [doc('three', 'zebra quagga')]);
    expect(await openVectors(createKeptLog(), 'a', 'b')).toBeUndefined();
    await embed('a');
    await embed('b', createCounted('another'));
    expect(await near(await openVectors(createKeptLog(), 'a', 'b'), 'zebra three quagga')).not.toContain('three');
    rmSync(at(`b/${vectorsFile}`));
    await embed('b');
    expect(await near(await openVectors(createKeptLog(), 'a', 'b'), 'zebra three quagga')).toContain('three');
  });

  it.each(['{"model": ', '{"model":"m","dimension":2}', '{"model":"m","dimension":2,"entries":{"one":["x"]}}'])(
    'are read when they are asked for, once, and left out where they are damaged: %s',
    async (text) => {
      const log = createKeptLog();
      put('a/docs/x.json', animals);
      put(`a/${vectorsFile}`, text);
      const base = await openBase([at('a')], log);
      expect(log.lines).toEqual([]);
      expect([base.vectors(), base.vectors()]).toEqual([undefined, undefined]);
      expect(log.lines).toMatchObject([{ level: 'warn', fields: { directory: at('a') } }]);
    },
  );

  it('that are cut short count for none', async () => {
    put('a/docs/x.json', [doc('one', 'zebra')]);
    await embed('a');
    const file = readVectorsFile(at('a'))!;
    put(`a/${vectorsFile}`, { ...file, entries: { one: [file.entries['one']![0], 'AAAA'] } });
    expect((await openVectors(createKeptLog(), 'a'))?.among([])).toBeUndefined();
  });
});

describe('embedding a base', () => {
  it('embeds only what changed, and drops what is gone', async () => {
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

  it('embeds everything anew for another model, and of a long text the beginning', async () => {
    put('a/docs/x.json', [doc('one', `${'filler words. '.repeat(200)}zebra`), doc('two', 'lemur')]);
    await embed('a');
    const { embedded, partChars } = await embed('a', createCounted('another'));
    expect(embedded.map((text) => text.length <= partChars)).toEqual([true, true]);
    expect(embedded[0]).not.toContain('zebra');
    expect(readVectorsFile(at('a'))?.model).toBe('another');
  });

  it('tells without embedding which entries have no vector, and which vectors no entry', async () => {
    put('a/docs/x.json', animals);
    const { missing, strayIds } = compareVectors(undefined, await loadPassages(at('a'), createKeptLog()));
    expect([missing.length, strayIds]).toEqual([3, []]);
    await embed('a');
    put('a/docs/x.json', [doc('one', 'changed'), doc('two', 'lemur'), doc('new', 'okapi')]);
    const now = compareVectors(readVectorsFile(at('a')), await loadPassages(at('a'), createKeptLog()));
    expect([now.missing.map(({ id }) => id), now.strayIds]).toEqual([['one', 'new'], ['old']]);
  });
});
