import type { Migration } from '#kernel/storage/migration.ts';
import { kernelTables } from './0001-kernel.ts';

/** One global order. A new migration goes to the end. */
export const migrations: readonly Migration[] = [kernelTables];
