import { notebookLimits } from '../../notebook-limits.ts';
import type { ErrorEntry, ValidationResult } from '../result.ts';
import type { SchemaToApply, SharedSchemas } from '../task.ts';
import { type DataDocument, type DataVerdict, TooManyValues, type Verdict } from '../verdict.ts';
import { UnusableSchema, type Validation, withSchema } from './evaluate.ts';
import { toMessage } from './messages.ts';
import type { Violation } from './violations.ts';

/** Why a schema is not even tried; undefined when it may be. Walks without recursion: it is here to stop depth. */
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

export interface Applied extends Verdict {
  readonly details: NonNullable<ValidationResult['details']>;
}

const isData = (verdict: Verdict): verdict is DataVerdict => 'documents' in verdict;

/** What a schema says about a text that has been read. */
export async function applySchema(verdict: Verdict, given: SchemaToApply, shared: SharedSchemas): Promise<Applied> {
  const { ref } = given;
  const details = { ...(ref === undefined ? {} : { schema_ref: ref }) };
  const skip = (reason: string, code: string): Applied => ({
    errors: [],
    warnings: [{ message: reason, code }],
    details: { ...details, reason },
  });
  if (given.kind === 'missing') return skip(`the schema ${given.ref} is not there`, 'SCHEMA_REFERENCE_MISSING');
  if (!isData(verdict)) return skip('schemas apply to json, yaml and toml', 'SCHEMA_NOT_APPLICABLE');
  if (verdict.errors.length > 0)
    return { errors: [], warnings: [], details: { ...details, reason: 'the text has errors' } };
  const excess = findExcess(given.schema);
  const refuse = (why: string, pointer: string): Applied => ({
    errors: [{ message: `the schema cannot be used: ${why}`, code: 'INVALID_SCHEMA', details: { schema: pointer } }],
    warnings: [],
    details,
  });
  if (excess !== undefined) return refuse(excess, '');
  try {
    const documents = toDocuments(verdict);
    if (documents === undefined)
      return skip(
        `the schema was not applied: there are more than ${notebookLimits.documentValuesCount} values`,
        'TOO_LARGE',
      );
    if (typeof documents === 'string')
      return { errors: [{ message: documents, code: 'TOO_MANY_ALIASES' }], warnings: [], details };
    const errors = await withSchema(given.schema, shared, (validation) =>
      documents.flatMap((document, index) => judge(document, validation, documents.length > 1 ? index : undefined)),
    );
    const { id } = given;
    return { errors, warnings: [], details: { ...(id === undefined ? {} : { schema_applied: id }), ...details } };
  } catch (error) {
    if (error instanceof UnusableSchema) return refuse(error.message, error.pointer);
    throw error;
  }
}

/** Undefined: there are too many values. A text: aliases of aliases of aliases, a kilobyte that stands for terabytes. */
function toDocuments(verdict: DataVerdict): readonly DataDocument[] | string | undefined {
  try {
    const documents = verdict.documents();
    if (
      hasMoreValues(
        documents.map(({ value }) => value),
        notebookLimits.documentValuesCount,
      )
    )
      throw new TooManyValues();
    return documents;
  } catch (error) {
    if (error instanceof TooManyValues) return undefined;
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

function judge(document: DataDocument, validation: Validation, index: number | undefined): readonly ErrorEntry[] {
  const violations = validation(document.value);
  const places = document.placesOf(new Set(violations.map(({ instance }) => instance)));
  return violations.map((violation) => ({
    message: toMessage(violation),
    code: codeOf(violation),
    ...places.get(violation.instance),
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
