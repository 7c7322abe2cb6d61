import type pg from 'pg';
import { postgresFaults } from './errors.ts';

export interface ServerFacts {
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

/** Why this server does not keep what it acknowledges, or undefined. */
export function findServerFlaw(facts: ServerFacts): string | undefined {
  if (facts.number < oldestNumber) return `PostgreSQL ${facts.version} is older than 15: upgrade the server`;
  if (facts.fsync !== 'on') return 'the server runs with fsync off and loses acknowledged writes: set fsync = on';
  if (facts.full_page_writes !== 'on') return 'the server runs with full_page_writes off: set full_page_writes = on';
  if (facts.encoding !== 'UTF8') return `the database has the encoding ${facts.encoding}: create it with encoding UTF8`;
  return undefined;
}

export async function assertServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<ServerFacts>(serverFacts);
  const flaw = findServerFlaw(rows[0]!);
  if (flaw !== undefined) throw postgresFaults.STORE_SETUP({ why: flaw });
}
