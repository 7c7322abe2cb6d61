import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#kernel/clock/clock.ts';
import { createTestStore } from '#kernel/jobs/store.fixture.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { integrationFaults } from '../integration-faults.ts';
import type { PayloadSink } from '../payload-sink.ts';
import { findRun, insertConnector, insertRun, type SyncRunRow } from './connector-store.ts';
import { createSyncRunner } from './run-sync.ts';

const filesCount = 5;
const call = systemCall('test');
const never = async () => Promise.reject(new Error('not expected'));

function makeFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (let n = 0; n < filesCount; n += 1) writeFileSync(join(folder, `${n}.md`), `file ${n}`);
  return folder;
}

describe.each([sqliteEngine(false), postgresEngine(false)])(
  '[IG85] a process that was suspended, on $name',
  (engine) => {
    const { open } = createTestStore(engine);

    /** Stores nothing itself; `gate` is passed before each page is stored. */
    const sinkOf = (storage: Storage, gate: () => Promise<void>): PayloadSink => ({
      check: never,
      async submit(payloads, submitCall, after) {
        await gate();
        const answers = payloads.map(() => ({ created: true, observations_added: 1 }));
        await storage.write(submitCall, (db) => after!(db, answers));
        return answers;
      },
    });

    it.each([
      ['stores no page', () => {}],
      [
        'does not end the run',
        () => {
          throw integrationFaults.SYNC_FAILED({ why: 'the connection was lost meanwhile' });
        },
      ],
    ])('%s after another process has taken over', async (title, wakeUp) => {
      const [connector, run] = [`connector that ${title}`, `run that ${title}`];
      const [here, there] = [await open(), await open()];
      const log = createLogFixture();
      const [suspended, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const [halfway, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const runnerOf = (storage: Storage, gate: () => Promise<void>) =>
        createSyncRunner({
          storage,
          sink: sinkOf(storage, gate),
          sealed: { seal: (text) => text, open: (text) => text },
          outbound: async () => ({ request: never, findHost: never }),
          readMail: never,
          workers: never,
          clock: systemClock,
          log,
        });
      const first = runnerOf(here, async () => {
        suspended.resolve();
        await resumed.promise;
        wakeUp();
      });
      let pages = 0;
      const second = runnerOf(there, async () => {
        pages += 1;
        if (pages !== 3) return;
        halfway.resolve();
        await goOn.promise;
      });

      const options = JSON.stringify({ address: makeFiles() });
      await here.write(call, function* (db) {
        yield* insertConnector(db, { id: connector, provider: 'folder', name: 'files', options, secret: null });
        yield* insertRun(db, { id: run, connector_id: connector, provider: 'folder', page_limit: 1, pages_max: 100 });
      });
      const readRun = async (): Promise<SyncRunRow | undefined> => here.read(call, (db) => findRun(db, run));
      const { signal } = new AbortController();
      const early = first(run, call, signal);
      await suspended.promise;
      const late = second(run, call, signal);
      await halfway.promise;
      resumed.resolve();
      await early;
      expect(await readRun()).toMatchObject({ status: 'running', pages: 2, added: 2 });
      goOn.resolve();
      await late;
      expect(await readRun()).toMatchObject({ status: 'completed', pages: filesCount, added: filesCount, errors: 0 });
      expect(log.lines).toEqual([]);
    });
  },
);
