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

    test('[NB10] keeps all cells of concurrent appends, in contiguous order', async () => {
      const { here, asks } = await startTwo();
      await here.ask('scratch_create', { scratch_id: 'p' });
      const answers = await Promise.all(
        times(20, (i) =>
          asks[i % 2]!('scratch_append_cell', { scratch_id: 'p', cell: md(`${i}`, { tags: [`t${i % 3}`] }) }),
        ),
      );
      expect(answers.map(codeOf)).toEqual(times(20, () => undefined));
      const read = await here.ask('scratch_read', { scratch_id: 'p' });
      expect(read).toMatchObject({ scratchpad: { revision: 21, cell_count: 20 } });
      const cells = at(read, 'scratchpad', 'cells') as { index: number; content: string }[];
      expect(cells.map(({ index }) => index)).toEqual(times(20, (i) => i));
      expect(new Set(cells.map(({ content }) => content)).size).toBe(20);
      expect(await here.ask('scratch_list_tags')).toMatchObject({ cell_tags: ['t0', 't1', 't2'] });
      expect(await here.pads.totals(here.call())).toEqual({ pads_count: 1, cells_count: 20 });
    });

    test('[NB5] creates an id once under concurrent creations, and the others reset or fail', async () => {
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
      expect(reset.filter((answer) => answer['reset'] === true)).toHaveLength(9);
      expect(await here.pads.totals(here.call())).toEqual({ pads_count: 1, cells_count: 1 });
      expect(await here.pads.trashed({}, here.call())).toHaveLength(9);
      expect(await here.ask('scratch_namespace_list')).toMatchObject({ namespaces: [{ scratchpad_count: 1 }] });
      const failed = await Promise.all(
        times(10, (i) => asks[i % 2]!('scratch_create', { scratch_id: 'q', if_exists: 'fail' })),
      );
      expect(failed.filter((answer) => codeOf(answer) === 'CONFLICT')).toHaveLength(9);
      await here.ask('scratch_delete', { scratch_id: 'p' });
      expect(await here.ask('scratch_list_tags')).toMatchObject({ scratchpad_tags: [] });
    });

    test('[NB5] keeps the cells of all concurrent creations that append', async () => {
      const { here, asks } = await startTwo();
      const answers = await Promise.all(
        times(10, (i) =>
          asks[i % 2]!('scratch_create', {
            scratch_id: 'p',
            metadata: { namespace: 'n' },
            cells: [md(`${i}`)],
            if_exists: 'append',
          }),
        ),
      );
      expect(answers.map(codeOf)).toEqual(times(10, () => undefined));
      expect(answers.filter((answer) => answer['appended'] === true)).toHaveLength(9);
      expect(await here.pads.totals(here.call())).toEqual({ pads_count: 1, cells_count: 10 });
      expect(await here.ask('scratch_namespace_list')).toMatchObject({ namespaces: [{ scratchpad_count: 1 }] });
    });

    test('[NB6] enforces the limit of pads across processes', async () => {
      const { here, asks } = await startTwo({ maxScratchpads: 3 });
      const answers = await Promise.all(times(12, (i) => asks[i % 2]!('scratch_create', { scratch_id: `p${i}` })));
      expect(answers.filter(({ ok }) => ok === true)).toHaveLength(3);
      expect(await here.pads.totals(here.call())).toEqual({ pads_count: 3, cells_count: 0 });
    });

    test('[NB20] evicts in both processes and keeps the maximum', async () => {
      const { here, asks } = await startTwo({ maxScratchpads: 3, evictionPolicy: 'discard' });
      const answers = await Promise.all(times(12, (i) => asks[i % 2]!('scratch_create', { scratch_id: `p${i}` })));
      expect(answers.map(codeOf)).toEqual(times(12, () => undefined));
      expect(answers.flatMap((one) => one['evicted_scratchpads'] ?? [])).toHaveLength(9);
      expect(await here.pads.totals(here.call())).toEqual({ pads_count: 3, cells_count: 0 });
    });

    test('[NB11] accepts one of several writes that expect the same revision', async () => {
      const { here, asks } = await startTwo();
      await here.ask('scratch_create', { scratch_id: 'p', cells: [md('x', { cell_id: 'c' })] });
      const answers = await Promise.all(
        times(10, (i) =>
          asks[i % 2]!('scratch_replace_cell', {
            ...{ scratch_id: 'p', cell_id: 'c', expected_revision: 1 },
            cell: md(`${i}`),
          }),
        ),
      );
      expect(answers.filter(({ ok }) => ok === true)).toHaveLength(1);
      expect(answers.filter((one) => codeOf(one) === 'CONFLICT')).toHaveLength(9);
    });

    test('[NB16] registers a namespace once when both processes create it', async () => {
      const { here, asks } = await startTwo();
      await Promise.all(
        times(10, (i) => asks[i % 2]!('scratch_create', { scratch_id: `p${i}`, metadata: { namespace: 'n' } })),
      );
      expect(await here.ask('scratch_namespace_list')).toEqual({
        ok: true,
        namespaces: [{ namespace: 'n', scratchpad_count: 10 }],
      });
    });

    test('[NB23] answers CONFIG_ERROR during shutdown', async () => {
      const other = await openOther();
      const { ask } = other.as(start().tenant);
      await other.storage.close();
      expect(codeOf(await ask('scratch_list'))).toBe('CONFIG_ERROR');
      expect(codeOf(await ask('scratch_create', { scratch_id: 'p' }))).toBe('CONFIG_ERROR');
    });
  });
}
