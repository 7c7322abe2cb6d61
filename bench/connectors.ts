import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, runProgram } from './processes.ts';
import type { Row } from './table.ts';

const filesCount = 10_000;

/** A first sync of many small files, from the start of the command to its end. */
export async function benchConnectors(): Promise<readonly Row[]> {
  const { home, env, remove } = makeHome();
  try {
    const folder = join(home, 'notes');
    mkdirSync(folder);
    for (let n = 0; n < filesCount; n += 1)
      writeFileSync(join(folder, `note-${n}.md`), `# Note ${n}\n\nWhat was decided about topic ${n % 997}.\n`);
    await runProgram(['connectors', 'add', 'folder', folder], env);
    const startedAt = performance.now();
    await runProgram(['connectors', 'sync', 'folder', '--limit', '1000'], env);
    const rate = (filesCount * 1_000) / (performance.now() - startedAt);
    return [
      { what: `sync of ${filesCount} local files`, value: rate, unit: '/s', bar: '>= 2000', isMet: rate >= 2_000 },
    ];
  } finally {
    remove();
  }
}
