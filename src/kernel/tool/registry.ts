import type { z } from 'zod';
import type { Card } from './card.ts';
import { spellings } from './names.ts';
import type { ToolCall, Toolset } from './tool.ts';

/** A tool with the domain object it runs on. */
export interface BoundTool {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly reusesAnswers: boolean;
  /** Whether these arguments change nothing. */
  isRead(input: unknown): boolean;
  /** Whether these arguments do not count for the rate limit. */
  isUnlimited(input: unknown): boolean;
  /** Why the command line fails because of this answer. */
  findFailure(answer: object, failOn: string): string | undefined;
  run(input: unknown, call: ToolCall): unknown;
}

/** Loads a toolset's code at the first call of one of its tools. */
export type ToolsetLoader = () => Promise<ReadonlyMap<string, BoundTool>>;

export interface Registry {
  readonly cards: readonly Card[];
  /** By any spelling or alias. */
  find(name: string): Card | undefined;
  /** Loads the tool's toolset on first use. */
  load(card: Card): BoundTool | Promise<BoundTool>;
}

export const bindToolset = <D>(toolset: Toolset<D>, domain: D): ReadonlyMap<string, BoundTool> =>
  new Map(
    toolset.tools.map((tool) => [
      tool.name,
      {
        input: tool.input,
        output: tool.output,
        reusesAnswers: tool.reusesAnswers === true,
        isRead: (input: unknown) => tool.readsWhen?.(input as never) === true,
        isUnlimited: (input: unknown) => tool.unlimitedWhen?.(input as never) === true,
        findFailure: (answer: object, failOn: string) => tool.findFailure?.(answer as never, failOn),
        run: (input: unknown, call: ToolCall) => tool.run(domain, input as never, call),
      },
    ]),
  );

export function createRegistry(cards: readonly Card[], loaders: Readonly<Record<string, ToolsetLoader>>): Registry {
  const byName = new Map<string, Card>();
  for (const card of cards) {
    for (const name of [card.name, ...card.aliases].flatMap(spellings)) {
      const taken = byName.get(name);
      if (taken !== undefined && taken !== card)
        throw new Error(`bug: two tools are called ${name}: ${taken.name}, ${card.name}`);
      byName.set(name, card);
    }
  }
  const bound = new Map<string, BoundTool>();
  const loading = new Map<string, Promise<ReadonlyMap<string, BoundTool>>>();

  async function loadToolset(card: Card): Promise<BoundTool> {
    const loader = loaders[card.toolset];
    if (loader === undefined) throw new Error(`toolset ${card.toolset} has no loader`);
    let pending = loading.get(card.toolset);
    if (pending === undefined) {
      pending = loader();
      loading.set(card.toolset, pending);
      // A failed load (of an unavailable store) may succeed at the next call.
      pending.catch(() => loading.delete(card.toolset));
    }
    for (const [name, tool] of await pending) bound.set(name, tool);
    const tool = bound.get(card.name);
    if (tool === undefined) throw new Error(`toolset ${card.toolset} lacks ${card.name}: run fourfold generate`);
    return tool;
  }

  return {
    cards,
    find: (name) => byName.get(name),
    load: (card) => bound.get(card.name) ?? loadToolset(card),
  };
}
