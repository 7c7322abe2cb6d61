import { basename, join } from 'node:path';
import type { TemplateChoice } from '#domains/knowledge/templates/compose-template.ts';
import type { TestMongodb } from '#tests/support/mongodb/start-mongodb.ts';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';

export interface TreeDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A database for a single tree. Undefined without a server for it. */
export async function createTreeDatabase(
  { database }: TemplateChoice,
  tree: string,
  mongodb: TestMongodb,
): Promise<TreeDatabase | undefined> {
  if (database === 'postgresql') return createTestDatabase();
  if (database === 'sqlite') return { url: join(tree, 'matrix.sqlite'), drop: async () => {} };
  return 'url' in mongodb ? { url: `${mongodb.url}/${basename(tree)}`, drop: async () => {} } : undefined;
}
