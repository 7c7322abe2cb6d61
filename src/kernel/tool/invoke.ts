import { type Alongside, type Call, type CallEffect, type Caller, createCallEffect } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import { noteRequest, yieldToEventLoop } from '../clock/yield-to-event-loop.ts';
import type { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { toFault } from '../fault/to-fault.ts';
import { sha256Hex } from '../hash/hash.ts';
import type { Ids } from '../ids/ids.ts';
import { canonicalJson } from '../json/canonical.ts';
import { isLarge } from '../json/is-large.ts';
import type { Limiter } from '../limiter/limiter.ts';
import { limits } from '../limits.ts';
import { unknownTool, withExample } from './argument-fix.ts';
import { type Card, isCommandOnly } from './card.ts';
import { toFormFault } from './fault-forms.ts';
import { findAccessFault, findGateFault, type Permits, permitsAt } from './gate.ts';
import type { ToolMeter } from './meter.ts';
import { parseArgs } from './parse-args.ts';
import type { BoundTool, Registry } from './registry.ts';
import type { Ask } from './resource.ts';
import type { ForwardOptions, Surface, ToolCall } from './tool.ts';

export interface Invocation {
  /** Any spelling or alias of the tool. */
  readonly name: string;
  readonly args: unknown;
  readonly caller: Caller;
  /** Aborts when the client cancels or disconnects. */
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
  readonly progress?: Call['progress'];
  /** Of the call that forwards to this one. */
  readonly outerEffect?: CallEffect;
  readonly alongside?: Alongside | undefined;
  /** Where the request came from. Only `cli` may call a tool that the command line alone offers. */
  readonly surface?: Surface;
}

export type Outcome =
  | {
      readonly ok: true;
      readonly card: Card;
      readonly value: object;
      readonly text: string;
    }
  | { readonly ok: false; readonly card: Card | undefined; readonly fault: Fault };

/** A bug during a call: logged in full by the app, shown to the caller as INTERNAL with the same id. */
export interface BugReport {
  readonly id: string;
  readonly tool: string;
  readonly error: unknown;
}

export interface InvokeDeps {
  readonly registry: Registry;
  readonly permits: Permits;
  readonly limiter: Limiter;
  readonly meter: ToolMeter;
  readonly clock: Clock;
  readonly ids: Ids;
  /** For tools without their own. */
  readonly deadlineMs?: number;
  reportBug(report: BugReport): void;
}

/** Runs a tool: every surface and every inner call uses it. */
export type Invoke = (invocation: Invocation) => Promise<Outcome>;

const never = new AbortController().signal;
const noProgress = () => {};

interface Answer {
  readonly value: object;
  readonly text: string;
}

/** What can be sent of the answer to a committed write, whatever its shape. */
function salvage(value: unknown): Answer {
  try {
    if (value !== null && typeof value === 'object') return { value, text: JSON.stringify(value) };
  } catch {
    // A cycle or a bigint cannot be sent; the acknowledgement of the write can.
  }
  return { value: {}, text: '{}' };
}

function checkKey(card: Card, key: string | undefined): void {
  if (key === undefined) return;
  if (card.bulk === true)
    throw faults.INVALID_PARAMS({ why: `${card.name} makes many writes and takes no idempotency key` });
  if (key === '' || key.length > limits.idempotencyKeyChars || !/^[\x21-\x7e]+$/.test(key)) {
    throw faults.INVALID_PARAMS({
      why: `an idempotency key must have 1 to ${limits.idempotencyKeyChars} visible ASCII characters`,
    });
  }
}

/** The key of one of several inner calls; a key that would be too long is replaced by its hash. */
function withSuffix(key: string, suffix: string): string {
  const whole = `${key}${suffix}`;
  return whole.length <= limits.idempotencyKeyChars ? whole : sha256Hex(whole);
}

/** Caches the JSON of answers by object, in two generations: unused entries leave with the older one. */
function createTextCache() {
  let recent = new Map<object, string>();
  let older = new Map<object, string>();
  let recentChars = 0;
  return function textOf(answer: object, serialise: () => string): string {
    const known = recent.get(answer);
    if (known !== undefined) return known;
    const text = older.get(answer) ?? serialise();
    if (recentChars > limits.cachedAnswersChars / 2) {
      older = recent;
      recent = new Map();
      recentChars = 0;
    }
    recent.set(answer, text);
    recentChars += text.length;
    return text;
  };
}

/** Other faults that say nothing about a write that the call made before it failed. */
const aboutServer: ReadonlySet<string> = new Set(
  [faults.INTERNAL, faults.CONFIG_ERROR, faults.STORE_NEWER].map(({ kind }) => kind.code),
);

/** A failure of the server after a commit must not read as "nothing was written". */
function withOutcome({ effect }: Card, called: CallEffect, fault: Fault): Fault {
  const { http, retryable, code } = fault.kind;
  const isAboutServer = (http >= 500 && retryable) || aboutServer.has(code);
  if (effect === 'read' || !called.mayBeStored() || !isAboutServer) return fault;
  return faults.OUTCOME_UNKNOWN(undefined, {}, { cause: fault });
}

/** For the gate: a dry run of a writing tool counts as a read. */
const asRead = (card: Card): Card => ({ ...card, effect: 'read', scope: 'read' });

/** For arguments that are not valid, so that anything may be missing. */
function looksLikeRead(tool: BoundTool, args: unknown): boolean {
  try {
    return tool.isRead(args);
  } catch {
    return false;
  }
}

export function createInvoke(deps: InvokeDeps): Invoke {
  const { registry, permits, limiter, meter, clock, ids } = deps;
  const cachedText = createTextCache();

  const faultOf = (error: unknown, tool: string): Fault =>
    toFault(error, ids, (id) => deps.reportBug({ id, tool, error }));

  function admit(tool: BoundTool, card: Card, invocation: Invocation, input: unknown): void {
    const { caller } = invocation;
    const gated = tool.isRead(input) ? asRead(card) : card;
    const refused = findAccessFault(gated, caller, permitsAt(invocation.surface, caller, permits));
    if (refused !== undefined) throw refused;
    if (card.rate !== undefined && !tool.isUnlimited(input)) {
      const retryAfterS = limiter.take(`${caller.tenant}\0${caller.actor}\0${card.name}`, card.rate);
      if (retryAfterS > 0) throw faults.RATE_LIMIT_EXCEEDED({ retryAfterS }, { retry_after_seconds: retryAfterS });
    }
  }

  /** A forwarding tool answers with another tool's outcome. It may call another forwarding tool, but not itself. */
  async function forward(
    from: Card,
    invocation: Invocation,
    signal: AbortSignal,
    name: string,
    args: unknown,
    { keySuffix, alongside }: ForwardOptions,
    effect: CallEffect,
  ): Promise<Forwarded> {
    if (registry.find(name) === from) throw faults.INVALID_PARAMS({ why: `${from.name} cannot call itself` });
    const inner = { ...invocation, name, args, signal, outerEffect: effect, alongside };
    const { idempotencyKey } = invocation;
    if (keySuffix === undefined || idempotencyKey === undefined) return new Forwarded(await invoke(inner));
    return new Forwarded(await invoke({ ...inner, idempotencyKey: withSuffix(idempotencyKey, keySuffix) }));
  }

  function toCall(
    card: Card,
    invocation: Invocation,
    input: unknown,
    signal: AbortSignal,
    deadlineMs: number,
    effect: CallEffect,
  ): ToolCall {
    const { caller, idempotencyKey } = invocation;
    const call: ToolCall = {
      tenant: caller.tenant,
      actor: caller.actor,
      scopes: caller.scopes,
      root: caller.root,
      tool: card.name,
      audit: card.audit,
      effect,
      signal,
      deadlineAt: clock.now() + deadlineMs,
      progress: invocation.progress ?? noProgress,
      alongside: invocation.alongside,
      forward: (name, args, options = {}) => forward(card, invocation, signal, name, args, options, effect),
    };
    if (card.bulk === true) Object.defineProperty(call, 'deadlineAt', { get: () => clock.now() + deadlineMs });
    if (idempotencyKey === undefined || card.effect === 'read') return call;
    return { ...call, idempotencyKey, requestHash: sha256Hex(canonicalJson([card.name, input])) };
  }

  /** Stops waiting at the deadline or when the caller is gone; the work itself sees `call.signal`. */
  async function withDeadline(
    card: Card,
    invocation: Invocation,
    work: (signal: AbortSignal, deadlineMs: number) => unknown,
  ): Promise<unknown> {
    const deadlineMs = card.deadlineMs ?? deps.deadlineMs ?? limits.callDeadlineMs;
    const outer = invocation.signal ?? never;
    if (outer.aborted) throw faults.CANCELLED();
    const controller = new AbortController();
    // Start the work first: a tool that answers synchronously needs no timer and no listener.
    const started = work(controller.signal, deadlineMs);
    if (!(started instanceof Promise)) return started;
    return new Promise((resolve, reject) => {
      const stop = (fault: Fault) => {
        controller.abort(fault);
        settle();
        reject(fault);
      };
      const timer =
        card.bulk === true ? undefined : setTimeout(() => stop(faults.TIMEOUT({ ms: deadlineMs })), deadlineMs);
      const onAbort = () => stop(faults.CANCELLED());
      const settle = () => {
        clearTimeout(timer);
        outer.removeEventListener('abort', onAbort);
      };
      outer.addEventListener('abort', onAbort, { once: true });
      started.finally(settle).then(resolve, reject);
    });
  }

  function withinBounds(card: Card, text: string): string {
    // A UTF-16 unit has at most three bytes; only an answer near the limit is measured exactly.
    if (text.length * 3 < limits.answerBytes) return text;
    const bytes = Buffer.byteLength(text);
    if (bytes > limits.answerBytes && card.effect === 'read') {
      throw faults.ANSWER_TOO_LARGE({ bytes, limit: limits.answerBytes });
    }
    return text;
  }

  function serialise(tool: BoundTool, card: Card, value: object): string {
    const parsed = tool.output.safeParse(value);
    if (!parsed.success) throw new Error(`${card.name} answered in the wrong shape: ${parsed.error.message}`);
    return withinBounds(card, JSON.stringify(value));
  }

  /** An answer of the wrong shape is a bug. A read then fails; a committed write is still acknowledged. */
  function toAnswer(tool: BoundTool, card: Card, output: unknown): Answer {
    try {
      const value = output as object;
      if (!tool.reusesAnswers) return { value, text: serialise(tool, card, value) };
      return { value, text: cachedText(value, () => serialise(tool, card, value)) };
    } catch (error) {
      if (card.effect === 'read') throw error;
      deps.reportBug({ id: ids.short(), tool: card.name, error });
      return salvage(output);
    }
  }

  /** While the gate is shut, the answer to invalid arguments is the gate's too, unless they ask for a dry run. */
  function parse(tool: BoundTool, card: Card, { args, surface, caller, idempotencyKey }: Invocation): unknown {
    try {
      checkKey(card, idempotencyKey);
      return parseArgs(tool, card, args);
    } catch (error) {
      throw (looksLikeRead(tool, args) ? undefined : findGateFault(card, permitsAt(surface, caller, permits))) ?? error;
    }
  }

  async function invoke(invocation: Invocation): Promise<Outcome> {
    const startedAt = performance.now();
    noteRequest();
    const effect = createCallEffect(invocation.outerEffect);
    const card = registry.find(invocation.name);
    if (card === undefined || (isCommandOnly(card) && invocation.surface !== 'cli'))
      return { ok: false, card: undefined, fault: unknownTool(invocation.name, registry.cards) };
    try {
      const bound = registry.load(card);
      const tool = bound instanceof Promise ? await bound : bound;
      // Parsing, checking and handling a large request are separate turns of the event loop.
      const turns = isLarge(invocation.args, limits.largeValuesCount);
      if (turns) await yieldToEventLoop();
      const input = parse(tool, card, invocation);
      if (turns) await yieldToEventLoop();
      admit(tool, card, invocation, input);
      const value = await withDeadline(card, invocation, (signal, deadlineMs) =>
        tool.run(input, toCall(card, invocation, input, signal, deadlineMs, effect)),
      );
      if (value instanceof Forwarded) {
        // The inner call has counted its own failure.
        meter.record(card.name, performance.now() - startedAt, undefined);
        return value.outcome;
      }
      const answer = toAnswer(tool, card, value);
      meter.record(card.name, performance.now() - startedAt, undefined);
      return { ok: true, card, ...answer };
    } catch (error) {
      const fault = withExample(card, withOutcome(card, effect, faultOf(error, card.name)));
      meter.record(card.name, performance.now() - startedAt, fault.code);
      return { ok: false, card, fault };
    }
  }

  return invoke;
}

/** The outcome of another tool, to be answered as if that tool had been called. */
export class Forwarded {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }
}

/** Lets a handler call other tools in the name of its caller. Throws the other tool's Fault. */
export const askThrough =
  (call: ToolCall) =>
  async (name: string, args: unknown, options?: ForwardOptions): ReturnType<Ask> => {
    const { outcome } = await call.forward(name, args, options);
    if (!outcome.ok) throw toFormFault(outcome.card?.faultForm, outcome.fault);
    return outcome.value;
  };
