import { z } from 'zod';
import { accessLimits } from '#kernel/access/access-limits.ts';
import { limits } from '#kernel/limits.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { placeNames } from '../rules/places.ts';
import type { System } from '../system.ts';

const time = z.union([z.iso.datetime({ offset: true }).max(40), z.iso.date()]).optional();

const input = z.strictObject({
  topic: z.string().min(1).max(100).optional().describe('Kind of item'),
  id: z.string().min(1).max(400).optional(),
  actor: z.string().min(1).max(accessLimits.actorChars).optional().describe('As in the rows, such as key:<id>'),
  tool: z.string().min(1).max(200).optional(),
  from: time.describe('Not before this day or time'),
  to: time.describe('Not after this day or time'),
  limit: z.int().min(1).max(limits.auditPageCount).default(20),
  cursor: z.string().max(1000).optional(),
  hashes: z.boolean().default(false).describe('With the hash of each item after the change, and the mac of its row'),
});
export type AuditListInput = z.output<typeof input>;

export const auditRow = z.object({
  seq: z.int(),
  at: z.string(),
  actor: z.string(),
  actorName: z.string().describe('Name of the key, or the actor'),
  tool: z.string(),
  memory: z.enum(placeNames),
  topic: z.string(),
  id: z.string(),
  name: z.string().optional().describe('Of an item whose id says nothing to a person'),
  what: z.enum(['create', 'update', 'delete']),
  hash: z.string(),
  mac: z.string(),
});

export const auditList = defineTool({
  name: 'audit/list',
  title: 'Audit trail',
  summary: 'Lists who changed what, newest first, for one item, actor, tool or time, or for all.',
  guide: {
    when: ['you want to know who changed an item and when', 'you want to know what changed since yesterday'],
    example: { from: '2026-05-01', limit: 20 },
  },
  effect: 'read',
  scope: 'admin',
  stable: false,
  answer: 'page',
  input,
  output: z.object({
    rows: z.array(auditRow.partial({ hash: true, mac: true })),
    nextCursor: z.string().optional().describe('Older rows may follow, also after a short page'),
  }),
  faults: ['INVALID_PARAMS'],
  run: (system: System, given, call) => system.audit.list(given, call),
});
