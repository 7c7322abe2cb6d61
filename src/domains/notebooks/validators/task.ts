import { defineTask } from '#kernel/workers/task.ts';
import type { Language } from '../languages.ts';
import type { ValidationResult } from './result.ts';

/** What stands in the cell's json_schema, resolved by the caller against the pad's shared schemas. */
export type SchemaToApply =
  /** `id` goes into `schema_applied`; `ref` is the reference as it was given. */
  | { readonly kind: 'schema'; readonly schema: unknown; readonly id?: string; readonly ref?: string }
  | { readonly kind: 'missing'; readonly ref: string };

export interface CellToCheck {
  readonly cellId: string;
  readonly index: number;
  readonly language: Language;
  readonly content: string;
  readonly schema?: SchemaToApply;
}

/** The pad's schemas by name and by id, for `$ref: scratchpad://schemas/<name>` inside schemas. */
export type SharedSchemas = Readonly<Record<string, unknown>>;

export interface CheckInput {
  readonly cells: readonly CellToCheck[];
  readonly shared: SharedSchemas;
}

export const checkTask = defineTask<CheckInput, readonly ValidationResult[]>('notebooks/check');
