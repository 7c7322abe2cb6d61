import type { Capabilities } from '../capabilities.ts';
import { list, sql } from '../sql.ts';

export const sqliteCapabilities: Capabilities = {
  engine: 'sqlite',
  isLocal: true,
  watchesEveryCommit: true,
  hasStamp: true,
  catalogQuery: (tables) => sql`
    select t.name as table_name, c.name as name, lower(c.type) as type, c."notnull" as not_null,
      case when c.dflt_value is null then 0 else 1 end as has_default, c.pk as key_place
    from sqlite_schema as t join pragma_table_info(t.name) as c
    where t.type = 'table' and t.name in ${list(tables)}
    order by t.name, c.cid`,
};
