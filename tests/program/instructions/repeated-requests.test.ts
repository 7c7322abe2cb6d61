import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { type CatalogProgram, type Json, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { entryInput } from './entries.fixture.ts';

const stores = {
  SQLite: async () => ({}),
  PostgreSQL: async () => {
    const { url, drop } = await createTestDatabase();
    onTestFinished(drop);
    return { FOURFOLD_DATABASE_URL: url };
  },
} as const;

interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text?: string }[];
}

/** As a client sends it: with the key in `_meta`. */
async function keyed({ client }: CatalogProgram, key: string, name: string, args: Json): Promise<Json> {
  const answer = await client.callTool({ name, arguments: { ...args }, _meta: { idempotencyKey: key } });
  return JSON.parse((answer as ToolAnswer).content[0]?.text ?? '') as Json;
}

describe.each(Object.keys(stores) as (keyof typeof stores)[])('[IN24] a repeated request, on %s', (store) => {
  it('gets the first answer, also through dispatch and inside a batch', async () => {
    const program = await openCatalog({ ...mutationOn, ...(await stores[store]()) });
    const entry = entryInput('once');
    const add = await keyed(program, 'k1', 'instructions/add', { entry });
    expect(add).toMatchObject({ id: 'once', created: true, skipped: false });
    expect(await keyed(program, 'k1', 'instructions/add', { entry })).toEqual(add);
    expect(await keyed(program, 'k1', 'instructions/dispatch', { action: 'add', entry })).toEqual(add);

    const operations = [
      { action: 'add', entry: entryInput('in-batch') },
      { action: 'import', entries: [entryInput('in-batch-2'), entryInput('in-batch-3')] },
      { action: 'remove', ids: ['once'] },
    ];
    const batch = await keyed(program, 'k2', 'instructions/batch', { operations });
    expect(batch).toMatchObject({ results: [{ created: true }, { imported: 2 }, { removedIds: ['once'] }] });
    expect(await keyed(program, 'k2', 'instructions/batch', { operations })).toEqual(batch);

    const conflict = await keyed(program, 'k1', 'instructions/add', { entry: entryInput('other') });
    expect(conflict).toMatchObject({ error: { data: { name: 'IDEMPOTENCY_CONFLICT' } } });
    expect(await program.value('tools/call', 'instructions/get', { id: 'other' })).toMatchObject({ notFound: true });
    await program.close();
  });
});

describe('files written by people', () => {
  it('[IN25] groom and repair count the stored files, and remove reports an unreadable one', async () => {
    const program = await openCatalog(mutationOn, {
      'by-hand.json': {
        id: 'by-hand',
        body: 'x',
        categories: ['Zeta', 'ALPHA', 'scope:team:core'],
        governanceHash: 'stale',
      },
      'garbled.json': '{"id": "garbled",',
    });
    const mode = { purgeLegacyScopes: true };
    const counts = { scanned: 1, repairedHashes: 1, normalizedCategories: 1, purgedScopes: 1 };
    expect(await program.value('tools/call', 'instructions/groom', { mode: { ...mode, dryRun: true } })).toMatchObject(
      counts,
    );
    expect(await program.value('plain method', 'instructions/repair')).toMatchObject({ updated: ['by-hand'] });
    expect(await program.value('tools/call', 'instructions/groom', { mode })).toMatchObject({ repairedHashes: 0 });
    expect(await program.value('tools/call', 'instructions/remove', { ids: ['garbled', 'unknown'] })).toMatchObject({
      removed: 0,
      missing: ['unknown'],
      errorCount: 1,
      errors: [{ id: 'garbled', error: expect.stringContaining('not valid JSON, or truncated') }],
    });
    await program.close();
  });
});
