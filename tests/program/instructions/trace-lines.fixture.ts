import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface TraceLine {
  /** `list`, `catalog:load`. */
  readonly kind: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const form = /^\[trace:([A-Za-z0-9_.-]+(?::[A-Za-z0-9_.-]+)?)\] (\{.*\})$/;

/** Throws for a line in another form. */
export function parseTrace(text: string): readonly TraceLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const match = form.exec(line);
      if (match === null) throw new Error(`no trace line: ${line}`);
      return { kind: match[1]!, fields: JSON.parse(match[2]!) as Readonly<Record<string, unknown>> };
    });
}

/** All lines of a trace folder, by file and in order; none if the folder does not exist. */
export function readTraces(folder: string): readonly TraceLine[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => parseTrace(readFileSync(join(folder, name), 'utf8')));
}

export const kindsOf = (lines: readonly TraceLine[]): readonly string[] =>
  [...new Set(lines.map(({ kind }) => kind))].sort();
