import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { libraryName, libraryVersion } from '../../libraries/library-names.ts';
import type { Ingest } from '../ingest.ts';

export const ingestAnswer = z.object({
  library: z.string(),
  version: z.string(),
  source: z.string(),
  source_kind: z.string(),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  unchanged: z.int(),
  pages: z.int(),
  sections: z.int(),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
  skipped_count: z.int(),
  dry_run: z.literal(true).optional(),
});

export const knowledgeIngest = defineTool({
  name: 'knowledge_ingest',
  title: 'Take in docs',
  summary:
    'Takes in the docs of a library for search_docs: a folder, an installed package, an llms.txt, a zip, or pages.',
  guide: {
    when: ['search_docs knows nothing of a library that the project uses', 'its docs or its version have changed'],
    not: ['you want to keep a note: scratch_create'],
    example: { source: 'npm:zod' },
  },
  effect: 'update',
  idempotent: true,
  streams: true,
  deadlineMs: knowledgeLimits.ingestMs,
  input: z.strictObject({
    source: z
      .string()
      .min(1)
      .max(knowledgeLimits.sourceChars)
      .optional()
      .describe('A folder, an llms.txt, a zip, a file, or a package in node_modules (npm:name)'),
    pages: z
      .array(
        z.strictObject({
          path: z.string().min(1).max(knowledgeLimits.pathChars),
          content: z.string(),
          title: z.string().max(knowledgeLimits.titleChars).optional(),
        }),
      )
      .min(1)
      .max(knowledgeLimits.inlinePagesCount)
      .optional()
      .describe('Instead of source: pages as text; what the path ends in is their format'),
    library: libraryName.optional().describe('As the source calls itself, unless given'),
    version: libraryVersion.optional(),
    replace: z.boolean().optional().describe('With pages: those that are not among them are removed'),
    dry_run: z.boolean().optional(),
  }),
  output: ingestAnswer,
  faults: ['PATH_REFUSED', 'VALIDATION_ERROR', 'RESOURCE_LIMIT', 'CONFLICT'],
  readsWhen: ({ dry_run }) => dry_run === true,
  run: ({ ingest }: { readonly ingest: Ingest }, input, call) => ingest.take(input, call),
});
