import type { AdminRun } from './admin.ts';
import type { Field } from './field.ts';

/** Arguments by key, as the flags gave them. */
export type Values = Readonly<Record<string, unknown>>;

export interface CommandAnswer {
  readonly value: unknown;
  /** The readable form, where the general one would not do. */
  readonly text?: string;
  /** 0 when missing. */
  readonly exitCode?: number;
}

/** What travels with one run of a command and is no argument. */
export interface CommandRun extends AdminRun {
  readonly idempotencyKey: string | undefined;
  /** Whose data; the owner of the store may name any tenant. */
  readonly tenant: string | undefined;
}

export interface Command {
  readonly words: readonly string[];
  readonly group: string;
  readonly summary: string;
  readonly fields: readonly Field[];
  /** Keys that words without a flag fill, in this order. */
  readonly positionals: readonly string[];
  readonly details: readonly string[];
  /** Its arguments can come as one JSON object, and be repeated under one key. */
  readonly isTool: boolean;
  /** Makes many writes, so that one key cannot stand for them. */
  readonly isBulk?: boolean;
  /** No answer: it has spoken for itself. */
  run(values: Values, run: CommandRun): Promise<CommandAnswer | undefined>;
}

export const commandLine = (command: Command): string => `fourfold ${command.words.join(' ')}`;
