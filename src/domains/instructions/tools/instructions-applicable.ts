import { z } from 'zod';
import { type DeepReadonly, defineTool, rare } from '#kernel/tool/tool.ts';
import { requirements } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { cursorField, filterText, filterTexts } from './read-schemas.ts';

const items = z
  .array(z.string().min(1).max(instructionLimits.contextItemChars))
  .max(instructionLimits.contextItemsCount)
  .optional();

const outputSchema = z.object({
  hash: z.string(),
  count: z.int().describe('All that apply'),
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      requirement: z.enum(requirements),
      priority: z.int(),
      reasons: z.array(z.string()),
      body: z.string().optional(),
    }),
  ),
  may_apply: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        requirement: z.enum(requirements),
        reason: z.string(),
        body: z.string().optional(),
      }),
    )
    .optional(),
  others: z.array(z.string()).optional().describe('Ids of less likely rules, best first: instructions_get reads one'),
  leftOut: z.string().optional(),
  hint: z.string().optional(),
  nextCursor: z.string().optional(),
});

export type ApplicableResult = DeepReadonly<z.infer<typeof outputSchema>>;
export type ApplicableItem = ApplicableResult['items'][number];
export type RelatedItem = NonNullable<ApplicableResult['may_apply']>[number];

export const instructionsApplicable = defineTool({
  name: 'instructions/applicable',
  title: 'Rules for a task',
  summary: 'Returns the rules that apply or may apply to a task, binding ones first.',
  guide: {
    when: ['you start a task, edit files or use a tool'],
    not: ['you search by words: instructions_search'],
    example: { task: 'review', files: ['src/server.ts'] },
  },
  effect: 'read',
  listed: true,
  answer: 'page',
  input: z.strictObject({
    task: z.string().max(instructionLimits.contextTaskChars).optional().describe('What you do and its topics'),
    files: items,
    tools: items,
    entityTypes: items,
    languages: items,
    workspaceId: filterText.optional(),
    userId: filterText.optional(),
    teamIds: filterTexts.optional(),
    limit: z.int().min(1).max(instructionLimits.queryResultsCount).optional(),
    cursor: cursorField,
    preview: z.boolean().optional().describe('Does not count the rules as served').meta(rare),
  }),
  output: outputSchema,
  faults: ['INVALID_PARAMS'],
  run: ({ reads }: Pick<Instructions, 'reads'>, input, call) => reads.applicable(input, call),
});
