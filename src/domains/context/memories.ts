import type { Call } from '#kernel/call.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';

/** What an agent is about to do. */
export interface RecallQuestion {
  readonly task: string;
  readonly files: readonly string[];
  /** Facts as they were then. */
  readonly at: string | undefined;
  readonly namespace: string | undefined;
}

export interface FoundRule {
  readonly id: string;
  readonly title: string;
  readonly requirement: string;
  /** Must be followed in this situation. */
  readonly isBinding: boolean;
  /** False if only its text is about the task. */
  readonly applies: boolean;
  /** False if it applies to every task and its text has nothing to do with this one. */
  readonly isAboutTask: boolean;
  readonly why: string;
  readonly body: string | undefined;
}

/** A rule that waits for approval. */
export interface FoundProposal {
  readonly id: string;
  readonly by: string;
  readonly text: string;
}

export interface FoundFact {
  readonly entityId: string;
  readonly type: string;
  readonly name: string;
  /** Those that match the question first. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly relevance: number;
}

/** A value that a fact will have, or lose, by itself. */
export interface UpcomingValue {
  readonly field: string;
  /** Undefined: the field ends. */
  readonly value?: unknown;
  readonly from: string;
}

/** Where the newest statement about an entity comes from. */
export interface FactSource {
  readonly entityId: string;
  readonly asOf: string;
  readonly source: string;
  /** Brought in from outside, such as by a connector. */
  readonly isForeign: boolean;
}

export interface FoundNote {
  readonly scratchId: string;
  readonly cellId: string | undefined;
  readonly namespace: string | undefined;
  /** The actor who wrote it, if the store knows. */
  readonly author: string | undefined;
  /** Written by another actor than the caller, the owner and the administrators. */
  readonly isForeign: boolean;
  /** Of its pad. */
  readonly title: string | undefined;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly relevance: number;
}

export interface FoundPassage {
  readonly id: string;
  readonly title: string;
  /** With its version. */
  readonly library: string;
  readonly text: string;
  readonly relevance: number;
  /** Ingested by a user, not shipped with the program. */
  readonly isForeign: boolean;
  /** One line of the section. */
  readonly isSnippet: boolean;
}

export interface FoundContradiction {
  readonly contradictionId: string;
  readonly entityId: string;
  readonly field: string;
  readonly values: readonly unknown[];
}

/** The kinds of items in an answer. */
export const parts = ['rules', 'facts', 'notes', 'docs'] as const;
export type Part = (typeof parts)[number];
export const memoryOf = { rules: 'instructions', facts: 'truth', notes: 'notebooks', docs: 'knowledge' } as const;
export const memoryNames = ['instructions', 'truth', 'notebooks', 'knowledge'] as const;
export type MemoryName = (typeof memoryOf)[Part];

/** An item as the change log names it: a rule, an entity, `pad/cell`, or the library of a passage. */
export interface LoggedItem {
  readonly part: Part;
  readonly id: string;
}

/** The write that changed an item last. */
export interface ItemWrite extends LoggedItem {
  readonly seq: number;
  readonly what: 'create' | 'update' | 'delete';
  readonly at: number;
  readonly actor: string;
  readonly tool: string;
}

export interface ItemWrites {
  /** The number of the tenant's newest write. */
  readonly seq: number;
  /** The newest of each item; items without one are left out. */
  readonly writes: readonly ItemWrite[];
}

/** Writes with a number above `after`, up to `upTo`. */
export interface WriteRange {
  readonly after: number;
  readonly upTo: number;
}

/** The best of one memory, best first. */
export interface Found<T> {
  readonly items: readonly T[];
  /** How many more there are beyond `items`, as far as known. */
  readonly moreCount: number;
  /** What could make the answer better: an empty memory, a search that is switched off. */
  readonly hint?: string | undefined;
}

/** The four memories, as far as recall needs them. */
export interface Memories {
  rules(question: RecallQuestion, call: ToolCall): Promise<Found<FoundRule>>;
  /** Only those that are about the task. */
  proposals(question: RecallQuestion, call: ToolCall): Promise<readonly FoundProposal[]>;
  facts(question: RecallQuestion, call: ToolCall): Promise<Found<FoundFact>>;
  /** In one read for all entities; those without an observation are left out. Of facts as they were then. */
  factSources(entityIds: readonly string[], at: string | undefined, call: ToolCall): Promise<readonly FactSource[]>;
  contradictions(entityIds: readonly string[], call: ToolCall): Promise<readonly FoundContradiction[]>;
  /** Relationships of these entities in words, the newest first; entities without any are left out. */
  factRelations(
    entityIds: readonly string[],
    at: string | undefined,
    call: ToolCall,
  ): Promise<ReadonlyMap<string, readonly string[]>>;
  /** What is known to change; entities without are left out. */
  upcoming(entityIds: readonly string[], call: ToolCall): Promise<ReadonlyMap<string, readonly UpcomingValue[]>>;
  notes(question: RecallQuestion, call: ToolCall): Promise<Found<FoundNote>>;
  docs(question: RecallQuestion, call: ToolCall): Promise<Found<FoundPassage>>;
  writes(items: readonly LoggedItem[], call: Call, range?: WriteRange): Promise<ItemWrites>;
  /** Names of the keys of these actors; actors without one are left out. */
  actorNames(actors: readonly string[], call: Call): Promise<ReadonlyMap<string, string>>;
  /** Names of entities, by their ids; those that do not exist are left out. */
  factNames(entityIds: readonly string[], call: Call): Promise<ReadonlyMap<string, string>>;
  /** Titles of pads, by their ids; those without one are left out. */
  padTitles(scratchIds: readonly string[], call: Call): Promise<ReadonlyMap<string, string>>;
}
