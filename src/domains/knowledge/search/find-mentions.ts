import { baseLibrary } from '../base/base-sections.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';

/** A library that the text of a query names. */
export interface Mention {
  readonly library: string;
  /** `3` in `zod 3`, `zod v3` and `zod@3`. */
  readonly range: string | undefined;
  /** The query without the name. */
  readonly rest: string;
}

interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

interface Found {
  readonly library: string;
  readonly range: string | undefined;
  readonly from: number;
  readonly to: number;
}

const wordPattern = /[@\p{L}\p{N}][\p{L}\p{N}@/._-]*/gu;

/** They belong to a name, but do not end one. */
const joints: ReadonlySet<string> = new Set('@/._-');

const readWords = (query: string): readonly Word[] =>
  Array.from(query.matchAll(wordPattern), ({ 0: found, index: from }) => {
    let end = found.length;
    while (end > 0 && joints.has(found[end - 1]!)) end -= 1;
    return { text: found.slice(0, end).toLowerCase(), from, to: from + end };
  });

/** Packages and last parts of packages whose names are ordinary words of questions. */
const ordinary: ReadonlySet<string> = new Set(
  `async body browser cache cli client colors common config connect cookie core cors data debug docs events express fetch
   find form forms glob got helmet http image json log merge mime mocha moment native next node open parse path plugin
   process progress query random redis request resolve response router schema select send server session sharp shared
   socket stream string table test testing tests through types typescript url util utils validate validator web`.split(
    /\s+/,
  ),
);
/** Behind these words, at either end of a query and before a version, such a word is a name. */
const prepositions: ReadonlySet<string> = new Set('in with using use for from via of and or vs does can is'.split(' '));
const versionPattern = /^v?\d+(?:\.(?:\d+|x))*$/;

const withoutJs = (name: string): string => name.replace(/[.-]?js$/, '');

/** The same array is passed for each query of a tenant. */
const knownNames = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/** By what a library may be called: its name, or the last part of a scoped one, with or without `js`. */
function namesOf(libraries: readonly string[]): ReadonlyMap<string, string> {
  const known = knownNames.get(libraries);
  if (known !== undefined) return known;
  const names = new Map<string, string>([[`${baseLibrary}js`, baseLibrary]]);
  const add = (name: string, library: string): void => void (names.has(name) || names.set(name, library));
  for (const library of [...libraries, baseLibrary]) add(library.toLowerCase(), library);
  for (const library of libraries) {
    const name = library.toLowerCase();
    const last = name.slice(name.lastIndexOf('/') + 1);
    for (const one of last === name || ordinary.has(last) ? [name] : [name, last]) add(withoutJs(one), library);
    if (!ordinary.has(last)) add(last, library);
  }
  knownNames.set(libraries, names);
  return names;
}

/** The library that is called so, whatever the case: `Zod`, `next.js`, `FeathersJS`. */
export function findLibraryName(name: string, libraries: readonly string[]): string | undefined {
  const names = namesOf(libraries);
  const text = name.toLowerCase();
  return names.get(text) ?? names.get(withoutJs(text));
}

function findNames(words: readonly Word[], libraries: readonly string[]): readonly Found[] {
  const found = new Map<string, Found>();
  words.forEach((word, i) => {
    const at = word.text.indexOf('@', 1);
    const name = at === -1 ? word.text : word.text.slice(0, at);
    const library = findLibraryName(name, libraries);
    if (library === undefined || found.has(library)) return;
    const next = words[i + 1];
    const isVersioned = at === -1 && next !== undefined && versionPattern.test(next.text);
    const isEdge = i === 0 || i === words.length - 1;
    if (ordinary.has(name) && !isEdge && !isVersioned && at === -1 && !prepositions.has(words[i - 1]!.text)) return;
    const range = at === -1 ? (isVersioned ? next.text : undefined) : word.text.slice(at + 1);
    found.set(library, { library, range, from: word.from, to: isVersioned ? next.to : word.to });
  });
  return [...found.values()].slice(0, knowledgeLimits.mentionsCount);
}

/** A version of Feathers without its name; undefined if several are named, as in a question about migrating. */
function findEdition(words: readonly Word[]): Found | undefined {
  const versions = words.filter(({ text }) => /^v[45]$/.test(text));
  const [first] = versions;
  if (first === undefined || versions.some(({ text }) => text !== first.text)) return undefined;
  return { library: baseLibrary, range: first.text, from: first.from, to: first.to };
}

const cut = (query: string, places: readonly Found[]): string =>
  places
    .toSorted((a, b) => b.from - a.from)
    .reduce((rest, { from, to }) => `${rest.slice(0, from)} ${rest.slice(to)}`, query)
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Names of packages that are ordinary words, too. A library that was ingested under such a name is meant more often. */
const moreOrdinary: ReadonlySet<string> = new Set(
  `agenda bull concurrently compression cross faker forever history immutable later lit marked ms objection once parcel
   passport prompts retry should sift slug tap three throttle turbo`.split(/\s+/),
);

/**
 * The packages that a query names as whole words. A name that is also an ordinary word needs a version: `next 15`, and
 * not `next page`.
 */
export function findPackageNames(query: string, packages: Pick<ReadonlySet<string>, 'has'>): readonly string[] {
  const words = readWords(query);
  const found = words.flatMap(({ text }, i) => {
    const at = text.indexOf('@', 1);
    const name = at === -1 ? text : text.slice(0, at);
    const isVersioned = at !== -1 || versionPattern.test(words[i + 1]?.text ?? '');
    const known = [name, withoutJs(name)].find((one) => packages.has(one));
    return known === undefined || ((ordinary.has(name) || moreOrdinary.has(name)) && !isVersioned) ? [] : [known];
  });
  return [...new Set(found)].slice(0, knowledgeLimits.mentionsCount);
}

const hasContent = (text: string): boolean => readWords(text).some(({ text: word }) => !prepositions.has(word));

export interface Mentions {
  /** In the order of the query. */
  readonly all: readonly Mention[];
  /** The query without all of them; the query itself if nothing else is in it. */
  readonly rest: string;
}

/** All that can be named without a library of the tenant. */
const feathersOnly = /feathers|v[45]/i;
const nothing: readonly Mention[] = [];

/** Finds the libraries that a query names among those of the tenant and Feathers, each once. */
export function findMentions(query: string, libraries: readonly string[]): Mentions {
  if (libraries.length === 0 && !feathersOnly.test(query)) return { all: nothing, rest: query };
  const words = readWords(query);
  const names = findNames(words, libraries);
  const edition = findEdition(words);
  const others = names.filter(({ library }) => library !== baseLibrary);
  const feathers = names.find(({ library }) => library === baseLibrary);
  // `v4` belongs to Feathers unless only another library is named.
  const isEdition =
    edition !== undefined && feathers?.range === undefined && (feathers !== undefined || others.length === 0);
  const found = isEdition ? [...names, edition] : names;
  const orQuery = (text: string) => (hasContent(text) ? text : query);
  const all = (isEdition ? [...others, edition] : names).map(({ library, range }) => {
    const own = found.filter((one) => one.library === library);
    return { library, range, rest: orQuery(cut(query, own)) };
  });
  return { all, rest: orQuery(cut(query, found)) };
}
