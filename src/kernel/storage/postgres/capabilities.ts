import type { Capabilities } from '../capabilities.ts';
import { list, sql } from '../sql.ts';

export const postgresCapabilities: Capabilities = {
  engine: 'postgres',
  isLocal: false,
  watchesEveryCommit: false,
  hasStamp: false,
  catalogQuery: (tables) => sql`
    select cast(t.relname as text) as table_name, cast(a.attname as text) as name,
      format_type(a.atttypid, null) as type,
      case when a.attnotnull then 1 else 0 end as not_null,
      case when a.atthasdef or a.attidentity <> '' then 1 else 0 end as has_default,
      coalesce(array_position(cast(i.indkey as smallint[]), a.attnum) + 1, 0) as key_place
    from pg_class as t
      join pg_namespace as n on n.oid = t.relnamespace and n.nspname = current_schema()
      join pg_attribute as a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_index as i on i.indrelid = t.oid and i.indisprimary
    where t.relkind in ('r', 'p') and cast(t.relname as text) in ${list(tables)}
    order by t.relname, a.attnum`,
};
