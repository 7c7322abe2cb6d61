import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { mappedField } from './instructions-import.ts';
import { cutFields, limitField, offsetField } from './read-schemas.ts';

const outputSchema = z.object({
  hash: z.string(),
  filesCount: z.int(),
  files: z.array(z.string()),
  totalBytes: z.int(),
  problems: z.array(z.object({ file: z.string(), problem: z.string() })),
  mappedCount: z.int().optional(),
  mapped: z.array(mappedField).optional().describe('Values of another catalog and what they became'),
  ...cutFields,
});

export type Directory = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsDir = defineTool({
  name: 'instructions/dir',
  title: 'List catalog files',
  summary: 'Lists the files of the catalog, and those that cannot be served with the reason.',
  guide: { when: ['an entry is missing and you want to check its file'], example: {} },
  effect: 'read',
  input: z.strictObject({ limit: limitField, offset: offsetField }),
  output: outputSchema,
  faults: ['INVALID_PARAMS'],
  run: ({ reads }: Pick<Instructions, 'reads'>, input, call) => reads.dir(input, call),
});
