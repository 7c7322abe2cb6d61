import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { hmacHex } from '../hash/hash.ts';

/** An earlier head of a tenant's chain, stored outside the database, so that a truncation of the table is noticed. */
export interface Checkpoint {
  readonly tenant: string;
  readonly seq: number;
  readonly mac: string;
  readonly at: number;
}

export interface Checkpoints {
  /** The newest checkpoint of each tenant. A line without a valid signature counts as forged. */
  read(): { readonly kept: ReadonlyMap<string, Checkpoint>; readonly forgedCount: number };
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
  const descriptor = openSync(temporary, 'w', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

export function createCheckpoints(file: string, key: Uint8Array): Checkpoints {
  function readLines() {
    const kept = new Map<string, Checkpoint>();
    const forged: string[] = [];
    for (const line of readText(file).split('\n')) {
      if (line === '') continue;
      const checkpoint = parseLine(key, line);
      if (checkpoint === undefined) forged.push(line);
      else kept.set(checkpoint.tenant, checkpoint);
    }
    return { kept, forged };
  }

  return {
    read() {
      const { kept, forged } = readLines();
      return { kept, forgedCount: forged.length };
    },
    write(newer) {
      const { kept, forged } = readLines();
      for (const checkpoint of newer) {
        const known = kept.get(checkpoint.tenant);
        if (known === undefined || known.seq < checkpoint.seq) kept.set(checkpoint.tenant, checkpoint);
      }
      const lines = [...kept.values()].map((checkpoint) =>
        JSON.stringify({ ...checkpoint, signature: sign(key, checkpoint) }),
      );
      // Forged lines stay: the next checkpoint must not remove the evidence.
      writeDurably(file, `${[...forged, ...lines].join('\n')}\n`);
    },
  };
}
