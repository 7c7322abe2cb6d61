import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, toIso } from '#kernel/clock/clock.ts';

export const traceFileLimits = {
  /** Per session; the oldest are deleted. */
  sessionFilesCount: 16,
  /** In the folder, of all sessions. */
  folderFilesCount: 128,
  /** Gives up after this many failures in a row. */
  failuresCount: 5,
} as const;

interface TraceFileInfo {
  readonly path: string;
  readonly modifiedAt: number;
}

const isOurs = (name: string): boolean => name.startsWith('trace-') && name.endsWith('.jsonl');

function findOldest(dir: string): readonly TraceFileInfo[] {
  return readdirSync(dir)
    .filter(isOurs)
    .flatMap((name): TraceFileInfo[] => {
      const path = join(dir, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? [] : [{ path, modifiedAt: stat.mtimeMs }];
    })
    .sort((a, b) => a.modifiedAt - b.modifiedAt);
}

/** `trace-<session>-<process>.<number>.jsonl`: two processes of one session never share a file. */
function createTraceFile(dir: string, session: string, maxBytes: number) {
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

  /** Never throws: a full disk must not stop the traced work. */
  return function append(line: string): void {
    if (failureCount >= traceFileLimits.failuresCount) return;
    try {
      write(line);
      failureCount = 0;
    } catch {
      failureCount += 1;
    }
  };
}

export const traceLimits = {
  lineBytes: 16 * 1024,
  nameChars: 64,
  idsCount: 20,
} as const;

export type TraceFields = Readonly<Record<string, unknown>>;

/** Lines `[trace:category[:sub]] {json}` for debugging. Never throws. */
export interface Trace {
  /** Lets a caller skip preparing a line that is filtered out. */
  isOn(category: string, sub?: string): boolean;
  trace(category: string, sub: string | undefined, fields: TraceFields): void;
}

export interface TraceDeps {
  /** Undefined switches tracing off. */
  readonly dir: string | undefined;
  /** Starts a new file before this size is exceeded. */
  readonly maxBytes: number;
  /** MCP_TRACE_SESSION, or random. Part of the file name. */
  readonly session: string | undefined;
  /** `category` or `category:sub`; all when empty. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Also receives every line. */
  readonly echo?: ((line: string) => void) | undefined;
  readonly clock: Clock;
}

const noTrace: Trace = { isOn: () => false, trace() {} };

/** The name must not close the bracket or leave the folder. */
const toName = (text: string): string => text.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, traceLimits.nameChars);

function toJson(fields: TraceFields): string {
  try {
    return JSON.stringify(fields);
  } catch {
    return '{"unserializable":true}';
  }
}

export function createTrace({ dir, maxBytes, session, allow, deny, echo, clock }: TraceDeps): Trace {
  if (dir === undefined) return noTrace;
  const sessionName = toName(session ?? '').replace(/^\.+/, '') || randomBytes(6).toString('hex');
  const append = createTraceFile(dir, sessionName, maxBytes);
  const lineMax = Math.min(traceLimits.lineBytes, maxBytes);
  const allowed = new Set(allow);
  const denied = new Set(deny);
  let lineCount = 0;

  const isNamed = (names: ReadonlySet<string>, category: string, sub: string | undefined): boolean =>
    names.has(category) || (sub !== undefined && names.has(`${category}:${sub}`));

  const isOn = (category: string, sub?: string): boolean =>
    (allowed.size === 0 || isNamed(allowed, category, sub)) && !isNamed(denied, category, sub);

  return {
    isOn,
    trace(category, sub, fields) {
      if (!isOn(category, sub)) return;
      lineCount += 1;
      const head = `[trace:${toName(category)}${sub === undefined ? '' : `:${toName(sub)}`}]`;
      const about = { ts: toIso(clock.now()), session: sessionName, n: lineCount };
      const line = `${head} ${toJson({ ...about, ...fields })}\n`;
      const bytes = Buffer.byteLength(line);
      const kept = bytes <= lineMax ? line : `${head} ${toJson({ ...about, truncated: true, bytes })}\n`;
      append(kept);
      echo?.(kept);
    },
  };
}
