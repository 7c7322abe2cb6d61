import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { mergePairInput, unmergeAnswer } from '../merge-model.ts';

export const unmergeEntities = defineTool({
  name: 'unmerge_entities',
  title: 'Undo a merge',
  summary: 'Separates the source from the target again, with all its observations and edges, including new ones.',
  guide: {
    when: ['merged entities turned out to be different things'],
    example: {
      source_entity_id: 'ent_5f0c3a9d1b7e2468ace01357',
      target_entity_id: 'ent_0a1b2c3d4e5f60718293a4b5',
    },
  },
  effect: 'update',
  readsWhen: ({ dry_run }) => dry_run,
  input: mergePairInput,
  output: unmergeAnswer,
  faults: ['ENTITY_NOT_FOUND', 'CYCLE_DETECTED', 'VALIDATION_ERROR', 'DB_UPDATE_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ merges }: Pick<Truth, 'merges'>, input, call) => merges.unmerge(input, call),
});
