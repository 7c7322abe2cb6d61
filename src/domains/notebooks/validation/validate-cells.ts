import type { Language } from '../languages.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { applySchema } from '../validators/schema/apply.ts';
import { type DataReport, noFindings, type SyntaxReport } from '../validators/syntax-report.ts';
import { shorten, type ValidationResult } from './validation-result.ts';
import type { CellToValidate, ValidationInput } from './validation-task.ts';

/** The imports are literal, so that a worker loads only the parsers that its cells need. */
async function validateText(content: string, language: Language): Promise<SyntaxReport | DataReport> {
  switch (language) {
    case 'txt':
      return { errors: [], warnings: [{ message: 'plain text is not checked', code: 'VALIDATION_SKIPPED' }] };
    case 'json':
      return (await import('../validators/validate-json.ts')).validateJson(content);
    case 'yaml':
    case 'yml':
      return (await import('../validators/validate-yaml.ts')).validateYaml(content);
    case 'toml':
      return (await import('../validators/validate-toml.ts')).validateToml(content);
    case 'md':
      return (await import('../validators/validate-markdown.ts')).validateMarkdown(content);
    case 'css':
      return (await import('../validators/validate-css.ts')).validateCss(content);
    case 'html':
    case 'htm':
      return (await import('../validators/validate-html.ts')).validateHtml(content);
    case 'js':
    case 'jsx':
    case 'ts':
    case 'tsx':
      return (await import('../validators/validate-script.ts')).validateScript(content, language);
    default:
      return (await import('../validators/validate-code.ts')).validateCode(content, language);
  }
}

function nestedTooDeep(error: unknown): SyntaxReport {
  if (error instanceof RangeError && error.message.includes('call stack'))
    return { errors: [{ message: 'nested too deep to be checked', code: 'NESTED_TOO_DEEP' }], warnings: [] };
  throw error;
}

const apply = async (...given: Parameters<typeof applySchema>) =>
  (await import('../validators/schema/apply.ts')).applySchema(...given);

async function validateCell(cell: CellToValidate, shared: ValidationInput['shared']): Promise<ValidationResult> {
  const { cellId, index, language, content, schema } = cell;
  const report = await validateText(content, language).catch(nestedTooDeep);
  const applied: SyntaxReport & Pick<ValidationResult, 'details'> =
    schema === undefined ? noFindings : await apply(report, schema, shared).catch(nestedTooDeep);
  const errors = [...report.errors, ...applied.errors];
  const isUndecided = errors.length === 0 && report.checked !== undefined;
  return {
    cell_index: index,
    cell_id: cellId,
    language,
    valid: isUndecided ? null : errors.length === 0,
    ...(isUndecided && report.checked === 'partly' && { checked: 'partly' }),
    errors: shorten(errors, 'errors', notebookLimits.shownErrorsCount),
    warnings: shorten([...report.warnings, ...applied.warnings], 'warnings', notebookLimits.shownWarningsCount),
    ...(applied.details !== undefined && { details: applied.details }),
  };
}

/** Runs in a worker. One result per cell, in the order of the cells. */
export async function validateCells({ cells, shared }: ValidationInput): Promise<readonly ValidationResult[]> {
  const results: ValidationResult[] = [];
  for (const cell of cells) results.push(await validateCell(cell, shared));
  return results;
}
