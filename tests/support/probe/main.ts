// oxlint-disable-next-line import/no-unassigned-import -- comes first, so that nothing writes to stdout before it.
import '../../../src/entry/stdout-guard.ts';
import { toCards } from '#kernel/tool/card.ts';
import { bindToolset } from '#kernel/tool/registry.ts';
import { runMain } from '../../../src/entry/run-main.ts';
import { createProbe } from './probe.ts';
import { probeToolset } from './probe-toolset.ts';

await runMain([
  {
    name: probeToolset.name,
    cards: toCards(probeToolset),
    load: async ({ storage }) => bindToolset(probeToolset, createProbe(storage)),
  },
]);
