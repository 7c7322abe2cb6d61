import { appendFileSync, readFileSync } from 'node:fs';
import type { CopiedTombstone } from '#domains/truth/forgetting/tombstone-store.ts';
import { createTombstones, type Tombstones } from '#domains/truth/forgetting/tombstones.ts';
import { hmacHex } from '#kernel/hash/hash.ts';
import type { Keys } from '#kernel/keys/keys.ts';

interface TombstoneLine extends CopiedTombstone {
  readonly tenant: string;
  readonly signature: string;
}

/** One key for both: the file repeats what the store has. */
export const tombstoneKeyOf = (keys: Keys): Buffer => keys.derive('tombstones');

export const openTombstones = (keys: Keys): Tombstones => createTombstones(tombstoneKeyOf(keys));

/** Tombstones outside the database: a store that is restored from an older copy forgets again. */
export interface TombstoneFile {
  append(tenant: string, rows: readonly CopiedTombstone[]): void;
  /** By tenant. Lines without a valid signature are left out. */
  read(): ReadonlyMap<string, readonly CopiedTombstone[]>;
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export function createTombstoneFile(file: string, key: Uint8Array): TombstoneFile {
  const sign = (tenant: string, { mac, forgotten_at, certificate_id, mentions }: CopiedTombstone): string => {
    // Only with the flag, so that the signatures of older lines stay valid.
    const flags = mentions === true ? ['mentions'] : [];
    return hmacHex(key, JSON.stringify(['tombstone-line', tenant, mac, forgotten_at, certificate_id, ...flags]));
  };

  function parse(line: string): TombstoneLine | undefined {
    try {
      const one = JSON.parse(line) as TombstoneLine;
      return one.signature === sign(one.tenant, one) ? one : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    append(tenant, rows) {
      const lines = rows.map((row) => JSON.stringify({ tenant, ...row, signature: sign(tenant, row) }));
      if (lines.length > 0) appendFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
    },
    read() {
      const rows = readLines(file).flatMap((line) => parse(line) ?? []);
      const byTenant = Map.groupBy(rows, ({ tenant }) => tenant);
      return new Map(
        [...byTenant].map(([tenant, some]) => [
          tenant,
          some.map(({ mac, forgotten_at, certificate_id, mentions }) => ({
            mac,
            forgotten_at,
            certificate_id,
            mentions,
          })),
        ]),
      );
    },
  };
}
