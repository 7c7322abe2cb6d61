import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { type CatalogProgram, mutationOn, openCatalog } from './catalog-program.fixture.ts';

/** Where the program stores entries. */
export const engines = ['files', 'PostgreSQL'] as const;
export type EngineName = (typeof engines)[number];

/** A program whose catalog contains these files; with a database they are imported first. */
export async function openOn(
  engine: EngineName,
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, unknown>>,
): Promise<CatalogProgram> {
  if (engine === 'files') return openCatalog(env, files);
  const { url, drop } = await createTestDatabase();
  const first = await openCatalog({ ...mutationOn, FOURFOLD_DATABASE_URL: url });
  const imported = { entries: Object.values(files), mode: 'skip' };
  const { errors } = await first.value<{ errors: readonly unknown[] }>('plain method', 'instructions/import', imported);
  if (errors.length > 0) throw new Error(`not imported: ${JSON.stringify(errors)}`);
  await first.close();
  const program = await openCatalog({ ...env, FOURFOLD_DATABASE_URL: url });
  return {
    ...program,
    async close() {
      await program.close();
      await drop();
    },
  };
}
