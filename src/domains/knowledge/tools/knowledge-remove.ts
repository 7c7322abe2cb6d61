import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Libraries } from '../libraries/libraries.ts';
import { libraryNameSchema, versionSchema } from '../libraries/library-version.ts';

const inputSchema = z.strictObject({
  library: libraryNameSchema,
  version: versionSchema.optional(),
  confirm: z.boolean().optional().describe('Required to remove several versions'),
});

const outputSchema = z.object({
  library: z.string(),
  removed: z.array(z.object({ library: z.string(), version: z.string(), pages: z.int(), sections: z.int() })),
});

export type RemoveInput = z.infer<typeof inputSchema>;
export type RemoveAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const knowledgeRemove = defineTool({
  name: 'knowledge_remove',
  title: 'Remove a library',
  summary: 'Removes one version of a library, or all versions with confirm; it can be restored for 30 days.',
  guide: {
    when: ['a library is no longer used, or only in another version'],
    not: ['its docs have changed: knowledge_ingest again'],
    example: { library: 'react', version: '18.3.1' },
  },
  effect: 'delete',
  input: inputSchema,
  output: outputSchema,
  faults: ['NOT_FOUND', 'VALIDATION_ERROR'],
  run: ({ libraries }: { readonly libraries: Pick<Libraries, 'remove'> }, input, call) => libraries.remove(input, call),
});
