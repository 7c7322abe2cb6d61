import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { anyId, filterText, limitField, listFields, offsetField } from './read-schemas.ts';

type Domain = Pick<Instructions, 'reads'>;

export const instructionsList = defineTool({
  name: 'instructions/list',
  title: 'List instructions',
  summary: 'All entries of the catalog by id, or those of one category.',
  guide: {
    when: ['you want the whole catalog or a category of it'],
    not: ['you look for something: instructions_search'],
    example: { category: 'testing', limit: 10 },
  },
  effect: 'read',
  input: z.strictObject({
    category: filterText.optional().describe('In whatever case'),
    limit: limitField,
    offset: offsetField,
    after: anyId
      .optional()
      .describe('The last id of the page before: nothing is missed or doubled when entries come and go'),
    expectId: filterText.optional().describe('An entry you know of: its file is looked for when the list lacks it'),
  }),
  output: z.object(listFields),
  faults: ['INVALID_PARAMS'],
  run: ({ reads }: Domain, input, call) => reads.list(input, call),
});
