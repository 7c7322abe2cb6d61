import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { libraryNameSchema, versionSchema } from '../libraries/library-version.ts';

const inputSchema = z.strictObject({
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
    .describe('Instead of source: pages as text; the ending of the path is the format'),
  library: libraryNameSchema.optional().describe('Default: the name that the source declares'),
  version: versionSchema.optional(),
  replace: z.boolean().optional().describe('With pages: remove all other pages'),
  dry_run: z.boolean().optional(),
});

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

export type IngestInput = DeepReadonly<z.infer<typeof inputSchema>>;
export type IngestAnswer = DeepReadonly<z.infer<typeof ingestAnswer>>;

export const knowledgeIngest = defineTool({
  name: 'knowledge_ingest',
  title: 'Ingest docs',
  summary:
    'Ingests the docs of a library for search_docs: a folder, an installed package, an llms.txt, a zip, or pages.',
  guide: {
    when: ['search_docs finds nothing about a library that the project uses', 'its docs or its version have changed'],
    not: ['you want to keep a note: scratch_create'],
    instead: {
      package: 'pass it as source, such as "npm:zod"',
      name: 'pass an installed package as source, such as "npm:zod", or the name of the docs as library',
      url: 'nothing is downloaded: pass a folder, a file or a zip as source, or the text as pages',
      path: 'pass it as source',
      folder: 'pass it as source',
      file: 'pass it as source',
      text: 'pass pages, such as [{"path": "page.md", "content": "…"}]',
      content: 'pass pages, such as [{"path": "page.md", "content": "…"}]',
    },
    example: { source: 'npm:zod' },
  },
  effect: 'update',
  idempotent: true,
  streams: true,
  deadlineMs: knowledgeLimits.ingestMs,
  input: inputSchema,
  output: ingestAnswer,
  faults: ['PATH_REFUSED', 'VALIDATION_ERROR', 'RESOURCE_LIMIT', 'CONFLICT'],
  readsWhen: ({ dry_run }) => dry_run === true,
  run: ({ ingest }: { readonly ingest: Ingest }, input, call) => ingest.run(input, call),
});
