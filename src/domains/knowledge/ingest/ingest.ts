import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { Libraries } from '../libraries/libraries.ts';
import {
  formatLibraryVersion,
  isLibraryName,
  isVersion,
  type LibraryVersion,
  libraryNameRule,
  versionRule,
} from '../libraries/library-version.ts';
import type { NewPage } from '../libraries/write-pages.ts';
import type { IngestAnswer, IngestInput } from '../tools/knowledge-ingest.ts';
import { ingestPages } from './ingest-pages.ts';
import type { PageReader } from './read-page-task.ts';
import { resolveAllowedPath, sourceRefused } from './sources/allowed-path.ts';
import { openPages } from './sources/inline-pages.ts';
import { openFile, openFolder } from './sources/open-folder.ts';
import { isLlmsFile, openLlms } from './sources/open-llms.ts';
import { isPackageName, openPackage } from './sources/open-package.ts';
import { isZipFile, openZip } from './sources/open-zip.ts';
import type { PageSource, SourceAccess } from './sources/page-source.ts';

const packagePrefix = 'npm:';

async function expectPackage(name: string, access: SourceAccess): Promise<PageSource> {
  const opened = await openPackage(name, access);
  if (opened !== undefined) return opened;
  const none = access.roots?.length === 0 ? ` (no folder may be read: ${access.whyNone}; set fileRoots)` : '';
  const why = `No readable folder or file and no package in node_modules is named ${name}${none}: install the package, or name a folder, an llms.txt or a zip`;
  throw faults.VALIDATION_ERROR({ why }, { field: 'source' });
}

const nameFix = 'Name an existing folder, file, llms.txt or zip, or an installed package: "npm:zod".';

/** Opens a folder, file, archive or llms.txt, or else an installed package. */
export async function openSource(name: string, access: SourceAccess): Promise<PageSource> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) {
    const why = 'Sources are not fetched from the network: download the docs, or pass their text in pages';
    throw faults.VALIDATION_ERROR({ why }, { field: 'source' });
  }
  if (name.startsWith(packagePrefix)) return expectPackage(name.slice(packagePrefix.length), access);
  const found = await resolveAllowedPath(name, access);
  if (found === undefined) {
    if (isPackageName(name) && !name.startsWith('.')) return expectPackage(name, access);
    throw access.roots === undefined
      ? faults.NOT_FOUND({ what: name }, { field: 'source', fix: nameFix })
      : sourceRefused(access);
  }
  if (found.isFolder) return openFolder(found.path, access);
  if (isZipFile(found.path)) return openZip(found.path, access);
  return isLlmsFile(found.path) ? openLlms(found.path, access) : openFile(found.path, access);
}

export interface IngestDeps {
  readonly libraries: Pick<Libraries, 'pages'>;
  /** What the tools may read. */
  readonly access: SourceAccess;
  readonly readPage: PageReader;
}

export interface Ingest {
  /** `access` overrides what the tools may read. */
  run(input: IngestInput, call: Call, access?: SourceAccess): Promise<IngestAnswer>;
}

const unknownVersion = 'latest';

function toLibraryVersion(input: IngestInput, opened: PageSource): LibraryVersion {
  const library = input.library ?? opened.library;
  if (library === undefined) {
    throw faults.VALIDATION_ERROR({ why: 'The source has no name: give library' }, { field: 'library' });
  }
  const target = { library, version: input.version ?? opened.version ?? unknownVersion };
  const refuse = (field: keyof LibraryVersion, form: string) =>
    faults.VALIDATION_ERROR({ why: `${field} ${JSON.stringify(target[field])}: ${form}` }, { field });
  if (!isLibraryName(target.library)) throw refuse('library', libraryNameRule);
  if (!isVersion(target.version)) throw refuse('version', versionRule);
  return target;
}

async function open(input: IngestInput, access: SourceAccess): Promise<PageSource> {
  const { source, pages, replace = false } = input;
  if ((source === undefined) === (pages === undefined)) {
    throw faults.VALIDATION_ERROR({ why: 'Give either source or pages' }, { field: 'source' });
  }
  if (pages !== undefined) return openPages(pages, replace);
  return openSource(source!, access);
}

/** Includes the pages that stay. */
function checkCount({ pages, isWhole }: PageSource, known: ReadonlyMap<string, string>): void {
  const all = new Set(pages.map(({ path }) => path));
  if (!isWhole) for (const path of known.keys()) all.add(path);
  if (all.size > knowledgeLimits.pagesCount) {
    throw faults.RESOURCE_LIMIT({ what: 'The library', limit: knowledgeLimits.pagesCount, unit: 'pages' });
  }
}

export function createIngest({ libraries, access: usual, readPage }: IngestDeps): Ingest {
  const { pages: writer } = libraries;

  async function removeGone(target: LibraryVersion, gone: readonly string[], call: Call): Promise<void> {
    for (let at = 0; at < gone.length; at += knowledgeLimits.batchPagesCount) {
      call.signal.throwIfAborted();
      await writer.remove(target, gone.slice(at, at + knowledgeLimits.batchPagesCount), call);
    }
  }

  async function takeFrom(opened: PageSource, input: IngestInput, call: Call): Promise<IngestAnswer> {
    const target = toLibraryVersion(input, opened);
    const isDry = input.dry_run === true;
    const known = await writer.hashes(target, call);
    checkCount(opened, known);
    const write = (some: readonly NewPage[]) =>
      isDry ? Promise.resolve() : writer.put(target, opened.origin, some, call);
    const { now, skipped, counts, sectionsCount } = await ingestPages(opened, readPage, known, write, call);
    const gone = [...known.keys()].filter((path) => !now.has(path));
    const answer = {
      ...target,
      ...{ source: opened.origin.name, source_kind: opened.origin.kind },
      ...{ added: counts.added, changed: counts.changed, removed: gone.length, unchanged: counts.unchanged },
      skipped: skipped.slice(0, knowledgeLimits.reportedSkippedCount),
      skipped_count: skipped.length,
    };
    if (isDry) return { ...answer, pages: now.size, sections: sectionsCount, dry_run: true };
    await removeGone(target, gone, call);
    const inOrder = [...now].map(([path, hash]) => ({ path, hash })).sort((a, b) => (a.path < b.path ? -1 : 1));
    const row = await writer.finish(target, opened.origin, inOrder, call);
    if (row === undefined) {
      throw faults.CONFLICT(
        { why: `${formatLibraryVersion(target)} was changed by another process during the ingest: ingest it again` },
        { fix: 'Call knowledge_ingest again with the same arguments.' },
      );
    }
    call.progress(opened.pages.length, opened.pages.length, formatLibraryVersion(target));
    return { ...answer, pages: row.pages_count, sections: row.sections_count };
  }

  return {
    async run(input, call, access = usual) {
      const opened = await open(input, access);
      try {
        return await takeFrom(opened, input, call);
      } finally {
        await opened.close();
      }
    },
  };
}
