import { list, type Sql, sql } from '../sql.ts';

/** What `fourfold doctor` asks of a server, as the role that serves calls. Conditions are 1 or 0. */
export interface ServerStanding {
  readonly version: string;
  readonly version_number: number;
  readonly role: string;
  readonly is_above_policies: number;
  readonly has_vector: number;
  readonly synchronous_commit: string;
  readonly fsync: string;
}

export const standingQuery = (): Sql<ServerStanding> => sql`
  select current_setting('server_version') as version,
    cast(current_setting('server_version_num') as integer) as version_number,
    cast(current_user as text) as role,
    case when r.rolsuper or r.rolbypassrls then 1 else 0 end as is_above_policies,
    case when exists (select 1 from pg_extension where extname = 'vector') then 1 else 0 end as has_vector,
    current_setting('synchronous_commit') as synchronous_commit, current_setting('fsync') as fsync
  from pg_roles as r where r.rolname = current_user`;

/** Those of the tables that row-level security does not guard, or not against their owner, or that the role owns itself. */
export const unguardedQuery = (tables: readonly string[]): Sql<{ readonly table_name: string }> => sql`
  select cast(t.relname as text) as table_name
  from pg_class as t join pg_namespace as n on n.oid = t.relnamespace and n.nspname = current_schema()
  where t.relkind in ('r', 'p') and cast(t.relname as text) in ${list(tables)}
    and not (t.relrowsecurity and t.relforcerowsecurity and pg_get_userbyid(t.relowner) <> current_user
      and exists (select 1 from pg_policy as p where p.polrelid = t.oid))
  order by t.relname`;
