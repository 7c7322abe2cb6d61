import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { createEntry, createMemoryCatalog } from '../catalog/memory-catalog.fixture.ts';
import { openQuality } from '../usage/quality.fixture.ts';
import { findDrift, integrityLimits, manifestFileName } from './integrity.ts';

test('reports no issues for an intact catalog', async () => {
  const { ask, catalog } = openQuality();
  const { hash } = await catalog.state({} as never);
  expect(await ask('integrity/verify')).toEqual({ hash, count: 2, issues: [], issueCount: 0 });
});

test('[IN38] reports an edited body with both hashes', async () => {
  const { ask, catalog } = openQuality();
  const entry = createEntry({ id: 'alpha' });
  catalog.put({ ...entry, body: 'changed' });
  const issue = { id: 'alpha', expected: entry.sourceHash, actual: sha256Hex('changed') };
  expect(await ask('integrity/verify')).toMatchObject({ count: 2, issues: [issue], issueCount: 1 });
});

test('ignores line ends and trailing spaces, unless bodies are stored as they are', async () => {
  const entry = createEntry({ id: 'alpha', body: 'one\ntwo' });
  const edited = { ...entry, body: 'one  \r\ntwo\r\n' };
  const sound = openQuality();
  sound.catalog.put(edited);
  expect(await sound.ask('integrity/verify')).toMatchObject({ issueCount: 0 });
  const strict = openQuality({ canonicalOff: true });
  strict.catalog.put(edited);
  expect(await strict.ask('integrity/verify')).toMatchObject({
    issues: [{ id: 'alpha', actual: sha256Hex(edited.body) }],
  });
});

test('counts all issues and cuts the list at the limit', async () => {
  const ids = Array.from({ length: integrityLimits.reportedCount + 1 }, (_, i) => `e${i}`);
  const catalog = createMemoryCatalog(...ids.map((id) => createEntry({ id })));
  catalog.put(...ids.map((id) => ({ ...createEntry({ id }), sourceHash: 'x' })));
  const answer = await openQuality({ catalog }).ask('integrity/verify');
  expect(answer).toMatchObject({ issueCount: ids.length, truncated: true });
  expect(answer['issues']).toHaveLength(integrityLimits.reportedCount);
});

test('yields to the event loop during a long verification and stops when the call is cancelled', async () => {
  const catalog = createMemoryCatalog();
  const body = 'x'.repeat(50_000);
  catalog.put(...Array.from({ length: 41 }, (_, i) => createEntry({ id: `e${i}`, body })));
  const { integrity, callOf } = openQuality({ catalog });
  const controller = new AbortController();
  const verifying = integrity.verify({ ...callOf('test'), signal: controller.signal });
  setImmediate(() => controller.abort(new Error('over')));
  await expect(verifying).rejects.toThrow('over');
});

const manifestOf = (...items: readonly object[]) => ({ [manifestFileName]: JSON.stringify({ items }) });

test('reports no drift without a manifest', async () => {
  expect(await openQuality().ask('integrity/manifest')).toEqual({ manifest: 'missing', drift: 0, details: [] });
});

test('reports no drift for a manifest of the current catalog', async () => {
  const files = manifestOf(createEntry({ id: 'alpha' }), { ...createEntry({ id: 'beta' }), note: 'kept' });
  expect(await openQuality({ files }).ask('integrity/manifest')).toEqual({
    manifest: 'present',
    drift: 0,
    details: [],
  });
});

test('[IN39] reports entries that were added, removed or changed since the manifest', async () => {
  const files = manifestOf({ id: 'zeta', sourceHash: 'z' }, { id: 'alpha', sourceHash: 'other' });
  expect(await openQuality({ files }).ask('integrity/manifest')).toEqual({
    manifest: 'present',
    drift: 3,
    details: [
      { id: 'alpha', change: 'hash-mismatch' },
      { id: 'beta', change: 'added' },
      { id: 'zeta', change: 'removed' },
    ],
  });
});

test.each([
  ['invalid JSON', '{'],
  ['no items', '{}'],
  ['an item without hash', '{"items":[{"id":"a"}]}'],
  ['a duplicate id', JSON.stringify({ items: [createEntry({ id: 'alpha' }), createEntry({ id: 'alpha' })] })],
])('reports a manifest with %s as invalid, with the reason', async (_what, text) => {
  const { ask } = openQuality({ files: { [manifestFileName]: text } });
  const problem = expect.stringContaining(manifestFileName);
  expect(await ask('integrity/manifest')).toEqual({ manifest: 'invalid', drift: 0, details: [], problem });
});

test('counts all drift and cuts the list at the limit', async () => {
  const items = Array.from({ length: integrityLimits.reportedCount + 5 }, (_, i) => ({ id: `e${i}`, sourceHash: 'x' }));
  const answer = await openQuality({ files: manifestOf(...items) }).ask('integrity/manifest');
  expect(answer).toMatchObject({ drift: items.length + 2, truncated: true });
  expect(answer['details']).toHaveLength(integrityLimits.reportedCount);
});

test('finds drift exactly when the two sides differ', async () => {
  const side = fc.uniqueArray(
    fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), sourceHash: fc.constantFrom('1', '2') }),
    {
      selector: ({ id }) => id,
    },
  );
  const { signal } = new AbortController();
  await fc.assert(
    fc.asyncProperty(side, side, async (entries, items) => {
      const drift = await findDrift(entries, items, signal);
      const toText = (list: typeof entries) => list.map(({ id, sourceHash }) => `${id}:${sourceHash}`).sort();
      expect(drift.length === 0).toBe(toText(entries).join() === toText(items).join());
      const reversed = await findDrift(items, entries, signal);
      expect(reversed.map(({ id }) => id)).toEqual(drift.map(({ id }) => id));
    }),
  );
});
