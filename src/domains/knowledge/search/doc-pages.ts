import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { type Cursors, cursorFix } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type BaseSection, baseLibrary } from '../base/base-sections.ts';
import type { KnowledgeBase } from '../base/knowledge-base.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { LibraryVersion } from '../libraries/library-version.ts';
import type { PageListAnswer, PageListInput } from '../tools/knowledge-pages.ts';
import type { PageReadAnswer, PageReadInput } from '../tools/knowledge-read.ts';
import type { DocPage, LibrarySections, PageRef } from './library-sections.ts';

/** `v5/hooks#around-hooks` belongs to the page `hooks` of v5, `snippets/hooks#x` to the page `snippets/hooks`. */
function pageOf({ id, version }: BaseSection): PageRef {
  const page = id.split('#', 1)[0]!;
  return {
    library: baseLibrary,
    version,
    path: page.startsWith(`${version}/`) ? page.slice(version.length + 1) : page,
  };
}

const keyOf = ({ version, path }: PageRef): string => `${version}/${path}`;

const titleOf = ({ breadcrumb, title }: BaseSection): string => breadcrumb[0] ?? title;

/** The level of a section's heading is the length of its breadcrumb. */
function render(sections: readonly BaseSection[]): string {
  const texts = sections.map(({ breadcrumb, title, text }) =>
    breadcrumb.length < 2 ? text : `${'#'.repeat(breadcrumb.length)} ${title}\n\n${text}`,
  );
  return [`# ${titleOf(sections[0]!)}`, ...texts].join('\n\n');
}

type BasePages = ReturnType<typeof createBasePages>;

function createBasePages(sections: Iterable<BaseSection>) {
  const all = [...sections];
  const pages = Map.groupBy(all, (section) => keyOf(pageOf(section)));
  const files = Map.groupBy(all, ({ version, path }) => `${version}/${path}`);
  return {
    names: [...pages.values()].map(([first]) => ({ ...pageOf(first!), title: titleOf(first!) })),
    page(name: Omit<PageRef, 'library'>): DocPage | undefined {
      // By page name, or by the file that a hit names as its source.
      const found = pages.get(keyOf({ ...name, library: baseLibrary })) ?? files.get(`${name.version}/${name.path}`);
      const first = found?.[0];
      if (found === undefined || first === undefined) return undefined;
      return {
        ...pageOf(first),
        title: titleOf(first),
        text: render(found),
        ...(first.url === undefined ? {} : { url: first.url }),
      };
    },
  };
}

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number => (a.path < b.path ? -1 : 1);

export type DocPages = ReturnType<typeof createDocPages>;

export interface DocPagesDeps {
  readonly base: () => Promise<KnowledgeBase>;
  readonly libraries: LibrarySections;
  readonly cursors: Cursors;
}

const listTool = 'knowledge_pages';
const findSection = 'Take an id from search_docs: the ids of a library have its version, and change with its pages.';
const findPage = `${listTool} lists the libraries, their versions and their pages.`;
const pagePlace = z.object({ list: z.tuple([z.string(), z.string(), z.string()]), after: z.string() });

const namesOf = ({ names }: BasePages): readonly LibraryVersion[] =>
  [...new Set(names.map(({ version }) => version))].map((version) => ({ library: baseLibrary, version }));

export function createDocPages({ base: open, libraries, cursors }: DocPagesDeps) {
  let opened: Promise<BasePages> | undefined;
  function basePages(): Promise<BasePages> {
    opened ??= open().then(({ sections }) => createBasePages(sections.values()));
    return opened;
  }

  function openCursor(cursor: string | undefined, list: readonly string[], { tenant }: Call): string | undefined {
    if (cursor === undefined) return undefined;
    const place = pagePlace.safeParse(cursors.open(listTool, tenant, cursor));
    if (place.success && place.data.list.every((part, i) => part === list[i])) return place.data.after;
    throw faults.INVALID_PARAMS({ why: 'the cursor is from another list' }, { field: 'cursor', fix: cursorFix });
  }

  async function readSection(id: string, call: Call): Promise<PageReadAnswer> {
    const section = (await open()).sections.get(id) ?? (await libraries.load(call, [id], 'fail')).get(id);
    if (section === undefined) throw faults.NOT_FOUND({ what: `section ${id}` }, { fix: findSection });
    const { library, version, path, title, text, wholeText = text, url } = section;
    return { id, library, version, path, title, text: wholeText, ...(url === undefined ? {} : { url }) };
  }

  /** If a tenant has a library with the same name, it comes first. */
  async function readPage(name: PageRef, call: Call): Promise<PageReadAnswer> {
    const own = await libraries.page(call, name);
    const page = own ?? (name.library === baseLibrary ? (await basePages()).page(name) : undefined);
    if (page === undefined)
      throw faults.NOT_FOUND({ what: `page ${name.path} of ${name.library}@${name.version}` }, { fix: findPage });
    return page;
  }

  return {
    async read({ id, library = baseLibrary, version, path }: PageReadInput, call: Call): Promise<PageReadAnswer> {
      if (id !== undefined && path === undefined && version === undefined) return readSection(id, call);
      if (id !== undefined || version === undefined || path === undefined)
        throw faults.VALIDATION_ERROR(
          { why: 'Name a section by its id, or a page by library, version and path' },
          { fix: 'Send only an id from search_docs, or library, version and path from knowledge_pages.' },
        );
      return readPage({ library, version, path }, call);
    },
    async list({ library, version, prefix = '', cursor }: PageListInput, call: Call): Promise<PageListAnswer> {
      const base = await basePages();
      const isAsked = (name: LibraryVersion) =>
        (library === undefined || name.library === library) && (version === undefined || name.version === version);
      const names = [...namesOf(base), ...(await libraries.names(call))].filter(isAsked);
      if (library === undefined || version === undefined) return { libraries: names, pages: [], hasMore: false };
      const list = [library, version, prefix] as const;
      const after = openCursor(cursor, list, call);
      const isWanted = ({ path }: { readonly path: string }) =>
        path.startsWith(prefix) && (after === undefined || path > after);
      const own = base.names.filter((page) => isAsked(page) && isWanted(page));
      const others = await libraries.pages(call, { library, version }, prefix, after);
      const found = [...own.map(({ path, title }) => ({ path, title })), ...others].sort(byPath);
      const pages = found.slice(0, knowledgeLimits.pageListCount);
      const last = pages.at(-1);
      if (last === undefined || found.length === pages.length) return { libraries: names, pages, hasMore: false };
      const next_cursor = cursors.seal(listTool, call.tenant, { list, after: last.path });
      return { libraries: names, pages, hasMore: true, next_cursor };
    },
  };
}
