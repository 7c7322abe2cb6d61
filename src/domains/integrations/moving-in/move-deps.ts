import { Fault } from '#kernel/fault/fault.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import type { MovedItems } from './moved-items.ts';

export interface MoveError {
  readonly source: string;
  readonly code: string;
  readonly error: string;
}

/** Everything goes through the tools of the memories: scopes, limits, audit and metrics are theirs. */
export interface MoveDeps {
  readonly ask: Ask;
  readonly moved: MovedItems;
  readonly program: string;
  readonly dryRun: boolean;
  readonly namespace: string;
  readonly signal: AbortSignal | undefined;
  readonly report: MoveError[];
  progress(done: number, total: number, message: string): void;
}

/** Faults that every other item would meet as well. */
const isFatal = ({ code }: Fault): boolean =>
  ['READ_ONLY', 'PERMISSION_DENIED', 'CANCELLED', 'SERVICE_UNAVAILABLE', 'CONFIG_ERROR'].includes(code) ||
  code.startsWith('STORE_') ||
  code.startsWith('DB_');

/** A refused item does not stop the others. */
export function recordError(report: MoveError[], source: string, error: unknown): void {
  if (!(error instanceof Fault) || isFatal(error)) throw error;
  report.push({ source, code: error.code, error: error.message });
}
