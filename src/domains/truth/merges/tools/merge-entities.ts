import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { mergeAnswer, mergePairInput } from '../merge-model.ts';

export const mergeEntities = defineTool({
  name: 'merge_entities',
  title: 'Merge two entities',
  summary: 'Adds the observations and edges of the source to the target. unmerge_entities undoes it.',
  guide: {
    when: ['two entities of one type are the same thing'],
    not: ['one only refers to the other: create_relationship'],
    example: {
      source_entity_id: 'ent_5f0c3a9d1b7e2468ace01357',
      target_entity_id: 'ent_0a1b2c3d4e5f60718293a4b5',
      dry_run: true,
    },
  },
  effect: 'update',
  readsWhen: ({ dry_run }) => dry_run,
  input: mergePairInput,
  output: mergeAnswer,
  faults: ['ENTITY_NOT_FOUND', 'CYCLE_DETECTED', 'VALIDATION_ERROR', 'RESOURCE_LIMIT', 'DB_UPDATE_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ merges }: Pick<Truth, 'merges'>, input, call) => merges.merge(input, call),
});
