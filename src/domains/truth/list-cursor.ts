import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { type Cursors, cursorFix, cursorLimits } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';

export const cursorField = z.string().min(1).max(cursorLimits.cursorChars);

export interface ListCursorDeps {
  readonly cursors: Pick<Cursors, 'seal' | 'open'>;
}

/** Ties a cursor to what was asked for, so that it cannot continue another list. */
export const fingerprintOf = (...asked: readonly unknown[]): string => sha256Hex(JSON.stringify(asked)).slice(0, 16);

export const sealPlace = ({ cursors }: ListCursorDeps, call: Call, of: string, place: unknown): string =>
  cursors.seal(call.tool, call.tenant, { of, place });

/** Undefined without a cursor. */
export function openPlace<Place>(
  { cursors }: ListCursorDeps,
  call: Call,
  cursor: string | undefined,
  of: string,
  place: z.ZodType<Place>,
): Place | undefined {
  if (cursor === undefined) return undefined;
  const opened = z.object({ of: z.literal(of), place }).safeParse(cursors.open(call.tool, call.tenant, cursor));
  if (opened.success) return opened.data.place;
  throw faults.VALIDATION_ERROR({ why: 'The cursor belongs to another list' }, { field: 'cursor', fix: cursorFix });
}

/** A cursor has its own position. */
export function expectOnePosition({
  cursor,
  offset,
}: {
  readonly cursor?: string | undefined;
  readonly offset: number;
}) {
  if (cursor === undefined || offset === 0) return;
  throw faults.VALIDATION_ERROR({ why: 'give either cursor or offset, not both' }, { field: 'offset' });
}
