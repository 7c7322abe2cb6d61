import { basename, dirname, join, posix } from 'node:path';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { decodePage, formatOf } from '../formats/page-format.ts';
import { cleanPath } from './inline-pages.ts';
import { findPackageNames, toDisplayPath } from './open-folder.ts';
import { guardFolder, type PageSource, type SourceAccess, type SourceFile, toRawPages } from './page-source.ts';

export const isLlmsFile = (path: string): boolean => /^llms(?:-[\w-]+)?\.txt$/i.test(basename(path));

/** `[title](target)`, `[title](<a target>)`, and reference definitions `[name]: target`. */
const link = /\[([^\][\n]{0,300})\](\(|:)[ \t]*(?:<([^<>\n]{1,2000})>|((?:[^()<>\s]|\([^()<>\s]{0,200}\)){1,2000}))/g;

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** The path of a link on its site. Undefined if it is not usable as a file path. */
function pathOf(target: string): string | undefined {
  const end = target.search(/[?#]/);
  const bare = end === -1 ? target : target.slice(0, end);
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/]*\/(.*)$/i.exec(bare)?.[1] ?? bare;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  return cleanPath(posix.normalize(withoutSlashes(decoded.replace(/^(?:\.?\/)+/, ''))));
}

export interface PageLink {
  readonly title: string;
  readonly path: string;
}

function readLinks(text: string): readonly PageLink[] {
  const pages = new Map<string, PageLink>();
  for (const [, label = '', sign, bracketed, bare = ''] of text.matchAll(link)) {
    const path = pathOf(bracketed ?? bare);
    const title = sign === ':' ? '' : label.trim();
    if (path !== undefined && !pages.has(path)) pages.set(path, { title, path });
    if (pages.size === knowledgeLimits.linksCount) break;
  }
  return [...pages.values()];
}

/** Sites link to pages without their endings. */
const spellings = (path: string): readonly string[] =>
  formatOf(path) === undefined ? ['.md', '.mdx', '.html', '/index.md', '/index.html'].map((end) => path + end) : [path];

/**
 * Reads an llms.txt and the local files that it links to. Nothing is fetched: of other links only their line is
 * indexed.
 */
export async function openLlms(file: string, access: SourceAccess): Promise<PageSource> {
  const folder = dirname(file);
  const roots = guardFolder(folder, access);
  const self: SourceFile = { path: basename(file), absolute: file, format: 'markdown' };
  const own = await toRawPages([self], roots);
  const bytes = await own.pages[0]?.read();
  const text = bytes instanceof Uint8Array ? decodePage(bytes) : '';
  const linked: SourceFile[] = [];
  for (const { title, path } of readLinks(typeof text === 'string' ? text : '')) {
    for (const spelling of spellings(path)) {
      const format = formatOf(spelling);
      const absolute = join(folder, spelling);
      const opened = format === undefined ? undefined : await roots.open(absolute).catch(() => undefined);
      await opened?.handle.close();
      if (opened === undefined || absolute === file) continue;
      linked.push({ path: spelling, absolute, format: format!, title: title === '' ? undefined : title });
      break;
    }
  }
  const others = await toRawPages(linked, roots);
  const { library, version } = await findPackageNames(folder, access);
  return {
    origin: { kind: 'llms', name: toDisplayPath(file, access) },
    ...{ library, version, isWhole: true },
    pages: [...own.pages, ...others.pages],
    skipped: [...own.skipped, ...others.skipped],
    async close() {},
  };
}
