import type { MigrationEvent, MigrationProgress } from '#kernel/storage/migration.ts';
import { stderrSink } from './log.ts';

const reportLimits = {
  /** A shorter migration prints nothing. */
  quietMs: 1_000,
  betweenMs: 1_000,
  /** The same line again, to show that the program still works. */
  repeatMs: 15_000,
} as const;

const grouped = (count: number): string => count.toLocaleString('en-GB');

function toText(event: Exclude<MigrationEvent, { kind: 'done' }>): string {
  if (event.kind === 'waiting') return 'Another process is migrating the store; waiting for it';
  const { migration, step, steps, rows } = event;
  const done = rows === undefined ? '' : `, ${grouped(rows)} rows`;
  return `Migrating the store: ${migration}, step ${step} of ${steps}${done}`;
}

/** Prints what a long migration is doing. A plain line and not a log entry: a user waits for it, whatever the log level. */
export function createMigrationReport(
  print: (line: string) => void = (line) => stderrSink.write(`fourfold: ${line}\n`),
  now: () => number = () => performance.now(),
): MigrationProgress {
  let kind: MigrationEvent['kind'] | undefined;
  let startedAt = 0;
  let printed: { readonly text: string; readonly at: number } | undefined;
  return (event) => {
    const at = now();
    if (event.kind === 'done') {
      if (printed !== undefined) print(`The store is migrated, after ${Math.round((at - startedAt) / 1_000)} s`);
      kind = undefined;
      printed = undefined;
      return;
    }
    if (event.kind !== kind) {
      kind = event.kind;
      startedAt = at;
    }
    const text = toText(event);
    const waitMs = text === printed?.text ? reportLimits.repeatMs : reportLimits.betweenMs;
    if (at - startedAt < reportLimits.quietMs || at - (printed?.at ?? 0) < waitMs) return;
    printed = { text, at };
    print(text);
  };
}
