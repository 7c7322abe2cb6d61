import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '#kernel/log/log.ts';
import { hide } from '#kernel/search/keyword/index/view.ts';
import {
  buildStaticIndex,
  decodeStaticIndex,
  encodeStaticIndex,
  type StaticIndex,
} from '#kernel/search/static-index.ts';
import { knowledgeDocuments } from '../search/collection.ts';
import { baseCategories } from './base-entries.ts';
import { listFiles } from './base-files.ts';
import { type BaseSection, searchedCategories, toBaseDocument, toBaseSection } from './base-sections.ts';
import { type BaseVectors, createBaseVectors, readVectors } from './base-vectors.ts';
import { KnowledgeLoader } from './knowledge-loader.ts';
import { readVectorsFile, vectorsFile } from './vectors-file.ts';

const isSource = import.meta.url.endsWith('.ts');
const here = dirname(fileURLToPath(import.meta.url));

/**
 * Relative to the program, never to the working directory. In a build, the folder is next to the chunk with this
 * module.
 */
export const shippedDirectory = isSource ? join(here, '../../../../knowledge-base') : join(here, 'knowledge-base');

export const indexFile = 'search.bin';

/** The searchable entries. They never change while the program runs. */
export interface KnowledgeBase {
  readonly parts: readonly StaticIndex[];
  readonly sections: ReadonlyMap<string, BaseSection>;
  /** Read on first use: keyword search answers most queries. Undefined if the base has no vectors. */
  vectors(): BaseVectors | undefined;
}

export async function loadBaseSections(directory: string, log: Log): Promise<readonly BaseSection[]> {
  const loader = new KnowledgeLoader({ directories: [directory], log });
  const sections = new Map<string, BaseSection>();
  for (const category of searchedCategories) {
    for (const entry of await loader.load(category)) sections.set(entry.id, toBaseSection(category, entry));
  }
  return [...sections.values()];
}

export const indexBaseSections = (sections: readonly BaseSection[]): Promise<StaticIndex> =>
  buildStaticIndex(knowledgeDocuments, sections.map(toBaseDocument));

/** The index that was built together with the entries. Undefined if it does not match them. */
function readIndex(directory: string, sections: readonly BaseSection[]): StaticIndex | undefined {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(join(directory, indexFile));
  } catch {
    return undefined;
  }
  return decodeStaticIndex(
    knowledgeDocuments,
    bytes,
    sections.map(({ id }) => id),
  );
}

/** An entry in a later directory replaces one with the same id. */
export async function openBase(directories: readonly string[], log: Log): Promise<KnowledgeBase> {
  const sections = new Map<string, BaseSection>();
  let parts: StaticIndex[] = [];
  for (const directory of directories) {
    const own = await loadBaseSections(directory, log);
    if (own.length === 0) continue;
    const hidden = own.map(({ id }) => id).filter((id) => sections.has(id));
    if (hidden.length > 0) parts = parts.map((part) => hide(part, hidden));
    for (const section of own) sections.set(section.id, section);
    parts.push(readIndex(directory, own) ?? (await indexBaseSections(own)));
  }
  let vectors: { readonly read: BaseVectors | undefined } | undefined;
  return {
    parts,
    sections: sections,
    vectors() {
      vectors ??= { read: createBaseVectors(readVectors(directories, log), sections) };
      return vectors.read;
    },
  };
}

/** Writes the shipped form of a base: JSON files, the search index and the vectors. Throws on the first bad file. */
export async function writeBase(from: string, to: string, log: Log): Promise<void> {
  const loader = new KnowledgeLoader({ directories: [from], log });
  for (const category of baseCategories) {
    for (const name of listFiles(from, category)) {
      const file = join(to, category, `${name}.json`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(await loader.load(category, name)));
    }
  }
  mkdirSync(to, { recursive: true });
  const vectors = readVectorsFile(from);
  if (vectors !== undefined) writeFileSync(join(to, vectorsFile), JSON.stringify(vectors));
  writeFileSync(join(to, indexFile), encodeStaticIndex(await indexBaseSections(await loadBaseSections(to, log))));
}
