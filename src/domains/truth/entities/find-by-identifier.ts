import type { Call } from '#kernel/call.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { compareNames } from '../observations/compare-names.ts';
import { companyType, normaliseName } from '../observations/entity-name.ts';
import { foldKeysOf, identifiersOf, isSameIdentifier } from '../observations/match-keys.ts';
import { aliasOf, nameOfHit, similarKeysOf } from '../observations/similar-names.ts';
import { findByLookupKeys, findByLookupTexts, type LookupHit } from '../observations/similar-store.ts';
import { truthLimits } from '../truth-limits.ts';
import { entityIdPattern } from '../truth-vocabulary.ts';
import type { IdentifiedEntity, ListedEntity } from './entity-model.ts';
import {
  type EntityHead,
  findEntity,
  findEntityHeads,
  listEntitiesByIdentifier,
  listEntitiesByIdentifierOfType,
} from './entity-store.ts';
import type { EntitiesDeps } from './load-entity.ts';
import type { EntityDocuments } from './search/entity-documents.ts';

export interface IdentifierInput {
  readonly identifier: string;
  readonly entity_type?: string | undefined;
}

export interface IdentifiedAnswer {
  readonly entities: readonly IdentifiedEntity[];
  readonly total: number;
  readonly truncated?: true;
}

export type Mark = Required<Pick<IdentifiedEntity, 'match' | 'matched_text'>> & { readonly rank: number };

const ranks = { alias: 0, folded: 1, near: 2 } as const;

/** Names of these types are folded differently; without a type all ways are tried. */
const foldedTypes = [companyType, 'person', ''] as const;

function keysOf({ identifier, entity_type }: IdentifierInput, keys: typeof similarKeysOf): readonly string[] {
  const types = entity_type === undefined ? foldedTypes : [entity_type];
  return [...new Set(types.flatMap((type) => keys(type, identifier)))];
}

function* findHits(db: Reader, input: IdentifierInput, keys: readonly string[]): Work<readonly LookupHit[]> {
  const { entity_type } = input;
  return entity_type === undefined
    ? yield* findByLookupTexts(db, keys, truthLimits.similarHitsCount)
    : yield* findByLookupKeys(db, keys, [entity_type], truthLimits.similarHitsCount);
}

function markOf(identifier: string, hit: LookupHit): Mark | undefined {
  const name = nameOfHit(hit);
  if (name === undefined) {
    const text = hit.field.includes('=') ? hit.field.slice(hit.field.indexOf('=') + 1) : hit.identifier;
    return isSameIdentifier(identifier, text) ? { match: 'folded', matched_text: text, rank: ranks.folded } : undefined;
  }
  const isAlias = aliasOf(hit) !== undefined;
  if (isAlias && normaliseName(identifier, hit.entity_type === companyType) === name)
    return { match: 'alias', matched_text: name, rank: ranks.alias };
  const found = compareNames(hit.entity_type, identifier, name);
  return found && { match: found.kind, matched_text: name, rank: ranks[found.kind] + found.distance };
}

/** The best mark of each group. */
function bestMarks(identifier: string, hits: readonly LookupHit[]): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const hit of hits) {
    const mark = markOf(identifier, hit);
    const known = marks.get(hit.root_id);
    if (mark !== undefined && (known === undefined || mark.rank < known.rank)) marks.set(hit.root_id, mark);
  }
  return marks;
}

function* findExact(db: Reader, { identifier, entity_type }: IdentifierInput): Work<ReadonlySet<string>> {
  const roots = new Set<string>();
  if (entityIdPattern.test(identifier)) {
    const entity = yield* findEntity(db, identifier);
    if (entity !== undefined && (entity_type ?? entity.entity_type) === entity.entity_type) roots.add(entity.root_id);
  }
  const texts = identifiersOf(identifier);
  const found =
    entity_type === undefined
      ? yield* listEntitiesByIdentifier(db, texts, truthLimits.identifiedCount)
      : yield* listEntitiesByIdentifierOfType(db, texts, entity_type, truthLimits.identifiedCount);
  for (const { root_id } of found) roots.add(root_id);
  return roots;
}

/** [TR60] Aliases in any case; folded names if nothing is exact, and near ones only if nothing else is found. */
function* findSimilarRoots(db: Reader, input: IdentifierInput, isFound: boolean): Work<ReadonlyMap<string, Mark>> {
  const keys = keysOf(input, isFound ? foldKeysOf : similarKeysOf);
  const marks = bestMarks(input.identifier, yield* findHits(db, input, keys));
  const isBetter = [...marks.values()].some(({ match }) => match !== 'near');
  const shown = [...marks].filter(([, { match }]) => (isFound ? match === 'alias' : match !== 'near' || !isBetter));
  return new Map(shown.sort(([, a], [, b]) => a.rank - b.rank).slice(0, truthLimits.similarCount));
}

export interface IdentifiedRoots {
  readonly exact: ReadonlySet<string>;
  /** Best first, without the exact ones. */
  readonly similar: ReadonlyMap<string, Mark>;
}

export function* findIdentified(db: Reader, input: IdentifierInput): Work<IdentifiedRoots> {
  const exact = yield* findExact(db, input);
  const similar = yield* findSimilarRoots(db, input, exact.size > 0);
  return { exact, similar: new Map([...similar].filter(([root]) => !exact.has(root))) };
}

export interface IdentifierLookupDeps extends Pick<EntitiesDeps, 'storage'> {
  readonly entityDocuments?: Pick<EntityDocuments, 'countWaiting' | 'awaitQueued'> | undefined;
}

export function createIdentifierLookup(
  { storage, entityDocuments }: IdentifierLookupDeps,
  list: (heads: readonly EntityHead[], call: Call) => Promise<readonly ListedEntity[]>,
) {
  const find = (input: IdentifierInput, call: Call) =>
    storage.read(call, function* (db) {
      const { exact, similar } = yield* findIdentified(db, input);
      const roots = [...exact, ...similar.keys()];
      const heads = roots.length === 0 ? [] : yield* findEntityHeads(db, roots);
      return { marks: similar, heads, isExact: exact.size > 0 };
    });

  /** The similar names of a bulk write are derived with the index. */
  async function findAll(input: IdentifierInput, call: Call) {
    const found = await find(input, call);
    if (found.isExact || entityDocuments === undefined || (await entityDocuments.countWaiting(call)) === 0)
      return found;
    await entityDocuments.awaitQueued(call);
    return find(input, call);
  }

  return async (input: IdentifierInput, call: Call): Promise<IdentifiedAnswer> => {
    const { heads, marks } = await findAll(input, call);
    const rankOf = ({ entity_id }: EntityHead): number => marks.get(entity_id)?.rank ?? -1;
    const sorted = heads.toSorted(
      (a, b) => rankOf(a) - rankOf(b) || b.created_at - a.created_at || (a.entity_id < b.entity_id ? -1 : 1),
    );
    const entities = await list(sorted.slice(0, truthLimits.listDefaultCount), call);
    const isCut = entities.length < sorted.length;
    return {
      entities: entities.map((entity) => {
        const { match, matched_text } = marks.get(entity.entity_id) ?? {};
        return match === undefined ? entity : { ...entity, match, matched_text };
      }),
      total: sorted.length,
      ...(isCut ? { truncated: true } : {}),
    };
  };
}
