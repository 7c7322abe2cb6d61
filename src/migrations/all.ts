import type { Migration } from '#kernel/storage/migration.ts';
import { kernelTables } from './0001-kernel.ts';
import { searchTables } from './0002-search.ts';
import { apiKeyTables } from './0003-api-keys.ts';

/** One global order. A new migration goes to the end. */
export const migrations: readonly Migration[] = [kernelTables, searchTables, apiKeyTables];
