import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPadsFixture, type PadsFixture } from '#domains/notebooks/pads/pads.fixture.ts';
import type { TenantId } from '#kernel/call.ts';
import { createManualClock, toIso } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { newTenant } from '../storage/call.ts';
import type { Engine, TestStore } from '../storage/engine.ts';
import { postgresEngine } from '../storage/postgres-engine.ts';
import { sqliteEngine } from '../storage/sqlite-engine.ts';
import { createModel } from './model.ts';
import { codeOf } from './open-notebooks.ts';
import { arbitraryOperation, type Operation } from './random-operations.ts';

/** Full size: FOURFOLD_TEST_NOTEBOOK_OPERATIONS=5000. */
const wantedCount = Number(process.env['FOURFOLD_TEST_NOTEBOOK_OPERATIONS'] ?? 0);
const tenantsCount = 20;
const limits = { padsMax: 4, cellsMax: 4, bytesMax: 150 };

const markOf = (i: number): string => `<${String(i).padStart(2, '0')}>`;
const marks = /<\d\d>/g;

/** The model knows no keys of copies in the trash. */
function toPlain(answer: ToolAnswer): unknown {
  if (answer['ok'] !== true) return { ok: false, code: codeOf(answer) };
  const { restore: _restore, ...rest } = answer;
  return rest;
}

async function ask(notebooks: PadsFixture, tenant: TenantId, { name, args }: Operation): Promise<ToolAnswer> {
  const one = notebooks.as(tenant);
  if (name !== 'restore') return await one.ask(name, args);
  try {
    return { ...(await notebooks.pads.restore({ scratch_id: args.scratch_id! }, one.call('restore'))) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ok: false, error: { code: error.code } };
  }
}

const readers = new Set([
  'scratch_read',
  'scratch_list',
  'scratch_list_cells',
  'scratch_list_tags',
  'scratch_namespace_list',
]);

for (const [engine, usualCount] of [
  [sqliteEngine(false), 300],
  [postgresEngine(false), 100],
] as const satisfies readonly (readonly [Engine, number])[]) {
  describe(`tenants on ${engine.name}`, () => {
    const clock = createManualClock();
    const settings = {
      ...{ clock, maxScratchpads: limits.padsMax, maxCellsPerPad: limits.cellsMax, maxCellBytes: limits.bytesMax },
    };
    const storages: Storage[] = [];
    const fixtures: PadsFixture[] = [];
    let place: TestStore;

    beforeAll(async () => {
      place = await engine.create();
      for (let i = 0; i < 2; i += 1) {
        storages.push(await place.open({ migrations, clock }));
        fixtures.push(createPadsFixture({ ...settings, storage: storages[i]! }));
      }
    });
    afterAll(async () => {
      for (const fixture of fixtures) await fixture.close();
      for (const storage of storages) await storage.close();
      await place?.remove();
    });

    /** The operations of one tenant: the first fixture writes, both are read. */
    async function live(operations: readonly Operation[], mark: string, tenant: TenantId): Promise<void> {
      const model = createModel(limits, toIso(clock.now()));
      for (const [i, operation] of operations.entries()) {
        const fixture = fixtures[readers.has(operation.name) ? i % 2 : 0]!;
        const expected = model.answer(operation.name, operation.args);
        // The clock does not move, so some copies in the trash are equally new.
        if ('isOpen' in expected) continue;
        const answer = await ask(fixture, tenant, operation);
        expect(toPlain(answer), `${i}: ${JSON.stringify(operation)}`).toEqual(expected);
        for (const [found] of JSON.stringify(answer).matchAll(marks)) expect(found).toBe(mark);
      }
      const fixture = fixtures[1]!;
      expect(await fixture.pads.totals(fixture.as(tenant).call())).toEqual(model.totals());
    }

    test('[NB1] answers like the reference model for any sequence of operations', async () => {
      const operations = fc.array(arbitraryOperation(markOf(99)), { minLength: 10, maxLength: 60, size: 'max' });
      await fc.assert(
        fc.asyncProperty(operations, (made) => live(made, markOf(99), newTenant())),
        { numRuns: engine.kind === 'sqlite' ? 20 : 5 },
      );
    });

    test('shows no tenant any data of another under concurrent use', async () => {
      const count = wantedCount > 0 ? wantedCount : usualCount;
      const lives = Array.from({ length: tenantsCount }, (_, i) =>
        live(fc.sample(arbitraryOperation(markOf(i)), count), markOf(i), newTenant()),
      );
      await Promise.all(lives);
    }, 600_000);

    test('[negative control] the model detects two tenants that share their data', async () => {
      const tenant = newTenant();
      const lives = [1, 2].map((i) => live(fc.sample(arbitraryOperation(markOf(i)), 200), markOf(i), tenant));
      const ends = await Promise.allSettled(lives);
      expect(ends.some(({ status }) => status === 'rejected')).toBe(true);
    });
  });
}
