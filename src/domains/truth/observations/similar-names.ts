import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import { compareNames, type NameMatch } from './compare-names.ts';
import { companyType, entityIdOf, normaliseName } from './entity-name.ts';
import { foldKeysOf, matchKeyOfName, nearKeysOf, plainKeysOf, storedSoundKeysOf } from './match-keys.ts';
import { insertMatchKeys, insertSharedKeys, type NewMatchKey } from './observation-store.ts';
import { findByLookupKeys, type LookupHit } from './similar-store.ts';

/** The `field` of an identifier that comes from the entity's name, and of the keys derived from it. */
export const nameField = 'name';
export const foldField = 'fold';
export const nearField = 'near';
const nameFields: ReadonlySet<string> = new Set([nameField, foldField, nearField]);

/** The `field` of a key of another name contains that name: an entity has many. */
const aliasPrefix = 'alias=';
const aliasChars = 160;
export const aliasFieldOf = (text: string): string => `${aliasPrefix}${text.slice(0, aliasChars)}`;
export const aliasOf = ({ field }: Pick<LookupHit, 'field'>): string | undefined =>
  field.startsWith(aliasPrefix) ? field.slice(aliasPrefix.length) : undefined;

/** The name that a key was derived from; undefined for other identifiers. */
export const nameOfHit = (hit: LookupHit): string | undefined =>
  nameFields.has(hit.field) ? hit.canonical_name : aliasOf(hit);

/** Where to look for entities with a name like this one. */
export interface NameProbe {
  readonly identifier: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly name: string;
  readonly isAlias: boolean;
}

/** The keys under which a similar name of this type is found. */
export const similarKeysOf = (type: string, name: string): readonly string[] => [
  ...plainKeysOf(type, name),
  ...foldKeysOf(type, name),
  ...nearKeysOf(type, name),
];

export function probesOfName(entity_type: string, entity_id: string, name: string): readonly NameProbe[] {
  const probe = { entity_type, entity_id, name, isAlias: false };
  return similarKeysOf(entity_type, name).map((identifier) => ({ ...probe, identifier }));
}

/** An alias that is near another name says little. */
export function probesOfAlias(entity_type: string, entity_id: string, name: string): readonly NameProbe[] {
  const probe = { entity_type, entity_id, name, isAlias: true };
  const keys = [...plainKeysOf(entity_type, name), ...foldKeysOf(entity_type, name)];
  return keys.map((identifier) => ({ ...probe, identifier }));
}

export const aliasKeysOf = (type: string, name: string): readonly string[] => [
  ...foldKeysOf(type, name),
  ...storedSoundKeysOf(type, name),
];

/** Without keys of many entities, which say little. */
function usefulHits(hits: readonly LookupHit[]): readonly LookupHit[] {
  const counts = new Map<string, number>();
  for (const { identifier } of hits) counts.set(identifier, (counts.get(identifier) ?? 0) + 1);
  return hits.filter(({ identifier }) => counts.get(identifier)! <= truthLimits.similarKeyCount);
}

export function* findHits(db: Reader, keys: readonly string[], types: readonly string[]): Work<readonly LookupHit[]> {
  return usefulHits(yield* findByLookupKeys(db, keys, types, truthLimits.similarHitsCount));
}

export const nearPairField = 'near';
export const aliasPairField = 'alias';

const pairOf = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** The key of two entities alone. Those that share the match key of their names are listed by it. */
function pairKeyOf(probe: NameProbe, hit: LookupHit): string | undefined {
  const { entity_type, entity_id, name } = probe;
  const other = nameOfHit(hit);
  if (other === undefined || hit.entity_id === entity_id) return undefined;
  const alias = aliasOf(hit);
  // Two entities with the same alias, such as a first name, are two entities.
  if (probe.isAlias && alias !== undefined) return undefined;
  const match = compareNames(entity_type, name, other);
  if (match === undefined) return undefined;
  const pair = pairOf(entity_id, hit.entity_id);
  if (probe.isAlias || alias !== undefined) {
    return match.kind === 'folded'
      ? `${aliasPairField}=${pair} ${aliasOf(hit) ?? name}`.slice(0, aliasChars)
      : undefined;
  }
  const isListed = matchKeyOfName(entity_type, name) === matchKeyOfName(entity_type, other);
  return match.kind === 'folded' && isListed ? undefined : `${nearPairField}=${pair}`;
}

