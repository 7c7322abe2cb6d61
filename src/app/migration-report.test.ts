import { expect, test } from 'vitest';
import type { MigrationEvent } from '#kernel/storage/migration.ts';
import { createMigrationReport } from './migration-report.ts';

const step = (number: number, rows?: number): MigrationEvent => ({
  ...{ kind: 'step', migration: 'truth-times', step: number, steps: 9, rows },
});

/** Events with the milliseconds at which they happen. */
function printedFor(events: readonly (readonly [number, MigrationEvent])[]): readonly string[] {
  const lines: string[] = [];
  let at = 0;
  const report = createMigrationReport(
    (line) => lines.push(line),
    () => at,
  );
  for (const [ms, event] of events) {
    at = ms;
    report(event);
  }
  return lines;
}

test('prints nothing about a migration that takes less than a second', () => {
  expect(
    printedFor([
      [5_000, step(1)],
      [5_400, step(2)],
      [5_999, step(3)],
      [5_999, { kind: 'done' }],
    ]),
  ).toEqual([]);
});

test('prints at most one line per second, and the duration at the end', () => {
  expect(
    printedFor([
      [5_000, step(1)],
      [6_200, step(2, 10_000)],
      [6_300, step(2, 20_000)],
      [7_200, step(2, 1_230_000)],
      [12_000, { kind: 'done' }],
    ]),
  ).toEqual([
    'Migrating the store: truth-times, step 2 of 9, 10,000 rows',
    'Migrating the store: truth-times, step 2 of 9, 1,230,000 rows',
    'The store is migrated, after 7 s',
  ]);
});

test('repeats a line that stays the same only after a while', () => {
  const waiting: MigrationEvent = { kind: 'waiting' };
  expect(printedFor([0, 1_000, 2_000, 15_000, 16_000, 17_000].map((ms) => [ms, waiting] as const))).toEqual([
    'Another process is migrating the store; waiting for it',
    'Another process is migrating the store; waiting for it',
  ]);
});
