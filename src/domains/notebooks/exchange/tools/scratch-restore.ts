import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { restoreCall } from '#kernel/tool/restore-call.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { cellId, lightPad, namespaceName, scratchId } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';
import { schemaRefField, sharedSchemaField } from '../../schemas/schema-model.ts';

type Restoring = Pick<Notebooks, 'pads' | 'schemas' | 'namespaces'>;

const missing = () =>
  faults.VALIDATION_ERROR(
    { why: 'give scratch_id or namespace' },
    { fix: 'Send the restore call of the answer that deleted it, or an id that scratch_trash lists.' },
  );

export const scratchRestore = defineTool({
  name: 'scratch_restore',
  title: 'Restore a scratchpad, cell, schema or namespace',
  summary:
    'Brings back a deleted, reset or evicted scratchpad, the former version of a cell or schema, or a namespace with its scratchpads.',
  guide: {
    when: ['something in a scratchpad was deleted, reset or replaced by mistake'],
    example: { scratch_id: 'plan' },
  },
  effect: 'update',
  command: 'notebooks restore',
  positionals: ['scratch_id'],
  aliases: ['notebooks_restore'],
  input: z.strictObject({
    scratch_id: scratchId.optional(),
    copy: z.string().min(1).max(200).optional().describe('One of several copies; the newest when missing'),
    change: z.int().min(1).optional().describe('With cell_id: a change of scratch_history, which is undone'),
    as: scratchId.optional().describe('Restores the scratchpad under another id'),
    replace: z.boolean().default(false).describe('Moves a scratchpad that has the id now to the trash'),
    cell_id: cellId.optional().describe('Restores only this cell'),
    schema_id: schemaRefField.optional().describe('Restores only this schema'),
    namespace: namespaceName.optional().describe('Restores a deleted namespace with its scratchpads'),
  }),
  output: z.object({
    ok: z.literal(true),
    scratchpad: lightPad.optional(),
    next_cursor: z.string().optional(),
    schema: sharedSchemaField.optional(),
    namespace: z.string().optional(),
    restored_scratchpads: z.array(z.string()).optional(),
    skipped_scratchpads: z.array(z.string()).optional().describe('Their ids are taken, or they are not in the trash'),
    restore: restoreCall.optional(),
  }),
  faults: ['NOT_FOUND', 'INVALID_ID', 'CONFLICT', 'VALIDATION_ERROR', 'CAPACITY_LIMIT_REACHED', 'CONFIG_ERROR'],
  run({ pads, schemas, namespaces }: Restoring, input, call) {
    const { scratch_id, cell_id, schema_id, namespace, copy, change, as, replace } = input;
    if (scratch_id === undefined) {
      if (namespace === undefined) throw missing();
      return namespaces.restore(namespace, pads, call);
    }
    if (cell_id !== undefined) return pads.restoreCell({ scratch_id, cell_id, copy, change }, call);
    if (schema_id !== undefined) return schemas.restore(scratch_id, schema_id, copy, call);
    return pads.restore({ scratch_id, as, pad_key: copy, replace }, call);
  },
});
