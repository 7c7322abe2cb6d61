import { type Json, md } from '../notebooks/notebook-program.ts';

/** A call and its arguments. */
export type Step = readonly [tool: string, input: Json];

/** The answer of a call. An error of the tool is thrown. */
export type Ask = <T = Json>(tool: string, input: Json) => Promise<T>;

/** What a user wants, and the way of an agent to it. `T` is the answer of the first call. */
export interface Goal<T> {
  /** What the user says. */
  readonly words: string;
  /** What earlier days stored. */
  readonly seed?: readonly Step[];
  /** A call just before, in the same session; `first` gets its answer. */
  readonly before?: Step;
  /** Chosen from the introduction and the listed tools alone, before any answer was seen. Do not adapt it to the answers. */
  readonly first: Step | ((before: never) => Step);
  /** Asserts that the first answer is a step towards the goal. */
  readonly right: (first: T) => void;
  /** The further calls. */
  readonly pursue?: (first: T, ask: Ask) => Promise<void>;
  /** Checks what is stored now. It may call any tool and its calls are not counted. */
  readonly judge?: (ask: Ask) => Promise<void>;
}

export interface Entity {
  readonly entity_id: string;
  readonly canonical_name: string;
  readonly snapshot: Json;
  readonly relations?: readonly { readonly type: string; readonly name: string }[];
}

export interface Entities {
  readonly entities: readonly Entity[];
}

export interface Hits {
  readonly hits: readonly { readonly scratch_id: string; readonly snippet: string }[];
}

export interface PadRead {
  readonly scratchpad: { readonly cells: readonly { readonly cell_id: string; readonly content: string }[] };
}

export interface Remembered {
  readonly remembered: readonly { readonly kind: string; readonly id: string }[];
  readonly failed?: unknown;
}

export interface Recalled {
  readonly facts?: readonly { readonly name: string; readonly fields: Json; readonly source?: string }[];
  readonly notes?: readonly { readonly text: string }[];
}

export interface FoundTools {
  readonly tools: readonly { readonly name: string }[];
}

export interface FoundDocs {
  readonly results: readonly { readonly id: string; readonly version: string; readonly snippet: string }[];
}

interface Rule {
  readonly id: string;
  readonly requirement: string;
  readonly body: string;
}

export interface Rules {
  readonly items: readonly Rule[];
  readonly may_apply?: readonly Rule[];
}

export const pad = (scratch_id: string, title: string, ...texts: readonly string[]): Step => [
  'scratch_create',
  { scratch_id, metadata: { title }, cells: texts.map((text) => md(text)) },
];

export const rule = (id: string, title: string, body: string, more: Json = {}): Step => [
  'instructions_add',
  { id, title, body, requirement: 'recommended', lax: true, ...more },
];

export const fact = (type: string, name: string, fields: Json, more: Json = {}): Step => [
  'store_fact',
  { subject: { type, name }, fields, ...more },
];

export const readPad = async (ask: Ask, scratch_id: string): Promise<readonly string[]> =>
  (await ask<PadRead>('scratch_read', { scratch_id })).scratchpad.cells.map(({ content }) => content);

export const companiesOf = ({ relations = [] }: Entity): readonly string[] =>
  relations.filter(({ type }) => type === 'WORKS_AT').map(({ name }) => name);

/** The name of the field that has this value. */
export const fieldWith = ({ snapshot }: Entity, value: unknown): string | undefined =>
  Object.keys(snapshot).find((name) => snapshot[name] === value);

export const rulesIn = ({ items, may_apply = [] }: Rules): readonly Rule[] => [...items, ...may_apply];
