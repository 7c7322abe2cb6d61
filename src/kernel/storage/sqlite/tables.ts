import { list, type Sql, sql } from '../sql.ts';
import type { CatalogRow } from '../transfer-tables.ts';

/** What the catalog knows of the columns of these tables, in their order. */
export const catalogQuery = (tables: readonly string[]): Sql<CatalogRow> => sql`
  select t.name as table_name, c.name as name, lower(c.type) as type, c."notnull" as not_null,
    case when c.dflt_value is null then 0 else 1 end as has_default, c.pk as key_place
  from sqlite_schema as t join pragma_table_info(t.name) as c
  where t.type = 'table' and t.name in ${list(tables)}
  order by t.name, c.cid`;
