import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { anyId, briefField, filterText, limitField, listFields, offsetField, shownEntries } from './read-schemas.ts';

export const instructionsList = defineTool({
  name: 'instructions/list',
  title: 'List instructions',
  summary: 'Lists all entries by id, or those of one category; use brief: true unless you need the bodies.',
  guide: {
    when: ['you want the whole catalog or one category'],
    not: ['you look for something: instructions_search'],
    example: { category: 'testing', brief: true },
  },
  effect: 'read',
  input: z.strictObject({
    category: filterText.optional().describe('Ignores case'),
    limit: limitField,
    offset: offsetField,
    after: anyId.optional().describe('The last id of the previous page; stays correct when entries change'),
    brief: briefField,
    expectId: filterText.optional().describe('An entry that must exist: its file is read if the list lacks it'),
  }),
  output: z.object({ ...listFields, items: shownEntries }),
  faults: ['INVALID_PARAMS'],
  run: ({ reads }: Pick<Instructions, 'reads'>, input, call) => reads.list(input, call),
});
