import { describe, expect, it } from 'vitest';
import { callForms, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { type Entry, entryFiles, entryInput, sha256 } from './entries.fixture.ts';

describe.each(callForms)('write settings, by %s', (form) => {
  it('strict create rejects an existing id', async () => {
    const program = await openCatalog({ ...mutationOn, MCP_INSTRUCTIONS_STRICT_CREATE: '1' }, entryFiles);
    const { value, error } = await program.call(form, 'instructions/add', { entry: entryInput('beta') });
    expect(error !== undefined || (value?.['created'] === false && value['error'] !== undefined)).toBe(true);
    await program.close();
  });

  it('strict remove removes nothing when one id is missing', async () => {
    const program = await openCatalog({ ...mutationOn, MCP_INSTRUCTIONS_STRICT_REMOVE: '1' }, entryFiles);
    const { value, error } = await program.call(form, 'instructions/remove', { ids: ['beta', 'unknown'] });
    expect(error !== undefined || Number(value?.['errorCount']) > 0).toBe(true);
    expect(await program.value(form, 'instructions/get', { id: 'beta' })).toHaveProperty('item');
    await program.close();
  });

  it('without canonical bodies the body is stored and hashed as it is', async () => {
    const program = await openCatalog({ ...mutationOn, MCP_CANONICAL_DISABLE: '1' });
    const body = 'one  \r\ntwo\n\n';
    await program.value(form, 'instructions/add', { entry: entryInput('raw', { body }) });
    const { item } = await program.value<{ item: Entry }>(form, 'instructions/get', { id: 'raw' });
    expect(item).toMatchObject({ body, sourceHash: sha256(body) });
    expect(await program.value(form, 'integrity/verify')).toMatchObject({ issueCount: 0 });
    await program.close();
  });

  it('read-only rejects every write whatever the gate says', async () => {
    const program = await openCatalog({ ...mutationOn, FOURFOLD_READ_ONLY: '1' }, entryFiles);
    expect((await program.error(form, 'instructions/add', { entry: entryInput('x') })).code).toBe(-32004);
    expect((await program.error(form, 'usage/track', { id: 'alpha' })).code).toBe(-32004);
    await program.close();
  });
});
