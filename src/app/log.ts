import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import type { Log, LogFields } from '#kernel/log/log.ts';

export interface LogSettings {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Lines go to stderr and, when set, to this file as well. */
  readonly file?: string | undefined;
  readonly rotateBytes: number;
}

export interface LineSink {
  write(line: string): void;
}

const stderrSink: LineSink = {
  write(line) {
    try {
      writeSync(2, line);
    } catch {
      // A reader of stderr that went away must not stop the program.
    }
  },
};

/** Appends; a file that has grown over the limit is set aside as `<file>.1` first. */
function createFileSink(file: string, rotateBytes: number): LineSink {
  let descriptor = openSync(file, 'a', 0o600);
  let bytes = fstatSync(descriptor).size;
  return {
    write(line) {
      if (bytes > 0 && bytes + line.length > rotateBytes) {
        closeSync(descriptor);
        renameSync(file, `${file}.1`);
        descriptor = openSync(file, 'a', 0o600);
        bytes = 0;
      }
      bytes += writeSync(descriptor, line);
    },
  };
}

type Level = keyof Log;
const ranks: Readonly<Record<Level | 'silent', number>> = { debug: 20, info: 30, warn: 40, error: 50, silent: 99 };

/** The formatter is loaded with the first line: most starts of a stdio server say nothing. */
export function createLog({ level, file, rotateBytes }: LogSettings, stderr: LineSink = stderrSink): Log {
  const sinks = file === undefined ? [stderr] : [stderr, createFileSink(file, rotateBytes)];
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
