import { knowledgeLimits } from '../../knowledge-limits.ts';
import type { Field, ServicePlan } from '../service-request.ts';

/** The name of the index that makes a field unique; where it would be cut, the field's number stands for its name. */
export function uniqueName({ name, fields }: ServicePlan, field: Field): string {
  const whole = `${name}_${field.name}_unique`;
  return whole.length <= knowledgeLimits.databaseNameChars ? whole : `${name}_${fields.indexOf(field) + 1}_unique`;
}
