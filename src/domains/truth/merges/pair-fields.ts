import { z } from 'zod';
import { entityIdField } from '../entities/entity-model.ts';

export const pairInput = z.strictObject({
  source_entity_id: entityIdField,
  target_entity_id: entityIdField,
  dry_run: z.boolean().default(false).describe('Only say what would happen; then it is a read'),
});
