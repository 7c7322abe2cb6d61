import type { Caller } from '#kernel/call.ts';
import { createManualClock, systemClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { limits } from '#kernel/limits.ts';
import { createInvokeFixture, type InvokeFixtureOptions, type ToolFixture } from '#kernel/tool/invoke.fixture.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { writeTools } from '../instructions-toolset.ts';
import type { Proposal } from '../proposals/record-proposals.ts';
import type { AddAnswer } from '../tools/instructions-add.ts';
import type { Idempotency } from './idempotency.ts';
import { createWrites } from './writes.ts';
import type { Mutation, WritesDeps } from './writes-deps.ts';

export interface WritesFixtureOptions extends InvokeFixtureOptions {
  readonly deps?: Partial<WritesDeps>;
}

/** Treats every request as new. */
const noIdempotency: Idempotency = {
  answerOnce: (_call, work) => work(),
  savePlan: async (_call, plan) => plan,
  isDone: async () => false,
};

/** The write tools over the given catalog, called through the real `invoke`. */
export function openWrites<C extends Catalog>(catalog: C, { deps = {}, ...options }: WritesFixtureOptions = {}) {
  const clock = createManualClock();
  const mutations: Mutation[] = [];
  const proposed: Proposal[] = [];
  const writes = createWrites({
    catalog,
    idempotency: noIdempotency,
    clock,
    cursors: createCursors(new Uint8Array(32)),
    strictCreate: false,
    strictRemove: false,
    canonicalOff: false,
    owners: async () => new Map(),
    diff: async () => ({ upToDate: true, hash: 'of-diff' }),
    propose: async (_call, changes) => {
      proposed.push(...changes);
      return changes.map(({ id }) => `p-${id}`);
    },
    removedRules: async () => [],
    onMutation: (_call, mutation) => void mutations.push(mutation),
    ...deps,
  });
  const tools = writeTools.map(
    (tool): ToolFixture => ({
      ...tool, // The fixture's clock is fixed; a real store uses the real time.
      run: (input, call) =>
        tool.run({ writes }, input, { ...call, deadlineAt: systemClock.now() + limits.callDeadlineMs }),
    }),
  );
  const invoker = createInvokeFixture(tools, options);
  const call = async (
    action: string,
    args: unknown = {},
    caller?: Caller,
    idempotencyKey?: string,
  ): Promise<Record<string, unknown>> => {
    const outcome = await invoker.call(`instructions/${action}`, args, {
      ...(caller !== undefined && { caller }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    if (!outcome.ok) throw outcome.fault;
    if (invoker.bugs.length > 0) throw invoker.bugs[0]?.error;
    return outcome.value as Record<string, unknown>;
  };
  const add = async (entry: object, more: object = {}): Promise<AddAnswer> =>
    (await call('add', { entry, lax: true, ...more })) as Partial<AddAnswer> as AddAnswer;
  return { invoker, clock, catalog, writes, mutations, proposed, call, add };
}
