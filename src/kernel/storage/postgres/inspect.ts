import type pg from 'pg';
import { list, type Sql, sql } from '../sql.ts';
import { postgresFaults } from './errors.ts';
import { policyExpression, policyName, schemaName } from './schema.ts';

interface RoleFacts {
  readonly role: string;
  readonly is_superuser: number;
  readonly bypasses: number;
}

interface TableFacts {
  readonly name: string;
  readonly is_owned: number;
  readonly has_tenant: number;
  readonly is_enforced: number;
  /** Policies that match ours exactly, and all policies. */
  readonly ours: number;
  readonly policies: number;
}

const roleFacts = `
  select rolname as role, rolsuper as is_superuser, rolbypassrls as bypasses from pg_roles where rolname = current_user`;

const tableFacts = `
  select c.relname as name,
    pg_has_role(current_user, c.relowner, 'member') as is_owned,
    exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant' and not a.attisdropped) as has_tenant,
    c.relrowsecurity and c.relforcerowsecurity as is_enforced,
    (select count(*) from pg_policy p where p.polrelid = c.oid) as policies,
    (select count(*) from pg_policy p where p.polrelid = c.oid
      and p.polname = $1 and p.polcmd = '*' and p.polpermissive and p.polroles = '{0}'
      and pg_get_expr(p.polqual, c.oid) = $2 and pg_get_expr(p.polwithcheck, c.oid) = $2) as ours
  from pg_class c
  where c.relnamespace = '${schemaName}'::regnamespace and c.relkind in ('r', 'p')`;

/** Why tenants could see each other's rows, or undefined if the database separates them. */
export function findIsolationProblem(
  { role, is_superuser, bypasses }: RoleFacts,
  tables: readonly TableFacts[],
  tenantTables: readonly string[],
): string | undefined {
  if (is_superuser)
    return `the role ${role} is a superuser, whom row-level security does not bind: choose another role`;
  if (bypasses) return `the role ${role} has BYPASSRLS: run: alter role "${role}" nobypassrls;`;
  const owned = tables.find((table) => table.is_owned);
  if (owned) return `the role ${role} owns the table ${owned.name} and could lift its policies: let the login own it`;
  const open = tables.find(
    (table) => table.has_tenant && !(table.is_enforced && table.ours === 1 && table.policies === 1),
  );
  if (open)
    return `the table ${schemaName}.${open.name} is not under its policy ${policyName} alone, with row-level security forced`;
  const guarded = new Set(tables.filter((table) => table.has_tenant).map((table) => table.name));
  const missing = tenantTables.find((name) => !guarded.has(name));
  return missing === undefined ? undefined : `the table ${schemaName}.${missing} is missing or has no tenant`;
}

/** Checks as the role that will serve calls. */
export async function inspectIsolation(
  client: pg.ClientBase,
  tenantTables: readonly string[],
): Promise<string | undefined> {
  const { rows } = await client.query<RoleFacts>(roleFacts);
  const tables = await client.query<TableFacts>(tableFacts, [policyName, policyExpression]);
  return findIsolationProblem(rows[0]!, tables.rows, tenantTables);
}

interface ServerFacts {
  readonly version: string;
  readonly number: number;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly encoding: string;
}

const oldestNumber = 150_000;

const serverFacts = `
  select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
    current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
    current_setting('server_encoding') as encoding`;

/** Why this server may lose acknowledged writes, or undefined. */
export function findServerProblem(facts: ServerFacts): string | undefined {
  if (facts.number < oldestNumber) return `PostgreSQL ${facts.version} is older than 15: upgrade the server`;
  if (facts.fsync !== 'on') return 'the server runs with fsync off and loses acknowledged writes: set fsync = on';
  if (facts.full_page_writes !== 'on') return 'the server runs with full_page_writes off: set full_page_writes = on';
  if (facts.encoding !== 'UTF8') return `the database has the encoding ${facts.encoding}: create it with encoding UTF8`;
  return undefined;
}

export async function assertServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<ServerFacts>(serverFacts);
  const flaw = findServerProblem(rows[0]!);
  if (flaw !== undefined) throw postgresFaults.STORE_SETUP({ why: flaw });
}

/** For `fourfold doctor`, read as the role that serves calls. Conditions are 1 or 0. */
export interface ServerStatus {
  readonly version: string;
  readonly version_number: number;
  readonly role: string;
  readonly is_above_policies: number;
  readonly has_vector: number;
  readonly synchronous_commit: string;
  readonly fsync: string;
}

export const serverStatusQuery = (): Sql<ServerStatus> => sql`
  select current_setting('server_version') as version,
    cast(current_setting('server_version_num') as integer) as version_number,
    cast(current_user as text) as role,
    case when r.rolsuper or r.rolbypassrls then 1 else 0 end as is_above_policies,
    case when exists (select 1 from pg_extension where extname = 'vector') then 1 else 0 end as has_vector,
    current_setting('synchronous_commit') as synchronous_commit, current_setting('fsync') as fsync
  from pg_roles as r where r.rolname = current_user`;

/** Tables that row-level security does not protect, or not against their owner, or that the role owns itself. */
export const unprotectedTablesQuery = (tables: readonly string[]): Sql<{ readonly table_name: string }> => sql`
  select cast(t.relname as text) as table_name
  from pg_class as t join pg_namespace as n on n.oid = t.relnamespace and n.nspname = current_schema()
  where t.relkind in ('r', 'p') and cast(t.relname as text) in ${list(tables)}
    and not (t.relrowsecurity and t.relforcerowsecurity and pg_get_userbyid(t.relowner) <> current_user
      and exists (select 1 from pg_policy as p where p.polrelid = t.oid))
  order by t.relname`;
