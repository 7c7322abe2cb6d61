import { join } from 'node:path';

export const homeNames = {
  store: 'fourfold.db',
  key: 'key',
  checkpoints: 'audit-checkpoints.jsonl',
  tombstones: 'tombstones.jsonl',
  config: 'config.json',
  /** Only while a server runs. */
  server: 'server.json',
  blobs: 'blobs',
  instructions: 'instructions',
} as const;

/** SQLite keeps recent commits in separate files next to the store, so these belong to it. */
export const storeParts = (home: string): readonly string[] =>
  ['', '-wal', '-shm', '-journal'].map((end) => join(home, `${homeNames.store}${end}`));
