import { z } from 'zod';
import { isObject } from '#kernel/json/is-object.ts';
import { languages } from './languages.ts';
import { notebookFaults } from './notebook-faults.ts';
import { notebookLimits } from './notebook-limits.ts';
import { idPattern } from './words.ts';

/** `scratchpad://schemas/<name>` names a schema, so no pad is called so. */
const reservedId = 'schemas';

const idField = (field: string, isGood: (text: unknown) => boolean, why: string) =>
  z
    .custom<string>((text) => typeof text === 'string' && isGood(text), {
      params: { fault: notebookFaults.INVALID_ID({ why }, { field }) },
    })
    .meta({ type: 'string', pattern: idPattern.source });

const isId = (text: unknown): boolean => typeof text === 'string' && idPattern.test(text);
const idWords = '1 to 128 letters, digits, hyphens and underscores';

const scratchIdWords = `A scratch_id is ${idWords}, and not "${reservedId}"`;
const isScratchId = (text: unknown): boolean => text !== reservedId && isId(text);

export const scratchId = idField('scratch_id', isScratchId, scratchIdWords);

/** For callers who come without a tool. */
export function checkScratchId(text: string): void {
  if (!isScratchId(text)) throw notebookFaults.INVALID_ID({ why: scratchIdWords }, { field: 'scratch_id' });
}

export const cellId = idField('cell_id', isId, `A cell_id is ${idWords}`);

const { tagChars, tagsCount, filterCount, namespaceChars } = notebookLimits;

/**
 * Bounds that a client need not know beforehand are told when they are met: each listed schema is paid for by every
 * conversation.
 */
const isTag = (text: string): boolean => text !== '' && text.length <= tagChars;
const tagList = (maxCount: number) =>
  z.array(z.string()).refine((list) => list.length <= maxCount && list.every(isTag), {
    error: `must be at most ${maxCount} tags of 1 to ${tagChars} characters`,
  });

const tags = tagList(tagsCount);

const isNamespace = (text: string): boolean => text.trim() !== '' && text.length <= namespaceChars;
const namespaceWords = `a name of 1 to ${namespaceChars} characters that is not blank`;
export const namespaceName = z.string().refine(isNamespace, { error: `must be ${namespaceWords}` });

/** Any of them; an empty list asks for nothing in particular, as no list does. */
export const tagFilter = tagList(filterCount).optional();
export const namespaceFilter = z
  .array(z.string())
  .refine((list) => list.length <= filterCount && list.every(isNamespace), {
    error: `must be at most ${filterCount} times ${namespaceWords}`,
  })
  .optional();
export const cellIdFilter = z.array(cellId).max(notebookLimits.cellIdsCount).optional();
export const expectedRevision = z.int().min(1).optional().describe('CONFLICT when it has moved');

/** Of an answer. That it is a map is all there is to check: looking at its members one by one took most of the time. */
const openMap = z.custom<Record<string, unknown>>(isObject).meta({ type: 'object', additionalProperties: true });

/** Any map: listed in as few words as can be. */
const givenMap = z.custom<Record<string, unknown>>(isObject, { error: 'must be object' }).meta({ type: 'object' });

type CellMetadata = Readonly<Record<string, unknown>> & { readonly tags?: readonly string[] };
const isCellMetadata = (value: unknown): value is CellMetadata =>
  isObject(value) && (value['tags'] === undefined || tags.safeParse(value['tags']).success);
const cellMetadata = z
  .custom<CellMetadata>(isCellMetadata, { error: 'must be object, and its tags a list of tags' })
  .meta({ type: 'object' });

export const cellInput = z.strictObject({
  cell_id: cellId.optional().describe('Made when absent'),
  language: z.enum(languages),
  content: z.string(),
  validate: z.boolean().default(false),
  json_schema: z.union([givenMap, z.string()]).optional().describe('JSON Schema, or scratchpad://schemas/<name>'),
  metadata: cellMetadata.optional(),
  tags: tags.optional(),
});
export type CellInput = z.infer<typeof cellInput>;

/** Listed in full by scratch_append_cell, and only there. */
export const cellInputs = z.array(givenMap).pipe(z.array(cellInput)).describe('Cells as in scratch_append_cell');

/** Null is taken for none; a schema that says so is not read by every client. */
const text = (maxChars: number) =>
  z
    .custom<string | null>((value) => value === null || (typeof value === 'string' && value.length <= maxChars), {
      error: `must be text of at most ${maxChars} characters, or null`,
    })
    .meta({ type: 'string' })
    .optional();

const namespaceField = z
  .custom<string | null>(
    (value) => value === null || value === '' || (typeof value === 'string' && isNamespace(value)),
    {
      error: `must be ${namespaceWords}, or null`,
    },
  )
  .meta({ type: 'string' })
  .optional();

const padFieldsGiven = z.looseObject({
  title: text(notebookLimits.titleChars),
  description: text(notebookLimits.descriptionChars),
  summary: text(notebookLimits.summaryChars),
  namespace: namespaceField,
  tags: tags.optional(),
  schemas: givenMap.optional().describe('name → JSON Schema'),
});
export type PadMetadata = z.infer<typeof padFieldsGiven>;

/** The map itself goes on, not the parser's copy: that one leaves a key called `__proto__` out without a word. */
export const padMetadata = z
  .custom<PadMetadata>(isObject, { error: 'must be object' })
  .superRefine((map, { addIssue }) => {
    for (const issue of padFieldsGiven.safeParse(map).error?.issues ?? []) addIssue({ ...issue });
  })
  .meta({ ...z.toJSONSchema(padFieldsGiven, { io: 'input', unrepresentable: 'any' }) });

const strings = z.array(z.string());

export const lightCell = z.object({
  cell_id: z.string(),
  index: z.int(),
  language: z.enum(languages),
  type: z.enum(['data', 'markup', 'code', 'text']),
  revision: z.int(),
  tags: strings.optional(),
});
export type LightCell = z.infer<typeof lightCell>;

/** As scratch_list_cells shows it. */
export const listedCell = lightCell.extend({
  metadata: openMap.optional(),
  preview: z.string().optional(),
  content_bytes: z.int(),
  metadata_omitted: z.literal(true).optional(),
});
export type ListedCell = z.infer<typeof listedCell>;

export const fullCell = lightCell.extend({
  content: z.string().optional(),
  content_omitted: z.literal(true).optional(),
  validate: z.boolean().optional(),
  json_schema: z.unknown().optional(),
  metadata: openMap.optional(),
});
export type FullCell = z.infer<typeof fullCell>;

const padFields = {
  scratch_id: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  summary: z.string().optional(),
  namespace: z.string().nullable(),
  tags: strings,
  cell_tags: strings,
  cell_count: z.int(),
  revision: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  metadata: openMap.optional(),
};

export const lightPad = z.object({ ...padFields, cells: z.array(lightCell) });
export type LightPad = z.infer<typeof lightPad>;
export const fullPad = z.object({
  ...padFields,
  cells: z.array(fullCell),
});
export type FullPad = z.infer<typeof fullPad>;
