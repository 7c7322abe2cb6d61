import { isObject } from '#kernel/json/is-object.ts';
import type { Database, TemplateFragment } from '../base/base-entries.ts';
import { knowledgeFaults } from '../knowledge-faults.ts';
import { addImports } from './module-imports.ts';
import { fillSlots, readContribution } from './slots.ts';
import { stripTypes } from './strip-types.ts';
import { toCommonJs } from './to-commonjs.ts';

export interface TemplateChoice {
  readonly database: Database;
  readonly auth: boolean;
  readonly typescript: boolean;
  readonly version: 'v4' | 'v5';
}

type Json = Readonly<Record<string, unknown>>;

/** Merges objects; any other value is replaced. */
function mergeJson(before: Json, after: Json): Json {
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(after)) {
    const old = merged[key];
    merged[key] = isObject(old) && isObject(value) ? mergeJson(old, value) : value;
  }
  return merged;
}

function parseJsonObject(text: string): Json {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error('a JSON file of a fragment must be an object');
  return value;
}

/** Like JSON.stringify, but arrays of plain values stay on one line. */
function print(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  const enclose = (open: string, items: readonly string[], close: string) =>
    `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
  if (Array.isArray(value)) {
    const isFlat = value.every((item) => typeof item !== 'object' || item === null);
    const items = value.map((item) => print(item, inner));
    return isFlat ? `[${items.join(', ')}]` : enclose('[', items, ']');
  }
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${print(item, inner)}`);
  return entries.length === 0 ? '{}' : enclose('{', entries, '}');
}

const printJson = (value: Json): string => `${print(value, '')}\n`;

const hasOrLacks = <T>(allowed: readonly T[] | undefined, wanted: T) =>
  allowed === undefined || allowed.includes(wanted);

const fits =
  ({ database, auth, typescript, version }: TemplateChoice) =>
  (fragment: TemplateFragment): boolean =>
    (fragment.version === 'both' || fragment.version === version) &&
    hasOrLacks(fragment.databases, database) &&
    hasOrLacks(fragment.languages, typescript ? 'typescript' : 'javascript') &&
    (fragment.auth === undefined || fragment.auth === auth);

/** Requirements first, then by name. A fragment with a missing or cyclic requirement is left out. */
function inOrder(fragments: readonly TemplateFragment[]): readonly TemplateFragment[] {
  const placed = new Map<string, TemplateFragment>();
  let waiting = fragments.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (;;) {
    const next = waiting.find(({ requires }) => requires.every((id) => placed.has(id)));
    if (next === undefined) return [...placed.values()];
    placed.set(next.id, next);
    waiting = waiting.filter(({ id }) => id !== next.id);
  }
}

/** In composition order; empty if the choice is not covered. */
export function chooseFragments(all: readonly TemplateFragment[], choice: TemplateChoice): readonly TemplateFragment[] {
  const chosen = inOrder(all.filter(fits(choice)));
  // A fragment for both versions alone does not cover a database or authentication.
  const own = chosen.filter(({ version }) => version === choice.version);
  const hasDatabase = own.some(({ databases }) => databases?.includes(choice.database));
  const hasAuth = !choice.auth || own.some(({ auth }) => auth === true);
  return hasDatabase && hasAuth ? chosen : [];
}

export interface TemplateTree {
  /** Including development packages. */
  readonly dependencies: readonly string[];
  readonly featureFlags: readonly string[];
  /** Content by path. */
  readonly files: ReadonlyMap<string, string>;
}

const isScript = (path: string) => path.endsWith('.ts');

const sorted = (record: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Names the file and fragment, because a user's knowledge base may contain the error. */
function about<T>(path: string, ids: readonly string[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw knowledgeFaults.BAD_KNOWLEDGE_FILE(
      { file: `templates/${ids.join('+')}: ${path}`, why },
      {},
      { cause: error },
    );
  }
}

interface Part {
  readonly id: string;
  readonly content: string;
}

/** A user's knowledge base must not write outside the target folder. */
const isInside = (path: string): boolean =>
  path.split('/').every((name) => /^[^\\:*?"<>|\p{Cc}]+$/u.test(name) && !/^\.+$/.test(name));

/** The first fragment with a path gives the file; later ones fill its slots or, for JSON, are merged into it. */
function composeFile(path: string, [first, ...others]: readonly [Part, ...Part[]]): string {
  if (!isInside(path)) throw new Error('a path is of names and slashes, and leads downwards');
  if (path.endsWith('.json'))
    return printJson(
      others.reduce(
        (before, { content }) => mergeJson(before, parseJsonObject(content)),
        parseJsonObject(first.content),
      ),
    );
  const contributions = others.map(({ id, content }) => {
    const contribution = readContribution(content);
    if (contribution === undefined) throw new Error(`${id} fills no slot of a file that is there already`);
    if (!isScript(path) && contribution.head !== '') throw new Error(`${id} has text outside the slots`);
    return contribution;
  });
  const filled = fillSlots(first.content, contributions);
  if (!isScript(path)) return filled;
  return addImports(
    filled,
    contributions.map(({ head }) => head),
  );
}

function partsByPath(fragments: readonly TemplateFragment[]): ReadonlyMap<string, [Part, ...Part[]]> {
  const parts = new Map<string, [Part, ...Part[]]>();
  for (const { id, files } of fragments)
    for (const [path, content] of Object.entries(files)) {
      const before = parts.get(path);
      if (before === undefined) parts.set(path, [{ id, content }]);
      else before.push({ id, content });
    }
  return parts;
}

function composePackage(fragments: readonly TemplateFragment[], content: string): string {
  const all = (key: 'packages' | 'devPackages' | 'scripts'): Record<string, string> =>
    Object.fromEntries(fragments.flatMap((fragment) => Object.entries(fragment[key])));
  const packages = all('packages');
  const devPackages = Object.entries(all('devPackages')).filter(([name]) => !Object.hasOwn(packages, name));
  return printJson({
    ...parseJsonObject(content),
    scripts: all('scripts'),
    dependencies: sorted(packages),
    devDependencies: sorted(Object.fromEntries(devPackages)),
  });
}

/** Undefined if no fragments match. */
export function composeTemplate(all: readonly TemplateFragment[], choice: TemplateChoice): TemplateTree | undefined {
  const fragments = chooseFragments(all, choice);
  if (fragments.length === 0) return undefined;
  const composed = [...partsByPath(fragments)].map(([path, parts]) => {
    const ids = parts.map(({ id }) => id);
    return { path, ids, content: about(path, ids, () => composeFile(path, parts)) };
  });
  const manifest = composed.find(({ path }) => path === 'package.json')?.content ?? '{}';
  // Node reads the files of such a package as CommonJS.
  const isOfModules = parseJsonObject(manifest)['type'] === 'module';
  const files = new Map<string, string>();
  for (const { path, ids, content } of composed) {
    if (path === 'package.json') files.set(path, composePackage(fragments, content));
    else if (choice.typescript || !isScript(path)) files.set(path, content);
    else {
      const plain = about(path, ids, () => (isOfModules ? stripTypes(content) : toCommonJs(stripTypes(content))));
      // A file with only types is empty in JavaScript.
      if (plain !== '') files.set(path.replace(/\.ts$/, '.js'), plain);
    }
  }
  const names = fragments.flatMap(({ packages, devPackages }) => [
    ...Object.keys(packages),
    ...Object.keys(devPackages),
  ]);
  return {
    dependencies: [...new Set(names)].toSorted(),
    featureFlags: [...new Set(fragments.flatMap(({ featureFlags }) => featureFlags))],
    files: new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}
