import type { Database } from '../base/base-entries.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';

export const fieldTypes = ['string', 'number', 'boolean', 'date', 'objectId', 'array', 'object'] as const;
type FieldType = (typeof fieldTypes)[number];

export const serviceFileTypes = ['service', 'hooks', 'schema', 'test'] as const;

/** As it is asked for: nothing is checked yet but types. */
export interface ServiceRequest {
  readonly name: string;
  readonly database: Database;
  readonly fields: readonly {
    readonly name: string;
    readonly type: FieldType;
    readonly required?: boolean | undefined;
    readonly unique?: boolean | undefined;
  }[];
  /** True unless given: false answers JavaScript. */
  readonly typescript?: boolean | undefined;
}

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly unique: boolean;
}

/** A request whose names are known to be good: what the files are written from. */
export interface ServicePlan {
  readonly name: string;
  /** The first part of the names of its types and its class: `Messages`. */
  readonly pascal: string;
  readonly database: Database;
  /** What the key of a record is called. */
  readonly idName: 'id' | '_id';
  readonly fields: readonly Field[];
  /** What its files end with. They are written in TypeScript; JavaScript is the same text without its types. */
  readonly extension: 'ts' | 'js';
}

export const isSql = (database: Database): boolean => database !== 'mongodb';
/** A field that holds JSON: it is kept and answered whole, and nobody can ask by it. */
export const isJson = ({ type }: Field): boolean => type === 'array' || type === 'object';

/** The name of the index that makes a field unique; where it would be cut, the field's number stands for its name. */
export function uniqueName({ name, fields }: ServicePlan, field: Field): string {
  const whole = `${name}_${field.name}_unique`;
  return whole.length <= knowledgeLimits.databaseNameChars ? whole : `${name}_${fields.indexOf(field) + 1}_unique`;
}
