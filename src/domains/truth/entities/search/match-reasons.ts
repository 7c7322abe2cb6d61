import type { Json } from '#kernel/json/canonical.ts';
import { typeWords, valuesOf } from './entity-collection.ts';
import type { StateThen } from './load-states.ts';
import type { RankedEntity } from './rank-entities.ts';

const onlyPast = ({ keyword }: RankedEntity): boolean =>
  keyword?.why.terms.every(({ fields }) => fields.every((field) => field === 'past')) ?? false;

/** [TR86] Why an entity was found: the fields with words of the query, or where else they are. */
export function createReasons(hasWords: (text: string) => boolean) {
  function isIn(value: Json | undefined): boolean {
    let found = false;
    valuesOf(value, (text) => {
      found ||= hasWords(text);
    });
    return found;
  }

  return ({ row, fields: stated }: StateThen, hit: RankedEntity, text: string): readonly string[] => {
    const known = { canonical_name: row.canonical_name, entity_type: typeWords(row.entity_type), ...stated };
    const fields = Object.entries(known).flatMap(([field, value]) =>
      isIn(value) || (Object.hasOwn(stated, field) && hasWords(typeWords(field))) ? [field] : [],
    );
    if (fields.length > 0) return fields;
    if (text === row.entity_id) return ['entity_id'];
    if (hit.keyword !== undefined) return [onlyPast(hit) ? 'past value' : 'source'];
    return hit.similarity === undefined ? ['similar name'] : ['meaning'];
  };
}
