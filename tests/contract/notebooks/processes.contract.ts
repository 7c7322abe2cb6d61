import { describe, expect, test } from 'vitest';
import type { Engine } from '../storage/engine.ts';
import { at, codeOf, md, useNotebooks } from './open-notebooks.ts';

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

export function describeProcesses(engine: Engine): void {
  describe(`two processes on ${engine.name}`, () => {
    const { start, openOther } = useNotebooks(engine);

    async function startTwo(settings: Parameters<typeof start>[0] = {}) {
      const here = start(settings);
      const there = (await openOther(settings)).as(here.tenant);
      return { here, asks: [here.ask, there.ask] as const };
    }

    test('[NB10] cells that are appended at once stand one behind the other', async () => {
      const { here, asks } = await startTwo();
      await here.ask('scratch_create', { scratch_id: 'p' });
      const told = await Promise.all(
        times(20, (i) =>
          asks[i % 2]!('scratch_append_cell', { scratch_id: 'p', cell: md(`${i}`, { tags: [`t${i % 3}`] }) }),
        ),
      );
      expect(told.map(codeOf)).toEqual(times(20, () => undefined));
      const read = await here.ask('scratch_read', { scratch_id: 'p' });
      expect(read).toMatchObject({ scratchpad: { revision: 21, cell_count: 20 } });
      const cells = at(read, 'scratchpad', 'cells') as { index: number; content: string }[];
      expect(cells.map(({ index }) => index)).toEqual(times(20, (i) => i));
      expect(new Set(cells.map(({ content }) => content)).size).toBe(20);
      expect(await here.ask('scratch_list_tags')).toMatchObject({ cell_tags: ['t0', 't1', 't2'] });
      expect(await here.pads.totals(here.call())).toEqual({ pads_count: 1, cells_count: 20 });
    });

    test('[NB5] one of several creations of an id makes it, and the others reset or fail', async () => {
      const { here, asks } = await startTwo();
      const reset = await Promise.all(
        times(10, (i) =>
          asks[i % 2]!('scratch_create', {
            scratch_id: 'p',
            metadata: { tags: ['t'], namespace: 'n' },
            cells: [md('x')],
          }),
        ),
      );
      expect(reset.filter((told) => told['reset'] === true)).toHaveLength(9);
      expect(await here.pads.totals(here.call())).toEqual({ pads_count: 1, cells_count: 1 });
      expect(await here.pads.trashed({}, here.call())).toHaveLength(9);
      expect(await here.ask('scratch_namespace_list')).toMatchObject({ namespaces: [{ scratchpad_count: 1 }] });
      const failed = await Promise.all(
        times(10, (i) => asks[i % 2]!('scratch_create', { scratch_id: 'q', if_exists: 'fail' })),
      );
      expect(failed.filter((told) => codeOf(told) === 'CONFLICT')).toHaveLength(9);
      await here.ask('scratch_delete', { scratch_id: 'p' });
      expect(await here.ask('scratch_list_tags')).toMatchObject({ scratchpad_tags: [] });
    });

    test('[NB6] the limit of pads holds for both together', async () => {
      const { here, asks } = await startTwo({ maxScratchpads: 3 });
      const told = await Promise.all(times(12, (i) => asks[i % 2]!('scratch_create', { scratch_id: `p${i}` })));
      expect(told.filter(({ ok }) => ok === true)).toHaveLength(3);
      expect(await here.pads.totals(here.call())).toEqual({ pads_count: 3, cells_count: 0 });
    });

    test('[NB20] both evict, and as many stay as may', async () => {
      const { here, asks } = await startTwo({ maxScratchpads: 3, evictionPolicy: 'discard' });
      const told = await Promise.all(times(12, (i) => asks[i % 2]!('scratch_create', { scratch_id: `p${i}` })));
      expect(told.map(codeOf)).toEqual(times(12, () => undefined));
      expect(told.flatMap((one) => one['evicted_scratchpads'] ?? [])).toHaveLength(9);
      expect(await here.pads.totals(here.call())).toEqual({ pads_count: 3, cells_count: 0 });
    });

    test('[NB11] of several writes that expect one revision a single one is kept', async () => {
      const { here, asks } = await startTwo();
      await here.ask('scratch_create', { scratch_id: 'p', cells: [md('x', { cell_id: 'c' })] });
      const told = await Promise.all(
        times(10, (i) =>
          asks[i % 2]!('scratch_replace_cell', {
            ...{ scratch_id: 'p', cell_id: 'c', expected_revision: 1 },
            cell: md(`${i}`),
          }),
        ),
      );
      expect(told.filter(({ ok }) => ok === true)).toHaveLength(1);
      expect(told.filter((one) => codeOf(one) === 'CONFLICT')).toHaveLength(9);
    });

    test('[NB16] a namespace that both enter at once is one', async () => {
      const { here, asks } = await startTwo();
      await Promise.all(
        times(10, (i) => asks[i % 2]!('scratch_create', { scratch_id: `p${i}`, metadata: { namespace: 'n' } })),
      );
      expect(await here.ask('scratch_namespace_list')).toEqual({
        ok: true,
        namespaces: [{ namespace: 'n', scratchpad_count: 10 }],
      });
    });

    test('[NB23] a server that shuts down says CONFIG_ERROR', async () => {
      const other = await openOther();
      const { ask } = other.as(start().tenant);
      await other.parts.storage.close();
      expect(codeOf(await ask('scratch_list'))).toBe('CONFIG_ERROR');
      expect(codeOf(await ask('scratch_create', { scratch_id: 'p' }))).toBe('CONFIG_ERROR');
    });
  });
}
