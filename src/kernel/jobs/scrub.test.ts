import { expect, test } from 'vitest';
import { migrations } from '#migrations/all.ts';
import { silentLog } from '../log/log.ts';
import { putInTrash } from '../storage/trash.ts';
import { describeOnEngines } from './engines.fixture.ts';
import { createScrub } from './scrub.ts';
import { systemCall } from './system-call.ts';

const signal = new AbortController().signal;

describeOnEngines(
  'the background check',
  (engine) => {
    test('goes through all items, logs and counts damaged ones, and ends the pass', async () => {
      const tenant = engine.newTenant();
      await engine.storage().write(systemCall('test', { tenant }), function* (db) {
        for (let i = 0; i < 250; i += 1) yield* putInTrash(db, 'note', `n${i}`, `text ${i}`, 'ada');
      });
      const lines: { readonly level: string; readonly facts: object; readonly text: string }[] = [];
      const keep = (level: string) => (facts: object, text: string) => void lines.push({ level, facts, text });
      const log = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
      const scrub = createScrub({
        storage: engine.storage(),
        migrations: async () => migrations,
        tenants: async () => [tenant],
        log,
      });
      await scrub.job.run(signal);
      expect(scrub.progress()).toMatchObject({ passesCount: 1, damagedCount: 0 });
      expect(lines).toMatchObject([{ level: 'info', facts: { damaged: 0 } }]);
      await engine.testStore().tamper(`update trash set document = 'x' where tenant = '${tenant}' and id = 'n7'`);
      await scrub.job.run(signal);
      expect(scrub.progress()).toMatchObject({ passesCount: 2, rowsCount: 0, damagedCount: 1 });
      expect(lines.slice(1)).toMatchObject([
        { level: 'warn', facts: { tenant, item: expect.stringContaining('n7') } },
        { level: 'info', facts: { rows: 250, damaged: 1 } },
      ]);
    });

    test('stops between two pages when its lease is lost, and continues there', async () => {
      const tenant = engine.newTenant();
      await engine.storage().write(systemCall('test', { tenant }), function* (db) {
        for (let i = 0; i < 250; i += 1) yield* putInTrash(db, 'note', `n${i}`, `text ${i}`, 'ada');
      });
      const controller = new AbortController();
      const scrub = createScrub({
        storage: engine.storage(),
        migrations: async () => migrations,
        tenants: async () => [tenant],
        log: silentLog,
        random: () => 0,
      });
      const stopped = scrub.job.run(controller.signal);
      controller.abort();
      await stopped.catch(() => {});
      expect(scrub.progress()).toMatchObject({ passesCount: 0 });
      await scrub.job.run(signal);
      expect(scrub.progress()).toMatchObject({ passesCount: 1 });
    });
  },
  undefined,
  'damaged',
);
