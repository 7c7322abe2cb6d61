import { z } from 'zod';
import { isObject } from '#kernel/json/is-object.ts';
import { restoreCall } from '#kernel/tool/restore-call.ts';
import { stopEarly } from '#kernel/tool/stop-early.ts';
import { type Language, languages, toLanguage } from './languages.ts';
import { notebookFaults } from './notebook-faults.ts';
import { idPattern, isScratchId, reservedId } from './notebook-ids.ts';
import { notebookLimits } from './notebook-limits.ts';

/** RULINGS R5 and R8; `line` and `column` count from 1. */
export const validationResult = z.object({
  cell_index: z.int(),
  cell_id: z.string(),
  language: z.string(),
  /** True: a parser accepted all of the cell. */
  valid: z.boolean().nullable().describe('null: neither accepted by a parser nor known to be wrong; see warnings'),
  checked: z.literal('partly').optional().describe('The grammar does not know all of the cell'),
  errors: z.array(
    z.object({
      message: z.string(),
      code: z.string().optional(),
      line: z.int().optional(),
      column: z.int().optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  warnings: z.array(z.object({ message: z.string(), code: z.string().optional() })),
  details: z
    .object({
      schema_applied: z.string().optional(),
      schema_ref: z.string().optional(),
      reason: z.string().optional(),
    })
    .optional(),
});

const idField = (field: string, isValid: (text: unknown) => boolean, why: string) =>
  z
    .custom<string>((text) => isValid(text), {
      params: { fault: notebookFaults.INVALID_ID({ why }, { field }) },
    })
    .meta({ type: 'string', pattern: idPattern.source });

const isId = (text: unknown): boolean => typeof text === 'string' && idPattern.test(text);
const idFormat = '1 to 128 letters, digits, hyphens and underscores';

const scratchIdFormat = `A scratch_id is ${idFormat}, and not "${reservedId}"`;

export const scratchId = idField('scratch_id', isScratchId, scratchIdFormat);

/** For calls that do not come through a tool. */
export function checkScratchId(text: string): void {
  if (!isScratchId(text)) throw notebookFaults.INVALID_ID({ why: scratchIdFormat }, { field: 'scratch_id' });
}

export const cellId = idField('cell_id', isId, `A cell_id is ${idFormat}`);

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

export const cellIndex = (field: string) =>
  z
    .custom<number>(isIndex, {
      params: {
        fault: notebookFaults.INVALID_INDEX(
          { why: `${field} must be an integer of at least 0` },
          { field, fix: 'Use an integer from 0 on; scratch_list_cells shows the indices.' },
        ),
      },
    })
    .meta({ type: 'integer', minimum: 0 });

const { tagChars, tagsCount, filterCount, namespaceChars } = notebookLimits;

/** These limits are not part of the JSON Schema, because every conversation pays for the listed tools. */
const isTag = (text: string): boolean => text !== '' && text.length <= tagChars;
const tagList = (maxCount: number) =>
  z.array(z.string()).refine((list) => list.length <= maxCount && list.every(isTag), {
    error: `must be at most ${maxCount} tags of 1 to ${tagChars} characters`,
  });

const tags = stopEarly(tagList(tagsCount));

const isNamespace = (text: string): boolean => text.trim() !== '' && text.length <= namespaceChars;
const namespaceFormat = `a name of 1 to ${namespaceChars} characters that is not blank`;
export const namespaceName = z.string().refine(isNamespace, { error: `must be ${namespaceFormat}` });

/** Matches any of the tags; an empty list does not filter. */
export const tagFilter = tagList(filterCount).optional();
export const namespaceFilter = z
  .array(z.string())
  .refine((list) => list.length <= filterCount && list.every(isNamespace), {
    error: `must be a list of at most ${filterCount}, each ${namespaceFormat}`,
  })
  .optional();
export const cellIdFilter = z.array(cellId).max(notebookLimits.cellIdsCount).optional();
/** For tools that write cells. */
export const shownCells = z.literal('all').optional();

export const expectedRevision = z.int().min(1).optional();

/** For answers. Does not check the members, which would take most of the time of a call. */
const openMap = z.custom<Record<string, unknown>>(isObject).meta({ type: 'object', additionalProperties: true });

/** For inputs; its JSON Schema is as short as possible. */
const inputMap = z.custom<Record<string, unknown>>(isObject, { error: 'must be object' }).meta({ type: 'object' });

type CellMetadata = Readonly<Record<string, unknown>> & { readonly tags?: readonly string[] };
const isCellMetadata = (value: unknown): value is CellMetadata =>
  isObject(value) && (value['tags'] === undefined || tags.safeParse(value['tags']).success);
const cellMetadata = z
  .custom<CellMetadata>(isCellMetadata, { error: 'must be object with a valid list of tags' })
  .meta({ type: 'object' });

/** Stored as the documented name, whichever usual name is given. */
const language = z
  .pipe(
    z.transform((name: unknown) => (typeof name === 'string' ? (toLanguage(name) ?? name) : name)),
    z.enum(languages),
  )
  .meta({
    type: 'string',
    enum: [...languages],
  }) as z.ZodType<Language>;

export const cellInput = z.strictObject({
  cell_id: cellId.optional(),
  language,
  content: z.string(),
  validate: z.boolean().default(false),
  json_schema: z.union([inputMap, z.string()]).optional().describe('Or scratchpad://schemas/<name>'),
  metadata: cellMetadata.optional(),
  tags: tags.optional(),
});
export type CellInput = z.infer<typeof cellInput>;

/** Only scratch_append_cell lists the fields of a cell. */
export const cellInputs = z.array(inputMap).pipe(z.array(cellInput)).describe('Cells as in scratch_append_cell');

/** Accepts null for none, but does not list it: some clients cannot read such a JSON Schema. */
export const text = (maxChars: number) =>
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
      error: `must be ${namespaceFormat}, or null`,
    },
  )
  .meta({ type: 'string' })
  .optional();

const padFieldsInput = z.looseObject({
  title: text(notebookLimits.titleChars),
  description: text(notebookLimits.descriptionChars),
  summary: text(notebookLimits.summaryChars),
  namespace: namespaceField,
  tags: tags.optional(),
  schemas: inputMap.optional().describe('name → JSON Schema'),
});
export type PadMetadata = z.infer<typeof padFieldsInput>;

/** Passes on the map itself, because the parser's copy would lack a key `__proto__`. */
export const padMetadata = z
  .custom<PadMetadata>(isObject, { error: 'must be object' })
  .superRefine((map, { addIssue }) => {
    for (const issue of padFieldsInput.safeParse(map).error?.issues ?? []) addIssue({ ...issue });
  })
  .meta({ ...z.toJSONSchema(padFieldsInput, { io: 'input', unrepresentable: 'any' }) });

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

/** The answer of every tool that changes the cells of a pad. */
export const writeAnswer = z.object({
  ok: z.literal(true),
  scratchpad: lightPad,
  next_cursor: z.string().optional().describe('Of scratch_list_cells, for the cells that are not shown'),
  restore: restoreCall.optional(),
  validation: z.array(validationResult).optional(),
});
