import type { z } from 'zod';
import type { Alongside, Call } from '../call.ts';
import type { Forwarded } from './invoke.ts';

export type Effect = 'read' | 'create' | 'update' | 'delete';
export type Surface = 'mcp' | 'http' | 'cli';

/** The form of a family's errors (RULINGS R2): numeric code, plain line, `ok: false`, or with a trace id. */
export type FaultForm = 'numeric' | 'plain' | 'flagged' | 'traced';

/** Marks an input property that few calls need: `z.string().optional().meta(rare)`. */
export const rareMark = 'x-rare';
export const rare = { [rareMark]: true } as const;

export interface Guide {
  readonly when: readonly string[];
  readonly not?: readonly string[];
  /** What to do instead of passing an argument that callers expect and that does not exist, by its name. */
  readonly instead?: Readonly<Record<string, string>>;
  /** What helps while the mutation gate is shut, for a tool whose change cannot be proposed as it is. */
  readonly whileShut?: string;
  readonly example?: Readonly<Record<string, unknown>>;
}

export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** What a caller may rely on after the answer, where a document promises it per tool. */
export interface Guarantees {
  /** `strong`: every later call sees it. `bounded`: at the latest after `delayMaxMs`. */
  readonly consistency: 'strong' | 'bounded';
  readonly delayMaxMs?: number;
  /** The same input on the same store gives the same answer, except for new times and ids. */
  readonly deterministic: boolean;
  /** The reason for the delay or the difference. */
  readonly why?: string;
}

/** The part of a declaration that is plain data. */
export interface ToolFacts {
  /** Canonical name, as documented: `health/check`, `scratch_create`. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly guide: Guide;
  readonly effect: Effect;
  readonly faults: readonly string[];
  /** Is in the default `tools/list`. */
  readonly listed?: boolean;
  /** A document fixes its input schema: the default list keeps every limit of it. */
  readonly exactInput?: boolean;
  readonly stable?: boolean;
  /** Repeating it with the same arguments has no further effect. Implied for reads and deletes. */
  readonly idempotent?: boolean;
  readonly expose?: readonly Surface[];
  /** Its words on the command line, where they differ from the name: `instructions import`. */
  readonly command?: string;
  /** Arguments that words without a flag fill on the command line; default: the required ones. */
  readonly positionals?: readonly string[];
  /** What `--fail-on` may be on the command line, the default first; see `findFailure`. */
  readonly failOn?: readonly string[];
  readonly audit?: 'row' | 'none';
  /** Behind MCP_ENABLE_MUTATION. */
  readonly gated?: boolean;
  readonly scope?: 'read' | 'write' | 'admin';
  readonly rate?: RateLimit;
  readonly deadlineMs?: number;
  /** Processes many items: no deadline for the whole, one for each wait for the store. Takes no idempotency key. */
  readonly bulk?: boolean;
  /**
   * Answers with another tool's answer: that tool's gate decides, and the hints are those of the strongest tool. A text
   * is the beginning of the names that it forwards to; true means every tool.
   */
  readonly forwards?: boolean | `${string}/`;
  /** Reports progress or may run long: never on the fast path. */
  readonly streams?: boolean;
  /** NULs in its texts are removed before validation, as documented; other tools reject them. */
  readonly stripsNul?: boolean;
  /** Other names it answers to, besides the spellings of its name. */
  readonly aliases?: readonly string[];
  /** `whole`: a documented whole answer; `page`: a list or search within the page budget. */
  readonly answer?: 'whole' | 'page';
  readonly guarantees?: Guarantees;
}

/** How a tool calls another one. */
export interface ForwardOptions {
  /** A tool that calls several gives each its own: one idempotency key allows one write. */
  readonly keySuffix?: string | undefined;
  readonly alongside?: Alongside | undefined;
}

/** What a handler gets besides its domain and its input. */
export interface ToolCall extends Call {
  /**
   * Answers with another tool's answer. Scope, gate, limit and audit are the other tool's; the handler returns the
   * result unchanged.
   */
  forward(name: string, args: unknown, options?: ForwardOptions): Promise<Forwarded>;
}

/** Handlers may return objects from their caches: an answer is never modified on its way out. */
export type DeepReadonly<T> = T extends readonly (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

export interface Tool<D, I, O> extends ToolFacts {
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType<O>;
  /** The handler returns the same object until the answer changes, so its JSON is cached. */
  readonly reusesAnswers?: boolean;
  /** Arguments that make a writing tool a read (a dry run): gate, scope and `--read-only` then treat it as a read. */
  readsWhen?(input: I): boolean;
  /** Arguments with which a call does not count for `rate`, such as a question about work that was started before. */
  unlimitedWhen?(input: I): boolean;
  /** Why the command line ends with exit code 1 although the tool answered; undefined if it found nothing to fail on. */
  findFailure?(answer: DeepReadonly<O>, failOn: string): string | undefined;
  run(domain: D, input: I, call: ToolCall): DeepReadonly<O> | Promise<DeepReadonly<O> | Forwarded>;
}

/** Any tool of one domain, without its input and output types. */
export type AnyTool<D = never> = ToolFacts & {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly reusesAnswers?: boolean;
  readsWhen?(input: never): boolean;
  unlimitedWhen?(input: never): boolean;
  findFailure?(answer: never, failOn: string): string | undefined;
  run(domain: D, input: never, call: ToolCall): unknown;
};

export const defineTool = <D, I, O>(tool: Tool<D, I, O>): Tool<D, I, O> => tool;

/** Tools with a common toolset name, error form and domain object. */
export interface Toolset<D> {
  readonly name: string;
  readonly faultForm: FaultForm;
  readonly tools: readonly AnyTool<D>[];
}

export const defineToolset = <D>(toolset: Toolset<D>): Toolset<D> => toolset;
