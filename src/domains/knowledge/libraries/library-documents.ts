import type { Call } from '#kernel/call.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import { hasOpenFence } from '#kernel/markup/fences.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch, SemanticText } from '#kernel/search/semantic/semantic-search.ts';
import type { Reader, Storage, Work, Writer } from '#kernel/storage/port.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import {
  type KnowledgeDocument,
  knowledgeDocuments,
  sectionId,
  semanticText,
  toDocument,
} from '../search/collection.ts';
import {
  findLibraries,
  findLibrary,
  findPages,
  findPosition,
  findSectionsAt,
  findTitles,
  type LibraryRow,
  listAnchors,
  listLibraries,
  listPlaces,
  type PageRow,
  type SectionPlace,
  type SectionRow,
} from './library-store.ts';
import { formatLibraryVersion, type LibraryVersion, parseSectionId } from './library-version.ts';

export interface LibrariesDeps {
  readonly storage: Storage;
  readonly ids: Ids;
  readonly cursors: Cursors;
  readonly search: Pick<SearchIndex, 'put' | 'remove' | 'provide' | 'maintain'>;
  readonly meaning: Pick<SemanticSearch, 'note' | 'forget' | 'provide'>;
}

interface LoadedSection {
  readonly library: LibraryRow;
  readonly page: PageRow;
  readonly section: SectionRow;
  /** The text of the whole section, if it was split. */
  readonly wholeText: string | undefined;
}

/** A block that did not fit into one part continues in the next part without a gap. */
const joinParts = (bodies: readonly string[]): string =>
  bodies.reduce((whole, body) => whole + (hasOpenFence(whole) ? '' : '\n\n') + body);

/** The parts of each section that was split, and the others alone. */
function* splitSections(places: readonly SectionPlace[]): Generator<readonly SectionPlace[]> {
  for (let from = 0; from < places.length; ) {
    let to = from + 1;
    while (places[to]?.level === 0 && places[to]?.path === places[from]!.path) to += 1;
    yield places.slice(from, to);
    from = to;
  }
}

/** The parts of each requested section. Of the others only the places are read: a page may have thousands. */
function* findWhole(
  db: Reader,
  library: LibraryRow,
  paths: readonly string[],
  isRequested: (place: SectionPlace) => boolean,
  onDamage: 'fail' | 'skip',
): Work<readonly (readonly SectionRow[])[]> {
  const places = yield* listPlaces(db, library.library_key, paths);
  const wanted = [...splitSections(places)].filter((parts) => parts.some(isRequested));
  if (wanted.length === 0) return [];
  const keyOf = ({ path, anchor }: SectionPlace) => `${path}#${anchor}`;
  const rows = yield* findSectionsAt(db, library.library_key, wanted.flat(), onDamage);
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return wanted.map((parts) => parts.flatMap((place) => byKey.get(keyOf(place)) ?? []));
}

interface RequestedPages {
  readonly library: LibraryRow;
  readonly paths: readonly string[];
}

/** The libraries that still exist, and the paths of their pages, of the sections with these ids. */
function* findRequestedPages(db: Reader, ids: readonly string[]): Work<readonly RequestedPages[]> {
  const places = ids.map(parseSectionId).filter((place) => place !== undefined);
  if (places.length === 0) return [];
  const byLibrary = Map.groupBy(places, formatLibraryVersion);
  const libraries = yield* findLibraries(db, [...new Set(places.map(({ library }) => library))]);
  return libraries.flatMap((library) => {
    const own = byLibrary.get(formatLibraryVersion(library));
    return own === undefined ? [] : [{ library, paths: [...new Set(own.map(({ path }) => path))] }];
  });
}

/**
 * Loads the sections that still exist. The index keeps the documents of a removed library for a while, so callers must
 * load every hit through this function before they show it.
 */
export function* loadSections(
  db: Reader,
  ids: readonly string[],
  onDamage: 'fail' | 'skip',
): Work<ReadonlyMap<string, LoadedSection>> {
  const loaded = new Map<string, LoadedSection>();
  const requested = new Set(ids);
  for (const { library, paths } of yield* findRequestedPages(db, ids)) {
    const pages = new Map(
      (yield* findPages(db, library.library_key, paths, onDamage)).map((page) => [page.path, page]),
    );
    const idOf = ({ path, anchor }: SectionPlace) => sectionId(library.library, library.version, path, anchor);
    const isRequested = (place: SectionPlace) => requested.has(idOf(place));
    for (const parts of yield* findWhole(db, library, paths, isRequested, onDamage)) {
      const wholeText = parts.length > 1 ? joinParts(parts.map(({ body }) => body)) : undefined;
      for (const section of parts.filter(isRequested)) {
        const page = pages.get(section.path);
        if (page !== undefined) loaded.set(idOf(section), { library, page, section, wholeText });
      }
    }
  }
  return loaded;
}

