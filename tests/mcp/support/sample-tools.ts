import { z } from 'zod';
import { defineFaults, fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type AnyTool, defineTool, defineToolset, type FaultForm, type Toolset } from '#kernel/tool/tool.ts';

/** The domain of the sample tools: notes in memory, and a promise that holds slow calls. */
export interface Sample {
  readonly notes: Map<string, string>;
  /** Aborted calls of `sample/slow`. */
  stoppedCount: number;
  /** Called when a slow call has begun. */
  began(): void;
  /** Holds slow calls until the test resolves it. */
  readonly held: Promise<void>;
  changed(id: string, what: 'create' | 'update' | 'delete'): void;
}

const sampleFaults = defineFaults({
  NO_LUCK: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: (p: { why: string }) => `No luck: ${p.why}`,
    fix: 'Try something else.',
  }),
});

const guide = { when: ['a test needs it'], not: ['anything else is meant'] };

const noop = defineTool({
  name: 'sample/noop',
  title: 'Do nothing',
  summary: 'Answers at once.',
  guide,
  effect: 'read',
  listed: true,
  input: z.strictObject({}),
  output: z.object({ ok: z.literal(true) }),
  faults: [],
  run: () => ({ ok: true as const }),
});

const echo = defineTool({
  name: 'sample/echoAll',
  title: 'Echo',
  summary: 'Answers with what it was given.',
  guide,
  effect: 'read',
  listed: true,
  input: z.strictObject({
    text: z.string().optional(),
    count: z.int().min(0).max(9).optional(),
    open: z.record(z.string(), z.unknown()).optional(),
  }),
  output: z.object({ given: z.looseObject({}) }),
  faults: [],
  run: (_: Sample, input) => ({ given: input }),
});

const fail = defineTool({
  name: 'sample/fail',
  title: 'Fail',
  summary: 'Fails as it is told.',
  guide,
  effect: 'read',
  listed: true,
  input: z.strictObject({ how: z.enum(['fault', 'bug', 'shape']) }),
  output: z.object({ ok: z.literal(true) }),
  faults: ['NO_LUCK'],
  run: (_: Sample, { how }) => {
    if (how === 'fault') throw sampleFaults.NO_LUCK({ why: 'it was told so' }, { asked: how });
    if (how === 'bug') throw new TypeError('secret words of a bug');
    return { ok: false } as never;
  },
});

const slow = defineTool({
  name: 'sample/slow',
  title: 'Work for long',
  summary: 'Reports progress and waits to be let go or cancelled.',
  guide,
  effect: 'read',
  streams: true,
  input: z.strictObject({}),
  output: z.object({ finished: z.boolean() }),
  faults: [],
  run: async (sample: Sample, _, call) => {
    for (const step of [1, 2, 2, 3]) call.progress(step, 3, `step ${step}`);
    return hold(sample, call.signal);
  },
});

const wait = defineTool({
  name: 'sample/wait',
  title: 'Wait',
  summary: 'Waits to be let go or cancelled, on the fast path.',
  guide,
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({ finished: z.boolean() }),
  faults: [],
  run: (sample: Sample, _, call) => hold(sample, call.signal),
});

async function hold(sample: Sample, signal: AbortSignal): Promise<{ finished: boolean }> {
  sample.began();
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => {
      sample.stoppedCount += 1;
      resolve();
    });
  });
  await Promise.race([sample.held, stopped]);
  return { finished: !signal.aborted };
}

const big = defineTool({
  name: 'sample/big',
  title: 'Answer at length',
  summary: 'Answers with as many characters as asked for.',
  guide,
  effect: 'read',
  input: z.strictObject({ chars: z.int() }),
  output: z.object({ text: z.string() }),
  faults: [],
  run: (_: Sample, { chars }) => ({ text: 'x'.repeat(chars) }),
});

const write = defineTool({
  name: 'sample/write',
  title: 'Write a note',
  summary: 'Keeps a note.',
  guide,
  effect: 'create',
  listed: true,
  input: z.strictObject({ id: z.string(), text: z.string() }),
  output: z.object({ id: z.string(), key: z.string().nullable() }),
  faults: [],
  run: (sample: Sample, { id, text }, call) => {
    const what = sample.notes.has(id) ? 'update' : 'create';
    sample.notes.set(id, text);
    sample.changed(id, what);
    return { id, key: call.idempotencyKey ?? null };
  },
});

const read = defineTool({
  name: 'sample/read',
  title: 'Read a note',
  summary: 'Gives a note.',
  guide,
  effect: 'read',
  input: z.strictObject({ id: z.string() }),
  output: z.object({ text: z.string() }),
  faults: ['NOT_FOUND'],
  run: (sample: Sample, { id }) => {
    const text = sample.notes.get(id);
    if (text === undefined) throw faults.NOT_FOUND({ what: `note ${id}` });
    return { text };
  },
});

const ids = defineTool({
  name: 'sample/ids',
  title: 'List notes',
  summary: 'Gives the ids of all notes.',
  guide,
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({ ids: z.array(z.string()) }),
  faults: [],
  run: (sample: Sample) => ({ ids: [...sample.notes.keys()].sort() }),
});

const failIn = (name: string): AnyTool<Sample> => ({ ...fail, name, listed: false });

const family = (name: string, faultForm: FaultForm, tools: readonly unknown[]): Toolset<Sample> =>
  defineToolset({ name, faultForm, tools: tools as readonly AnyTool<Sample>[] });

/** One toolset per error form. */
export const sampleToolsets: readonly Toolset<Sample>[] = [
  family('sample', 'numeric', [noop, echo, fail, slow, wait, big, write, read, ids]),
  family('sample_plain', 'plain', [failIn('plain_fail')]),
  family('sample_flagged', 'flagged', [failIn('flagged_fail')]),
  family('sample_traced', 'traced', [failIn('traced_fail')]),
];
