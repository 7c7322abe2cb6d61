import type { Reader } from '#kernel/storage/port.ts';
import { list, sql } from '#kernel/storage/sql.ts';

export interface LookupHit {
  readonly identifier: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly field: string;
  readonly root_id: string;
  readonly canonical_name: string;
}

/** The rows of the keys, of entities of these types. */
export const findByLookupKeys = (db: Reader, keys: readonly string[], types: readonly string[], limit: number) =>
  db.all(sql<LookupHit>`
    select i.identifier, i.entity_type, i.entity_id, i.field, e.root_id, e.canonical_name
    from truth_identifiers i join truth_entities e on e.tenant = ${db.tenant} and e.entity_id = i.entity_id
    where i.tenant = ${db.tenant} and i.identifier in ${list(keys)} and i.entity_type in ${list(types)}
    limit ${limit}`);

/** The same for entities of any type. */
export const findByLookupTexts = (db: Reader, keys: readonly string[], limit: number) =>
  db.all(sql<LookupHit>`
    select i.identifier, i.entity_type, i.entity_id, i.field, e.root_id, e.canonical_name
    from truth_identifiers i join truth_entities e on e.tenant = ${db.tenant} and e.entity_id = i.entity_id
    where i.tenant = ${db.tenant} and i.identifier in ${list(keys)}
    limit ${limit}`);
