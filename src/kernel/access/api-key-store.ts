import type { Call, Scope, TenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import { systemCall } from '../jobs/system-call.ts';
import type { Reader, Writer } from '../storage/port.ts';
import { sql } from '../storage/sql.ts';
import { accessLimits } from './access-limits.ts';
import type { KeyPurpose } from './api-key.ts';
import { toScopes } from './tenants-and-scopes.ts';

/** The call with which access itself reads and writes the store. */
export const toAccessCall = (clock: Clock, tool: string, tenant: TenantId, actor: string): Call =>
  systemCall(tool, {
    tenant,
    actor,
    audit: 'row',
    durability: 'now',
    deadlineAt: clock.now() + accessLimits.storeDeadlineMs,
  });

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: string;
  readonly mac: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  readonly purpose: KeyPurpose;
  readonly parent: string | null;
}

/** Everything but the key's text, which only its holder knows. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
  /** To the minute. */
  readonly lastUsedAt: number | undefined;
  readonly purpose: KeyPurpose;
  /** The key that signed this browser in. */
  readonly parent: string | undefined;
}

export const toApiKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  scopes: toScopes(row.scopes.split(' ')),
  createdAt: row.created_at,
  expiresAt: row.expires_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
  lastUsedAt: row.last_used_at ?? undefined,
  purpose: row.purpose,
  parent: row.parent ?? undefined,
});

export const findKey = (db: Reader, id: string) =>
  db.get(sql<KeyRow>`
    select id, name, scopes, mac, created_at, expires_at, revoked_at, last_used_at, purpose, parent from api_keys
    where tenant = ${db.tenant} and id = ${id}`);

/** Active keys and browsers first, then the newest. Links are left out: they end within minutes. */
export const allKeys = (db: Reader, limit: number) =>
  db.all(sql<KeyRow>`
    select id, name, scopes, mac, created_at, expires_at, revoked_at, last_used_at, purpose, parent from api_keys
    where tenant = ${db.tenant} and purpose <> 'link'
    order by case when revoked_at is null then 0 else 1 end, created_at desc, id limit ${limit}`);

export const countUsableKeys = (db: Writer) =>
  db.get(sql<{ readonly count: number }>`
    select count(*) as count from api_keys
    where tenant = ${db.tenant} and revoked_at is null and (expires_at is null or expires_at > ${db.now})`);

export const insertKey = (db: Writer, row: KeyRow) =>
  db.run(sql`
    insert into api_keys (tenant, id, name, scopes, mac, created_at, expires_at, revoked_at, purpose, parent)
    values (${db.tenant}, ${row.id}, ${row.name}, ${row.scopes}, ${row.mac}, ${row.created_at}, ${row.expires_at}, ${row.revoked_at}, ${row.purpose}, ${row.parent})`);

/** Browsers that a key signed in end with the key. */
export const markChildrenRevoked = (db: Writer, parent: string) =>
  db.run(
    sql`update api_keys set revoked_at = ${db.now} where tenant = ${db.tenant} and parent = ${parent} and revoked_at is null`,
  );

/** Keeps the time of the first revocation. */
export const markRevoked = (db: Writer, id: string) =>
  db.run(
    sql`update api_keys set revoked_at = ${db.now} where tenant = ${db.tenant} and id = ${id} and revoked_at is null`,
  );

/** Never backwards: another process may have written a later time. */
export const noteUse = (db: Writer, id: string, at: number) =>
  db.run(sql`
    update api_keys set last_used_at = ${at}
    where tenant = ${db.tenant} and id = ${id} and (last_used_at is null or last_used_at < ${at})`);
