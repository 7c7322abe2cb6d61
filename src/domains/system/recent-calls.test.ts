import { expect, test } from 'vitest';
import { type Caller, toTenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Card } from '#kernel/tool/card.ts';
import type { Outcome } from '#kernel/tool/invoke.ts';
import { createRecentCalls } from './recent-calls.ts';

function open() {
  const calls = createRecentCalls({ clock: createManualClock(0) });
  const invoke = calls.track(async ({ name }) => {
    const card = { name, toolset: 'notebooks' } as Card;
    return { ok: !name.startsWith('bad'), card, value: {}, text: '{}' } as Outcome;
  });
  const as = (tenant: string, part: object = {}): Caller => ({
    ...{ tenant: toTenantId(tenant), actor: 'key:1', scopes: new Set(['read'] as const) },
    ...part,
  });
  return { calls, call: (name: string, caller: Caller) => invoke({ name, args: {}, caller }), as };
}

test('[SY12] lists the last calls of a tenant, newest first, and joins equal ones', async () => {
  const { calls, call, as } = open();
  for (const name of ['read', 'read', 'bad', 'read']) await call(name, as('a'));
  await call('other', as('b'));
  expect(calls.list(toTenantId('a')).map(({ tool, ok, count }) => [tool, ok, count])).toEqual([
    ['read', true, 1],
    ['bad', false, 1],
    ['read', true, 2],
  ]);
  expect(calls.list(toTenantId('b'))).toEqual([
    { actor: 'key:1', tool: 'other', memory: 'notebooks', ok: true, count: 1, at: '1970-01-01T00:00:00.000Z' },
  ]);
});

test('[SY12] leaves out the calls of people in a browser, and keeps a limited number', async () => {
  const { calls, call, as } = open();
  await call('page', as('a', { isSignedIn: true }));
  expect(calls.list(toTenantId('a'))).toEqual([]);
  for (let n = 0; n < 50; n += 1) await call(`tool-${n}`, as('a'));
  const tools = calls.list(toTenantId('a')).map(({ tool }) => tool);
  expect(tools).toHaveLength(20);
  expect(tools[0]).toBe('tool-49');
});
