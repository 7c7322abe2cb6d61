import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hmacHex } from '../hash/hash.ts';
import { flushFolderSync } from '../paths/flush-folder.ts';

/** An earlier head of a tenant's chain, stored outside the database, so that a truncation of the table is noticed. */
export interface Checkpoint {
  readonly tenant: string;
  readonly seq: number;
  readonly mac: string;
  readonly at: number;
}

export interface Checkpoints {
  /** The newest checkpoint of each tenant. A line without a valid signature counts as forged. */
  read(): { readonly byTenant: ReadonlyMap<string, Checkpoint>; readonly forgedCount: number };
  /** Replaces the file atomically and durably. A checkpoint never replaces a newer one. */
  write(newer: readonly Checkpoint[]): void;
}

const sign = (key: Uint8Array, { tenant, seq, mac, at }: Checkpoint): string =>
  hmacHex(key, JSON.stringify(['checkpoint', tenant, seq, mac, at]));

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function parseLine(key: Uint8Array, line: string): Checkpoint | undefined {
  try {
    const { signature, ...checkpoint } = JSON.parse(line) as Checkpoint & { signature: string };
    return sign(key, checkpoint) === signature ? checkpoint : undefined;
  } catch {
    return undefined;
  }
}

function writeDurably(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  renameSync(temporary, file);
  flushFolderSync(dirname(file));
}

export function createCheckpoints(file: string, key: Uint8Array): Checkpoints {
  function readLines() {
    const byTenant = new Map<string, Checkpoint>();
    const forged: string[] = [];
    for (const line of readText(file).split('\n')) {
      if (line === '') continue;
      const checkpoint = parseLine(key, line);
      if (checkpoint === undefined) forged.push(line);
      else byTenant.set(checkpoint.tenant, checkpoint);
    }
    return { byTenant, forged };
  }

  return {
    read() {
      const { byTenant, forged } = readLines();
      return { byTenant, forgedCount: forged.length };
    },
    write(newer) {
      const { byTenant, forged } = readLines();
      for (const checkpoint of newer) {
        const known = byTenant.get(checkpoint.tenant);
        if (known === undefined || known.seq < checkpoint.seq) byTenant.set(checkpoint.tenant, checkpoint);
      }
      const lines = [...byTenant.values()].map((checkpoint) =>
        JSON.stringify({ ...checkpoint, signature: sign(key, checkpoint) }),
      );
      // Forged lines stay: the next checkpoint must not remove the evidence.
      writeDurably(file, `${[...forged, ...lines].join('\n')}\n`);
    },
  };
}
