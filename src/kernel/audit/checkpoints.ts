import { spawn } from 'node:child_process';
import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { hmacHex } from '../hash/hash.ts';
import { flushFolderSync } from '../paths/flush-folder.ts';

/** An earlier head of a tenant's chain, stored outside the database, so that a truncation of the table is noticed. */
export interface Checkpoint {
  readonly tenant: string;
  readonly seq: number;
  readonly mac: string;
  readonly at: number;
}

export interface KnownCheckpoints {
  readonly checkpoints: readonly Checkpoint[];
  /** Lines without a valid signature. */
  readonly forgedCount: number;
}

export interface Checkpoints {
  /** The newest checkpoint of each tenant, from the file in the data folder. */
  read(): { readonly byTenant: ReadonlyMap<string, Checkpoint>; readonly forgedCount: number };
  /** All checkpoints of a tenant, from that file and from the copy. */
  listFor(tenant: string): Promise<KnownCheckpoints>;
  /**
   * Replaces the file atomically and durably. A checkpoint never replaces a newer one. Then passes the new ones to the
   * copy and to the command; a failure there is reported and does not undo the first.
   */
  write(newer: readonly Checkpoint[]): Promise<void>;
}

/** Where checkpoints also go, so that write access to the data folder is not enough to change all of them. */
export interface CheckpointCopies {
  /** Every checkpoint is appended to this file. */
  readonly file?: string | undefined;
  /** A shell command that receives new checkpoints on stdin, one JSON object per line. */
  readonly command?: string | undefined;
  /** Called when the copy or the command fails. */
  report?(target: 'file' | 'command', reason: string): void;
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

export function createCheckpoints(file: string, key: Uint8Array, copies: CheckpointCopies = {}): Checkpoints {
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

  const toLine = (checkpoint: Checkpoint): string =>
    JSON.stringify({ ...checkpoint, signature: sign(key, checkpoint) });

  /** The copy grows with every checkpoint, so it is read as a stream. */
  async function readCopy(tenant: string): Promise<KnownCheckpoints> {
    const found: Checkpoint[] = [];
    let forgedCount = 0;
    if (copies.file === undefined || !existsSync(copies.file)) return { checkpoints: found, forgedCount };
    for await (const line of createInterface({ input: createReadStream(copies.file, 'utf8') })) {
      if (line === '') continue;
      const checkpoint = parseLine(key, line);
      if (checkpoint === undefined) forgedCount += 1;
      else if (checkpoint.tenant === tenant) found.push(checkpoint);
    }
    return { checkpoints: found, forgedCount };
  }

  async function copy(target: 'file' | 'command', work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (error) {
      copies.report?.(target, error instanceof Error ? error.message : String(error));
    }
  }

  return {
    read() {
      const { byTenant, forged } = readLines();
      return { byTenant, forgedCount: forged.length };
    },
    async listFor(tenant) {
      const { byTenant, forged } = readLines();
      const own = byTenant.get(tenant);
      const copied = await readCopy(tenant);
      return {
        checkpoints: [...(own === undefined ? [] : [own]), ...copied.checkpoints],
        forgedCount: forged.length + copied.forgedCount,
      };
    },
    async write(newer) {
      const { byTenant, forged } = readLines();
      const added = newer.filter(({ tenant, seq }) => seq > (byTenant.get(tenant)?.seq ?? 0));
      if (added.length === 0) return;
      for (const checkpoint of added) byTenant.set(checkpoint.tenant, checkpoint);
      const all = [...byTenant.values()].map(toLine);
      // Forged lines stay: the next checkpoint must not remove the evidence.
      writeDurably(file, `${[...forged, ...all].join('\n')}\n`);
      const lines = added.map(toLine);
      const { file: copyFile, command } = copies;
      if (copyFile !== undefined) {
        // A new copy starts with everything that is known.
        await copy('file', () => appendDurably(copyFile, existsSync(copyFile) ? lines : all));
      }
      if (command !== undefined) await copy('command', () => sendToCommand(command, lines));
    },
  };
}

function appendDurably(file: string, lines: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
}

const commandMs = 30_000;

/** Rejects if the command cannot be started, fails, or takes too long. */
function sendToCommand(command: string, lines: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'ignore'], timeout: commandMs });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(signal === null ? `exit code ${code}` : `ended by ${signal}`));
    });
    // A command that does not read its input closes the pipe; its exit code decides.
    child.stdin.on('error', () => {});
    child.stdin.end(`${lines.join('\n')}\n`);
  });
}
