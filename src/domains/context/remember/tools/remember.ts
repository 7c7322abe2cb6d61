import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Context } from '../../context.ts';
import { contextLimits } from '../../context-limits.ts';
import { rememberedKinds } from '../choose-kind.ts';

const { rememberedChars, rememberedCount, nameChars, namespaceChars } = contextLimits;

const subject = z.strictObject({
  type: z.string().min(1).max(nameChars),
  name: z.string().min(1).max(nameChars),
  key: z.string().min(1).max(nameChars).optional(),
});

/** Listed in words: a union would make the tool list longer. */
const about = z
  .custom<string | z.infer<typeof subject>>(
    (value) => z.union([z.string().regex(/\S/).max(nameChars), subject]).safeParse(value).success,
    { error: 'must be a name, an entity_id or an object {type, name, key?}' },
  )
  .meta({ type: ['string', 'object'] as never, description: 'What a fact is about: name, entity_id or {type, name}' });

const itemFields = {
  kind: z.enum(rememberedKinds).optional(),
  about: about.optional(),
  source: z.string().min(1).max(nameChars).optional(),
  effective_at: z.string().min(4).max(40).optional().describe('Since when a fact holds'),
};

const text = z.string().max(rememberedChars).regex(/\S/, 'must not be blank');

/** `remember` checks the text of each item itself, so that a bad one does not stop the others. */
const item = z.strictObject({ text: z.string(), ...itemFields });
export type RememberItem = z.infer<typeof item>;

const inputSchema = z.strictObject({
  text: text.optional(),
  ...itemFields,
  namespace: z.string().min(1).max(namespaceChars).optional().describe('Workspace'),
  items: z
    .custom<readonly (string | RememberItem)[]>(
      (value) =>
        z
          .array(z.union([z.string(), item]))
          .min(1)
          .max(rememberedCount)
          .safeParse(value).success,
      `must be 1 to ${rememberedCount} texts or objects {text, kind?, about?, source?, effective_at?}`,
    )
    .meta({ type: 'array', description: 'Several texts, or {text, kind?, about?, …}' })
    .optional(),
});
export type RememberInput = z.infer<typeof inputSchema>;

const undo = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });

const remembered = z.object({
  kind: z.enum(rememberedKinds),
  id: z.string().describe('For forget'),
  where: z.string(),
  known: z.literal(true).optional().describe('It was there before; nothing was added'),
  changes: z
    .array(z.object({ field: z.string(), before: z.unknown().optional(), after: z.unknown().optional() }))
    .optional(),
  changes_at: z.string().optional().describe('When they take effect, if not now'),
  note: z.string().optional().describe('What else became of it'),
  undo: undo.optional().describe('The call that takes it back'),
  warning: z.string().optional(),
});
export type RememberedItem = DeepReadonly<z.infer<typeof remembered>>;

const outputSchema = z.object({
  remembered: z.array(remembered),
  failed: z
    .array(z.object({ index: z.int(), code: z.string(), message: z.string(), fix: z.string() }))
    .optional()
    .describe('Items that were not kept'),
});
export type RememberAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const rememberTool = defineTool({
  name: 'remember',
  title: 'Remember something',
  summary: 'Keeps a text: with about as a fact, a rule as a proposal for a person, anything else as a note.',
  guide: {
    when: ['the user says "remember", or you learned something worth keeping'],
    not: ['you have several fields: store_fact'],
    example: { text: 'Globex pays within 14 days', about: 'Globex', source: 'mail of 3 May' },
  },
  effect: 'create',
  positionals: ['text'],
  listed: true,
  input: inputSchema,
  output: outputSchema,
  faults: ['VALIDATION_ERROR', 'CAPACITY_LIMIT_REACHED', 'RESOURCE_LIMIT'],
  run: (context: Context, input, call) => context.remember(input, call),
});
