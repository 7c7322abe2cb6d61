import { z } from 'zod';
import { type Answer, limitField, offsetField } from '../entities/entity-model.ts';
import { toIso } from '../iso-time.ts';
import type { EventRow } from './timeline-store.ts';

export const timelineEvent = z.object({
  id: z.string(),
  event_type: z.string(),
  event_timestamp: z.string(),
  entity_id: z.string(),
  entity_type: z.string(),
  source_field: z.string(),
  /** As stated: a date has no time of day. */
  value: z.string(),
  source_record_id: z.string(),
  observation_id: z.string(),
  created_at: z.string(),
});
export type TimelineEvent = Readonly<z.infer<typeof timelineEvent>>;

export const toTimelineEvent = (row: Omit<EventRow, 'entity_id'>): TimelineEvent => ({
  id: row.event_id,
  event_type: row.event_type,
  event_timestamp: toIso(row.event_at),
  entity_id: row.root_id,
  entity_type: row.entity_type,
  source_field: row.field,
  value: row.value,
  source_record_id: row.source_id,
  observation_id: row.observation_id,
  created_at: toIso(row.created_at),
});

const date = z.string().max(40);

export const timelineInput = z.strictObject({
  event_type: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,200}$/)
    .optional()
    .describe('Entity type and field: `invoice_due_date`'),
  after_date: date.optional().describe('ISO 8601 date or time, inclusive'),
  before_date: date.optional().describe('ISO 8601 date or time, inclusive'),
  source_record_id: z.string().min(1).max(200).optional(),
  limit: limitField,
  offset: offsetField,
});
export type TimelineInput = z.output<typeof timelineInput>;

export const timelineAnswer = z.object({
  events: z.array(timelineEvent),
  total: z.int(),
});
export type TimelineAnswer = Answer<typeof timelineAnswer>;
