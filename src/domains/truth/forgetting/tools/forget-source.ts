import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { forgetAnswer, forgetSourceInput } from '../forget-model.ts';

export const forgetSource = defineTool({
  name: 'forget_source',
  title: 'Forget a source',
  summary:
    'Removes a payload, a submission or a record for good, with all that it states, its files, and entities that only it speaks of. Cannot be undone; lists by default what it would remove.',
  guide: {
    when: ['a document should never have been stored'],
    not: ['its statements are wrong: retract_statement', 'a person asks to be forgotten: forget_entity'],
    example: { id: '01975e0c-3b1a-7c2e-9f10-5a2b7c8d9e0f', dry_run: true },
  },
  effect: 'delete',
  scope: 'admin',
  deadlineMs: 600_000,
  input: forgetSourceInput,
  output: forgetAnswer,
  faults: ['NOT_FOUND', 'VALIDATION_ERROR', 'DB_DELETE_FAILED'],
  guarantees: {
    consistency: 'bounded',
    delayMaxMs: 300_000,
    deterministic: true,
    why: 'No answer contains it from the commit on; its bytes leave the files of the store later, as the certificate says.',
  },
  run: ({ forgetting }: Pick<Truth, 'forgetting'>, input, call) => forgetting.source(input, call),
});
