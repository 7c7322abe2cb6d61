import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { classifications, requirements, statuses, tiers } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { type Facets, facetNames } from '../reads/count-facets.ts';
import { usageSignals } from '../rules/activity-filter.ts';
import { sortDirections, sortFields } from '../rules/filter-and-sort.ts';
import { cursorField, filterText, filterTexts, offsetField, remarkFields, shownEntries } from './read-schemas.ts';

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).optional();
const tierList = z.array(z.enum(tiers)).max(tiers.length).optional();
const priority = z.int().min(1).max(100).optional();

const activityFilters = {
  reviewOverdue: z.boolean().optional(),
  unusedDays: z
    .int()
    .min(1)
    .max(instructionLimits.unusedDays)
    .optional()
    .describe('Neither served nor used for so many days'),
  signal: z
    .array(z.enum(usageSignals))
    .min(1)
    .max(usageSignals.length)
    .optional()
    .describe('Signals of usage/track that no later change or review has answered; the answer shows them in remarks'),
  signalMin: z.int().min(1).max(instructionLimits.keptRemarksCount).optional().describe('How many; default 1'),
};

const facetValues = z.array(z.object({ value: z.string(), count: z.int() }));
const toFacetFields = () =>
  Object.fromEntries(facetNames.map((name) => [name, facetValues])) as Record<keyof Facets, typeof facetValues>;

const filters = z.strictObject({
  categories: filterTexts.optional().describe('Any of these'),
  priorityTiers: tierList,
  status: z.array(z.enum(statuses)).max(statuses.length).optional(),
  owners: filterTexts.optional(),
  classification: z.array(z.enum(classifications)).max(classifications.length).optional(),
  workspaceId: filterText.optional(),
  userId: filterText.optional(),
  teamIds: filterTexts.optional().describe('Any of these'),
  createdAfter: moment,
  updatedAfter: moment,
  text: filterText.optional().describe('Text in title or body'),
  ...activityFilters,
});

export const instructionsQuery = defineTool({
  name: 'instructions/query',
  title: 'Query instructions',
  summary: 'Returns the entries that meet all conditions, sorted, in pages.',
  guide: {
    when: ['you select by owner, tier, status, category, date, overdue review, use or signal'],
    not: ['you search by words and want a ranking: instructions_search'],
    example: {
      filters: { priorityTiers: ['P1'], status: ['approved'] },
      sort: { field: 'priority', direction: 'asc' },
    },
  },
  effect: 'read',
  answer: 'page',
  input: z.strictObject({
    filters: filters.optional(),
    categoriesAll: filterTexts.optional(),
    categoriesAny: filterTexts.optional(),
    excludeCategories: filterTexts.optional(),
    priorityMin: priority,
    priorityMax: priority,
    priorityTiers: tierList,
    requirements: z.array(z.enum(requirements)).max(requirements.length).optional(),
    text: filterText.optional().describe('Text in title or body'),
    ...activityFilters,
    sort: z.strictObject({ field: z.enum(sortFields), direction: z.enum(sortDirections).default('asc') }).optional(),
    limit: z.int().min(1).max(instructionLimits.queryResultsCount).optional(),
    offset: offsetField,
    cursor: cursorField,
    brief: z.boolean().optional().describe('Without bodies: what a list shows, with owner, tier, dates and use'),
    facets: z.boolean().optional().describe('Also count the values of all matches, for filters'),
  }),
  output: z.object({
    hash: z.string(),
    items: shownEntries,
    facets: z.object(toFacetFields()).optional().describe('The most frequent values of all matches'),
    remarks: z.array(z.object({ id: z.string(), ...remarkFields })).optional(),
    total: z.int(),
    returned: z.int(),
    nextCursor: z.string().optional(),
    appliedFilters: z.looseObject({}),
    performanceMs: z.number(),
  }),
  faults: ['INVALID_PARAMS'],
  run: ({ reads }: Pick<Instructions, 'reads'>, input, call) => reads.query(input, call),
});