const keyOf = ({ entity_type, identifier }: Pick<LookupHit, 'entity_type' | 'identifier'>): string =>
  `${entity_type} ${identifier}`;

/** By entity: stored keys of names that may be like its name. */
export type SimilarHits = ReadonlyMap<string, readonly LookupHit[]>;

export interface WrittenPairs {
  /** Rows that were new. */
  readonly added: number;
  readonly similar: SimilarHits;
}

/** Compares new names with the stored ones and keeps the pairs, so that a list of duplicates reads only true ones. */
export function* writePairs(db: Writer, probes: readonly NameProbe[]): Work<WrittenPairs> {
  if (probes.length === 0) return { added: 0, similar: new Map() };
  const keys = [...new Set(probes.map(({ identifier }) => identifier))];
  const types = [...new Set(probes.map(({ entity_type }) => entity_type))];
  const hits = Map.groupBy(yield* findHits(db, keys, types), keyOf);
  const rows = new Map<string, NewMatchKey>();
  const similar = new Map<string, readonly LookupHit[]>();
  for (const probe of probes) {
    const { entity_type, entity_id, isAlias } = probe;
    const found = hits.get(keyOf(probe)) ?? [];
    if (!isAlias) similar.set(entity_id, [...(similar.get(entity_id) ?? []), ...found]);
    for (const hit of found) {
      const match_key = pairKeyOf(probe, hit);
      if (match_key === undefined) continue;
      for (const id of [entity_id, hit.entity_id])
        rows.set(`${match_key} ${id}`, { entity_type, match_key, entity_id: id });
    }
  }
  if (rows.size === 0) return { added: 0, similar };
  const pairs = [...rows.values()];
  return { added: (yield* insertMatchKeys(db, pairs)).length + (yield* insertSharedKeys(db, pairs)), similar };
}

export interface SimilarEntity {
  readonly entity_id: string;
  readonly canonical_name: string;
  readonly reason: string;
}

/** Folded names first, then by the number of edits. */
const byLikeness = (a: NameMatch, b: NameMatch): number =>
  a.kind === b.kind ? a.distance - b.distance : a.kind === 'folded' ? -1 : 1;

/** [TR64] Entities whose name is like this one, most similar first, without the entity of that name and its group. */
export function similarAmong(
  hits: readonly LookupHit[],
  type: string,
  name: string,
  limit: number,
): readonly SimilarEntity[] {
  const own = normaliseName(name, type === companyType);
  const ownId = entityIdOf(type, own);
  const ownRoot = hits.find(({ entity_id }) => entity_id === ownId)?.root_id ?? ownId;
  const best = new Map<string, { readonly match: NameMatch; readonly hit: LookupHit; readonly reason: string }>();
  for (const hit of hits) {
    const other = nameOfHit(hit);
    if (other === undefined || hit.root_id === ownRoot || hit.entity_id === ownId) continue;
    const match = compareNames(type, own, other);
    const known = best.get(hit.root_id)?.match;
    if (match === undefined || (known !== undefined && byLikeness(known, match) <= 0)) continue;
    const reason = aliasOf(hit) === undefined ? match.reason : `also called “${other}”: ${match.reason}`;
    best.set(hit.root_id, { match, hit, reason });
  }
  return [...best.values()]
    .sort((a, b) => byLikeness(a.match, b.match) || (a.hit.root_id < b.hit.root_id ? -1 : 1))
    .slice(0, limit)
    .map(({ hit, reason }) => ({ entity_id: hit.root_id, canonical_name: hit.canonical_name, reason }));
}
