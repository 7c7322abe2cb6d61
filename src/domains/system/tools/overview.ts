import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { attentionKinds } from '../rules/attention.ts';
import { placeNames } from '../rules/places.ts';
import type { System } from '../system.ts';

const attention = z.object({
  kind: z.enum(attentionKinds),
  memory: z.enum(placeNames),
  severity: z.enum(['problem', 'decision', 'progress']),
  count: z.int(),
  isMore: z.boolean().describe('There are more than were counted'),
  text: z.string(),
  tool: z.string().describe('Lists the items'),
});

const change = z.object({
  seq: z.int().describe('Of the newest change, for audit/show'),
  at: z.string(),
  since: z.string().describe('Of the oldest change'),
  actor: z.string(),
  actorName: z.string(),
  tool: z.string(),
  memory: z.enum(placeNames),
  parts: z.array(
    z.object({
      topic: z.string(),
      what: z.enum(['create', 'update', 'delete']),
      count: z.int(),
      items: z.array(z.object({ id: z.string(), name: z.string().optional() })).describe('The newest'),
    }),
  ),
});

const recentCall = z.object({
  at: z.string(),
  actor: z.string(),
  actorName: z.string(),
  tool: z.string(),
  memory: z.string(),
  ok: z.boolean(),
  count: z.int().describe('Equal calls that followed each other'),
});

const hour = z.object({
  at: z.string(),
  memory: z.string(),
  calls: z.int(),
  writes: z.int(),
  errors: z.int(),
});

const output = z.object({
  generatedAt: z.string(),
  attention: z.array(attention),
  clear: z.array(z.enum(attentionKinds)).describe('What was checked without a result'),
  changes: z.array(change).optional().describe('For admins: changes that follow each other are one line'),
  calls: z.array(recentCall).optional().describe('For admins: the last calls of agents in this process, newest first'),
  usage: z
    .object({
      from: z.string(),
      hoursCount: z.int(),
      hours: z.array(hour).describe('Hours without calls are left out'),
    })
    .optional(),
  rules: z
    .object({
      servedCount: z.int(),
      most: z.array(z.object({ id: z.string(), count: z.int(), lastServedAt: z.string() })),
      neverCount: z.int(),
      never: z.array(z.string()),
      titles: z.record(z.string(), z.string()).describe('Of these rules, by id'),
    })
    .optional(),
  unavailable: z.array(z.object({ part: z.string(), why: z.string() })).describe('Parts that could not be read'),
});
export type OverviewAnswer = DeepReadonly<z.infer<typeof output>>;

export const overview = defineTool({
  name: 'overview',
  title: 'What happened and what needs a person',
  summary: 'Shows what needs a person, the last changes, and how much each memory is used.',
  guide: { when: ['a person starts the day, or asks whether everything is all right'], example: {} },
  effect: 'read',
  stable: false,
  answer: 'whole',
  input: z.strictObject({}),
  output,
  faults: [],
  run: (system: System, _input, call) => system.overview(call),
});
