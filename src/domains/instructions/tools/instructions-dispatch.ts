import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

export const instructionsDispatch = defineTool({
  name: 'instructions/dispatch',
  title: 'Instruction catalog',
  summary: 'Runs one action on the instruction catalog; other fields are its arguments.',
  guide: {
    when: ['you look up or change team instructions'],
    not: ['you want the rules for a task: instructions_applicable'],
    example: { action: 'search', query: 'commit message', limit: 5 },
  },
  // The scope and the gate of the called tool apply.
  effect: 'update',
  scope: 'read',
  audit: 'none',
  forwards: 'instructions/',
  // Optional for the validator, because a missing action has its own error; the published schema requires it.
  input: z
    .looseObject({
      action: z
        .string()
        .optional()
        .describe(
          'list, get, search, query, categories, diff, export, add, import, remove, groom, …; capabilities lists all',
        ),
    })
    .meta({ required: ['action'] }),
  output: z.record(z.string(), z.unknown()),
  faults: ['INVALID_PARAMS', 'METHOD_NOT_FOUND'],
  run: ({ reads }: Pick<Instructions, 'reads'>, params, call) => reads.dispatch(params, call),
});
