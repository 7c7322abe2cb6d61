import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { forgetAnswer, forgetEntityInput } from '../forget-model.ts';

export const forgetEntity = defineTool({
  name: 'forget_entity',
  title: 'Forget an entity',
  summary:
    'Removes an entity for good, with its observations, edges, names, files and the fields about it in every source. By default it only lists them.',
  guide: {
    when: ['a person asks to be forgotten'],
    not: ['a value is wrong: correct_entity', 'a statement should no longer count: retract_statement'],
    example: { entity_id: 'ent_5f0c3a9d1b7e2468ace01357', dry_run: true },
  },
  effect: 'delete',
  scope: 'admin',
  deadlineMs: 600_000,
  input: forgetEntityInput,
  output: forgetAnswer,
  faults: ['ENTITY_NOT_FOUND', 'VALIDATION_ERROR', 'RESOURCE_LIMIT', 'DB_DELETE_FAILED'],
  guarantees: {
    consistency: 'bounded',
    delayMaxMs: 300_000,
    deterministic: true,
    why: 'No answer contains it from the commit on; its bytes leave the files of the store later, as the certificate says.',
  },
  run: ({ forgetting }: Pick<Truth, 'forgetting'>, input, call) => forgetting.entity(input, call),
});
