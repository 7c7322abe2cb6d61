import type { Call } from '#kernel/call.ts';
import type { SemanticText } from '#kernel/search/semantic/semantic-search.ts';
import type { Reader, Storage, Work } from '#kernel/storage/port.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { type KnowledgeDocument, knowledgeDocuments, meaningText, sectionId } from '../search/collection.ts';
import { toSectionDocument } from './documents.ts';
import type { LibrariesDeps } from './libraries-deps.ts';
import { parseSectionId } from './library-names.ts';
import { findLibrary, findPosition, type LibraryRow, listAnchors, listLibraries } from './library-store.ts';
import { loadSections } from './load-sections.ts';

interface Place {
  readonly path: string;
  readonly position: number;
}

const beginning: Place = { path: '', position: -1 };

/** Where the list goes on in the library that an id is of. A section that is gone meanwhile: behind its page. */
function* placeOf(db: Reader, library: LibraryRow, path: string, anchor: string): Work<Place> {
  const found = yield* findPosition(db, library.library_key, path, anchor);
  return { path, position: found?.position ?? Number.MAX_SAFE_INTEGER };
}

function* someOf(db: Reader, library: LibraryRow, { path, position }: Place, limit: number): Work<readonly string[]> {
  const rows = yield* listAnchors(db, library.library_key, path, position, limit);
  return rows.map((row) => sectionId(library.library, library.version, row.path, row.anchor));
}

/** One page of all ids: by library, version and page, in the order of the text. An empty one is the end. */
export function* listSectionIds(db: Reader, after: string | undefined, limit: number): Work<readonly string[]> {
  const ids: string[] = [];
  const last = after === undefined ? undefined : parseSectionId(after);
  if (last !== undefined) {
    const begun = yield* findLibrary(db, last);
    if (begun !== undefined)
      ids.push(...(yield* someOf(db, begun, yield* placeOf(db, begun, last.path, last.anchor), limit)));
  }
  let edition = { library: last?.library ?? '', version: last?.version ?? '' };
  while (ids.length < limit) {
    const [next] = yield* listLibraries(db, edition, 1);
    if (next === undefined) break;
    ids.push(...(yield* someOf(db, next, beginning, limit - ids.length)));
    edition = next;
  }
  return ids;
}

async function* loadDocuments(storage: Storage, call: Call, ids: readonly string[]): AsyncGenerator<KnowledgeDocument> {
  const { readSectionsCount } = knowledgeLimits;
  for (let at = 0; at < ids.length; at += readSectionsCount) {
    const loaded = await storage.read(call, (db) => loadSections(db, ids.slice(at, at + readSectionsCount)));
    for (const { edition, page, section } of loaded.values()) yield toSectionDocument(edition, page, section);
  }
}

async function* allDocuments(storage: Storage, call: Call): AsyncGenerator<KnowledgeDocument> {
  for (let after: string | undefined; ; ) {
    const place: string | undefined = after;
    const ids = await storage.read(call, (db) => listSectionIds(db, place, knowledgeLimits.listedSectionsCount));
    if (ids.length === 0) return;
    yield* loadDocuments(storage, call, ids);
    after = ids.at(-1);
  }
}

/** Tells both indexes where the documents of libraries come from. */
export function provideDocuments({ storage, search, meaning }: LibrariesDeps): void {
  search.provide(knowledgeDocuments, (call) => allDocuments(storage, call));
  meaning.provide(knowledgeDocuments, {
    // A library is large from the start, and many are never searched by meaning.
    isOnDemand: true,
    async texts(call, ids) {
      const texts = new Map<string, SemanticText>();
      for await (const document of loadDocuments(storage, call, ids)) {
        const { id, facets } = document;
        texts.set(id, { text: meaningText(document), ...(facets === undefined ? {} : { facets }) });
      }
      return texts;
    },
    ids: (call, after, limit) => storage.read(call, (db) => listSectionIds(db, after, limit)),
  });
}
