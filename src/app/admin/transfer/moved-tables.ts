import type { Migration } from '#kernel/storage/migration.ts';
import { transferredTables } from '#kernel/storage/transfer-tables.ts';

/** An API key is proven by the secret of its deployment: elsewhere it opens nothing, and an export is no place for it. */
const provenHere: ReadonlySet<string> = new Set(['api_keys']);

export const movedTables = (migrations: readonly Migration[]): readonly string[] =>
  transferredTables(migrations).filter((table) => !provenHere.has(table));
