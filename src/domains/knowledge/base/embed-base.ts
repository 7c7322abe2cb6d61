import type { Embedder } from '#kernel/embed/embedder.ts';
import { toParts } from '#kernel/search/semantic/split-text.ts';
import { quantiseRow } from '#kernel/search/semantic/vectors/quantise.ts';
import type { Passage } from './passage.ts';
import { compareVectors, embeddedText, textHashOf, type VectorsFile } from './vectors-file.ts';

const toBase64 = (vector: Float32Array): string => Buffer.from(quantiseRow(vector).numbers.buffer).toString('base64');

/** The vectors of all entries, by id. Those of `known` whose text is as before are taken over. */
export async function embedBase(
  passages: readonly Passage[],
  known: VectorsFile | undefined,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<VectorsFile> {
  const kept = known?.model === embedder.id ? known : undefined;
  const { missing, strayIds } = compareVectors(kept, passages);
  const entries = new Map(Object.entries(kept?.entries ?? {}));
  for (const id of strayIds) entries.delete(id);
  let dimension = kept?.dimension ?? embedder.dimension;
  for (let at = 0; at < missing.length; at += embedder.batchCount) {
    const batch = missing.slice(at, at + embedder.batchCount);
    const texts = batch.map(embeddedText);
    // A section says what it is about where it begins.
    const beginnings = texts.map((text) => toParts(text, embedder.partChars)[0] ?? text);
    const vectors = await embedder.embed(beginnings, { signal, purpose: 'document' });
    batch.forEach(({ id }, i) => {
      dimension ??= vectors[i]!.length;
      entries.set(id, [textHashOf(texts[i]!), toBase64(vectors[i]!)]);
    });
  }
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return { model: embedder.id, dimension: dimension ?? 0, entries: Object.fromEntries(sorted) };
}
