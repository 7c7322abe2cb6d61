import type { Json } from '#kernel/json/canonical.ts';
import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import type { Fields } from '../../observations/observation.ts';
import { truthLimits } from '../../truth-limits.ts';
import type { EntityHead } from '../entity-store.ts';
import { fieldFacet, toFieldFacets } from './field-facets.ts';

/** Names of fields that can be searched for. */
const entityLabelsCount = 200;

/**
 * [TR80] One document per root. A current value weighs more than an earlier one. `labels`: the names of its fields, so
 * that `rent 2900` covers an entity whose rent is 2900. Most are frequent words, which weigh little.
 */
export const entityDocuments = defineCollection({
  name: 'entities',
  fields: { name: 3, current: 2, past: 1, labels: 0.5 },
  title: 'name',
  idWeight: 0,
});

export type EntityDocument = SearchDocument<'name' | 'current' | 'past' | 'labels'>;

/** Texts and numbers at every depth, as they are shown. */
export function valuesOf(value: Json | undefined, add: (text: string) => void): void {
  if (typeof value === 'string') {
    const text = value.slice(0, truthLimits.entityValueChars).toWellFormed().trim();
    if (text !== '') add(text);
  } else if (typeof value === 'number') add(String(value));
  else if (value !== null && typeof value === 'object') for (const one of Object.values(value)) valuesOf(one, add);
}

/** Distinct values until the limit, in order. */
export function createTextCollector(charsMax: number) {
  const texts = new Set<string>();
  let left = charsMax;
  return {
    add(text: string) {
      if (left <= 0 || texts.has(text)) return;
      texts.add(text);
      left -= text.length + 1;
    },
    isFull: () => left <= 0,
    texts: (): ReadonlySet<string> => texts,
  };
}

export function textsOf(fields: readonly Fields[], charsMax: number): ReadonlySet<string> {
  const collector = createTextCollector(charsMax);
  for (const one of fields) for (const value of Object.values(one)) valuesOf(value, collector.add);
  return collector.texts();
}

/** What the index knows about an entity. */
export interface IndexedEntity {
  readonly row: Pick<EntityHead, 'entity_id' | 'entity_type' | 'canonical_name'>;
  /** Names of the entities merged into it. */
  readonly otherNames: readonly string[];
  /** Includes values that no schema field accepts. */
  readonly current: Fields;
  /** Everything ever stated, current values included, the newest first. */
  readonly stated: ReadonlySet<string>;
  /** The fields of every observation; undefined if they are too many. */
  readonly statedFields: readonly Fields[] | undefined;
}

/** A name that is a content id names nothing. */
const toName = (name: string): string => (/^payload_[0-9a-f]{24}$/.test(name) ? '' : name);

export const typeWords = (type: string): string => type.replaceAll('_', ' ');

/** The names of fields that say nothing about what is in them are left out. */
const unnamed: ReadonlySet<string> = new Set(['name', 'title', 'description', 'tags', 'aliases', 'remembered']);

const labelsOf = (current: Fields): string =>
  Object.keys(current)
    .filter((name) => !unnamed.has(name))
    .slice(0, entityLabelsCount)
    .map(typeWords)
    .join('\n');

const currentTexts = (current: Fields): ReadonlySet<string> => textsOf([current], truthLimits.entityCurrentChars);

export function toEntityDocument({ row, otherNames, current, stated, statedFields }: IndexedEntity): EntityDocument {
  const now = currentTexts(current);
  const before = [...stated].filter((text) => !now.has(text));
  return {
    id: row.entity_id,
    fields: {
      name: toName(row.canonical_name),
      current: [typeWords(row.entity_type), ...otherNames.map(toName), ...now].join('\n'),
      past: before.join('\n'),
      labels: labelsOf(current),
    },
    facets: { type: row.entity_type, [fieldFacet]: toFieldFacets(current, statedFields) },
  };
}

/** An entity as it was at another time: it has no earlier values. */
export const toPastDocument = (row: IndexedEntity['row'], fields: Fields): EntityDocument => ({
  id: row.entity_id,
  fields: {
    name: toName(row.canonical_name),
    current: [typeWords(row.entity_type), ...currentTexts(fields)].join('\n'),
    labels: labelsOf(fields),
  },
});

/** Only what holds now. */
export function toMeaningText({ row, current }: Pick<IndexedEntity, 'row' | 'current'>): string {
  const lines = [`${typeWords(row.entity_type)} ${toName(row.canonical_name)}`.trim()];
  let left = truthLimits.entityMeaningChars - lines[0]!.length;
  for (const [field, value] of Object.entries(current)) {
    if (left <= 0) break;
    const texts: string[] = [];
    valuesOf(value, (text) => texts.push(text));
    if (typeof value === 'boolean') texts.push(value ? 'yes' : 'no');
    if (texts.length === 0) continue;
    const line = `${field.replaceAll('_', ' ')}: ${texts.join(', ')}`.slice(0, left).toWellFormed();
    lines.push(line);
    left -= line.length + 1;
  }
  return lines.join('\n');
}
