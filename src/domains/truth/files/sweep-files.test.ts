import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSweeps } from '#kernel/jobs/sweeps.ts';
import { limits } from '#kernel/limits.ts';
import type { Properties } from '../records/rules/properties.ts';
import { createTruthBase, payloadOf } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import { parseFileAddress } from './file-address.ts';
import { createFolderBlobs } from './file-blobs.ts';
import { deleteFile, findFile } from './file-store.ts';
import { describeFiles } from './files.fixture.ts';
import { buildLockedPdf } from './sample-files.fixture.ts';
import { createFileJobs, createFileSweep } from './sweep-files.ts';

const trashMs = limits.trashDays * 86_400_000;
const never = new AbortController().signal;

describeFiles('[TR36] file sweep', (engine) => {
  async function open() {
    const fixture = await engine.open();
    const tenant = engine.newTenant();
    const mine = fixture.as(tenant);
    const { clock } = engine;
    const tenants = async () => [tenant];
    const jobs = [
      ...createSweeps({ storage: engine.storage(), clock, tenants }),
      ...createFileJobs(fixture.files, tenants),
    ];

    /** Resets the age of all stored bytes. */
    async function settle(): Promise<void> {
      const entries = await readdir(join(fixture.home, 'blobs'), { recursive: true, withFileTypes: true });
      const now = new Date(clock.now());
      for (const entry of entries.filter((one) => one.isFile())) {
        await utimes(join(entry.parentPath, entry.name), now, now);
      }
    }
    return {
      ...fixture,
      ...mine,
      settle,
      async sweep(): Promise<void> {
        for (const job of jobs) await job.run(never);
      },
      async remove(id: string): Promise<void> {
        expect(await mine.ask('delete_record', { id })).toMatchObject({ success: true });
      },
      /** Whether a signed URL still opens the file. */
      async isThere(file_url: string | undefined): Promise<boolean> {
        return (await mine.ask('get_file_url', { file_path: file_url })).error === undefined;
      },
      rowOf: (file_url: string | undefined) =>
        engine.storage().read(mine.call, (db) => findFile(db, parseFileAddress(file_url ?? '')!)),
    };
  }

  test('removes a file when its record can no longer be restored, and not before', async () => {
    const { upload, remove, sweep, settle, isThere, rowOf, keptCount } = await open();
    const gone = await upload('gone.txt', 'of a record that is deleted');
    const stays = await upload('stays.txt', 'of a record that is not');
    await settle();
    await remove(gone.record!.id);
    engine.clock.advance(trashMs);
    await sweep();
    expect([await isThere(gone.file_url), await keptCount()]).toEqual([true, 2]);
    engine.clock.advance(1);
    await sweep();
    expect([await isThere(gone.file_url), await isThere(stays.file_url), await keptCount()]).toEqual([false, true, 1]);
    expect(await rowOf(gone.file_url)).toBeUndefined();
    const again = await upload('gone.txt', 'of a record that is deleted');
    expect(again.record!.id).not.toBe(gone.record!.id);
    expect([again.file_url, await isThere(gone.file_url)]).toEqual([gone.file_url, true]);
  });

  test('keeps a file whose record was restored in time', async () => {
    const { ask, upload, remove, sweep, settle, isThere } = await open();
    const { record, file_url } = await upload('back.txt', 'comes back');
    await settle();
    await remove(record!.id);
    engine.clock.advance(trashMs - 1);
    await ask('restore_record', { id: record!.id });
    engine.clock.advance(trashMs + 1);
    await sweep();
    expect(await isThere(file_url)).toBe(true);
  });

  test('keeps a file while its record is in the trash, even if the record dropped it before', async () => {
    const { ask, upload, remove, sweep, settle, isThere } = await open();
    const { record, file_url } = await upload('let-go.txt', 'unreferenced');
    await settle();
    await ask('update_record', { id: record!.id, file_urls: [] });
    engine.clock.advance(trashMs + 1);
    await remove(record!.id);
    await sweep();
    expect(await isThere(file_url)).toBe(true);
    engine.clock.advance(trashMs + 1);
    await sweep();
    expect(await isThere(file_url)).toBe(false);
  });

  test.each(['the same bytes were sent again', 'its record came back'])(
    'keeps a file when %s during the sweep',
    async (what) => {
      const { tenant, home, records, call, upload, remove, settle, isThere } = await open();
      const { record, file_url } = await upload('race.txt', 'looked for just now');
      await settle();
      await remove(record!.id);
      engine.clock.advance(trashMs + 1);
      const storage = engine.storage();
      for (const job of createSweeps({ storage, clock: engine.clock, tenants: async () => [tenant] }))
        await job.run(never);
      const { id, type, properties } = record!;
      const back = { id, type, properties: properties as Properties, fileUrls: [file_url!] };
      let isFirst = true;
      const sweep = createFileSweep({
        clock: engine.clock,
        blobs: createFolderBlobs(join(home, 'blobs')),
        storage: {
          ...storage,
          async write(by, work) {
            if (isFirst && what === 'its record came back') {
              await storage.write({ ...call, audit: 'row' }, (db) => records.writer.insert(db, back));
            } else if (isFirst) await upload('race.txt', 'looked for just now');
            isFirst = false;
            return storage.write(by, work);
          },
        },
      });
      await sweep(tenant, never);
      expect(isFirst).toBe(false);
      expect(await isThere(file_url)).toBe(true);
    },
  );

  test('keeps a file of two records until both are purged from the trash', async () => {
    const { ask, upload, remove, sweep, settle, isThere, rowOf, keptCount } = await open();
    const { record, file_url } = await upload('shared.txt', 'of two records');
    const other = (await ask('store_record', { type: 'letter', properties: {}, file_urls: [file_url] })) as {
      readonly id?: string;
    };
    await settle();
    await remove(record!.id);
    engine.clock.advance(trashMs + 1);
    await sweep();
    expect(await isThere(file_url)).toBe(true);
    expect(await rowOf(file_url)).toMatchObject({ record_id: other.id });
    await remove(other.id!);
    await sweep();
    expect(await isThere(file_url)).toBe(true);
    engine.clock.advance(trashMs + 1);
    await sweep();
    expect([await isThere(file_url), await keptCount()]).toEqual([false, 0]);
  });

  test('finds a record that references the file anywhere in a long trash', async () => {
    const { ask, upload, remove, sweep, settle, isThere, rowOf } = await open();
    const { record, file_url } = await upload('long.txt', 'named far behind');
    const store = async (file_urls: readonly unknown[]) =>
      ((await ask('store_record', { type: 'letter', properties: {}, file_urls })) as { readonly id?: string }).id!;
    const referrer = await store(['https://example.com/a', file_url]);
    await settle();
    await remove(record!.id);
    engine.clock.advance(trashMs / 2);
    await remove(referrer);
    engine.clock.advance(1);
    for (let i = 0; i < truthLimits.trashPageCount; i += 1) await remove(await store([]));
    engine.clock.advance(trashMs / 2);
    await sweep();
    expect(await isThere(file_url)).toBe(true);
    expect(await rowOf(file_url)).toMatchObject({ record_id: referrer });
  });

  test('keeps a file that was attached to another record after its own was deleted', async () => {
    const { ask, upload, remove, sweep, settle, isThere, rowOf } = await open();
    const { record, file_url } = await upload('moved.txt', 'moves over');
    await remove(record!.id);
    const { id } = (await ask('store_record', { type: 'letter', properties: {} })) as { readonly id?: string };
    await upload('moved.txt', 'moves over', { record_id: id });
    // A running sweep finds a new owner and keeps the file.
    expect(await rowOf(file_url)).toMatchObject({ record_id: id });
    await settle();
    engine.clock.advance(trashMs + 1);
    await sweep();
    expect(await isThere(file_url)).toBe(true);
  });

  test('always keeps a file that a payload references or that could not be analysed', async () => {
    const { call, upload, remove, sweep, settle, isThere, rowOf } = await open();
    const { record, file_url } = await upload('source.txt', 'what a payload was read from');
    const locked = await upload('locked.pdf', buildLockedPdf());
    const kept = locked.error!.details!['file_url'] as string;
    const { payloads } = createTruthBase(engine.storage(), engine.clock);
    await payloads.submit(payloadOf('note', { title: 'From a file', file_urls: [file_url!] }), {
      ...call,
      audit: 'row',
    });
    await settle();
    await remove(record!.id);
    engine.clock.advance(trashMs + 1);
    await sweep();
    await sweep();
    expect([await isThere(file_url), await isThere(kept)]).toEqual([true, true]);
    expect(await rowOf(file_url)).toMatchObject({ record_id: null });
  });

  test("keeps bytes that another bucket still has, and never touches another tenant's bytes", async () => {
    const { as, upload, remove, sweep, settle, isThere, keptCount } = await open();
    const first = await upload('twice.txt', 'in two buckets');
    const second = await upload('twice.txt', 'in two buckets', { bucket: 'archive' });
    const stranger = as(engine.newTenant());
    const theirs = await stranger.upload('twice.txt', 'in two buckets');
    await settle();
    await remove(first.record!.id);
    engine.clock.advance(trashMs + 1);
    await sweep();
    expect([await isThere(first.file_url), await isThere(second.file_url), await keptCount()]).toEqual([
      false,
      true,
      2,
    ]);
    await remove(second.record!.id);
    engine.clock.advance(trashMs + 1);
    await sweep();
    expect(await keptCount()).toBe(1);
    expect(await stranger.ask('get_file_url', { file_path: theirs.file_url })).toHaveProperty('signed_url');
  });

  test('removes old unreferenced bytes, and keeps recent ones that an upload may still reference', async () => {
    const { tenant, home, call, upload, sweep, settle, keptCount } = await open();
    const { file_url } = await upload('orphan.txt', 'bytes that lost their row');
    await engine.storage().write(call, function* (db) {
      yield* deleteFile(db, parseFileAddress(file_url!)!);
    });
    await settle();
    engine.clock.advance(trashMs);
    await sweep();
    expect(await keptCount()).toBe(1);
    // The same bytes are uploaded again, and their row is not written yet.
    await settle();
    engine.clock.advance(trashMs);
    await sweep();
    expect(await keptCount()).toBe(1);
    engine.clock.advance(1);
    await sweep();
    expect(await keptCount()).toBe(0);
    expect(await createFolderBlobs(join(home, 'nowhere')).sweep(tenant, new Set(), engine.clock.now(), never)).toBe(0);
  });

  test('never removes a referenced file when it is aborted at any step', async () => {
    const { tenant, home, ask, upload, remove, settle, isThere } = await open();
    const { record, file_url } = await upload('step.txt', 'named by one more');
    await ask('store_record', { type: 'letter', properties: {}, file_urls: [file_url] });
    await settle();
    await remove(record!.id);
    engine.clock.advance(trashMs + 1);
    const storage = engine.storage();
    for (const job of createSweeps({ storage, clock: engine.clock, tenants: async () => [tenant] })) {
      await job.run(never);
    }
    let isWhole = false;
    for (let readsCount = 0; !isWhole; readsCount += 1) {
      const ending = new AbortController();
      let left = readsCount;
      const sweep = createFileSweep({
        clock: engine.clock,
        blobs: createFolderBlobs(join(home, 'blobs')),
        storage: {
          ...storage,
          async read(by, work) {
            const answer = await storage.read(by, work);
            left -= 1;
            if (left === 0) ending.abort();
            return answer;
          },
        },
      });
      if (readsCount === 0) ending.abort();
      await sweep(tenant, ending.signal).catch((error: unknown) => {
        expect(ending.signal.aborted, String(error)).toBe(true);
      });
      isWhole = !ending.signal.aborted;
      expect([readsCount, await isThere(file_url)]).toEqual([readsCount, true]);
    }
  });

  test('removes nothing that it has not checked when it is aborted', async () => {
    const { tenant, files, upload, remove, settle, sweep, isThere } = await open();
    const { record, file_url } = await upload('cut.txt', 'a round that is cut off');
    await settle();
    await remove(record!.id);
    engine.clock.advance(trashMs + 1);
    await files.sweep(tenant, AbortSignal.abort());
    expect(await isThere(file_url)).toBe(true);
    await sweep();
    expect(await isThere(file_url)).toBe(false);
  });
});
