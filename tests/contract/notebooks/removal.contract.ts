import { describe, expect, test } from 'vitest';
import { notebookDocuments } from '#domains/notebooks/search/notebook-documents.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { limits } from '#kernel/limits.ts';
import { sql } from '#kernel/storage/sql.ts';
import type { Engine } from '../storage/engine.ts';
import { at, codeOf, md, useNotebooks } from './open-notebooks.ts';

const dayMs = 86_400_000;
const signal = new AbortController().signal;

export function describeRemoval(engine: Engine): void {
  describe(`removal and restore on ${engine.name}`, () => {
    const { start, clock, storage } = useNotebooks(engine);
    type Started = ReturnType<typeof start>;

    const idsOf = async ({ ask }: Started) =>
      ((await ask('scratch_list'))['scratchpads'] as { scratch_id: string }[]).map(({ scratch_id }) => scratch_id);

    const found = async ({ searchIndex, call }: Started, query: string) =>
      (await searchIndex.search(call('search'), notebookDocuments, { text: query, limit: 50 })).hits
        .map(({ id }) => id)
        .sort();

    const countRows = (notebooks: Started) =>
      storage().read(notebooks.call('count'), function* (db) {
        const cells = yield* db.get(
          sql<{ n: number }>`select count(*) as n from notebook_cells where tenant = ${db.tenant}`,
        );
        const schemas = yield* db.get(
          sql<{ n: number }>`select count(*) as n from notebook_schemas where tenant = ${db.tenant}`,
        );
        const removals = yield* db.get(
          sql<{ n: number }>`select count(*) as n from notebook_removals where tenant = ${db.tenant}`,
        );
        return [Number(cells?.n), Number(schemas?.n), Number(removals?.n)];
      });

    test('[NB13] deletes a missing pad without an error', async () => {
      const { ask } = start();
      await ask('scratch_create', { scratch_id: 'p' });
      expect(await ask('scratch_delete', { scratch_id: 'p' })).toEqual({
        ok: true,
        scratch_id: 'p',
        deleted: true,
        restore: { tool: 'scratch_restore', arguments: { scratch_id: 'p', copy: expect.any(String) } },
      });
      expect(await ask('scratch_delete', { scratch_id: 'p' })).toEqual({ ok: true, scratch_id: 'p', deleted: false });
      expect(codeOf(await ask('scratch_read', { scratch_id: 'p' }))).toBe('NOT_FOUND');
      expect(codeOf(await ask('scratch_append_cell', { scratch_id: 'p', cell: md('x') }))).toBe('NOT_FOUND');
    });

    test('[NB19] restores a deleted pad with everything that belongs to it', async () => {
      const notebooks = start();
      const { ask, pads, call } = notebooks;
      await ask('scratch_create', {
        scratch_id: 'p',
        metadata: { title: 'Zebra', namespace: 'n', tags: ['t'], schemas: { s: { type: 'object' } }, own: 1 },
        cells: [md('giraffe', { tags: ['u'] }), md('lion')],
      });
      const before = await ask('scratch_read', { scratch_id: 'p' });
      await ask('scratch_delete', { scratch_id: 'p' });
      expect(await pads.totals(call())).toEqual({ pads_count: 0, cells_count: 0 });
      expect(await found(notebooks, 'giraffe')).toEqual([]);
      const [copy] = await pads.trashed({}, call());
      expect(copy).toMatchObject({ scratch_id: 'p', title: 'Zebra', namespace: 'n', cell_count: 2, reason: 'delete' });
      const restored = await pads.restore({ scratch_id: 'p' }, call());
      expect(restored.scratchpad).toMatchObject({ revision: 2, cell_count: 2 });
      const after = await ask('scratch_read', { scratch_id: 'p' });
      expect(after).toEqual({
        ok: true,
        scratchpad: { ...(before['scratchpad'] as object), revision: 2, updated_at: expect.any(String) },
      });
      expect(await pads.totals(call())).toEqual({ pads_count: 1, cells_count: 2 });
      expect(await found(notebooks, 'giraffe')).toHaveLength(1);
      expect(await found(notebooks, 'zebra')).toContain('p');
      expect(await ask('scratch_list_tags')).toMatchObject({ scratchpad_tags: ['t'], cell_tags: ['u'] });
      expect(await ask('scratch_namespace_list')).toMatchObject({
        namespaces: [{ namespace: 'n', scratchpad_count: 1 }],
      });
      expect(await pads.trashed({}, call())).toEqual([]);
    });

    test('[NB19] keeps several copies of one id apart, also from the same millisecond', async () => {
      const { ask, pads, call } = start();
      for (const title of ['first', 'second', 'third']) {
        await ask('scratch_create', { scratch_id: 'p', metadata: { title }, cells: [md(title)] });
      }
      const copies = await pads.trashed({}, call());
      expect(copies.map(({ title, reason }) => `${title} ${reason}`).sort()).toEqual(['first reset', 'second reset']);
      const taken = await pads.restore({ scratch_id: 'p' }, call()).catch((error: unknown) => error);
      expect(taken).toBeInstanceOf(Fault);
      expect((taken as Fault).code).toBe('CONFLICT');
      const first = copies.find(({ title }) => title === 'first')!;
      const back = await pads.restore({ scratch_id: 'p', pad_key: first.pad_key, as: 'q' }, call());
      expect(back.scratchpad).toMatchObject({ scratch_id: 'q', title: 'first' });
      expect(at(await ask('scratch_read', { scratch_id: 'q' }), 'scratchpad', 'cells', 0, 'content')).toBe('first');
      expect(at(await ask('scratch_read', { scratch_id: 'p' }), 'scratchpad', 'cells', 0, 'content')).toBe('third');
      await ask('scratch_delete', { scratch_id: 'p' });
      const newest = await pads.restore({ scratch_id: 'p' }, call());
      expect(newest.scratchpad.title).toBe('third');
      const [only] = await pads.trashed({ limit: 1 }, call());
      expect(await pads.trashed({ before: only! }, call())).toEqual([]);
    });

    test('[NB19] purges only what can no longer be restored', async () => {
      const notebooks = start();
      const { ask, jobsOf, tenant, pads, call } = notebooks;
      const cells = Array.from({ length: 250 }, () => md('x'));
      await ask('scratch_create', { scratch_id: 'old', metadata: { schemas: { s: {} } }, cells });
      await ask('scratch_create', { scratch_id: 'kept', cells: [md('y')] });
      await ask('scratch_delete', { scratch_id: 'old' });
      const purge = jobsOf([tenant]).find(({ name }) => name === 'notebook-purge')!;
      await purge.run(signal);
      expect(await countRows(notebooks)).toEqual([251, 1, 1]);
      clock.advance((limits.trashDays - 1) * dayMs);
      await ask('scratch_create', { scratch_id: 'kept', cells: [md('z')] });
      clock.advance(2 * dayMs);
      await purge.run(signal);
      expect(await countRows(notebooks)).toEqual([2, 0, 1]);
      await expect(pads.restore({ scratch_id: 'old' }, call())).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(pads.restore({ scratch_id: 'kept', as: 'again' }, call())).resolves.toMatchObject({ ok: true });
    });

    test('[NB19] rejects a restore at the limit of pads', async () => {
      const { ask, pads, call } = start({ maxScratchpads: 1 });
      await ask('scratch_create', { scratch_id: 'p' });
      await ask('scratch_delete', { scratch_id: 'p' });
      await ask('scratch_create', { scratch_id: 'q' });
      await expect(pads.restore({ scratch_id: 'p' }, call())).rejects.toMatchObject({ code: 'CAPACITY_LIMIT_REACHED' });
      await expect(pads.restore({ scratch_id: 'never' }, call())).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(pads.restore({ scratch_id: 'p', as: 'schemas' }, call())).rejects.toMatchObject({
        code: 'INVALID_ID',
      });
      expect(await pads.totals(call())).toEqual({ pads_count: 1, cells_count: 0 });
    });

    test('[NB20] discard evicts the least recently used pads and reports them', async () => {
      const notebooks = start({ maxScratchpads: 3, evictionPolicy: 'discard' });
      const { ask, log, evictions, pads, call } = notebooks;
      for (const scratch_id of ['a', 'b', 'c']) {
        await ask('scratch_create', { scratch_id, metadata: { tags: [scratch_id] }, cells: [md(`word${scratch_id}`)] });
        clock.advance(1_000);
      }
      await ask('scratch_read', { scratch_id: 'a' });
      clock.advance(1_000);
      await ask('scratch_append_cell', { scratch_id: 'b', cell: md('x') });
      clock.advance(1_000);
      const created = await ask('scratch_create', { scratch_id: 'd' });
      expect(created['evicted_scratchpads']).toEqual(['c']);
      expect((await ask('scratch_create', { scratch_id: 'e' }))['evicted_scratchpads']).toEqual(['a']);
      expect(await idsOf(notebooks)).toEqual(['b', 'd', 'e']);
      expect(log.lines.map(({ fields }) => fields['scratch_id'])).toEqual(['c', 'a']);
      expect(evictions).toEqual([
        { policy: 'discard', count: 1 },
        { policy: 'discard', count: 1 },
      ]);
      expect(await ask('scratch_list_tags')).toMatchObject({ scratchpad_tags: ['b'] });
      expect(await found(notebooks, 'wordc')).toEqual([]);
      expect(await ask('scratch_create', { scratch_id: 'e' })).not.toHaveProperty('evicted_scratchpads');
      expect((await pads.trashed({}, call())).filter(({ reason }) => reason === 'evict')).toHaveLength(2);
    });

    test('[NB20] enforces a lowered limit with the next pad', async () => {
      const before = start({ maxScratchpads: 0 });
      for (let i = 0; i < 100; i += 1) {
        await before.ask('scratch_create', { scratch_id: `p${i}` });
        clock.advance(1);
      }
      const after = { ...before, ...start({ maxScratchpads: 3, evictionPolicy: 'discard' }).as(before.tenant) };
      const created = await after.ask('scratch_create', { scratch_id: 'new' });
      expect(created['evicted_scratchpads']).toHaveLength(98);
      expect(await idsOf(after)).toEqual(['new', 'p98', 'p99']);
    });

    test('[NB20] preempt evicts only old pads, at the limit and in its sweep', async () => {
      const notebooks = start({ maxScratchpads: 2, evictionPolicy: 'preempt', preemptAgeMs: 10_000 });
      const { ask, jobsOf, tenant } = notebooks;
      await ask('scratch_create', { scratch_id: 'a' });
      clock.advance(6_000);
      await ask('scratch_create', { scratch_id: 'b' });
      expect(codeOf(await ask('scratch_create', { scratch_id: 'c' }))).toBe('CAPACITY_LIMIT_REACHED');
      expect(await idsOf(notebooks)).toEqual(['a', 'b']);
      clock.advance(6_000);
      expect((await ask('scratch_create', { scratch_id: 'c' }))['evicted_scratchpads']).toEqual(['a']);
      clock.advance(6_000);
      await ask('scratch_read', { scratch_id: 'b' });
      clock.advance(6_000);
      const sweep = jobsOf([tenant]).find(({ name }) => name === 'notebook-preempt')!;
      await sweep.run(signal);
      expect(await idsOf(notebooks)).toEqual(['b']);
      clock.advance(20_000);
      await sweep.run(signal);
      expect(await idsOf(notebooks)).toEqual([]);
    });

    test('[NB21] writes the time of the last read on close', async () => {
      const { ask, pads, call } = start();
      await ask('scratch_create', { scratch_id: 'p' });
      const accessOf = async () =>
        Number(
          (
            await storage().read(call('look'), function* (db) {
              return yield* db.get(sql<{ at: number }>`
                select last_access_at as at from notebook_pads where tenant = ${db.tenant} and scratch_id = 'p'`);
            })
          )?.at,
        );
      const createdAt = clock.now();
      clock.advance(5_000);
      await ask('scratch_read', { scratch_id: 'p' });
      expect(await accessOf()).toBe(createdAt);
      await pads.close();
      expect(await accessOf()).toBe(createdAt + 5_000);
    });

    test('[NB22] finds pads and cells by their current content and facets', async () => {
      const notebooks = start();
      const { ask, meant } = notebooks;
      await ask('scratch_create', {
        scratch_id: 'p',
        metadata: { title: 'Antelope', description: 'quick', tags: ['t'] },
        cells: [md('buffalo', { cell_id: 'c', metadata: { title: 'Cheetah' } })],
      });
      expect(await found(notebooks, 'antelope')).toEqual(['p', 'p/c']);
      expect(await found(notebooks, 'buffalo')).toEqual(['p/c']);
      expect(await found(notebooks, 'cheetah')).toEqual(['p/c']);
      await ask('scratch_replace_cell', { scratch_id: 'p', cell_id: 'c', cell: md('dolphin') });
      expect(await found(notebooks, 'buffalo')).toEqual([]);
      await ask('scratch_append_cell', { scratch_id: 'p', cell: md('eagle', { cell_id: 'd' }) });
      expect(await found(notebooks, 'dolphin eagle')).toEqual(['p/c', 'p/d']);
      await ask('scratch_create', { scratch_id: 'p' });
      expect(await found(notebooks, 'dolphin eagle antelope')).toEqual([]);
      const notes = meant.map(({ what, ids }) => `${what} ${[...ids].sort().join(' ')}`);
      const isRehearsed = notes[0] === notes[1];
      expect(isRehearsed ? notes.filter((_, i) => i % 2 === 0).slice(0, 3) : notes).toEqual(
        isRehearsed
          ? ['note p p/c', 'note p/c', 'note p/d']
          : ['note p p/c', 'note p/c', 'note p/d', 'forget p p/c p/d', 'note p'],
      );
    });

    test('logs every change of a pad, a cell and a namespace', async () => {
      const { ask, tenant } = start();
      await ask('scratch_create', {
        scratch_id: 'p',
        metadata: { namespace: 'n' },
        cells: [md('a', { cell_id: 'c' })],
      });
      await ask('scratch_append_cell', { scratch_id: 'p', cell: md('b', { cell_id: 'd' }) });
      await ask('scratch_replace_cell', { scratch_id: 'p', cell_id: 'c', cell: md('c') });
      await ask('scratch_create', { scratch_id: 'p' });
      await ask('scratch_delete', { scratch_id: 'p' });
      await ask('scratch_namespace_rename', { old_namespace: 'n', new_namespace: 'm' });
      await ask('scratch_namespace_delete', { namespace: 'm' });
      const changes = await storage().changesSince(tenant, undefined, 0, 100);
      expect(changes.map(({ topic, id, what }) => `${what} ${topic} ${id}`)).toEqual([
        'create scratch-namespace n',
        'create scratchpad p',
        'update scratchpad p',
        'create scratchpad-cell p/d',
        'update scratchpad p',
        'update scratchpad-cell p/c',
        'update scratchpad p',
        'delete scratchpad p',
        'delete scratch-namespace n',
        'create scratch-namespace m',
        'delete scratch-namespace m',
      ]);
    });
  });
}
