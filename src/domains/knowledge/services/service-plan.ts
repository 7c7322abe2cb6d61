import type { Database } from '../base/base-entries.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';

export const fieldTypes = ['string', 'number', 'boolean', 'date', 'objectId', 'array', 'object'] as const;
type FieldType = (typeof fieldTypes)[number];

/** Only the types are checked. */
export interface ServiceRequest {
  readonly name: string;
  readonly database: Database;
  readonly fields: readonly (Pick<Field, 'name' | 'type'> & {
    readonly required?: boolean | undefined;
    readonly unique?: boolean | undefined;
  })[];
  readonly typescript?: boolean | undefined;
}

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly unique: boolean;
}

/** A checked request. */
export interface ServicePlan {
  readonly name: string;
  /** The prefix of its class and type names: `Messages`. */
  readonly pascal: string;
  readonly database: Database;
  readonly idName: 'id' | '_id';
  readonly fields: readonly Field[];
  /** Files are generated as TypeScript; JavaScript is the same text without types. */
  readonly extension: 'ts' | 'js';
}

export const isSql = (database: Database): boolean => database !== 'mongodb';
/** Arrays and objects are stored and returned whole, and cannot be queried. */
export const isJson = ({ type }: Field): boolean => type === 'array' || type === 'object';

/** If the name would be too long, the field's number replaces its name. */
export function uniqueName({ name, fields }: ServicePlan, field: Field): string {
  const whole = `${name}_${field.name}_unique`;
  return whole.length <= knowledgeLimits.databaseNameChars ? whole : `${name}_${fields.indexOf(field) + 1}_unique`;
}
