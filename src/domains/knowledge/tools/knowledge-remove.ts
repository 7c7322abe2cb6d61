import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Libraries } from '../libraries/libraries.ts';
import { libraryNameSchema, versionSchema } from '../libraries/library-version.ts';

export const knowledgeRemove = defineTool({
  name: 'knowledge_remove',
  title: 'Remove a library',
  summary:
    'Removes one version of a library from the docs that are searched, or all with confirm; it can be restored for 30 days.',
  guide: {
    when: ['a library is not used any more, or only in another version'],
    not: ['its docs have changed: knowledge_ingest again'],
    example: { library: 'react', version: '18.3.1' },
  },
  effect: 'delete',
  input: z.strictObject({
    library: libraryNameSchema,
    version: versionSchema.optional(),
    confirm: z.boolean().optional().describe('Needed to remove several versions at once'),
  }),
  output: z.object({
    library: z.string(),
    removed: z.array(z.object({ library: z.string(), version: z.string(), pages: z.int(), sections: z.int() })),
  }),
  faults: ['NOT_FOUND', 'VALIDATION_ERROR'],
  run: ({ libraries }: { readonly libraries: Pick<Libraries, 'remove'> }, input, call) => libraries.remove(input, call),
});
