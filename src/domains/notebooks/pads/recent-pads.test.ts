import { expect, test } from 'vitest';
import { toTenantId } from '#kernel/call.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { FullPad } from '../notebook-model.ts';
import type { PadRow } from './pad-store.ts';
import { toFullPad } from './pad-views.ts';
import { createRecentPads } from './recent-pads.ts';

const tenant = toTenantId('one');

const row = (part: Partial<PadRow> = {}): PadRow => ({
  ...{ scratch_id: 'p', pad_key: 'k', namespace_key: '', namespace: null, title: null, description: null },
  ...{ summary: null, tags: '[]', cell_tags: '[]', metadata: '{}', cell_count: 0, revision: 1 },
  ...{ created_at: 0, updated_at: 0, has_schemas: 0 },
  ...part,
});
const shown = (of: PadRow): FullPad => toFullPad(of, [], []);

test('returns a cached pad to its tenant while its row is unchanged', () => {
  const recent = createRecentPads();
  const pad = shown(row());
  recent.keep(tenant, row(), pad, 10);
  expect(recent.find(tenant, row())).toBe(pad);
  expect(recent.find(toTenantId('two'), row())).toBeUndefined();
  expect(recent.find(tenant, row({ revision: 2 }))).toBeUndefined();
  expect(recent.find(tenant, row({ pad_key: 'other' }))).toBeUndefined();
  expect(recent.find(tenant, row({ namespace: 'renamed' }))).toBeUndefined();
});

test('drops the oldest pads at the limit and does not cache large ones', () => {
  const recent = createRecentPads(100);
  for (const scratch_id of ['a', 'b', 'c']) recent.keep(tenant, row({ scratch_id }), shown(row({ scratch_id })), 40);
  expect(recent.find(tenant, row({ scratch_id: 'a' }))).toBeUndefined();
  expect(recent.find(tenant, row({ scratch_id: 'b' }))).toBeDefined();
  expect(recent.find(tenant, row({ scratch_id: 'c' }))).toBeDefined();
  recent.keep(tenant, row({ scratch_id: 'c' }), shown(row({ scratch_id: 'c' })), notebookLimits.recentPadBytes + 1);
  expect(recent.find(tenant, row({ scratch_id: 'c' }))).toBeUndefined();
  recent.keep(tenant, row({ scratch_id: 'd' }), shown(row({ scratch_id: 'd' })), 60);
  expect(recent.find(tenant, row({ scratch_id: 'b' }))).toBeDefined();
});
