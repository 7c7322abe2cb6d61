import type { Clock } from '#kernel/clock/clock.ts';
import { askThrough } from '#kernel/tool/invoke.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';

/** What the bulk tools of instructions need besides the tools they call. */
export interface InstructionExchange {
  readonly clock: Clock;
  readonly backupsFolder: string;
  /** The folder of entry files; undefined when entries are rows of the store. */
  readonly instructionsFolder: string | undefined;
  /** The file that drift is measured against. */
  readonly snapshotFile: string;
  saveSnapshot(text: string): Promise<void>;
}

export type ReportProgress = (done: number, total: number | undefined, message: string) => void;

export interface BulkDeps {
  readonly ask: Ask;
  readonly progress: ReportProgress;
  readonly signal?: AbortSignal | undefined;
}

/** Bulk work goes through the same tools as single changes: gate, scope, audit and metrics are theirs. */
export const toBulkDeps = ({ clock }: InstructionExchange, call: ToolCall): BulkDeps & { readonly clock: Clock } => ({
  ask: askThrough(call),
  signal: call.signal,
  progress: call.progress,
  clock,
});
