import { z } from 'zod';
import { defineTool, defineToolset } from '#kernel/tool/tool.ts';
import type { Probe } from './probe.ts';

const id = z.string().min(1).max(100);

const noop = defineTool({
  name: 'probe/noop',
  title: 'Do nothing',
  summary: 'Does nothing.',
  guide: { when: ['you measure the program itself'], example: {} },
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({ ok: z.literal(true) }),
  faults: [],
  run: (_probe: Probe) => ({ ok: true as const }),
});

const put = defineTool({
  name: 'probe/put',
  title: 'Keep a text',
  summary: 'Writes one durable row.',
  guide: { when: ['you measure a durable write'], example: { id: 'a', text: 'b' } },
  effect: 'create',
  input: z.strictObject({ id, text: z.string().max(10_000) }),
  output: z.object({ id, hash: z.string() }),
  faults: [],
  run: (probe: Probe, input, call) => probe.put(input.id, input.text, call),
});

const get = defineTool({
  name: 'probe/get',
  title: 'Read a text',
  summary: 'Reads the newest row of an id.',
  guide: { when: ['you measure a read from the store'], example: { id: 'a' } },
  effect: 'read',
  input: z.strictObject({ id }),
  output: z.object({ id, text: z.string().nullable() }),
  faults: [],
  run: (probe: Probe, input, call) => probe.get(input.id, call),
});

const fill = defineTool({
  name: 'probe/fill',
  title: 'Keep many texts',
  summary: 'Writes many durable rows in several transactions.',
  guide: { when: ['you measure a bulk write'], example: { count: 10 } },
  effect: 'create',
  input: z.strictObject({ count: z.int().min(1).max(10_000) }),
  output: z.object({ count: z.int() }),
  faults: [],
  run: (probe: Probe, { count }, call) => probe.fill(count, call),
});

const stalls = defineTool({
  name: 'probe/stalls',
  title: 'Longest stall',
  summary: 'The longest time the event loop was blocked since the last call.',
  guide: { when: ['you measure fairness'], example: {} },
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({ maxMs: z.number() }),
  faults: [],
  run: (probe: Probe) => ({ maxMs: probe.takeLongestStallMs() }),
});

export const probeToolset = defineToolset<Probe>({
  name: 'probe',
  faultForm: 'numeric',
  tools: [noop, put, get, fill, stalls],
});
