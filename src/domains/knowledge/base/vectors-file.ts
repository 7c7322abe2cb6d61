import { join } from 'node:path';
import { z } from 'zod';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { toParts } from '#kernel/search/semantic/split-text.ts';
import { quantiseRow } from '#kernel/search/semantic/vectors/quantise.ts';
import { semanticText } from '../search/collection.ts';
import { readText } from './base-files.ts';
import { type BaseSection, toBaseDocument } from './base-sections.ts';

/** The file beside the entries that holds what they mean. It is generated, because a model takes its time. */
export const vectorsFile = 'vectors.json';

const schema = z.object({
  /** The embedder's id. */
  model: z.string().min(1),
  dimension: z.int().positive(),
  /** By the id of an entry: the hash of its text, and the vector as whole numbers of 8 bits in base64. */
  entries: z.record(z.string(), z.tuple([z.string(), z.base64()])),
});

export type VectorsFile = Readonly<z.infer<typeof schema>>;

/** Undefined: there is none. Throws an Error when it holds something else. */
export function readVectorsFile(directory: string): VectorsFile | undefined {
  const text = readText(join(directory, vectorsFile));
  return text === undefined ? undefined : schema.parse(JSON.parse(text));
}

/** What is embedded of an entry: the same as of a section of a library. */
export const textToEmbed = (passage: BaseSection): string => semanticText(toBaseDocument(passage));

/** Enough of it to tell a text from the one before. */
export const hashText = (text: string): string => sha256Hex(text).slice(0, 16);

interface VectorsDiff {
  /** Entries without a vector, or with that of another text. */
  readonly missing: readonly BaseSection[];
  /** Ids of vectors whose entries are gone. */
  readonly orphanIds: readonly string[];
}

/** Embeds nothing: looks at ids and hashes alone. */
export function compareVectors(file: VectorsFile | undefined, passages: readonly BaseSection[]): VectorsDiff {
  const entries = new Map(Object.entries(file?.entries ?? {}));
  const ids = new Set(passages.map(({ id }) => id));
  return {
    missing: passages.filter((passage) => entries.get(passage.id)?.[0] !== hashText(textToEmbed(passage))),
    orphanIds: [...entries.keys()].filter((id) => !ids.has(id)),
  };
}

const toBase64 = (vector: Float32Array): string => Buffer.from(quantiseRow(vector).numbers.buffer).toString('base64');

/** The vectors of all entries, by id. Those of `known` whose text is as before are taken over. */
export async function embedBase(
  passages: readonly BaseSection[],
  known: VectorsFile | undefined,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<VectorsFile> {
  const kept = known?.model === embedder.id ? known : undefined;
  const { missing, orphanIds: strayIds } = compareVectors(kept, passages);
  const entries = new Map(Object.entries(kept?.entries ?? {}));
  for (const id of strayIds) entries.delete(id);
  let dimension = kept?.dimension ?? embedder.dimension;
  for (let at = 0; at < missing.length; at += embedder.batchCount) {
    const batch = missing.slice(at, at + embedder.batchCount);
    const texts = batch.map(textToEmbed);
    // A section says what it is about where it begins.
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
