import type { Language } from '../languages.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { ErrorEntry, ValidationResult, WarningEntry } from './result.ts';
import type { applySchema } from './schema/apply.ts';
import type { CellToCheck, CheckInput } from './task.ts';
import { type DataVerdict, sound, type Verdict } from './verdict.ts';

/** Literal imports: a thread loads only the parsers that its cells need. */
async function read(content: string, language: Language): Promise<Verdict | DataVerdict> {
  switch (language) {
    case 'txt':
      return { errors: [], warnings: [{ message: 'plain text is not checked', code: 'VALIDATION_SKIPPED' }] };
    case 'json':
      return (await import('./check-json.ts')).checkJson(content);
    case 'yaml':
    case 'yml':
      return (await import('./check-yaml.ts')).checkYaml(content);
    case 'toml':
      return (await import('./check-toml.ts')).checkToml(content);
    case 'md':
      return (await import('./check-markdown.ts')).checkMarkdown(content);
    case 'css':
      return (await import('./check-css.ts')).checkCss(content);
    case 'html':
    case 'htm':
      return (await import('./check-html.ts')).checkHtml(content);
    case 'js':
    case 'jsx':
    case 'ts':
    case 'tsx':
      return (await import('./check-script.ts')).checkScript(content, language);
    default:
      return (await import('./check-tree.ts')).checkTree(content, language);
  }
}

/** A parser that runs out of stack says nothing about the text but that it nests too deep for it. */
function toVerdict(error: unknown): Verdict {
  if (error instanceof RangeError && error.message.includes('call stack'))
    return { errors: [{ message: 'nested too deep to be checked', code: 'NESTED_TOO_DEEP' }], warnings: [] };
  throw error;
}

const apply = async (...given: Parameters<typeof applySchema>) =>
  (await import('./schema/apply.ts')).applySchema(...given);

async function judge(cell: CellToCheck, shared: CheckInput['shared']): Promise<ValidationResult> {
  const { cellId, index, language, content, schema } = cell;
  const about = { cell_index: index, cell_id: cellId, language };
  const verdict = await read(content, language).catch(toVerdict);
  const applied: Verdict & Pick<ValidationResult, 'details'> =
    schema === undefined ? sound : await apply(verdict, schema, shared).catch(toVerdict);
  const errors = [...verdict.errors, ...applied.errors];
  const { details } = applied;
  return {
    ...about,
    valid: errors.length === 0,
    errors: cutErrors(errors),
    warnings: cutWarnings([...verdict.warnings, ...applied.warnings]),
    ...(details === undefined ? {} : { details }),
  };
}

function cutErrors(errors: readonly ErrorEntry[]): readonly ErrorEntry[] {
  const max = notebookLimits.checkErrorsCount;
  if (errors.length <= max) return errors;
  return [...errors.slice(0, max), { message: `${errors.length - max} more errors`, code: 'MORE_ERRORS' }];
}

function cutWarnings(warnings: readonly WarningEntry[]): readonly WarningEntry[] {
  const max = notebookLimits.checkWarningsCount;
  if (warnings.length <= max) return warnings;
  return [...warnings.slice(0, max), { message: `${warnings.length - max} more warnings`, code: 'MORE_WARNINGS' }];
}

/** The thread's side: one result a cell, in the order of the cells. */
export async function checkCells({ cells, shared }: CheckInput): Promise<readonly ValidationResult[]> {
  const results: ValidationResult[] = [];
  for (const cell of cells) results.push(await judge(cell, shared));
  return results;
}
