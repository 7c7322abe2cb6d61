import type { Reader } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { entitiesTotal } from '../observations/totals.ts';
import type { CountRow } from './relationship-store.ts';

/** Of the first entities by id: how many there are, and how many have no relationship that was not deleted. */
export const sampleRoots = (db: Reader, limit: number) =>
  db.get(sql<{ sampled: number; orphans: number }>`
    select count(*) as sampled,
      count(case when not exists (
        select 1 from truth_relationships r where r.tenant = ${db.tenant} and r.source_root_id = sample.entity_id and r.phase < 2
      ) and not exists (
        select 1 from truth_relationships r where r.tenant = ${db.tenant} and r.target_root_id = sample.entity_id and r.phase < 2
      ) then 1 end) as orphans
    from (
      select entity_id from truth_entities
      where tenant = ${db.tenant} and merged_into = '' order by entity_id limit ${limit}
    ) sample`);

export const countRoots = (db: Reader) =>
  db.get(sql<CountRow>`
    select coalesce(sum(count), 0) as count from truth_totals where tenant = ${db.tenant} and kind = ${entitiesTotal}`);
