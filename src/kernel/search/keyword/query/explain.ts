import type { Collection } from '../../collection.ts';
import type { ParsedQuery } from './parse-query.ts';
import { substringCeiling } from './rank-part.ts';
import type { FoundDoc } from './search-parts.ts';
import { type FieldRows, hasDoc } from './unit-rows.ts';

/** Why a document was found. */
export interface Why {
  /** `substring`: none of its words is asked for, but the query stands inside of them. */
  readonly how: 'words' | 'substring';
  /** What of the query it has, and in which fields. */
  readonly terms: readonly { readonly term: string; readonly fields: readonly string[] }[];
  /** The query is its id, or its title. */
  readonly boosts: readonly ('id' | 'title')[];
}

export function explain(collection: Collection, parsed: ParsedQuery, { doc, score, from }: FoundDoc): Why {
  const fieldsWith = (lists: readonly FieldRows[]) =>
    lists.filter((list) => hasDoc(list, doc)).map(({ field }) => collection.fields[field]!);
  if (score < substringCeiling) {
    return { how: 'substring', terms: [{ term: parsed.literal, fields: fieldsWith(from.inside) }], boosts: [] };
  }
  const terms = parsed.units
    .map((unit, i) => ({ term: unit.text, fields: fieldsWith(from.units[i]!.lists) }))
    .filter(({ fields }) => fields.length > 0);
  const boosts: Why['boosts'][number][] = [];
  if (from.idDocs.includes(doc)) boosts.push('id');
  if (from.titleDocs.includes(doc)) boosts.push('title');
  return { how: 'words', terms, boosts };
}
