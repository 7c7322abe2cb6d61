import type { Fault } from '#kernel/fault/fault.ts';
import { nearField } from '../../schemas/near-field.ts';
import { truthFaults } from '../../truth-faults.ts';
import { truthLimits } from '../../truth-limits.ts';

/** [TR94] Names the fields that the snapshot has, and the one that was probably meant. */
export function fieldMissing(field: string, fields: readonly string[], type: string): Fault {
  const nearest = nearField(field, fields, type);
  const found = nearest === undefined ? {} : { nearest };
  return truthFaults.FIELD_NOT_FOUND(found, {
    field,
    ...(nearest === undefined ? {} : { did_you_mean: nearest }),
    fields: fields.slice(0, truthLimits.shownFieldsCount),
    total: fields.length,
  });
}
