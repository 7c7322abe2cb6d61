import { describe, expect, test } from 'vitest';
import { createTokenEmbedder } from '../../../embed/token-embedder.fixture.ts';
import { signBytes } from '../../../embed/token-signs.ts';
import { sql } from '../../../storage/sql.ts';
import { searchLimits } from '../../search-limits.ts';
import type { SemanticSearch } from '../semantic-search.ts';
import { type OpenSemanticSearchFixture, papers, type SemanticSearchFixture } from './semantic-search.fixture.ts';

export function describeTokens(openFixture: OpenSemanticSearchFixture): void {
  const openWithTokens = () => openFixture({ keepsTokens: true, embedder: async () => createTokenEmbedder() });

  async function compare(
    { call, semantic }: SemanticSearchFixture,
    text: string,
    ids: readonly string[],
    by: SemanticSearch = semantic,
  ) {
    const answer = await by.nearest(call, papers, { text, limit: 10 });
    return answer?.compareTokens?.(ids);
  }

  describe('tokens of documents', () => {
    test('are compared one by one, so that a long text with the words ranks above a text without', async () => {
      const fixture = await openWithTokens();
      const other = 'boats sail along quiet rivers while people sleep';
      await fixture.write({ a: `${other} and a cat purrs`, b: other, c: 'cat' });
      await fixture.semantic.settle();
      const scores = await compare(fixture, 'cat', ['a', 'b', 'c', 'missing']);
      expect([...scores!.keys()].toSorted()).toEqual(['a', 'b', 'c']);
      expect(scores!.get('a')).toBeCloseTo(scores!.get('c')!, 6);
      expect(scores!.get('a')!).toBeGreaterThan(scores!.get('b')! + 0.2);
    });

    test('follow a change of the text and go away with the document', async () => {
      const fixture = await openWithTokens();
      await fixture.write({ a: 'cat', b: 'dog' });
      await fixture.semantic.settle();
      const before = await compare(fixture, 'dog', ['a', 'b']);
      expect(before!.get('b')!).toBeGreaterThan(before!.get('a')!);
      await fixture.write({ a: 'dog', b: 'cat' });
      await fixture.semantic.settle();
      const after = await compare(fixture, 'dog', ['a', 'b']);
      expect(after).toEqual(new Map([...before!].map(([id, score]) => [id === 'a' ? 'b' : 'a', score])));
      await fixture.erase('a');
      expect(await fixture.count('meaning_tokens')).toBe(1);
      expect([...(await compare(fixture, 'dog', ['a', 'b']))!.keys()]).toEqual(['b']);
    });

    test('go away when a document loses its text', async () => {
      const fixture = await openWithTokens();
      await fixture.write({ a: 'cat' });
      await fixture.semantic.settle();
      expect(await fixture.count('meaning_tokens')).toBe(1);
      await fixture.write({ a: '…' });
      await fixture.semantic.settle();
      expect(await fixture.count('meaning_tokens')).toBe(0);
    });

    test('are never compared with those of another model, and a model without tokens removes them', async () => {
      const fixture = await openWithTokens();
      await fixture.write({ a: 'cat' });
      await fixture.semantic.settle();
      const second = fixture.openOther({ embedder: async () => createTokenEmbedder('debug-tokens-2') });
      expect(await compare(fixture, 'cat', ['a'], second)).toEqual(new Map());
      await second.settle();
      expect((await compare(fixture, 'cat', ['a'], second))!.size).toBe(1);
      const without = fixture.openOther({ embedder: async () => fixture.embedder });
      await without.settle();
      expect(await fixture.count('meaning_vectors')).toBe(1);
      expect(await fixture.count('meaning_tokens')).toBe(0);
      expect(await compare(fixture, 'cat', ['a'], without)).toBeUndefined();
    });

    test('have no score for a document that was embedded before signs were kept', async () => {
      const fixture = await openWithTokens();
      await fixture.write({ a: 'cat', b: 'cat' });
      await fixture.semantic.settle();
      await fixture.run(sql`delete from meaning_tokens where tenant = ${fixture.call.tenant} and id = 'a'`);
      expect([...(await compare(fixture, 'cat', ['a', 'b']))!.keys()]).toEqual(['b']);
    });

    test('are kept up to a limit, over all parts of a text', async () => {
      const fixture = await openWithTokens();
      await fixture.write({ a: `${'word '.repeat(2 * searchLimits.tokensCount)} cat` });
      await fixture.semantic.settle();
      const bytes = searchLimits.tokensCount * signBytes(64);
      const row = await fixture.storage.read(fixture.call, (db) =>
        db.get(sql<{ signs: Uint8Array }>`select signs from meaning_tokens where tenant = ${db.tenant}`),
      );
      expect(row!.signs).toHaveLength(bytes);
    });

    test('belong to one tenant', async () => {
      const fixture = await openWithTokens();
      await fixture.write({ a: 'cat' });
      await fixture.semantic.settle();
      const stranger = await openFixture({
        ...{ storage: fixture.storage, leases: fixture.leases, keepsTokens: true },
        embedder: async () => createTokenEmbedder(),
      });
      expect(await compare(stranger, 'cat', ['a'])).toEqual(new Map());
    });

    test('are not kept for a collection that does not compare them', async () => {
      const fixture = await openFixture({ embedder: async () => createTokenEmbedder() });
      await fixture.write({ a: 'cat' });
      await fixture.semantic.settle();
      expect(await fixture.count('meaning_vectors')).toBe(1);
      expect(await fixture.count('meaning_tokens')).toBe(0);
      expect(await compare(fixture, 'cat', ['a'])).toBeUndefined();
    });
  });
}
