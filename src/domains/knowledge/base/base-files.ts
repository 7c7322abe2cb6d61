import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { type BaseCategory, type EntriesByCategory, readEntries } from './base-entries.ts';
import { compileMarkdown, type MarkdownCategory } from './compile-markdown.ts';

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

function list(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Undefined if the file does not exist. */
export function readText(path: string): string | undefined {
  try {
    const { size } = statSync(path);
    if (size > knowledgeLimits.fileBytes) throw new Error(`it is larger than ${knowledgeLimits.fileBytes} bytes`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const fragmentFile = 'fragment.json';

/** Without their endings: `hooks`, `v5/hooks`. For templates also the folders that hold a fragment. */
export function listFiles(directory: string, category: BaseCategory): readonly string[] {
  const names = new Set<string>();
  const walk = (inside: string): void => {
    for (const item of list(join(directory, category, inside))) {
      if (names.size >= knowledgeLimits.filesCount) return;
      const name = inside === '' ? item.name : `${inside}/${item.name}`;
      const ending = /\.(?:json|md)$/.exec(name)?.[0];
      if (item.isFile() && (ending === '.json' || (ending === '.md' && category !== 'templates')))
        names.add(name.slice(0, -ending.length));
      else if (item.isDirectory() && category === 'templates') names.add(name);
      else if (item.isDirectory()) walk(name);
    }
  };
  walk('');
  return [...names];
}

/** Rejects names that would leave the folder of the category. */
export const isFileName = (name: string): boolean =>
  /^[\w@.-]+(?:\/[\w@.-]+)*$/.test(name) && !name.split('/').some((part) => part === '.' || part === '..');

/** `dot-gitignore` becomes `.gitignore`: with its real name it would apply to the repository. */
const toTreePath = (path: string): string => path.replaceAll(/(^|\/)dot-/g, '$1.');

function readTree(folder: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  const walk = (inside: string): void => {
    for (const item of list(join(folder, inside))) {
      const name = inside === '' ? item.name : `${inside}/${item.name}`;
      if (item.isDirectory()) walk(name);
      else if (item.isFile()) files[toTreePath(name)] = readText(join(folder, name)) ?? '';
    }
  };
  walk('');
  return files;
}

function readFragment(folder: string): unknown {
  const facts = readText(join(folder, fragmentFile));
  if (facts === undefined) return undefined;
  return { ...(JSON.parse(facts) as object), files: readTree(join(folder, 'files')) };
}

/** Undefined if the file does not exist. Throws an Error if its content is invalid. */
export function readFile<C extends BaseCategory>(
  directory: string,
  category: C,
  name: string,
): readonly EntriesByCategory[C][] | undefined {
  const path = `${category}/${name}`;
  const json = readText(join(directory, `${path}.json`));
  if (json !== undefined) return readEntries(category, JSON.parse(json) as unknown, `${path}.json`);
  if (category === 'templates') {
    const fragment = readFragment(join(directory, path));
    return fragment === undefined ? undefined : readEntries(category, fragment, path);
  }
  const markdown = readText(join(directory, `${path}.md`));
  if (markdown === undefined) return undefined;
  return compileMarkdown(category as C & MarkdownCategory, `${path}.md`, markdown);
}
