import type pg from 'pg';
import { postgresFaults } from './errors.ts';
import { grants, quote, schemaName } from './schema.ts';

interface RoleStatus {
  readonly login: string;
  readonly role_exists: number;
  readonly may_set: number;
}

/** Before version 16 every member may SET ROLE; since then that needs a separate privilege. */
const roleStatusText = `
  select session_user as login,
    (select count(*) from pg_roles where rolname = $1) as role_exists,
    (select count(*) from pg_roles where rolname = $1 and pg_has_role(session_user, oid,
      case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end)) as may_set`;

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/**
 * Processes that start together, even on two databases of one server, create the same role: the second finds it there.
 */
async function createIfMissing(client: pg.Client, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    const code = codeOf(error);
    if (code !== '42710' && code !== '23505') throw error;
  }
}

const readRoleStatus = async (client: pg.Client, role: string): Promise<RoleStatus> =>
  (await client.query<RoleStatus>(roleStatusText, [role])).rows[0]!;

/** Ensures that the program's role exists and that our login may assume it. */
export async function ensureRole(client: pg.Client, role: string): Promise<void> {
  const { login, role_exists, may_set } = await readRoleStatus(client, role);
  try {
    if (role_exists === 0) await createIfMissing(client, `create role ${quote(role)} nologin`);
    if (may_set === 0) await createIfMissing(client, `grant ${quote(role)} to ${quote(login)}`);
  } catch (error) {
    if (codeOf(error) !== '42501') throw error;
    const commands = [
      ...(role_exists === 0 ? [`create role ${quote(role)} nologin;`] : []),
      `grant ${quote(role)} to ${quote(login)};`,
    ];
    throw postgresFaults.STORE_SETUP({
      why: `the login ${login} may not create or assume the role ${role}. Run as an administrator: ${commands.join(' ')}`,
    });
  }
}

/** Grants the role's privileges on tables that were created for another role, or before the role was recreated. */
export async function ensureGrants(client: pg.Client, role: string): Promise<void> {
  const missing = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = '${schemaName}'::regnamespace and c.relkind in ('r', 'p')
       and not (has_schema_privilege($1, c.relnamespace, 'usage') and has_table_privilege($1, c.oid, 'select'))`,
    [role],
  );
  if (missing.rows.length === 0) return;
  try {
    for (const grant of grants(role)) await client.query(grant);
  } catch (error) {
    if (codeOf(error) !== '42501') throw error;
    throw postgresFaults.STORE_SETUP({
      why: `the role ${role} may not use the tables. Run as their owner: ${grants(role).join('; ')};`,
    });
  }
}
