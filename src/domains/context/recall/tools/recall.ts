import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Context } from '../../context.ts';
import { contextLimits } from '../../context-limits.ts';
import { memoryNames, memoryOf, type Part } from '../../memories.ts';

const isPart = (name: unknown): name is Part => typeof name === 'string' && Object.hasOwn(memoryOf, name);

const { taskChars, filesCount, fileChars, namespaceChars } = contextLimits;
const { leastBudgetTokens, defaultBudgetTokens, largestBudgetTokens } = contextLimits;

/** The parts of an answer have names of their own, and these are accepted too. */
const memory = z
  .pipe(
    z.transform((name: unknown) => (isPart(name) ? memoryOf[name] : name)),
    z.enum(memoryNames),
  )
  .meta({ type: 'string', enum: [...memoryNames] });

const inputSchema = z.strictObject({
  task: z.string().max(taskChars).regex(/\S/, 'must not be blank').describe('What you are about to do'),
  files: z.array(z.string().min(1).max(fileChars)).max(filesCount).optional().describe('Paths you will touch'),
  budget_tokens: z.int().min(leastBudgetTokens).max(largestBudgetTokens).default(defaultBudgetTokens),
  memories: z.array(memory).min(1).optional(),
  at: z.string().max(40).optional().describe('Facts as they were then'),
  namespace: z.string().min(1).max(namespaceChars).optional().describe('Only notes of this namespace'),
});
export type RecallInput = z.output<typeof inputSchema>;

const cut = z.literal(true).optional().describe('The text goes on');
const untrusted = z.literal(true).optional().describe('Brought in from outside');

const outputSchema = z.object({
  receipt_id: z.string().optional().describe('For recall_receipt'),
  notice: z.string().optional(),
  rules: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        requirement: z.string(),
        may_apply: z.literal(true).optional().describe('Only its text is about the task'),
        why: z.string().optional(),
        body: z.string().optional(),
        cut,
      }),
    )
    .optional(),
  general: z
    .record(z.string(), z.string())
    .optional()
    .describe('Rules for every task that have nothing in common with this one: id and title'),
  proposed: z
    .array(z.object({ id: z.string(), by: z.string(), text: z.string() }))
    .optional()
    .describe('New rules that wait for approval'),
  facts: z
    .array(
      z.object({
        entity_id: z.string(),
        type: z.string(),
        name: z.string(),
        fields: z.record(z.string(), z.unknown()),
        relations: z.array(z.string()).optional().describe('`this` is the entity'),
        upcoming: z
          .array(z.object({ field: z.string(), value: z.unknown().optional(), from: z.string() }))
          .optional()
          .describe('What changes by itself; no value: it ends'),
        as_of: z.string().optional(),
        source: z.string().optional(),
        untrusted,
        cut: z.literal(true).optional().describe('It has more fields'),
      }),
    )
    .optional(),
  notes: z
    .array(
      z.object({
        scratch_id: z.string(),
        cell_id: z.string().optional(),
        namespace: z.string().optional(),
        title: z.string().optional().describe('Of its pad'),
        by: z.string().optional(),
        untrusted: z.literal(true).optional().describe('Written by another actor, not by an administrator'),
        before: z.array(z.string()).optional().describe('The cells before it'),
        text: z.string(),
        after: z.array(z.string()).optional(),
        cut,
      }),
    )
    .optional(),
  docs: z
    .array(z.object({ id: z.string(), title: z.string(), library: z.string(), untrusted, text: z.string(), cut }))
    .optional(),
  contradictions: z
    .array(
      z.object({
        contradiction_id: z.string(),
        entity_id: z.string(),
        field: z.string(),
        values: z.array(z.unknown()),
      }),
    )
    .optional(),
  changes: z
    .array(
      z.object({
        memory: z.enum(memoryNames),
        id: z.string(),
        what: z.enum(['create', 'update', 'delete']),
        at: z.string(),
        by: z.string(),
        tool: z.string(),
      }),
    )
    .optional()
    .describe('What changed lately about these items'),
  left_out: z.record(z.string(), z.int()).optional(),
  more: z.record(z.string(), z.string()).optional().describe('The calls that return what was left out or cut'),
  hints: z.record(z.string(), z.string()).optional(),
  incomplete: z.literal(true).optional().describe('The budget is too small for the names of all binding rules'),
  missing: z.int().optional().describe('Binding rules that are not named'),
  tokens: z.int().describe('Of this answer, at most'),
});
export type RecallAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const recallTool = defineTool({
  name: 'recall',
  title: 'Recall what matters for a task',
  summary: 'Returns the rules, facts, notes and docs that matter for a task.',
  guide: {
    when: ['you start any task or need context'],
    not: ['you know where it is: search that memory'],
    example: { task: 'add a column to the orders table', files: ['migrations/0042.sql'] },
  },
  effect: 'read',
  listed: true,
  answer: 'whole',
  input: inputSchema,
  output: outputSchema,
  faults: ['VALIDATION_ERROR'],
  run: (context: Context, input, call) => context.recall(input, call),
});
