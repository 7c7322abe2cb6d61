import type { z } from 'zod';
import { type InstructionEntry, type InstructionInput, instructionEntry, instructionInput } from '../entry-model.ts';
import { instructionIdPattern, reservedIds } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { unowned } from './complete-entry.ts';
import { canonicalise } from './derived-fields.ts';
import { compareVersions, parseVersion } from './version.ts';

/** `error` is a stable text that programs may compare. */
export interface WriteRejection {
  readonly error: string;
  readonly code: 'MISSING_FIELD' | 'INVALID_ID' | 'INVALID_FIELD' | 'RESOURCE_LIMIT' | 'VALIDATION_ERROR';
  /** All missing fields, not only the first. */
  readonly missing?: readonly string[];
}

export type ParsedInput = { readonly input: InstructionInput } | { readonly rejection: WriteRejection };

/** Required unless `lax` fills them. */
const requiredFields = ['title', 'priority', 'audience', 'requirement', 'categories'] as const;

/** Rejections that the schema helps to fix. */
export const isStructural = ({ code }: WriteRejection): boolean =>
  code === 'MISSING_FIELD' || code === 'INVALID_ID' || code === 'INVALID_FIELD';

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => (path === '' ? key : `${path}.${key}`).slice(0, 100));
    return `unknown field: ${keys.slice(0, 5).join(', ')}`;
  }
  return `invalid ${path || 'entry'}: ${issue.message}`;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Checked even without validation: the id must be a safe file name, and the body must fit. */
function checkCore(raw: Readonly<Record<string, unknown>>, canonicalOff: boolean): WriteRejection | undefined {
  if (!isText(raw['id'])) return { error: 'missing id', code: 'MISSING_FIELD', missing: ['id'] };
  if (!instructionIdPattern.test(raw['id'])) return { error: 'invalid id', code: 'INVALID_ID' };
  if (reservedIds.has(raw['id'])) return { error: 'reserved id', code: 'INVALID_ID' };
  if (!isText(raw['body'])) return { error: 'missing body', code: 'MISSING_FIELD', missing: ['body'] };
  if (canonicalise(raw['body'], canonicalOff).length > instructionLimits.bodyChars) {
    return { error: 'body over the limit', code: 'RESOURCE_LIMIT' };
  }
  return undefined;
}

/** Keeps unknown fields of a trusted source as extensions. */
function withUnknownAsExtensions(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  const unknown: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) (key in instructionEntry.shape ? known : unknown)[key] = value;
  if (Object.keys(unknown).length === 0) return known;
  const extensions = known['extensions'];
  return { ...known, extensions: { ...(typeof extensions === 'object' ? extensions : {}), ...unknown } };
}

export interface ParseInputOptions {
  readonly canonicalOff: boolean;
  /** Keeps unknown fields as `extensions` instead of rejecting them. */
  readonly keepsUnknown?: boolean;
}

export function parseInput(raw: unknown, { canonicalOff, keepsUnknown = false }: ParseInputOptions): ParsedInput {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) {
    return { rejection: { error: 'missing entry', code: 'MISSING_FIELD', missing: ['entry'] } };
  }
  const record = raw as Readonly<Record<string, unknown>>;
  const rejection = checkCore(record, canonicalOff);
  if (rejection !== undefined) return { rejection };
  const parsed = instructionInput.safeParse(keepsUnknown ? withUnknownAsExtensions(record) : record);
  if (parsed.success) return { input: parsed.data };
  const issue = parsed.error.issues[0];
  return { rejection: { error: issue === undefined ? 'invalid entry' : describeIssue(issue), code: 'INVALID_FIELD' } };
}

/** Without `lax`, required fields must be given or exist in the replaced entry. */
export function checkComplete(
  input: InstructionInput,
  existing: InstructionEntry | undefined,
): WriteRejection | undefined {
  const missing = requiredFields.filter((field) => (input[field] ?? existing?.[field]) === undefined);
  return missing.length === 0 ? undefined : { error: `missing ${missing[0]}`, code: 'MISSING_FIELD', missing };
}

/** The stored version counts as not given. */
export function checkVersion(
  input: InstructionInput,
  existing: InstructionEntry | undefined,
): WriteRejection | undefined {
  const { version } = input;
  if (version === undefined || version === existing?.version) return undefined;
  if (parseVersion(version) === undefined) return { error: 'malformed version', code: 'VALIDATION_ERROR' };
  if (existing !== undefined && compareVersions(version, existing.version) < 0) {
    return { error: `version not bumped: ${existing.version} is stored`, code: 'VALIDATION_ERROR' };
  }
  return undefined;
}

export function checkGovernance(entry: InstructionEntry): WriteRejection | undefined {
  const refuse = (error: string): WriteRejection => ({ error, code: 'VALIDATION_ERROR' });
  const hasOwner = entry.owner.trim() !== '' && entry.owner !== unowned;
  const hasCategory = entry.categories.length > 0;
  if (entry.requirement === 'mandatory' || entry.requirement === 'critical') {
    if (!hasOwner) return refuse('mandatory/critical require owner');
    if (!hasCategory) return refuse('mandatory/critical require category');
  }
  if (entry.priorityTier === 'P1' && !(hasOwner && hasCategory)) return refuse('P1 requires category & owner');
  const isDeprecated = entry.requirement === 'deprecated' || entry.status === 'deprecated';
  if (isDeprecated && entry.deprecatedBy === undefined) return refuse('deprecated requires deprecatedBy');
  return undefined;
}
