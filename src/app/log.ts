import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import type { Log, LogFields } from '#kernel/log/log.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';

interface CallLogSettings {
  readonly everyCall: boolean;
  readonly writes: boolean;
}

/** Logs caller, tool, duration and outcome, one line per call. Never arguments: they may contain secrets. */
export function logCalls(invoke: Invoke, log: Log, { everyCall, writes }: CallLogSettings): Invoke {
  if (!everyCall && !writes) return invoke;
  return async (invocation) => {
    const startedAt = performance.now();
    const outcome = await invoke(invocation);
    const isWrite = outcome.card !== undefined && outcome.card.effect !== 'read';
    if (everyCall || isWrite) {
      const { tenant, actor } = invocation.caller;
      const fields = {
        tool: outcome.card?.name ?? invocation.name,
        tenant,
        actor,
        ms: Math.round(performance.now() - startedAt),
      };
      log.info(outcome.ok ? fields : { ...fields, fault: outcome.fault.code }, 'call');
    }
    return outcome;
  };
}

export interface LogSettings {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Lines go to stderr and, if set, also to this file. */
  readonly file?: string | undefined;
  readonly rotateBytes: number;
}

export interface LineSink {
  write(line: string): void;
}

/** Never stdout: that belongs to the protocol. */
export const stderrSink: LineSink = {
  write(line) {
    try {
      writeSync(2, line);
    } catch {
      // A closed stderr must not stop the program.
    }
  },
};

/** Rotates the file to `<file>.1` before it exceeds the limit. A full disk does not stop the program. */
function createFileSink(file: string, rotateBytes: number): LineSink {
  let descriptor = openSync(file, 'a', 0o600);
  let bytes = fstatSync(descriptor).size;

  function rotate(): void {
    try {
      renameSync(file, `${file}.1`);
    } catch {
      // Another process that writes the same file has already rotated it.
    }
    const full = descriptor;
    descriptor = openSync(file, 'a', 0o600);
    bytes = fstatSync(descriptor).size;
    closeSync(full);
  }

  return {
    write(line) {
      try {
        if (bytes > 0 && bytes + Buffer.byteLength(line) > rotateBytes) rotate();
        bytes += writeSync(descriptor, line);
      } catch {
        // A failed log line must not fail the operation that it reports.
      }
    },
  };
}

/** A missing folder or a lack of permission must not prevent the start. */
function openFileSink(file: string, rotateBytes: number, stderr: LineSink): readonly LineSink[] {
  try {
    return [createFileSink(file, rotateBytes)];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'its folder does not exist' : `it cannot be opened (${code})`;
    stderr.write(
      `fourfold: no log file ${file}: ${why}. Logging to stderr only; create the folder or change the setting logFile.\n`,
    );
    return [];
  }
}

type Level = keyof Log;
const ranks: Readonly<Record<Level | 'silent', number>> = { debug: 20, info: 30, warn: 40, error: 50, silent: 99 };

/** The formatter is loaded with the first line: most starts of a stdio server log nothing. */
export function createLog({ level, file, rotateBytes }: LogSettings, stderr: LineSink = stderrSink): Log {
  const sinks = [stderr, ...(file === undefined ? [] : openFileSink(file, rotateBytes, stderr))];
  const sink: LineSink = {
    write(line) {
      for (const one of sinks) one.write(line);
    },
  };
  let waiting: { level: Level; fields: LogFields; message: string }[] | undefined;
  let logger: Log | undefined;

  function load(): void {
    void import('pino').then(({ pino }) => {
      const made = pino(
        {
          level,
          base: null,
          timestamp: pino.stdTimeFunctions.isoTime,
          formatters: { level: (label) => ({ level: label }) },
        },
        sink,
      );
      logger = made;
      for (const line of waiting ?? []) made[line.level](line.fields, line.message);
      waiting = undefined;
    });
  }

  const say = (lineLevel: Level) => (fields: LogFields, message: string) => {
    if (ranks[lineLevel] < ranks[level]) return;
    if (logger !== undefined) return logger[lineLevel](fields, message);
    if (waiting === undefined) {
      waiting = [];
      load();
    }
    waiting.push({ level: lineLevel, fields, message });
  };

  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
}
