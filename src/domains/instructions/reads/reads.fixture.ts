import { z } from 'zod';
import { type Caller, localTenant } from '#kernel/call.ts';
import { type Clock, createManualClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { createCountedIds } from '#kernel/ids/ids.ts';
import { openLimiter } from '#kernel/limiter/limiter.ts';
import { toCards } from '#kernel/tool/card.ts';
import { toRpcError } from '#kernel/tool/fault-forms.ts';
import type { Permits } from '#kernel/tool/gate.ts';
import { type BugReport, createInvoke, type Invocation } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { bindToolset, createRegistry } from '#kernel/tool/registry.ts';
import { defineTool, defineToolset } from '#kernel/tool/tool.ts';
import { createMemoryCatalog } from '../catalog/memory-catalog.fixture.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { readTools } from '../instructions-toolset.ts';
import type { RuleRecords } from '../serving/rule-records.ts';
import { createReads, type Reads } from './reads.ts';
import type { ReadsDeps, UsageCount } from './reads-deps.ts';

interface Domain {
  readonly reads: Reads;
}

/** A store in which nothing was recorded. */
const noRecords = (clock: Clock): RuleRecords => ({
  isServingRecorded: () => true,
  activity: async () => ({ now: clock.now(), lastActiveAt: () => undefined, openSignalsCount: () => 0 }),
  remarksOf: async () => new Map(),
  newestRemarks: async () => ({ open: [], comments: [] }),
  signalTotals: async () => ({}),
  servedRules: async () => [],
  servedTo: async () => undefined,
});

/** A gated write that returns its idempotency key. */
const fakeAdd = defineTool({
  name: 'instructions/add',
  title: 'Fake add',
  summary: 'Replaces the real tool in a test.',
  guide: { when: ['a test'], example: {} },
  effect: 'create',
  gated: true,
  input: z.strictObject({ entry: z.looseObject({}) }),
  output: z.object({ created: z.boolean(), key: z.string().optional() }),
  faults: [],
  run: (_domain: Domain, _input, { idempotencyKey }) =>
    idempotencyKey === undefined ? { created: true } : { created: true, key: idempotencyKey },
});

export interface ReadsOptions extends Partial<ReadsDeps> {
  readonly permits?: Permits;
}

/** The read tools over a catalog in memory, called through the real `invoke`, with what they traced and counted. */
export function openReads(entries: readonly InstructionEntry[], options: ReadsOptions = {}) {
  const toolset = defineToolset<Domain>({
    name: 'instructions',
    faultForm: 'numeric',
    tools: [...readTools, fakeAdd],
  });
  const cards = toCards(toolset);
  const catalog = createMemoryCatalog(...entries);
  const counts = new Map<string, UsageCount>();
  const traces: (readonly [category: string, fields: Readonly<Record<string, unknown>>])[] = [];
  const counters: string[] = [];
  const served: string[] = [];
  const bugs: BugReport[] = [];
  const meter = createToolMeter();
  const clock = createManualClock();
  const permits = options.permits ?? { mutation: true, readOnly: false };
  const reads = createReads({
    catalog: catalog,
    usage: {
      countsOf: async (_call, ids) =>
        new Map(
          ids.flatMap((id) => {
            const count = counts.get(id);
            return count === undefined ? [] : [[id, count] as const];
          }),
        ),
    },
    records: noRecords(clock),
    recordServed: (_call, { applies, mayApply = [] }) => {
      served.push(...applies, ...mayApply.map((id) => `may ${id}`));
    },
    cursors: () => createCursors(new Uint8Array(32)),
    clock,
    version: '1.2.3',
    protocolVersion: '2025-11-25',
    permits,
    meter,
    cards,
    govTrailingNewline: false,
    isUsageOn: () => true,
    trace: (category, fields) => void traces.push([category, fields]),
    count: (counter) => void counters.push(counter),
    compareWithManifest: async () => ({ manifest: 'missing', drift: 0, details: [] }),
    ...options,
  });
  const invoke = createInvoke({
    registry: createRegistry(cards, { instructions: async () => bindToolset(toolset, { reads }) }),
    permits,
    limiter: openLimiter,
    meter,
    clock,
    ids: createCountedIds(),
    reportBug: (report) => void bugs.push(report),
  });
  const caller: Caller = { tenant: localTenant, actor: 'ada', scopes: new Set(['admin']) };

  /** Returns the value, or the error in the legacy form. Throws a bug. */
  async function ask(name: string, args: unknown = {}, part: Partial<Invocation> = {}): Promise<Answer> {
    const outcome = await invoke({ name: `instructions/${name}`, args, caller, ...part });
    const [bug] = bugs;
    if (bug !== undefined) throw bug.error;
    return (outcome.ok ? outcome.value : { error: toRpcError(outcome.fault, 'legacy') }) as Answer;
  }

  return { ask, reads, catalog: catalog, counts, traces, counters, served, meter };
}

export interface Answer {
  readonly [key: string]: unknown;
  readonly items: readonly (InstructionEntry & { readonly [key: string]: unknown })[];
  readonly error?: { readonly code: number; readonly message: string; readonly data: Record<string, unknown> };
}

export const idsOf = ({ items }: Pick<Answer, 'items'>): readonly string[] => items.map(({ id }) => id);
