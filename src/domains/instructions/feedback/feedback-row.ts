import { toIso } from '#kernel/clock/clock.ts';
import { type FeedbackEntry, feedbackEntry } from './feedback-entry.ts';
import type { FeedbackRow } from './feedback-store.ts';

/** The entry as it was submitted, to the letter: whoever works on it works with the very data of the report. */
export function toEntry(row: FeedbackRow): FeedbackEntry {
  const { type, severity, status } = row;
  return {
    id: row.id,
    timestamp: toIso(row.created_at),
    type: feedbackEntry.shape.type.parse(type),
    severity: feedbackEntry.shape.severity.parse(severity),
    status: feedbackEntry.shape.status.parse(status),
    title: row.title,
    description: row.description,
    ...(row.context === null ? {} : { context: JSON.parse(row.context) as Record<string, unknown> }),
    ...(row.tags === null ? {} : { tags: JSON.parse(row.tags) as string[] }),
    ...(row.admin_notes === null ? {} : { adminNotes: row.admin_notes }),
    ...(row.updated_at === null ? {} : { updatedAt: toIso(row.updated_at) }),
  };
}

export const bytesOf = (row: FeedbackRow): number => Buffer.byteLength(JSON.stringify(toEntry(row)));

const units = ['B', 'KB', 'MB', 'GB'] as const;

/** `512 B`, `1.5 KB`. */
export function toSizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
