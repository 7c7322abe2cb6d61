import { z } from 'zod';
import { stopEarly } from '#kernel/tool/stop-early.ts';
import { instructionIdPattern } from './instruction-ids.ts';
import { instructionLimits } from './instruction-limits.ts';

export const requirements = ['mandatory', 'critical', 'recommended', 'optional', 'deprecated'] as const;
export const statuses = ['draft', 'review', 'approved', 'deprecated'] as const;
export const classifications = ['public', 'internal', 'restricted'] as const;
export const tiers = ['P1', 'P2', 'P3', 'P4'] as const;
export const audiences = ['individual', 'group', 'all'] as const;

export const instructionId = z.string().regex(instructionIdPattern);

const text = z.string().max(instructionLimits.textFieldChars);
const words = z.array(z.string().min(1).max(instructionLimits.listItemChars)).max(instructionLimits.listFieldCount);
const moment = z.iso.datetime({ offset: true });

const changeLogEntry = z.object({ version: z.string(), changedAt: moment, summary: z.string() });

export const conditions = z.strictObject({
  tasks: words.optional().describe('Kinds of task, such as review or deploy'),
  files: words.optional().describe('Globs of file paths'),
  folders: words.optional().describe('Everything below these folders'),
  tools: words.optional().describe('Names of tools'),
  entityTypes: words.optional(),
  languages: words.optional().describe('Names or file endings, such as ts; also derived from the given files'),
});

/** When a rule applies without being asked for: one matching condition is enough. */
const appliesTo = conditions.extend({
  always: z.boolean().optional().describe('Applies to every task'),
  all: z.array(conditions).max(10).optional().describe('Groups of conditions: applies when each group has a match'),
});

const promptArgument = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/),
  description: text.optional(),
  required: z.boolean().optional(),
});

/** An entry as it is stored and served. Computed fields are recomputed on every write. */
export const instructionEntry = z.object({
  id: instructionId,
  title: z.string().max(instructionLimits.titleChars),
  body: z.string().max(instructionLimits.bodyChars),
  rationale: text.optional(),
  description: text.optional(),
  examples: words.optional(),
  tags: words.optional(),
  priority: z.int().min(1).max(100),
  audience: z.enum(audiences),
  requirement: z.enum(requirements),
  categories: z.array(z.string().min(1).max(100)).max(instructionLimits.categoriesCount),
  dependencies: z.array(instructionId).max(instructionLimits.listFieldCount).optional(),
  appliesTo: appliesTo.optional(),
  arguments: z.array(promptArgument).max(20).optional(),
  schemaVersion: z.string(),
  version: z.string(),
  status: z.enum(statuses),
  owner: z.string().max(200),
  classification: z.enum(classifications),
  lastReviewedAt: moment.optional(),
  nextReviewDue: moment.optional(),
  reviewIntervalDays: z.int().min(1).max(3_650).optional(),
  supersedes: instructionId.optional(),
  deprecatedBy: instructionId.optional(),
  changeLog: z.array(changeLogEntry),
  workspaceId: z.string().max(200).optional(),
  userId: z.string().max(200).optional(),
  teamIds: z.array(z.string().min(1).max(200)).max(100).optional(),
  createdByAgent: z.string().max(200).optional(),
  sourceWorkspace: z.string().max(200).optional(),
  semanticSummary: z.string().max(instructionLimits.summaryChars),
  createdAt: moment,
  updatedAt: moment,
  sourceHash: z.string(),
  governanceHash: z.string(),
  priorityTier: z.enum(tiers),
  riskScore: z.number(),
  usageCount: z.int().min(0).optional(),
  lastUsedAt: moment.optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});

export type InstructionEntry = z.infer<typeof instructionEntry>;
export type Requirement = (typeof requirements)[number];
export type Tier = (typeof tiers)[number];
export type Conditions = z.infer<typeof conditions>;
export type AppliesTo = z.infer<typeof appliesTo>;

/** The input of `add` and `import`: only `id` and `body` are required. */
export const instructionInput = stopEarly(
  instructionEntry.partial().extend({ id: z.string(), body: z.string() }).strict(),
);
export type InstructionInput = z.infer<typeof instructionInput>;

export const schemaVersion = '2';
