import { z } from 'zod';
import { accessLimits } from '#kernel/access/access-limits.ts';
import { limits } from '#kernel/limits.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

export const actorsName = defineTool({
  name: 'actors/name',
  title: 'Names of actors',
  summary: 'Returns the names of actors that answers contain as key:<id>, such as the authors of a history.',
  guide: { when: ['you show to a person who changed something'], example: { actors: ['key:0ef93d07a7dd39e8'] } },
  effect: 'read',
  // Who may read a history may know who wrote it. The names cannot be listed: each one is asked for by its id.
  scope: 'read',
  stable: false,
  input: z.strictObject({
    actors: z.array(z.string().min(1).max(accessLimits.actorChars)).min(1).max(limits.auditPageCount),
  }),
  output: z.object({ names: z.record(z.string(), z.string()).describe('By actor; one without a name has itself') }),
  faults: ['INVALID_PARAMS'],
  run: (system: System, { actors }, call) => system.nameActors(actors, call),
});
