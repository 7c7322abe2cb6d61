import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { filterText, filterTexts, limitField, listFields, offsetField } from './read-schemas.ts';

export const instructionsListScoped = defineTool({
  name: 'instructions/listScoped',
  title: 'List instructions of a scope',
  summary: 'Lists the entries of the first scope that has any: user, workspace, team, otherwise those for all.',
  guide: {
    when: ['you want the rules of a user, a workspace or a team'],
    example: { workspaceId: 'web-shop' },
  },
  effect: 'read',
  input: z.strictObject({
    userId: filterText.optional(),
    workspaceId: filterText.optional(),
    teamIds: filterTexts.optional(),
    limit: limitField,
    offset: offsetField,
  }),
  output: z.object({ scope: z.enum(['user', 'workspace', 'team', 'all']), ...listFields }),
  faults: ['INVALID_PARAMS'],
  run: ({ reads }: Pick<Instructions, 'reads'>, input, call) => reads.listScoped(input, call),
});
