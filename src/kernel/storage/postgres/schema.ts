/** All our tables are in this schema, so that a shared database may have its own `migrations` and `leases`. */
export const schemaName = 'fourfold';

export const defaultRole = 'fourfold_app';

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Holds the tenant of the transaction. Row-level security compares every row with it. */
export const tenantSetting = 'app.tenant';

export const policyName = 'tenant_only';

/** As PostgreSQL prints it. */
export const policyExpression = `(tenant = current_setting('${tenantSetting}'::text, true))`;

/**
 * Two numbers form a key space separate from the hashed names of `db.lock`. Writers share this lock; a migration holds
 * it exclusively.
 */
export const migrationLock = '1178946116, 1';

const policy = (table: string): readonly string[] => [
  `alter table ${table} enable row level security`,
  `create policy ${policyName} on ${table} using ${policyExpression} with check ${policyExpression}`,
];

/** Lets the owner of the tables see the rows of all tenants, which a migration of existing rows needs. */
export const exemptOwner = (tenantTables: readonly string[]): readonly string[] =>
  tenantTables.map((table) => `alter table ${table} no force row level security`);

export const bindOwner = (tenantTables: readonly string[]): readonly string[] =>
  tenantTables.map((table) => `alter table ${table} force row level security`);

/** They bind the owner of a table only after `bindOwner`. */
export const policies = (tenantTables: readonly string[]): readonly string[] => tenantTables.flatMap(policy);

/** The program reads the list of migrations; only a migration writes it. */
export const grants = (role: string): readonly string[] => [
  `grant usage on schema ${schemaName} to ${quote(role)}`,
  `grant select, insert, update, delete on all tables in schema ${schemaName} to ${quote(role)}`,
  `revoke insert, update, delete on ${schemaName}.migrations from ${quote(role)}`,
];