/** The titles of the sections that still exist, by id: much less to read than the sections. */
export function* loadTitles(db: Reader, ids: readonly string[]): Work<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  for (const { library, paths } of yield* findRequestedPages(db, ids)) {
    for (const { path, anchor, title } of yield* findTitles(db, library.library_key, paths))
      titles.set(sectionId(library.library, library.version, path, anchor), title);
  }
  return titles;
}

export const parseBreadcrumb = (text: string): readonly string[] => JSON.parse(text) as readonly string[];

export const toSectionDocument = (
  { library, version }: LibraryVersion,
  { category }: Pick<PageRow, 'category'>,
  { path, anchor, title, breadcrumb, body }: Omit<SectionRow, 'position' | 'level'>,
): KnowledgeDocument =>
  toDocument(sectionId(library, version, path, anchor), {
    ...{ library, version, category, path, title },
    breadcrumb: parseBreadcrumb(breadcrumb),
    text: body,
  });

/** Updates the indexes in the same transaction as the sections. */
export const createSectionDocuments = ({ search, meaning }: Pick<LibrariesDeps, 'search' | 'meaning'>) => ({
  *put(db: Writer, documents: readonly KnowledgeDocument[]): Work<void> {
    if (documents.length === 0) return;
    yield* meaning.note(db, knowledgeDocuments, ...documents.map(({ id }) => id));
    yield* search.put(db, knowledgeDocuments, ...documents);
  },
  *remove(db: Writer, ids: readonly string[]): Work<void> {
    if (ids.length === 0) return;
    yield* meaning.forget(db, knowledgeDocuments, ...ids);
    yield* search.remove(db, knowledgeDocuments, ...ids);
  },
});

/** What the parts of `libraries` share. */
export interface LibraryContext extends LibrariesDeps {
  readonly documents: ReturnType<typeof createSectionDocuments>;
}

interface SectionPosition {
  readonly path: string;
  readonly position: number;
}

const firstPosition: SectionPosition = { path: '', position: -1 };

function* listIdsAfter(db: Reader, library: LibraryRow, { path, position }: SectionPosition, limit: number) {
  const rows = yield* listAnchors(db, library.library_key, path, position, limit);
  return rows.map((row) => sectionId(library.library, library.version, row.path, row.anchor));
}

/** One batch of all section ids, by library, version, page and position. An empty batch is the end. */
export function* listSectionIds(db: Reader, after: string | undefined, limit: number): Work<readonly string[]> {
  const ids: string[] = [];
  const last = after === undefined ? undefined : parseSectionId(after);
  const current = last === undefined ? undefined : yield* findLibrary(db, last);
  if (last !== undefined && current !== undefined) {
    const found = yield* findPosition(db, current.library_key, last.path, last.anchor);
    // If the section was deleted meanwhile, continue after its page.
    const position = found?.position ?? Number.MAX_SAFE_INTEGER;
    ids.push(...(yield* listIdsAfter(db, current, { path: last.path, position }, limit)));
  }
  let library: LibraryVersion = last ?? { library: '', version: '' };
  while (ids.length < limit) {
    const [next] = yield* listLibraries(db, library, 1);
    if (next === undefined) break;
    ids.push(...(yield* listIdsAfter(db, next, firstPosition, limit - ids.length)));
    library = next;
  }
  return ids;
}

async function* loadDocuments(storage: Storage, call: Call, ids: readonly string[]): AsyncGenerator<KnowledgeDocument> {
  const { readSectionsCount } = knowledgeLimits;
  for (let at = 0; at < ids.length; at += readSectionsCount) {
    const loaded = await storage.read(call, (db) => loadSections(db, ids.slice(at, at + readSectionsCount), 'skip'));
    for (const { library, page, section } of loaded.values()) yield toSectionDocument(library, page, section);
  }
}

async function* allDocuments(storage: Storage, call: Call): AsyncGenerator<KnowledgeDocument> {
  for (let after: string | undefined; ; ) {
    const last: string | undefined = after;
    const ids = await storage.read(call, (db) => listSectionIds(db, last, knowledgeLimits.listedSectionsCount));
    if (ids.length === 0) return;
    yield* loadDocuments(storage, call, ids);
    after = ids.at(-1);
  }
}

/** Registers the libraries as the source of documents for the keyword and the semantic index. */
export function provideDocuments({ storage, search, meaning }: LibrariesDeps): void {
  search.provide(knowledgeDocuments, (call) => allDocuments(storage, call));
  meaning.provide(knowledgeDocuments, {
    // Libraries are large, and many are never searched semantically.
    isOnDemand: true,
    async texts(call, ids) {
      const texts = new Map<string, SemanticText>();
      for await (const document of loadDocuments(storage, call, ids)) {
        const { id, facets } = document;
        texts.set(id, { text: semanticText(document), ...(facets === undefined ? {} : { facets }) });
      }
      return texts;
    },
    ids: (call, after, limit) => storage.read(call, (db) => listSectionIds(db, after, limit)),
  });
}
