import { expect, test } from 'vitest';
import { localTenant } from '#kernel/call.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import type { Invoke, Outcome } from '#kernel/tool/invoke.ts';
import { allCards } from './generate/generate.ts';
import { logCalls } from './log-calls.ts';

const caller = { tenant: localTenant, actor: 'tester', scopes: new Set(['admin'] as const) };
const invoke: Invoke = async ({ name }) =>
  ({ ok: true, card: allCards().find((card) => card.name === name), value: {}, text: '{}' }) as Outcome;

const said = async (settings: { everyCall: boolean; writes: boolean }): Promise<readonly unknown[]> => {
  const log = createLogFixture();
  const logged = logCalls(invoke, log, settings);
  await logged({ name: 'probe/noop', args: { secret: 'hunter2' }, caller });
  await logged({ name: 'probe/put', args: { secret: 'hunter2' }, caller });
  expect(JSON.stringify(log.lines)).not.toContain('hunter2');
  return log.lines.map((line) => line.fields['tool']);
};

test('writes a line for every call, for writes alone, or for none, and never an argument', async () => {
  expect(await said({ everyCall: true, writes: false })).toEqual(['probe/noop', 'probe/put']);
  expect(await said({ everyCall: false, writes: true })).toEqual(['probe/put']);
  expect(await said({ everyCall: false, writes: false })).toEqual([]);
});
