import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';

/** A moment as the document writes it; without a zone it would be another moment on another machine. */
export const isoTime = z.iso.datetime({ offset: true });

export const toIso = (ms: number): string => new Date(ms).toISOString();

/** Checked by the schema before; a date such as 30 February passes it and is refused here. */
export function toMs(text: string, field: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw faults.VALIDATION_ERROR({ why: `${field} is no time that exists` }, { field });
  return ms;
}
