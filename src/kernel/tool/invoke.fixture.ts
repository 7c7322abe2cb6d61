import { z } from 'zod';
import { type Caller, localTenant, type Scope } from '../call.ts';
import { createManualClock } from '../clock/clock.ts';
import type { Fault } from '../fault/fault.ts';
import { createCountedIds } from '../ids/ids.ts';
import { createLimiter, openLimiter } from '../limiter/limiter.ts';
import { toCards } from './card.ts';
import { type BugReport, createInvoke, type Invocation, type Outcome } from './invoke.ts';
import { createToolMeter } from './meter.ts';
import { bindToolset, createRegistry } from './registry.ts';
import type { AnyTool, ToolCall } from './tool.ts';

/** The tool fixtures need no domain. */
type Domain = undefined;

export type ToolFixture = Partial<Omit<AnyTool<Domain>, 'run'>> & {
  readonly name: string;
  run?(input: never, call: ToolCall): unknown;
};

/** By default a tool that reads, accepts anything and answers `{ ok: true }`. */
const toTool = ({ run, ...facts }: ToolFixture): AnyTool<Domain> => ({
  title: `The tool ${facts.name}`,
  summary: 'Planted for a test.',
  guide: { when: ['a test'] },
  effect: 'read',
  faults: [],
  input: z.looseObject({}),
  output: z.looseObject({}),
  ...facts,
  run: (_domain, input, call) => (run === undefined ? { ok: true } : run(input, call)),
});

export const admin: Caller = { tenant: localTenant, actor: 'ada', scopes: new Set(['admin']) };

export const callerWith = (...scopes: readonly Scope[]): Caller => ({ ...admin, scopes: new Set(scopes) });

export interface InvokeFixtureOptions {
  readonly mutation?: boolean;
  readonly readOnly?: boolean;
  readonly limited?: boolean;
  readonly deadlineMs?: number;
}

/** The real `invoke` with these tools. */
export function createInvokeFixture(tools: readonly ToolFixture[], options: InvokeFixtureOptions = {}) {
  const toolset = { name: 'planted', faultForm: 'numeric' as const, tools: tools.map(toTool) };
  const clock = createManualClock();
  const meter = createToolMeter();
  const bugs: BugReport[] = [];
  const cards = toCards(toolset);
  const invoke = createInvoke({
    registry: createRegistry(cards, { planted: async () => bindToolset(toolset, undefined) }),
    permits: { mutation: options.mutation ?? true, readOnly: options.readOnly ?? false },
    limiter: options.limited ? createLimiter(clock) : openLimiter,
    meter,
    clock,
    ids: createCountedIds(),
    ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
    reportBug: (report) => void bugs.push(report),
  });
  const call = (name: string, args: unknown = {}, part: Partial<Invocation> = {}): Promise<Outcome> =>
    invoke({ name, args, caller: admin, ...part });
  return { clock, meter, bugs, cards, call };
}

/** The code of the fault, or the answer. */
export const outcomeOf = (outcome: Outcome): unknown => (outcome.ok ? outcome.value : outcome.fault.code);

export function faultOf(outcome: Outcome): Fault {
  if (outcome.ok) throw new Error(`it answered ${outcome.text}`);
  return outcome.fault;
}
