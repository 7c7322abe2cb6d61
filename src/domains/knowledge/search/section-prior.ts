import type { ParsedQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';
import { scanTokens } from '#kernel/text/tokens.ts';
import { parseSectionId, type SectionPlace } from '../libraries/library-version.ts';
import type { SectionKind } from './collection.ts';

/**
 * How likely a section is the answer before any query is known, from 0 to 1. A score is multiplied by it. The shipped
 * base consists of prose, and so do most pages; the factors below are for the rest, and were measured with the
 * questions on package docs in bench/judged.
 */
const factors = {
  /** Prose explains; a declaration only names. */
  declarations: 0.6,
  /** Says what a release changed, or how a project is led, not how a thing is used. */
  changelog: 0.6,
  /** Says what was different before. */
  migration: 0.5,
  /** Lists links or names a type, without explaining. */
  aside: 0.3,
  /** A declaration without a comment. */
  bare: 0.8,
  deprecated: 0.5,
  /** Not what the root of a package exports: a smaller variant, its core, its helpers. */
  inner: 0.4,
  /** Of an earlier major version than the one that was ingested. */
  earlier: 0.2,
  /** Names that are not meant for users: `_parse`, `$ZodTypeInternals`. */
  internal: 0.4,
  /** A declaration is mostly its name: so much remains if the query has nothing of it. */
  unnamed: 0.6,
  /** The name of a declaration often has one word of the query by chance: so much remains if it has no other. */
  partial: 0.5,
  /** What is called or created comes before the types of its arguments and results. */
  type: 0.5,
} as const;

const declarations = /\.d\.[mc]?ts$/i;
const changelog =
  /(?:^|\/)(?:changelog|changes|history|releases?|governance|(?:\w+[-_])?charter|sponsors?|backers|contribut(?:ing|ors)|authors|maintainers|code[-_]of[-_]conduct|licen[cs]e)(?:[-_.]?v?\d[^/]*)?\.[a-z]+$/i;
const securityPolicy = /(?:^|\/)SECURITY\.[a-z]+$/;
const migration = /(?:^|[/_-])(?:migrat|upgrad)/i;
/** Who asks with words that begin so may want to know what a release changed, or how the project is led. */
const changeWords =
  'migrat upgrad changed changes changelog breaking release version history govern contribut sponsor security vulnerabilit licen'.split(
    ' ',
  );

const isAboutChanges = (query: string): boolean =>
  query
    .toLowerCase()
    .split(/[^\p{L}\p{N}.]+/u)
    .some((word) => /^(?:v\d|\d+\.\d)/.test(word) || changeWords.some((beginning) => word.startsWith(beginning)));

const innerFolder = /^(?:core|mini|internals?|legacy|deprecated|compat|adapters?|utils?|locales?)$/i;
const innerFile = /(?:^|\/)(?:internals?|legacy|deprecated|compat|utils?|helpers?)\.d\.[mc]?ts$/i;
const versionFolder = /^v(\d+)$/i;
const internalName = /^[_$]|Internals?$/;
const typeName = /^[A-Z]/;

const isEarlier = (folder: string, major: number): boolean => Number(versionFolder.exec(folder)?.[1]) < major;

/** Whether the prior depends on the title too. */
export const needsTitle = (id: string): boolean => declarations.test(parseSectionId(id)?.path ?? '');

/** The share of a name's words that the query has, such as 1/2 of `setCookie` for a cookie. */
export type NamedShare = (name: string) => number;

export function createNamedShare({ terms }: Pick<ParsedQuery, 'terms'>, stemOf: StemOf): NamedShare {
  const stems = new Set(terms.flatMap(({ kind, key }) => (kind === 'word' ? [key] : [])));
  return (name) => {
    let all = 0;
    let own = 0;
    let isWholeNamed = false;
    scanTokens(name, (word, _position, _start, _end, isWhole) => {
      const isIn = stems.has(stemOf(word));
      if (isWhole) isWholeNamed ||= isIn;
      else {
        all += 1;
        if (isIn) own += 1;
      }
    });
    return isWholeNamed ? 1 : all === 0 ? 0 : own / all;
  };
}

/** What is known about the sections of an answer, and about its query. */
export interface PriorContext {
  readonly query?: string;
  /** Of declarations only: see `needsTitle`. */
  titleOf?(id: string): string | undefined;
  isOfKind?(id: string, kind: SectionKind): boolean;
  readonly namedShare?: NamedShare;
  /** How much of the query a section has, from 0 to 1. */
  relevanceOf?(id: string): number;
}

const never = () => false;
const untitled = () => undefined;
const whole = () => 1;

function ofDeclaration(
  id: string,
  { version, path }: SectionPlace,
  { titleOf = untitled, isOfKind = never, namedShare = whole, relevanceOf = whole }: PriorContext,
): number {
  const title = titleOf(id) ?? '';
  const folders = path.split('/').slice(0, -1);
  const major = Number.parseInt(version, 10);
  const name = title.slice(title.lastIndexOf('.') + 1);
  let prior: number = factors.declarations * (factors.unnamed + (1 - factors.unnamed) * namedShare(name));
  prior *= factors.partial + (1 - factors.partial) * relevanceOf(id);
  if (folders.some((folder) => isEarlier(folder, major))) prior *= factors.earlier;
  else if (innerFile.test(path) || folders.some((folder) => innerFolder.test(folder))) prior *= factors.inner;
  if (isOfKind(id, 'bare')) prior *= factors.bare;
  if (isOfKind(id, 'deprecated')) prior *= factors.deprecated;
  if (internalName.test(name)) return prior * factors.internal;
  return typeName.test(name) ? prior * factors.type : prior;
}

/** Creates the prior of sections by id, such as `zod@4.1.0/v4/core/schemas.d.ts#zodtype`; 1 for those of the base. */
export function createPrior(context: PriorContext): (id: string) => number {
  const { query = '', isOfKind = never } = context;
  const includesChanges = isAboutChanges(query);
  return (id) => {
    const place = parseSectionId(id);
    if (place === undefined) return 1;
    if (declarations.test(place.path)) return ofDeclaration(id, place, context);
    const prior = isOfKind(id, 'aside') ? factors.aside : 1;
    if (includesChanges) return prior;
    if (changelog.test(place.path) || securityPolicy.test(place.path)) return prior * factors.changelog;
    return migration.test(place.path) ? prior * factors.migration : prior;
  };
}

/** How much the best page adds to the scores of its sections: a page about the topic has several good ones. */
const pageShare = 0.6;
/** So many of its sections speak for a page. */
const pageSectionsCount = 2;

const pageOf = (id: string): string => id.slice(0, id.lastIndexOf('#'));

/** Raises the sections of pages that have more than one good section. `hits` in any order. */
export function addPages<T extends { readonly id: string; readonly score: number }>(hits: readonly T[]): readonly T[] {
  const scores = new Map<string, number>();
  for (const [page, own] of Map.groupBy(hits, ({ id }) => pageOf(id))) {
    const best = own.map(({ score }) => score).sort((a, b) => b - a);
    scores.set(
      page,
      best.slice(0, pageSectionsCount).reduce((sum, score) => sum + score, 0),
    );
  }
  const most = Math.max(...scores.values());
  return hits.map((hit) => ({ ...hit, score: hit.score * (1 + (pageShare * scores.get(pageOf(hit.id))!) / most) }));
}
