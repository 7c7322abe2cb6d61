import type { AdminRun } from './admin.ts';
import type { Field } from './field.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface CommandAnswer {
  readonly value: unknown;
  /** The readable form, if the general one does not fit. */
  readonly text?: string;
  /** Default: 0. */
  readonly exitCode?: number;
  /** Why the command fails although it has an answer. */
  readonly failure?: string;
}

/** The context of one run besides the arguments. */
export interface CommandRun extends AdminRun {
  readonly idempotencyKey: string | undefined;
  /** The owner of the store may act as any tenant. */
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
  /** Accepts its arguments as one JSON object, and an idempotency key. */
  readonly isTool: boolean;
  /** Makes many writes, so that an idempotency key cannot cover them. */
  readonly isBulk?: boolean;
  /** Undefined: it has printed its answer itself. */
  run(values: Values, run: CommandRun): Promise<CommandAnswer | undefined>;
}

export const commandLine = (command: Command): string => `fourfold ${command.words.join(' ')}`;
