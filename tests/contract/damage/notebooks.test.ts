import { expect, test } from 'vitest';
import { describeOnEngines } from '#domains/notebooks/notebooks.fixture.ts';
import { expectDamage } from './expect-damage.ts';

describeOnEngines(
  'a scratchpad that was damaged in the store',
  (engine) => {
    async function start() {
      const memory = engine.open();
      const tenant = engine.newTenant();
      const { ask } = memory.as(tenant);
      const damage = (table: string, change: string, where = '1 = 1') =>
        engine.testStore().tamper(`update ${table} set ${change} where tenant = '${tenant}' and ${where}`);
      await ask('scratch_create', {
        scratch_id: 'sound',
        metadata: { title: 'walrus', namespace: 'sea' },
        cells: [{ cell_id: 's1', language: 'md', content: 'walrus text' }],
      });
      await ask('scratch_create', {
        scratch_id: 'pad',
        metadata: { title: 'walrus title', description: 'walrus description', namespace: 'sea' },
        cells: [
          { cell_id: 'c1', language: 'md', content: 'walrus one' },
          { cell_id: 'c2', language: 'md', content: 'walrus two' },
        ],
      });
      await ask('scratch_upsert_schema', {
        scratch_id: 'sound',
        schema: { id: 'k1', name: 'shape', schema: { type: 'object' } },
      });
      /** Without the caches that the writes have filled. */
      const { pads, as } = engine.open();
      return { ...as(tenant), pads, damage };
    }

    test('is read while it is intact', async () => {
      const { ask } = await start();
      expect(await ask('scratch_read', { scratch_id: 'pad' })).toMatchObject({ ok: true });
      expect(await ask('scratch_list_cells', { scratch_id: 'pad' })).toMatchObject({ ok: true });
      expect(await ask('scratch_list_schemas', { scratch_id: 'sound' })).toMatchObject({ ok: true });
      expect(await ask('scratch_namespace_list', {})).toMatchObject({ ok: true });
    });

    test('is not served with a damaged cell, and the other pads are', async () => {
      const { ask, damage } = await start();
      await damage('notebook_cells', "content = 'walrus 0ne'", "cell_id = 'c1'");
      expectDamage(await ask('scratch_read', { scratch_id: 'pad' }), 'cell c1');
      expectDamage(await ask('scratch_list_cells', { scratch_id: 'pad' }), 'cell c1');
      expectDamage(await ask('scratch_validate', { scratch_id: 'pad', cell_ids: ['c1'] }), 'cell c1');
      expect(await ask('scratch_read', { scratch_id: 'sound' })).toMatchObject({ ok: true });
      const replaced = { cell_id: 'c1', language: 'md', content: 'written again' };
      await ask('scratch_replace_cell', { scratch_id: 'pad', cell_id: 'c1', cell: replaced });
      expect(JSON.stringify(await ask('scratch_read', { scratch_id: 'pad' }))).toContain('written again');
    });

    test('is not served with a damaged cell that is too long to be read with the others', async () => {
      const { ask, damage } = await start();
      const content = 'x'.repeat(9 * 1024 * 1024).replaceAll('xxxxxxxx', 'xxxxxxx\n');
      const cell = { cell_id: 'long', language: 'txt', content: content.slice(0, 5 * 1024 * 1024) };
      for (const cell_id of ['long', 'longer']) {
        expect(await ask('scratch_append_cell', { scratch_id: 'sound', cell: { ...cell, cell_id } })).toMatchObject({
          ok: true,
        });
      }
      await damage('notebook_cells', "content = 'y' || substr(content, 2)", "cell_id = 'long'");
      expectDamage(await ask('scratch_read', { scratch_id: 'sound', cell_ids: ['long'] }), 'cell long');
      expect(await ask('scratch_read', { scratch_id: 'sound', cell_ids: ['longer'] })).toMatchObject({ ok: true });
    });

    test('is not served with a damaged row of its own, and lists show that it is damaged', async () => {
      const { ask, damage } = await start();
      await damage('notebook_pads', "title = 'another title', description = 'another'", "scratch_id = 'pad'");
      expectDamage(await ask('scratch_read', { scratch_id: 'pad' }), 'scratchpad pad');
      expectDamage(
        await ask('scratch_append_cell', { scratch_id: 'pad', cell: { language: 'md', content: 'x' } }),
        'scratchpad pad',
      );
      expectDamage(await ask('scratch_delete', { scratch_id: 'pad' }), 'scratchpad pad');
      const list = JSON.stringify(await ask('scratch_list', {}));
      expect(list).toContain('damaged');
      expect(list).not.toContain('another');
      expect(JSON.stringify(await ask('scratch_list', { namespaces: ['sea'] }))).not.toContain('another');
    });

    test('is left out of a search', async () => {
      const { ask, damage } = await start();
      await damage('notebook_cells', "content = 'walrus 0ne'", "cell_id = 'c1'");
      await damage('notebook_pads', "title = 'walrus changed'", "scratch_id = 'sound'");
      const found = JSON.stringify(await ask('scratch_search', { query: 'walrus' }));
      expect(found).toContain('c2');
      expect(found).not.toContain('0ne');
      expect(found).not.toContain('changed');
    });

    test('fails with a damaged schema or namespace', async () => {
      const { ask, damage } = await start();
      await damage('notebook_schemas', `schema = '{"type":"array"}'`);
      expectDamage(await ask('scratch_list_schemas', { scratch_id: 'sound' }), 'schema k1');
      expectDamage(await ask('scratch_read', { scratch_id: 'sound' }), 'schema k1');
      await damage('notebook_namespaces', "namespace = 'see'");
      expectDamage(await ask('scratch_namespace_list', {}), 'namespace see');
    });

    test('is not restored from a damaged copy in the trash', async () => {
      const { ask, damage, pads, callOf } = await start();
      await ask('scratch_delete', { scratch_id: 'pad' });
      await damage('trash', "document = replace(document, 'walrus', 'walnut')");
      const restored = pads.restore({ scratch_id: 'pad' }, callOf());
      await expect(restored).rejects.toMatchObject({
        ...{ code: 'INTEGRITY_ERROR', message: expect.stringContaining('scratchpad pad') },
      });
    });

    test('counts as damaged if a statement forgot its hash', async () => {
      const { ask, damage } = await start();
      await damage('notebook_cells', 'row_hash = null', "cell_id = 'c2'");
      expectDamage(await ask('scratch_read', { scratch_id: 'pad' }), 'cell c2');
    });
  },
  'damaged',
);
