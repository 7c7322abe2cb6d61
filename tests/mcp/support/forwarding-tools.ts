import { z } from 'zod';
import { createForwardAction } from '#domains/instructions/reads/dispatch.ts';
import { instructionsDispatch } from '#domains/instructions/tools/instructions-dispatch.ts';
import { toolsCall } from '#domains/system/tools/tools-call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type Card, toCards } from '#kernel/tool/card.ts';
import { type BoundTool, bindToolset } from '#kernel/tool/registry.ts';
import { defineTool, defineToolset } from '#kernel/tool/tool.ts';

const sampleAction = defineTool({
  name: 'instructions/sample',
  title: 'Sample action',
  summary: 'Returns its arguments, or fails when asked to.',
  guide: { when: ['a test needs it'] },
  effect: 'read',
  input: z.looseObject({ fails: z.boolean().optional() }),
  output: z.looseObject({}),
  faults: ['NOT_FOUND'],
  run: (_domain: unknown, input) => {
    if (input.fails === true) throw faults.NOT_FOUND({ what: 'anything' }, { reason: 'asked to fail' });
    return input;
  },
});

const systemTools = defineToolset({ name: 'system', faultForm: 'numeric', tools: [toolsCall] });
const instructionTools = defineToolset({
  name: 'instructions',
  faultForm: 'numeric',
  tools: [instructionsDispatch, sampleAction],
});

export const forwardingCards: readonly Card[] = [...toCards(systemTools), ...toCards(instructionTools)];

/** The program's own `tools_call` and `instructions_dispatch`, with one action to dispatch to. */
export const forwardingLoaders: Readonly<Record<string, () => Promise<ReadonlyMap<string, BoundTool>>>> = {
  system: async () => bindToolset(systemTools, undefined as never),
  instructions: async () =>
    bindToolset(instructionTools, { reads: { dispatch: createForwardAction(forwardingCards) } }),
};
