import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Caller, localTenant, type Scope } from '../call.ts';
import { systemClock } from '../clock/clock.ts';
import { createCountedIds } from '../ids/ids.ts';
import { openLimiter } from '../limiter/limiter.ts';
import { toCards } from './card.ts';
import { createInvoke } from './invoke.ts';
import { createToolMeter } from './meter.ts';
import { bindToolset, createRegistry } from './registry.ts';
import { defineTool, defineToolset } from './tool.ts';

const tidy = defineTool({
  name: 'test/tidy',
  title: 'Tidy',
  summary: 'Tidies, or says what it would do.',
  guide: { when: ['ever'] },
  effect: 'update',
  gated: true,
  input: z.strictObject({ dryRun: z.boolean().default(false) }),
  output: z.object({ dryRun: z.boolean() }),
  faults: [],
  readsWhen: ({ dryRun }) => dryRun,
  run: (_domain: object, { dryRun }) => ({ dryRun }),
});
const toolset = defineToolset<object>({ name: 'test', faultForm: 'numeric', tools: [tidy] });

const codeOf = async (args: object, permits: { mutation: boolean; readOnly: boolean }, scope: Scope = 'admin') => {
  const invoke = createInvoke({
    registry: createRegistry(toCards(toolset), { test: async () => bindToolset(toolset, {}) }),
    permits,
    limiter: openLimiter,
    meter: createToolMeter(),
    clock: systemClock,
    ids: createCountedIds(),
    reportBug({ error }) {
      throw error;
    },
  });
  const caller: Caller = { tenant: localTenant, actor: 'a', scopes: new Set([scope]) };
  const outcome = await invoke({ name: 'test/tidy', args, caller });
  return outcome.ok ? 'ok' : outcome.fault.code;
};

test('a dry run of a writing tool passes a shut gate, a read-only server and a reader’s key; the real run does not', async () => {
  const dry = { dryRun: true };
  expect(await codeOf(dry, { mutation: false, readOnly: false })).toBe('ok');
  expect(await codeOf(dry, { mutation: false, readOnly: true })).toBe('ok');
  expect(await codeOf(dry, { mutation: true, readOnly: false }, 'read')).toBe('ok');
  expect(await codeOf({}, { mutation: false, readOnly: false })).toBe('MUTATION_DISABLED');
  expect(await codeOf({}, { mutation: true, readOnly: true })).toBe('READ_ONLY');
  expect(await codeOf({}, { mutation: true, readOnly: false }, 'read')).toBe('PERMISSION_DENIED');
  expect(await codeOf({}, { mutation: true, readOnly: false })).toBe('ok');
});
