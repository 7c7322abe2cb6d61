import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { cutFields, limitField, offsetField } from './read-schemas.ts';

type Domain = Pick<Instructions, 'reads'>;

export const instructionsDir = defineTool({
  name: 'instructions/dir',
  title: 'List catalog files',
  summary: 'Lists the files of the catalog, and those that cannot be served with the reason.',
  guide: { when: ['an entry is missing and you want to check its file'], example: {} },
  effect: 'read',
  input: z.strictObject({ limit: limitField, offset: offsetField }),
  output: z.object({
    hash: z.string(),
    filesCount: z.int(),
    files: z.array(z.string()),
    totalBytes: z.int(),
    problems: z.array(z.object({ file: z.string(), problem: z.string() })),
    ...cutFields,
  }),
  faults: ['INVALID_PARAMS'],
  run: ({ reads }: Domain, input, call) => reads.dir(input, call),
});
