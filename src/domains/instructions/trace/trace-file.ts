import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export const traceFileLimits = {
  /** Of one session; the oldest go first. */
  sessionFilesCount: 16,
  /** Of all sessions in the folder. */
  folderFilesCount: 128,
  /** After so many failures in a row nothing more is tried. */
  failuresCount: 5,
} as const;

export interface TraceFile {
  /** Never throws: a disk that is full must not stop what is traced. */
  append(line: string): void;
}

interface Found {
  readonly path: string;
  readonly modifiedAt: number;
}

const isOurs = (name: string): boolean => name.startsWith('trace-') && name.endsWith('.jsonl');

function findOldest(dir: string): readonly Found[] {
  return readdirSync(dir)
    .filter(isOurs)
    .flatMap((name): Found[] => {
      const path = join(dir, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? [] : [{ path, modifiedAt: stat.mtimeMs }];
    })
    .sort((a, b) => a.modifiedAt - b.modifiedAt);
}

/** `trace-<session>-<process>.<number>.jsonl`; two processes of one session never write the same file. */
export function createTraceFile(dir: string, session: string, maxBytes: number): TraceFile {
  const nameOf = (part: number) => join(dir, `trace-${session}-${process.pid}.${String(part).padStart(4, '0')}.jsonl`);
  let part = 0;
  let descriptor: number | undefined;
  let bytes = 0;
  let failureCount = 0;

  function openNext(): number {
    if (part === 0) {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const found = findOldest(dir);
      for (const { path } of found.slice(0, Math.max(0, found.length - traceFileLimits.folderFilesCount + 1))) {
        rmSync(path, { force: true });
      }
    }
    part += 1;
    if (part > traceFileLimits.sessionFilesCount)
      rmSync(nameOf(part - traceFileLimits.sessionFilesCount), { force: true });
    const opened = openSync(nameOf(part), 'a', 0o600);
    bytes = fstatSync(opened).size;
    return opened;
  }

  function write(line: string): void {
    const size = Buffer.byteLength(line);
    if (descriptor !== undefined && bytes > 0 && bytes + size > maxBytes) {
      const full = descriptor;
      descriptor = undefined;
      closeSync(full);
    }
    descriptor ??= openNext();
    bytes += writeSync(descriptor, line);
  }

  return {
    append(line) {
      if (failureCount >= traceFileLimits.failuresCount) return;
      try {
        write(line);
        failureCount = 0;
      } catch {
        failureCount += 1;
      }
    },
  };
}
