import { describe, expect, test } from 'vitest';
import type { Call } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { listTrash, putInTrash, takeFromTrash } from '#kernel/storage/trash.ts';
import type { ContractContext } from '../storage.contract.ts';
import { createCall, newTenant } from './call.ts';

const dayMs = 86_400_000;

export function describeTrash({ testStore }: ContractContext): void {
  /** With a manual clock, so that items have ages. */
  async function withClock(act: (storage: Storage, clock: ReturnType<typeof createManualClock>) => Promise<void>) {
    const clock = createManualClock();
    const storage = await testStore().open({ clock });
    try {
      await act(storage, clock);
    } finally {
      await storage.close();
    }
  }

  const throwAway = (storage: Storage, call: Call, id: string, document: string) =>
    storage.write(call, function* (db) {
      yield* putInTrash(db, 'pad', id, document, call.actor);
      yield* db.changed('pad', id, 'delete', 'h');
    });

  const bringBack = (storage: Storage, call: Call, id: string) =>
    storage.write(call, function* (db) {
      const item = yield* takeFromTrash(db, 'pad', id);
      yield* db.changed('pad', id, 'create', 'h');
      return item;
    });

  describe('the trash', () => {
    test('returns the newest copy first, and each copy once', () =>
      withClock(async (storage, clock) => {
        const call = createCall(newTenant(), { deadlineAt: clock.now() + dayMs });
        await throwAway(storage, call, 'p', '{"v":1}');
        clock.advance(1);
        await throwAway(storage, call, 'p', '{"v":2}');
        expect(await bringBack(storage, call, 'p')).toMatchObject({ id: 'p', document: '{"v":2}', actor: 'tester' });
        expect(await bringBack(storage, call, 'p')).toMatchObject({ document: '{"v":1}' });
        await expect(bringBack(storage, call, 'p')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }));

    test('does not return items of another tenant, of another topic, or older than 30 days', () =>
      withClock(async (storage, clock) => {
        const call = createCall(newTenant(), { deadlineAt: clock.now() + 40 * dayMs });
        await throwAway(storage, call, 'p', '{}');
        await expect(bringBack(storage, { ...call, tenant: newTenant() }, 'p')).rejects.toMatchObject({
          code: 'NOT_FOUND',
        });
        clock.advance(30 * dayMs);
        expect(await bringBack(storage, call, 'p')).toMatchObject({ id: 'p' });
        await throwAway(storage, call, 'q', '{}');
        clock.advance(30 * dayMs + 1);
        await expect(bringBack(storage, { ...call, deadlineAt: clock.now() + dayMs }, 'q')).rejects.toMatchObject({
          code: 'NOT_FOUND',
        });
      }));

    test('lists newest first, page by page', () =>
      withClock(async (storage, clock) => {
        const call = createCall(newTenant(), { deadlineAt: clock.now() + dayMs });
        for (const id of ['a', 'b', 'c', 'd', 'e']) {
          await throwAway(storage, call, id, '{}');
          if (id !== 'b') clock.advance(1);
        }
        const ids: string[] = [];
        let before = { at: Number.MAX_SAFE_INTEGER, id: '' };
        for (;;) {
          const page = await storage.read(call, (db) =>
            (function* () {
              return yield* listTrash(db, 'pad', before, 2);
            })(),
          );
          ids.push(...page.map((item) => item.id));
          const last = page.at(-1);
          if (last === undefined) break;
          before = last;
        }
        expect(ids).toEqual(['e', 'd', 'c', 'b', 'a']);
      }));
  });
}
