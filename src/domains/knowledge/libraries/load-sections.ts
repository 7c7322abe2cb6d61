import type { Reader, Work } from '#kernel/storage/port.ts';
import { sectionId } from '../search/collection.ts';
import { parseSectionId, toEditionText } from './library-names.ts';
import {
  findLibraries,
  findPages,
  findSections,
  type LibraryRow,
  type PageRow,
  type SectionRow,
} from './library-store.ts';

export interface LoadedSection {
  readonly edition: LibraryRow;
  readonly page: PageRow;
  readonly section: SectionRow;
}

/**
 * The sections of some ids, those that are there. What is in a library that was removed is not, also while its documents are
 * still in the index: whoever shows a hit asks here.
 */
export function* loadSections(db: Reader, ids: readonly string[]): Work<ReadonlyMap<string, LoadedSection>> {
  const places = ids.map(parseSectionId).filter((place) => place !== undefined);
  const loaded = new Map<string, LoadedSection>();
  if (places.length === 0) return loaded;
  const wanted = new Set(ids);
  const libraries = yield* findLibraries(db, [...new Set(places.map(({ library }) => library))]);
  const byEdition = Map.groupBy(places, toEditionText);
  for (const edition of libraries) {
    const paths = [...new Set((byEdition.get(toEditionText(edition)) ?? []).map(({ path }) => path))];
    if (paths.length === 0) continue;
    const pages = new Map((yield* findPages(db, edition.library_key, paths)).map((page) => [page.path, page]));
    for (const section of yield* findSections(db, edition.library_key, paths)) {
      const id = sectionId(edition.library, edition.version, section.path, section.anchor);
      const page = pages.get(section.path);
      if (wanted.has(id) && page !== undefined) loaded.set(id, { edition, page, section });
    }
  }
  return loaded;
}
