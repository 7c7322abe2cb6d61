import { setTimeout as pause } from 'node:timers/promises';
import { localTenant, type TenantId } from '../call.ts';
import type { Log } from '../log/log.ts';
import { checkPage, nameOfDamaged } from '../storage/find-damage.ts';
import type { Migration } from '../storage/migration.ts';
import type { Storage } from '../storage/port.ts';
import { hashedTablesOf } from '../storage/row-hash.ts';
import type { Row } from '../storage/transfer.ts';
import { describeTables, type Table } from '../storage/transfer-tables.ts';
import type { PeriodicJob } from './jobs.ts';
import { systemCall } from './system-call.ts';

/** Up to a hundred thousand rows per run, in steps of a millisecond or two with pauses between them. */
const scrubLimits = {
  everyMs: 600_000,
  pagesCount: 1_000,
  pageRowsCount: 100,
  pageBytes: 256 * 1024,
  pauseMs: 20,
  /** Per pass; all are counted. */
  loggedCount: 20,
} as const;

export interface ScrubProgress {
  readonly passesCount: number;
  /** Rows checked in the current pass. */
  readonly rowsCount: number;
  /** In the last complete pass, or in the current one if it has found more. */
  readonly damagedCount: number;
}

export interface ScrubDeps {
  readonly storage: Storage;
  readonly migrations: () => Promise<readonly Migration[]>;
  readonly tenants: () => Promise<readonly TenantId[]>;
  readonly log: Log;
  /** From 0 to 1, exclusive. */
  readonly random?: () => number;
}

interface Place {
  readonly tenant: TenantId;
  readonly table: Table;
}

/** Compares all items with their hashes, slowly and again and again, so that damage is found before a backup is old. */
export function createScrub({ storage, migrations, tenants, log, random = Math.random }: ScrubDeps) {
  let left: Place[] = [];
  let after: Row | undefined;
  let passesCount = 0;
  let rowsCount = 0;
  let foundCount = 0;
  let lastCount = 0;

  const callOf = (tenant: TenantId, signal: AbortSignal) => systemCall('jobs/scrub', { tenant, signal });

  /** Starts at a random table: a process that never lives long enough for a whole pass still checks all in turn. */
  async function listPlaces(signal: AbortSignal): Promise<Place[]> {
    const hashed = hashedTablesOf(await migrations());
    const names = [...new Set(hashed.map(({ table }) => table))];
    const tables = await storage.read(callOf(localTenant, signal), (db) =>
      describeTables(db, storage.capabilities, names, hashed),
    );
    const places = (await tenants()).flatMap((tenant) => tables.map((table) => ({ tenant, table })));
    const start = Math.floor(random() * places.length);
    return [...places.slice(start), ...places.slice(0, start)];
  }

  function endPass(): void {
    passesCount += 1;
    lastCount = foundCount;
    log.info({ rows: rowsCount, damaged: foundCount }, 'compared all items with their hashes');
    rowsCount = 0;
    foundCount = 0;
  }

  async function checkNext(signal: AbortSignal): Promise<void> {
    const [place] = left;
    if (place === undefined) return;
    const { tenant, table } = place;
    const page = await storage.read(callOf(tenant, signal), (db) => checkPage(db, table, after, scrubLimits));
    rowsCount += page.rowsCount;
    for (const damaged of page.damaged) {
      foundCount += 1;
      if (foundCount > scrubLimits.loggedCount) continue;
      log.warn({ tenant, item: nameOfDamaged(damaged) }, 'found a damaged item; fourfold doctor --deep lists them all');
    }
    after = page.last;
    if (page.last !== undefined) return;
    left = left.slice(1);
    if (left.length === 0) endPass();
  }

  async function run(signal: AbortSignal): Promise<void> {
    if (left.length === 0) left = await listPlaces(signal);
    for (let i = 0; i < scrubLimits.pagesCount && left.length > 0 && !signal.aborted; i += 1) {
      await checkNext(signal);
      await pause(scrubLimits.pauseMs, undefined, { ref: false, signal }).catch(() => {});
    }
  }

  const job: PeriodicJob = { name: 'scrub', everyMs: scrubLimits.everyMs, run };
  return {
    job,
    progress: (): ScrubProgress => ({ passesCount, rowsCount, damagedCount: Math.max(lastCount, foundCount) }),
  };
}
