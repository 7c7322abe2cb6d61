import { notebookLimits } from '../../notebook-limits.ts';
import {
  type DataDocument,
  type DataReport,
  type ErrorEntry,
  type SyntaxReport,
  TooManyValuesError,
} from '../syntax-report.ts';
import { type SchemaCheck, UnusableSchemaError, withSchema } from './evaluate.ts';
import { toMessage } from './messages.ts';
import type { Violation } from './violations.ts';

/** The `json_schema` of a cell, resolved against the shared schemas of its pad. */
export type SchemaToApply =
  /** `id` goes into `schema_applied`; `ref` is the reference as given. */
  | { readonly kind: 'schema'; readonly schema: unknown; readonly id?: string; readonly ref?: string }
  | { readonly kind: 'missing'; readonly ref: string };

/** The pad's schemas by name and by id, for `$ref: scratchpad://schemas/<name>` inside schemas. */
export type SharedSchemas = Readonly<Record<string, unknown>>;

/** Why a schema exceeds the limits; undefined if it does not. Not recursive, because depth is one of the limits. */
function findExcess(schema: unknown): string | undefined {
  const stack: { readonly value: unknown; readonly depth: number }[] = [{ value: schema, depth: 0 }];
  let bytes = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, depth } = next;
    if (depth > notebookLimits.schemaDepth) return `it nests deeper than ${notebookLimits.schemaDepth} levels`;
    bytes += 2;
    if (typeof value === 'string') bytes += value.length;
    if (bytes > notebookLimits.appliedSchemaBytes)
      return `it is larger than ${notebookLimits.appliedSchemaBytes} bytes`;
    if (Array.isArray(value)) for (const item of value) stack.push({ value: item, depth: depth + 1 });
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        bytes += name.length + 3;
        stack.push({ value: member, depth: depth + 1 });
      }
  }
  return undefined;
}

interface SchemaReport extends SyntaxReport {
  readonly details: { readonly schema_applied?: string; readonly schema_ref?: string; readonly reason?: string };
}

const isData = (report: SyntaxReport): report is DataReport => 'documents' in report;

export async function applySchema(
  report: SyntaxReport,
  given: SchemaToApply,
  shared: SharedSchemas,
): Promise<SchemaReport> {
  const { ref } = given;
  const details = { ...(ref === undefined ? {} : { schema_ref: ref }) };
  const skip = (reason: string, code: string): SchemaReport => ({
    errors: [],
    warnings: [{ message: reason, code }],
    details: { ...details, reason },
  });
  if (given.kind === 'missing') return skip(`the schema ${given.ref} is missing`, 'SCHEMA_REFERENCE_MISSING');
  if (!isData(report)) return skip('schemas apply to json, yaml and toml', 'SCHEMA_NOT_APPLICABLE');
  if (report.errors.length > 0)
    return { errors: [], warnings: [], details: { ...details, reason: 'the text has errors' } };
  const excess = findExcess(given.schema);
  const refuse = (why: string, pointer: string): SchemaReport => ({
    errors: [{ message: `the schema cannot be used: ${why}`, code: 'INVALID_SCHEMA', details: { schema: pointer } }],
    warnings: [],
    details,
  });
  if (excess !== undefined) return refuse(excess, '');
  try {
    const documents = toDocuments(report);
    if (documents === undefined)
      return skip(
        `the schema was not applied: there are more than ${notebookLimits.documentValuesCount} values`,
        'TOO_LARGE',
      );
    if (typeof documents === 'string')
      return { errors: [{ message: documents, code: 'TOO_MANY_ALIASES' }], warnings: [], details };
    const errors = await withSchema(given.schema, shared, (check) =>
      documents.flatMap((document, index) => findErrors(document, check, documents.length > 1 ? index : undefined)),
    );
    const { id } = given;
    return { errors, warnings: [], details: { ...(id === undefined ? {} : { schema_applied: id }), ...details } };
  } catch (error) {
    if (error instanceof UnusableSchemaError) return refuse(error.message, error.pointer);
    throw error;
  }
}

/** Undefined for too many values; a message if YAML aliases expand too far. */
function toDocuments(report: DataReport): readonly DataDocument[] | string | undefined {
  try {
    const documents = report.documents();
    if (
      hasMoreValues(
        documents.map(({ value }) => value),
        notebookLimits.documentValuesCount,
      )
    )
      throw new TooManyValuesError();
    return documents;
  } catch (error) {
    if (error instanceof TooManyValuesError) return undefined;
    if (error instanceof ReferenceError) return `the schema was not applied: ${error.message}`;
    throw error;
  }
}

function hasMoreValues(root: unknown, max: number): boolean {
  const stack = [root];
  let count = 0;
  for (let value = stack.pop(); value !== undefined || stack.length > 0; value = stack.pop()) {
    count += 1;
    if (count > max) return true;
    if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) stack.push(member);
  }
  return false;
}

function findErrors(document: DataDocument, check: SchemaCheck, index: number | undefined): readonly ErrorEntry[] {
  const violations = check(document.value);
  const positions = document.positionsOf(new Set(violations.map(({ instance }) => instance)));
  return violations.map((violation) => ({
    message: toMessage(violation),
    code: codeOf(violation),
    ...positions.get(violation.instance),
    details: {
      instance: violation.instance,
      keyword: violation.keyword,
      schema: violation.schemaLocation.replace('scratchpad://cell/schema', ''),
      ...(index === undefined ? {} : { document: index }),
    },
  }));
}

/** `minLength` → `SCHEMA_MIN_LENGTH`. */
const codeOf = ({ keyword }: Violation): string =>
  `SCHEMA_${keyword.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`.replace(/[^A-Z0-9_]/g, '');
