import { join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { meaningText } from '../search/collection.ts';
import { readText } from './base-files.ts';
import { type Passage, toPassageDocument } from './passage.ts';

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
export const embeddedText = (passage: Passage): string => meaningText(toPassageDocument(passage));

/** Enough of it to tell a text from the one before. */
export const textHashOf = (text: string): string => sha256Hex(text).slice(0, 16);

export interface VectorsDifference {
  /** Entries without a vector, or with that of another text. */
  readonly missing: readonly Passage[];
  /** Ids of vectors whose entries are gone. */
  readonly strayIds: readonly string[];
}

/** Embeds nothing: looks at ids and hashes alone. */
export function compareVectors(file: VectorsFile | undefined, passages: readonly Passage[]): VectorsDifference {
  const entries = new Map(Object.entries(file?.entries ?? {}));
  const ids = new Set(passages.map(({ id }) => id));
  return {
    missing: passages.filter((passage) => entries.get(passage.id)?.[0] !== textHashOf(embeddedText(passage))),
    strayIds: [...entries.keys()].filter((id) => !ids.has(id)),
  };
}
