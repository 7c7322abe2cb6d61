import type { Call } from '#kernel/call.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { serverStatusQuery, unprotectedTablesQuery } from '#kernel/storage/postgres/inspect.ts';
import { type DoctorCheck, fail, ok } from './doctor-check.ts';

export interface PostgresCheckOptions {
  readonly storage: Storage;
  readonly call: Call;
  readonly migrations: readonly Migration[];
}

const oldestNumber = 150_000;

export async function checkPostgres({
  storage,
  call,
  migrations,
}: PostgresCheckOptions): Promise<readonly DoctorCheck[]> {
  const tables = migrations.flatMap(({ tenantTables }) => tenantTables);
  const { standing, unguarded } = await storage.read(call, function* (db) {
    return {
      standing: (yield* db.get(serverStatusQuery()))!,
      unguarded: yield* db.all(unprotectedTablesQuery(tables)),
    };
  });
  const { version, version_number, role, is_above_policies, has_vector, fsync, synchronous_commit } = standing;
  const isDurable = fsync === 'on' && synchronous_commit !== 'off';
  const open = unguarded.map(({ table_name }) => table_name);
  return [
    version_number >= oldestNumber
      ? ok('store', `PostgreSQL ${version}`)
      : fail('store', `PostgreSQL ${version} is older than 15`, 'Upgrade the server.'),
    isDurable
      ? ok('durability', `fsync ${fsync}, synchronous_commit ${synchronous_commit}`)
      : fail(
          'durability',
          `fsync ${fsync}, synchronous_commit ${synchronous_commit}: acknowledged writes could be lost`,
          'Set fsync = on and synchronous_commit = on.',
        ),
    is_above_policies === 0
      ? ok('role', `${role}, bound by row-level security`)
      : fail(
          'role',
          `${role} is a superuser or has BYPASSRLS: tenants are not kept apart`,
          `Run as an administrator: alter role "${role}" nosuperuser nobypassrls;`,
        ),
    open.length === 0
      ? ok('policies', `forced on ${tables.length} tables`)
      : fail(
          'policies',
          `row-level security is not forced on ${open.join(', ')}`,
          'Run fourfold migrate as the owner of the tables, or restore the policies with pg_restore.',
        ),
    ok(
      'pgvector',
      has_vector === 1
        ? 'installed: vectors are searched in the database'
        : 'not installed: vectors are searched by the program',
    ),
  ];
}
