import { expect, test } from 'vitest';
import { z } from 'zod';
import { toCard } from '#kernel/tool/card.ts';
import type { AnyTool, Effect } from '#kernel/tool/tool.ts';
import { describeRegistry } from './describe-registry.ts';

const cardOf = (name: string, effect: Effect, gated: boolean) => {
  const tool: AnyTool = {
    name,
    title: name,
    summary: `Does ${name}.`,
    guide: { when: ['ever'] },
    effect,
    gated,
    faults: [],
    input: z.strictObject({}),
    output: z.object({}),
    run: () => ({}),
  };
  return toCard(tool, 'test', 'numeric');
};
const cards = [cardOf('a/read', 'read', false), cardOf('b/write', 'create', false), cardOf('c/change', 'update', true)];
const at = { generatedAt: '2026-01-01T00:00:00.000Z' };
const disabled = (state: { mutation: boolean; readOnly: boolean }) =>
  describeRegistry(cards, { ...at, ...state }).dynamic.disabled.map(({ method }) => method);

test('[SY2] a gated tool is disabled while the gate is closed, and every write tool on a read-only server', () => {
  expect(disabled({ mutation: true, readOnly: false })).toEqual([]);
  expect(disabled({ mutation: false, readOnly: false })).toEqual(['c/change']);
  expect(disabled({ mutation: true, readOnly: true })).toEqual(['b/write', 'c/change']);
});

test('[SY2] the legacy lists and the registry name the same tools', () => {
  const described = describeRegistry(cards, { ...at, mutation: false, readOnly: false });
  expect(described.tools).toEqual([
    { method: 'a/read', stable: true, mutation: false },
    { method: 'b/write', stable: false, mutation: true },
    { method: 'c/change', stable: false, mutation: true, disabled: true },
  ]);
  expect(described.stable.tools).toEqual([{ method: 'a/read', stable: true, mutation: false }]);
  expect(described.mcp.tools.map((tool) => tool.name)).toEqual(['a/read', 'b/write', 'c/change']);
  expect(described.dynamic.mutationEnabled).toBe(false);
});

test('[SY2] lists the guarantees of a tool, and omits the field if it has none', () => {
  const guarantees = { consistency: 'bounded', delayMaxMs: 5000, deterministic: true } as const;
  const described = describeRegistry([{ ...cards[0]!, guarantees }, cards[1]!], {
    ...at,
    mutation: true,
    readOnly: false,
  });
  expect(described.mcp.tools.map((tool) => tool.guarantees)).toEqual([guarantees, undefined]);
});
