import type { Topic } from '../storage/port.ts';
import type { Ask, Page } from './resource.ts';

export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
}

export interface PromptItem {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface PromptAnswer {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/** A source of prompts: a fixed few, or entries of a catalog. */
export interface PromptSource {
  list(ask: Ask, cursor: string | undefined): Promise<Page<PromptItem>>;
  /** Undefined if this source has no prompt of that name. */
  get(name: string, args: Readonly<Record<string, string>>, ask: Ask): Promise<PromptAnswer | undefined>;
  /** Values for one argument that begin with `typed`; undefined if the prompt is from another source. */
  complete?(name: string, argument: string, typed: string, ask: Ask): Promise<readonly string[] | undefined>;
  /** Changes of this topic change the list. */
  readonly topic?: Topic;
}

export interface PromptCatalog {
  readonly sources: readonly PromptSource[];
}

export const noPrompts: PromptCatalog = { sources: [] };
