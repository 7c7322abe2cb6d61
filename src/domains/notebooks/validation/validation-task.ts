import type { TaskTable } from '#kernel/workers/serve-tasks.ts';
import { defineTask } from '#kernel/workers/task.ts';
import type { Language } from '../languages.ts';
import type { SchemaToApply, SharedSchemas } from '../validators/schema/apply.ts';
import type { ValidationResult } from './validation-result.ts';

export interface CellToValidate {
  readonly cellId: string;
  readonly index: number;
  readonly language: Language;
  readonly content: string;
  readonly schema?: SchemaToApply;
}

export interface ValidationInput {
  readonly cells: readonly CellToValidate[];
  readonly shared: SharedSchemas;
}

export const validationTask = defineTask<ValidationInput, readonly ValidationResult[]>('notebooks/validate');

export const notebookTasks: TaskTable = {
  [validationTask.name]: async () => (await import('./validate-cells.ts')).validateCells,
};
