import { join } from 'node:path';

/** What lies in the data folder, by name. */
export const homeNames = {
  store: 'fourfold.db',
  key: 'key',
  checkpoints: 'audit-checkpoints.jsonl',
  config: 'config.json',
  blobs: 'blobs',
  instructions: 'instructions',
} as const;

/** SQLite keeps what is committed and not yet folded back in files of its own beside the store: they belong together. */
export const storeParts = (home: string): readonly string[] =>
  ['', '-wal', '-shm', '-journal'].map((end) => join(home, `${homeNames.store}${end}`));
