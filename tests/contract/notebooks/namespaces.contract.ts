import { describe, expect, test } from 'vitest';
import type { Engine } from '../storage/engine.ts';
import { at, codeOf, md, useNotebooks } from './open-notebooks.ts';

export function describeNamespaces(engine: Engine): void {
  describe(`namespaces and lists on ${engine.name}`, () => {
    const { start } = useNotebooks(engine);

    async function startFilled() {
      const notebooks = start({ maxScratchpads: 0 });
      const { ask } = notebooks;
      const create = (scratch_id: string, namespace: string | null, tags: string[], cellTags: string[] = []) =>
        ask('scratch_create', { scratch_id, metadata: { namespace, tags }, cells: [md('x', { tags: cellTags })] });
      await create('b', 'one', ['red']);
      await create('a', 'two', ['blue'], ['red', 'deep']);
      await create('d', 'one', [], ['deep']);
      await create('c', null, ['red']);
      const idsOf = async (args: object = {}) => {
        const answer = await ask('scratch_list', args);
        return (answer['scratchpads'] as { scratch_id: string }[]).map(({ scratch_id }) => scratch_id).join('');
      };
      return { ...notebooks, create, idsOf };
    }

    test('[NB14] lists pads by id, filtered by any namespace and any tag of the pad or its cells', async () => {
      const { ask, idsOf } = await startFilled();
      expect(await idsOf()).toBe('abcd');
      expect(await idsOf({ namespaces: ['one'] })).toBe('bd');
      expect(await idsOf({ namespaces: ['one', 'two', 'nowhere'] })).toBe('abd');
      expect(await idsOf({ tags: ['red'] })).toBe('abc');
      expect(await idsOf({ tags: ['deep', 'blue', 'deep'] })).toBe('ad');
      expect(await idsOf({ tags: ['red'], namespaces: ['one'] })).toBe('b');
      expect(await idsOf({ tags: ['red'], namespaces: ['nowhere'] })).toBe('');
      expect(await idsOf({ tags: [], namespaces: [] })).toBe('abcd');
      const many = Array.from({ length: 30 }, (_, i) => `other-${i}`);
      expect(await idsOf({ tags: [...many, 'red'] })).toBe('abc');
      expect(await idsOf({ namespaces: [...many, 'one'] })).toBe('bd');
      expect(await ask('scratch_list', { tags: ['blue'] })).toEqual({
        ok: true,
        scratchpads: [{ scratch_id: 'a', title: null, description: null, namespace: 'two', cell_count: 1 }],
      });
    });

    test('[NB14] applies the limit after the filters and returns a cursor for the next page', async () => {
      const { ask, idsOf, as, tenant } = await startFilled();
      expect(await idsOf({ tags: ['red'], limit: 3 })).toBe('abc');
      expect(await ask('scratch_list', { tags: ['red'], limit: 3 })).not.toHaveProperty('next_cursor');
      for (const filter of [
        {},
        { tags: ['red', 'deep'] },
        { tags: ['red'], namespaces: ['one', 'two'] },
        { namespaces: ['one'] },
      ]) {
        const whole = await idsOf(filter);
        let pages = '';
        for (let cursor: unknown; ; ) {
          const page = await ask('scratch_list', { ...filter, limit: 1, ...(cursor !== undefined && { cursor }) });
          pages += (page['scratchpads'] as { scratch_id: string }[])[0]?.scratch_id;
          cursor = page['next_cursor'];
          if (cursor === undefined) break;
        }
        expect(pages).toBe(whole);
      }
      const { next_cursor } = await ask('scratch_list', { limit: 1 });
      const foreign = as(`${tenant}-other` as typeof tenant);
      expect(codeOf(await foreign.ask('scratch_list', { cursor: next_cursor }))).toBe('VALIDATION_ERROR');
    });

    test('[NB15] lists current tags, sorted, of all or of given namespaces', async () => {
      const { ask } = await startFilled();
      expect(await ask('scratch_list_tags')).toEqual({
        ok: true,
        scratchpad_tags: ['blue', 'red'],
        cell_tags: ['deep', 'red'],
      });
      expect(await ask('scratch_list_tags', { namespaces: ['one'] })).toEqual({
        ok: true,
        scratchpad_tags: ['red'],
        cell_tags: ['deep'],
      });
      expect(await ask('scratch_list_tags', { namespaces: ['nowhere'] })).toEqual({
        ok: true,
        scratchpad_tags: [],
        cell_tags: [],
      });
      await ask('scratch_delete', { scratch_id: 'a' });
      expect(await ask('scratch_list_tags')).toEqual({ ok: true, scratchpad_tags: ['red'], cell_tags: ['deep'] });
      await ask('scratch_delete', { scratch_id: 'd' });
      expect(await ask('scratch_list_tags')).toEqual({ ok: true, scratchpad_tags: ['red'], cell_tags: [] });
    });

    test('[NB16] registers the namespace of a written pad and keeps it when the pad is deleted', async () => {
      const { ask } = await startFilled();
      const list = async () => (await ask('scratch_namespace_list'))['namespaces'];
      expect(await list()).toEqual([
        { namespace: 'one', scratchpad_count: 2 },
        { namespace: 'two', scratchpad_count: 1 },
      ]);
      await ask('scratch_delete', { scratch_id: 'a' });
      await ask('scratch_create', { scratch_id: 'b', metadata: { namespace: 'three' } });
      expect(await list()).toEqual([
        { namespace: 'one', scratchpad_count: 1 },
        { namespace: 'three', scratchpad_count: 1 },
        { namespace: 'two', scratchpad_count: 0 },
      ]);
      expect(await ask('scratch_namespace_create', { namespace: 'four' })).toEqual({
        ...{ ok: true, namespace: 'four', created: true },
      });
      expect(await ask('scratch_namespace_create', { namespace: 'two' })).toEqual({
        ...{ ok: true, namespace: 'two', created: false },
      });
    });

    test('[NB17] moves the pads of a renamed namespace', async () => {
      const { ask, idsOf } = await startFilled();
      const rename = (old_namespace: string, new_namespace: string, part: object = {}) =>
        ask('scratch_namespace_rename', { old_namespace, new_namespace, ...part });
      expect(await rename('one', 'uno')).toEqual({ ok: true, namespace: 'uno', migrated_count: 2 });
      expect(await idsOf({ namespaces: ['one'] })).toBe('');
      expect(await idsOf({ namespaces: ['uno'] })).toBe('bd');
      const read = await ask('scratch_read', { scratch_id: 'b', namespaces: ['uno'] });
      expect(read).toMatchObject({ scratchpad: { namespace: 'uno', metadata: { namespace: 'uno' } } });
      expect(await ask('scratch_list_tags', { namespaces: ['uno'] })).toMatchObject({ scratchpad_tags: ['red'] });
      expect(codeOf(await rename('one', 'x'))).toBe('NOT_FOUND');
      expect(codeOf(await rename('uno', 'two'))).toBe('VALIDATION_ERROR');
      expect(codeOf(await rename('uno', 'uno'))).toBe('VALIDATION_ERROR');
    });

    test('[NB17] shows the new name of a namespace in a pad that was just read', async () => {
      const { ask } = await startFilled();
      await ask('scratch_read', { scratch_id: 'b' });
      await ask('scratch_namespace_rename', { old_namespace: 'one', new_namespace: 'uno' });
      expect(at(await ask('scratch_read', { scratch_id: 'b' }), 'scratchpad', 'namespace')).toBe('uno');
    });

    test('[NB17] leaves pads under the old name without migration', async () => {
      const { ask, idsOf } = await startFilled();
      const args = { old_namespace: 'one', new_namespace: 'uno', migrate_scratchpads: false };
      expect(await ask('scratch_namespace_rename', args)).toEqual({ ok: true, namespace: 'uno', migrated_count: 0 });
      expect(await idsOf({ namespaces: ['one'] })).toBe('bd');
      const counts = (await ask('scratch_namespace_list'))['namespaces'];
      expect(counts).toEqual([
        { namespace: 'one', scratchpad_count: 2 },
        { namespace: 'two', scratchpad_count: 1 },
        { namespace: 'uno', scratchpad_count: 0 },
      ]);
      await ask('scratch_namespace_rename', { ...args, old_namespace: 'uno', new_namespace: 'dos' });
      expect(at(await ask('scratch_namespace_list'), 'namespaces', 0, 'namespace')).toBe('dos');
      expect(JSON.stringify(await ask('scratch_namespace_list'))).not.toContain('uno');
    });

    test('[NB18] deletes a namespace with pads only together with them', async () => {
      const { ask, idsOf, create } = await startFilled();
      const remove = (namespace: string, part: object = {}) => ask('scratch_namespace_delete', { namespace, ...part });
      expect(await remove('nowhere')).toEqual({ ok: true, deleted: false, removed_scratchpads: [] });
      expect(codeOf(await remove('one'))).toBe('VALIDATION_ERROR');
      expect(await idsOf()).toBe('abcd');
      // More than one write can remove.
      for (let i = 100; i < 185; i += 1) await create(`e${i}`, 'one', ['many'], ['deep']);
      const gone = await remove('one', { delete_scratchpads: true });
      expect(gone).toMatchObject({ ok: true, deleted: true });
      expect(gone['removed_scratchpads']).toHaveLength(87);
      expect(await idsOf()).toBe('ac');
      expect(await ask('scratch_list_tags')).toEqual({
        ok: true,
        scratchpad_tags: ['blue', 'red'],
        cell_tags: ['deep', 'red'],
      });
      expect(await ask('scratch_namespace_list')).toMatchObject({ namespaces: [{ namespace: 'two' }] });
      await ask('scratch_delete', { scratch_id: 'a' });
      const removed = await remove('two');
      const restore = { tool: 'scratch_restore', arguments: { namespace: 'two' } };
      expect(removed).toEqual({ ok: true, deleted: true, removed_scratchpads: [], restore });
      expect(await ask(restore.tool, restore.arguments)).toMatchObject({ namespace: 'two', restored_scratchpads: [] });
      expect(await ask('scratch_restore', { namespace: 'one' })).toMatchObject({
        restored_scratchpads: expect.objectContaining({ length: 87 }),
      });
      expect(await ask('scratch_namespace_list')).toMatchObject({
        namespaces: [
          { namespace: 'one', scratchpad_count: 87 },
          { namespace: 'two', scratchpad_count: 0 },
        ],
      });
      expect(codeOf(await ask('scratch_restore', { namespace: 'one' }))).toBe('NOT_FOUND');
    });
  });
}
