import type { DocPage, ListedPage, PageName } from '../search/library-sections.ts';
import { baseLibrary, type Passage } from './passage.ts';

/** `v5/hooks#around-hooks` is of version v5 in the page `hooks`; `snippets/hooks#x` in the page `snippets/hooks`. */
function pageOf({ id, version }: Passage): PageName {
  const page = id.split('#', 1)[0]!;
  return {
    library: baseLibrary,
    version,
    path: page.startsWith(`${version}/`) ? page.slice(version.length + 1) : page,
  };
}

const keyOf = ({ version, path }: PageName): string => `${version}/${path}`;

const titleOf = ({ breadcrumb, title }: Passage): string => breadcrumb[0] ?? title;

/** A page begins with its title; each section stands under as many marks as it has headings above it. */
function render(passages: readonly Passage[]): string {
  const sections = passages.map((passage) => {
    const level = passage.breadcrumb.length;
    return level < 2 ? passage.text : `${'#'.repeat(level)} ${passage.title}\n\n${passage.text}`;
  });
  return [`# ${titleOf(passages[0]!)}`, ...sections].join('\n\n');
}

/** The base as pages, in the order in which it is written. */
export interface BasePages {
  readonly names: readonly (PageName & ListedPage)[];
  page(name: Omit<PageName, 'library'>): DocPage | undefined;
}

export function createBasePages(passages: Iterable<Passage>): BasePages {
  const all = [...passages];
  const pages = Map.groupBy(all, (passage) => keyOf(pageOf(passage)));
  const files = Map.groupBy(all, ({ version, path }) => `${version}/${path}`);
  return {
    names: [...pages.values()].map(([first]) => ({ ...pageOf(first!), title: titleOf(first!) })),
    page(name) {
      // By the name of the page, or by the file that a hit names as its source.
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
