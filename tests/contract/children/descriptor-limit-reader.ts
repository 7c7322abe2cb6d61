/** Reads an entry file while the process has no free file descriptor, and again when it has, and prints the results. */

import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceChanges } from '#domains/instructions/catalog/entry-source.ts';
import { createEntryFiles } from '#domains/instructions/catalog/files/entry-files.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';

const [folder = '', readRetries = '0'] = process.argv.slice(2);
const file = 'a.json';
const write = (body: string): void => writeFileSync(join(folder, file), JSON.stringify({ id: 'a', body }));
const print = (text: string): void => void process.stdout.write(`${text}\n`);

function apply({ entries, problems }: SourceChanges): void {
  for (const entry of entries.values()) print(entry === undefined ? 'gone' : `served ${entry.entry.body}`);
  for (const problem of problems.values()) print(problem === undefined ? 'no problem' : problem.problem);
}

const files = createEntryFiles({
  folder,
  clock: systemClock,
  log: silentLog,
  sink: { apply, find: () => undefined, ids: () => [], reconcile() {} },
  canonicalOff: false,
  closing: new AbortController().signal,
  readRetries: Number(readRetries),
  readBackoffMs: 1,
});

/** Takes all file descriptors that are left. */
function takeAllDescriptors(): readonly number[] {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    return taken;
  }
}

write('one');
files.examine([file]);
write('three');
const taken = takeAllDescriptors();
const unfinished = files.examine([file]);
if (process.argv[4] === 'free') for (const fd of taken) closeSync(fd);
await files.examineAgain(unfinished);
if (process.argv[4] !== 'free') for (const fd of taken) closeSync(fd);
print('again');
files.examine([file]);
