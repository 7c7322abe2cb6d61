import { join } from 'node:path';
import { z } from 'zod';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { toParts } from '#kernel/search/semantic/split-text.ts';
import { quantiseRow } from '#kernel/search/semantic/vectors/quantise.ts';
import { semanticText } from '../search/collection.ts';
import { readText } from './base-files.ts';
import { type BaseSection, toBaseDocument } from './base-sections.ts';

/** Generated and committed, because embedding takes long. */
export const vectorsFile = 'vectors.json';

const schema = z.object({
  model: z.string().min(1),
  dimension: z.int().positive(),
  /** By entry id: the hash of the text, and the vector as 8-bit integers in base64. */
  entries: z.record(z.string(), z.tuple([z.string(), z.base64()])),
});

export type VectorsFile = Readonly<z.infer<typeof schema>>;

/** Undefined if the file does not exist. Throws an Error if its content is invalid. */
export function readVectorsFile(directory: string): VectorsFile | undefined {
  const text = readText(join(directory, vectorsFile));
  return text === undefined ? undefined : schema.parse(JSON.parse(text));
}

export const textToEmbed = (section: BaseSection): string => semanticText(toBaseDocument(section));

export const hashText = (text: string): string => sha256Hex(text).slice(0, 16);

/** `missing`: entries without a vector, or whose text changed since. */
export function compareVectors(file: VectorsFile | undefined, sections: readonly BaseSection[]) {
  const entries = new Map(Object.entries(file?.entries ?? {}));
  const ids = new Set(sections.map(({ id }) => id));
  return {
    missing: sections.filter((section) => entries.get(section.id)?.[0] !== hashText(textToEmbed(section))),
    orphanIds: [...entries.keys()].filter((id) => !ids.has(id)),
  };
}

const toBase64 = (vector: Float32Array): string => Buffer.from(quantiseRow(vector).numbers.buffer).toString('base64');

/** Embeds all entries and reuses the vectors of `known` whose text did not change. */
export async function embedBase(
  sections: readonly BaseSection[],
  known: VectorsFile | undefined,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<VectorsFile> {
  const kept = known?.model === embedder.id ? known : undefined;
  const { missing, orphanIds: strayIds } = compareVectors(kept, sections);
  const entries = new Map(Object.entries(kept?.entries ?? {}));
  for (const id of strayIds) entries.delete(id);
  let dimension = kept?.dimension ?? embedder.dimension;
  for (let at = 0; at < missing.length; at += embedder.batchCount) {
    const batch = missing.slice(at, at + embedder.batchCount);
    const texts = batch.map(textToEmbed);
    // The beginning of a section says what it is about.
    const beginnings = texts.map((text) => toParts(text, embedder.partChars)[0] ?? text);
    const vectors = await embedder.embed(beginnings, { signal, purpose: 'document' });
    batch.forEach(({ id }, i) => {
      dimension ??= vectors[i]!.length;
      entries.set(id, [hashText(texts[i]!), toBase64(vectors[i]!)]);
    });
  }
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return { model: embedder.id, dimension: dimension ?? 0, entries: Object.fromEntries(sorted) };
}
