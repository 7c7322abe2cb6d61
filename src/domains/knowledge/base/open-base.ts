import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '#kernel/log/log.ts';
import { hide } from '#kernel/search/keyword/index/view.ts';
import { decodeStaticIndex, buildStaticIndex, type StaticIndex } from '#kernel/search/static-index.ts';
import { knowledgeDocuments } from '../search/collection.ts';
import { type BaseVectors, createBaseVectors, readVectors } from './base-vectors.ts';
import { KnowledgeLoader } from './knowledge-loader.ts';
import { foundCategories, type Passage, toPassage, toPassageDocument } from './passage.ts';

/** The file beside the entries that holds their index. */
export const indexFile = 'search.bin';

/** Everything of the base that can be found. Never changes while the program runs. */
export interface Base {
  readonly parts: readonly StaticIndex[];
  /** By id. */
  readonly passages: ReadonlyMap<string, Passage>;
  /** Read when it is first asked for: most questions are answered by words. Undefined: it has none. */
  vectors(): BaseVectors | undefined;
}

export async function loadPassages(directory: string, log: Log): Promise<readonly Passage[]> {
  const loader = new KnowledgeLoader({ directories: [directory], log });
  const passages = new Map<string, Passage>();
  for (const category of foundCategories) {
    for (const entry of await loader.load(category)) passages.set(entry.id, toPassage(category, entry));
  }
  return [...passages.values()];
}

export const indexPassages = (passages: readonly Passage[]): Promise<StaticIndex> =>
  buildStaticIndex(knowledgeDocuments, passages.map(toPassageDocument));

/** The index that was made together with the entries, if it is still theirs. */
function readIndex(directory: string, passages: readonly Passage[]): StaticIndex | undefined {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(join(directory, indexFile));
  } catch {
    return undefined;
  }
  return decodeStaticIndex(
    knowledgeDocuments,
    bytes,
    passages.map(({ id }) => id),
  );
}

/** Opens the directories in their order: an entry of a later one hides that of the same id before it. */
export async function openBase(directories: readonly string[], log: Log): Promise<Base> {
  const passages = new Map<string, Passage>();
  let parts: StaticIndex[] = [];
  for (const directory of directories) {
    const own = await loadPassages(directory, log);
    if (own.length === 0) continue;
    const hidden = own.map(({ id }) => id).filter((id) => passages.has(id));
    if (hidden.length > 0) parts = parts.map((part) => hide(part, hidden));
    for (const passage of own) passages.set(passage.id, passage);
    parts.push(readIndex(directory, own) ?? (await indexPassages(own)));
  }
  let vectors: { readonly read: BaseVectors | undefined } | undefined;
  return {
    parts,
    passages,
    vectors() {
      vectors ??= { read: createBaseVectors(readVectors(directories, log), passages) };
      return vectors.read;
    },
  };
}
