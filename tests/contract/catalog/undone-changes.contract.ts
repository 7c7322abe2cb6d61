import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toEntryText } from '#domains/instructions/catalog/entry-json.ts';
import { listVersions, recordVersions } from '#domains/instructions/history/version-store.ts';
import { findProposal } from '#domains/instructions/proposals/proposal-store.ts';
import { createPropose } from '#domains/instructions/proposals/record-proposals.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import { createIds } from '#kernel/ids/ids.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { openCatalogFolder } from './catalog-folder.fixture.ts';
import { toEntry } from './open-catalog.fixture.ts';

/** A catalog with the entry `a` whose next change is decided in the store and then hindered by somebody else. */
async function openHindered(hinder: (folder: Awaited<ReturnType<typeof openCatalogFolder>>) => Promise<void> | void) {
  const folder = await openCatalogFolder();
  let isArmed = false;
  const storage: Storage = {
    ...folder.storage,
    async write(call, work) {
      const answer = await folder.storage.write(call, work);
      if (isArmed) {
        isArmed = false;
        await hinder(folder);
      }
      return answer;
    },
  };
  const { catalog } = folder.open({}, storage);
  const state = await catalog.commit(folder.call(), [
    { id: 'a', before: null, after: toEntry({ id: 'a', body: 'first' }) },
  ]);
  // The work in the background writes too.
  await catalog.search(folder.call(), { text: 'x', limit: 1 });
  return {
    folder,
    catalog,
    before: state.find('a')!.etag,
    arm: () => {
      isArmed = true;
    },
    async versions() {
      await catalog.search(folder.call(), { text: 'x', limit: 1 });
      const rows = await folder.storage.read(folder.call(), (db) => listVersions(db, 'a', 100, 100));
      return rows.toReversed().map(({ number, what, author }) => `${number} ${what} ${author}`);
    },
  };
}

const editByHand = (folder: Awaited<ReturnType<typeof openCatalogFolder>>) =>
  writeFileSync(folder.path('a.json'), toEntryText(toEntry({ id: 'a', body: 'by hand' })));

export function describeUndoneChanges(): void {
  describe('[IN54] a change that was recorded and then undone', () => {
    test.each([
      ['an overwrite', toEntry({ id: 'a', body: 'second' })],
      ['a removal', null],
    ])('%s leaves no version, and its proposal is open again', async (_what, after) => {
      const { folder, catalog, before, arm, versions } = await openHindered(editByHand);
      const propose = createPropose({ storage: folder.storage, catalog, ids: createIds(systemClock) });
      const [proposalId = ''] = await propose(folder.call({ actor: 'agent' }), [{ id: 'a', before, after }]);
      const stateOf = async () =>
        (await folder.storage.read(folder.call(), (db) => findProposal(db, proposalId)))?.state;
      const proposal = { proposalId, author: 'agent', reason: null, decision: null };
      arm();
      await expect(catalog.commit(folder.call(), [{ id: 'a', before, after, proposal }])).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect(await stateOf()).toBe('pending');
      // A removal had forgotten the entry, so that it counts as new.
      expect(await versions()).toEqual(['1 create tester', `2 ${after === null ? 'create' : 'update'} file`]);
      const present = (await catalog.state(folder.call())).find('a')!.etag;
      await catalog.commit(folder.call(), [{ id: 'a', before: present, after, proposal }]);
      expect(await stateOf()).toBe('approved');
      expect((await versions()).at(-1)).toBe(`3 ${after === null ? 'delete' : 'update'} agent`);
      const decidedTwice = catalog.commit(folder.call(), [
        { id: 'b', before: null, after: toEntry({ id: 'b', body: 'x' }), proposal },
      ]);
      await expect(decidedTwice).rejects.toMatchObject({ code: 'CONFLICT' });
      expect((await catalog.state(folder.call())).find('b')).toBeUndefined();
    });

    test('keeps the deletion that another process recorded after it', async () => {
      const { folder, catalog, before, arm, versions } = await openHindered(async (place) => {
        rmSync(place.path('a.json'));
        await place.storage.write(place.call({ actor: 'other', audit: 'none' }), (db) =>
          recordVersions(db, { actor: 'other', tool: 'instructions/remove' }, [
            { id: 'a', what: 'delete', etag: 'x', document: null },
          ]),
        );
      });
      arm();
      const after = toEntry({ id: 'a', body: 'second' });
      await expect(catalog.commit(folder.call(), [{ id: 'a', before, after }])).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect((await versions()).slice(0, 3)).toEqual(['1 create tester', '2 update tester', '3 delete other']);
    });
  });
}
