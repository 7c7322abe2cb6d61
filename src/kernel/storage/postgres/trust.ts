import type pg from 'pg';
import { policyExpression, policyName, schemaName } from './schema.ts';

export interface RoleFacts {
  readonly role: string;
  readonly is_superuser: number;
  readonly bypasses: number;
}

export interface TableFacts {
  readonly name: string;
  readonly is_owned: number;
  readonly has_tenant: number;
  readonly is_enforced: number;
  /** Policies that are ours, word for word, and policies in all. */
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

/** Why tenants could see each other, or undefined when the database keeps them apart. */
export function findBreach(
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

/** Looks with the eyes of the role that will serve calls. */
export async function inspectTrust(
  client: pg.ClientBase,
  tenantTables: readonly string[],
): Promise<string | undefined> {
  const { rows } = await client.query<RoleFacts>(roleFacts);
  const tables = await client.query<TableFacts>(tableFacts, [policyName, policyExpression]);
  return findBreach(rows[0]!, tables.rows, tenantTables);
}
