import { z } from 'zod';
import { toIso } from '#kernel/clock/clock.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { FeedbackRow } from './feedback-store.ts';

export const feedbackTypes = [
  'issue',
  'status',
  'bug-report',
  'feature-request',
  'security',
  'documentation',
  'performance',
  'usability',
  'other',
] as const;
const feedbackSeverities = ['low', 'medium', 'high', 'critical'] as const;
const feedbackStatuses = ['new', 'acknowledged', 'in-progress', 'resolved', 'closed'] as const;

/** Accepts unknown fields; known ones are typed. */
const feedbackContext = z.looseObject({
  clientInfo: z.looseObject({ name: z.string().optional(), version: z.string().optional() }).optional(),
  serverVersion: z.string().optional(),
  environment: z.looseObject({}).optional(),
  sessionId: z.string().optional(),
  toolName: z.string().optional(),
  requestId: z.string().optional(),
});

export const feedbackSubmitInput = z.strictObject({
  type: z.enum(feedbackTypes),
  severity: z.enum(feedbackSeverities),
  title: z.string().min(instructionLimits.titleMinChars).max(instructionLimits.feedbackTitleChars),
  description: z.string().min(instructionLimits.descriptionMinChars).max(instructionLimits.descriptionChars),
  context: feedbackContext.optional(),
  tags: z.array(z.string().min(1).max(instructionLimits.tagChars)).max(instructionLimits.tagsCount).optional(),
});
export type FeedbackSubmitInput = z.infer<typeof feedbackSubmitInput>;

/** A date means its beginning in UTC. */
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);
const filter = z.string().min(1).max(instructionLimits.feedbackFilterChars);

export const feedbackListInput = z.strictObject({
  type: filter.optional(),
  severity: filter.optional(),
  status: filter.optional(),
  since: moment.optional().describe('ISO 8601, this moment included'),
  until: moment.optional().describe('ISO 8601, this moment included'),
  tags: z.array(filter).max(instructionLimits.tagsCount).optional().describe('Entries with any of them'),
  limit: z.int().min(1).max(instructionLimits.feedbackPageCount).default(instructionLimits.pageDefaultCount),
  offset: z.int().min(0).default(0),
});
export type FeedbackListInput = z.infer<typeof feedbackListInput>;

export const feedbackId = z.string().min(1).max(instructionLimits.idChars);

export const feedbackUpdateInput = z.strictObject({
  id: feedbackId,
  status: z.enum(feedbackStatuses),
  adminNotes: z.string().max(instructionLimits.adminNotesChars).optional(),
});
export type FeedbackUpdateInput = z.infer<typeof feedbackUpdateInput>;

export const feedbackStatsInput = z.strictObject({ since: moment.optional().describe('ISO 8601') });

export const feedbackEntry = z.object({
  id: z.string(),
  timestamp: z.string(),
  type: z.enum(feedbackTypes),
  severity: z.enum(feedbackSeverities),
  status: z.enum(feedbackStatuses),
  title: z.string(),
  description: z.string(),
  context: z.record(z.string(), z.unknown()).optional(),
  tags: z.array(z.string()).optional(),
  adminNotes: z.string().optional(),
  updatedAt: z.string().optional(),
});
export type FeedbackEntry = z.infer<typeof feedbackEntry>;

/** The entry, or `notFound`. */
export const feedbackLookup = z.object({
  entry: feedbackEntry.optional(),
  notFound: z.literal(true).optional(),
  id: z.string().optional(),
  rotated: z.literal(true).optional().describe('It made way for newer entries and is kept for 30 days'),
});
export type FeedbackLookup = z.infer<typeof feedbackLookup>;

/** Returns exactly what was submitted. */
export function toFeedbackEntry(row: FeedbackRow): FeedbackEntry {
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

export const feedbackBytes = (row: FeedbackRow): number => Buffer.byteLength(JSON.stringify(toFeedbackEntry(row)));

const units = ['B', 'KB', 'MB', 'GB'] as const;

/** `512 B`, `1.5 KB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
