import type { z } from 'zod';
import { isObject } from '#kernel/json/is-object.ts';
import { type InstructionEntry, type InstructionInput, instructionEntry, instructionInput } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { instructionIdPattern, reservedIds } from '../words.ts';
import { canonicalise } from './canonical.ts';
import { unowned } from './complete-entry.ts';
import { compareVersions, parseVersion } from './version.ts';

/** Why an input is refused, in words a program can compare; the code names the kind of refusal. */
export interface Refusal {
  readonly error: string;
  readonly code: 'MISSING_FIELD' | 'INVALID_ID' | 'INVALID_FIELD' | 'RESOURCE_LIMIT' | 'VALIDATION_ERROR';
  /** All fields that are missing, not only the first. */
  readonly missing?: readonly string[];
}

export type Reading = { readonly input: InstructionInput } | { readonly refusal: Refusal };

/** Required by the model of the documents; `lax` fills them. */
const demanded = ['title', 'priority', 'audience', 'requirement', 'categories'] as const;

/** Both failures concern what the input is made of, so showing its schema helps. */
export const isStructural = ({ code }: Refusal): boolean =>
  code === 'MISSING_FIELD' || code === 'INVALID_ID' || code === 'INVALID_FIELD';

function tell(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => (path === '' ? key : `${path}.${key}`).slice(0, 100));
    return `unknown field: ${keys.slice(0, 5).join(', ')}`;
  }
  return `invalid ${path || 'entry'}: ${issue.message}`;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** What no switch turns off: an id that names a file and nothing else, and a body that fits. */
function checkCore(raw: Readonly<Record<string, unknown>>, canonicalOff: boolean): Refusal | undefined {
  if (!isText(raw['id'])) return { error: 'missing id', code: 'MISSING_FIELD', missing: ['id'] };
  if (!instructionIdPattern.test(raw['id'])) return { error: 'invalid id', code: 'INVALID_ID' };
  if (reservedIds.has(raw['id'])) return { error: 'reserved id: it names another file', code: 'INVALID_ID' };
  if (!isText(raw['body'])) return { error: 'missing body', code: 'MISSING_FIELD', missing: ['body'] };
  if (canonicalise(raw['body'], canonicalOff).length > instructionLimits.bodyChars) {
    return { error: 'body over the limit', code: 'RESOURCE_LIMIT' };
  }
  return undefined;
}

/** Unknown fields of a trusted source are kept, where the format has room for them. */
function keepUnknown(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  const unknown: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) (key in instructionEntry.shape ? known : unknown)[key] = value;
  if (Object.keys(unknown).length === 0) return known;
  const extensions = known['extensions'];
  return { ...known, extensions: { ...(typeof extensions === 'object' ? extensions : {}), ...unknown } };
}

export interface ReadOptions {
  readonly canonicalOff: boolean;
  /** Moves unknown fields into `extensions` instead of refusing them. */
  readonly keepsUnknown?: boolean;
}

/** What was sent becomes an input, or says why it is none. */
export function readInput(raw: unknown, { canonicalOff, keepsUnknown = false }: ReadOptions): Reading {
  if (!isObject(raw)) {
    return { refusal: { error: 'missing entry', code: 'MISSING_FIELD', missing: ['entry'] } };
  }
  const record = raw as Readonly<Record<string, unknown>>;
  const refusal = checkCore(record, canonicalOff);
  if (refusal !== undefined) return { refusal };
  const parsed = instructionInput.safeParse(keepsUnknown ? keepUnknown(record) : record);
  if (parsed.success) return { input: parsed.data };
  const issue = parsed.error.issues[0];
  return { refusal: { error: issue === undefined ? 'invalid entry' : tell(issue), code: 'INVALID_FIELD' } };
}

/** Without `lax` nothing is made up; what a replaced entry holds is not made up. */
export function checkComplete(input: InstructionInput, existing: InstructionEntry | undefined): Refusal | undefined {
  const missing = demanded.filter((field) => (input[field] ?? existing?.[field]) === undefined);
  return missing.length === 0 ? undefined : { error: `missing ${missing[0]}`, code: 'MISSING_FIELD', missing };
}

/** Equal to the stored version counts as not supplied. */
export function checkVersion(input: InstructionInput, existing: InstructionEntry | undefined): Refusal | undefined {
  const { version } = input;
  if (version === undefined || version === existing?.version) return undefined;
  if (parseVersion(version) === undefined) return { error: 'malformed version', code: 'VALIDATION_ERROR' };
  if (existing !== undefined && compareVersions(version, existing.version) < 0) {
    return { error: `version not bumped: ${existing.version} is stored`, code: 'VALIDATION_ERROR' };
  }
  return undefined;
}

/** What a complete entry must have before it is kept (RULINGS R3, rules on write). */
export function checkGovernance(entry: InstructionEntry): Refusal | undefined {
  const refuse = (error: string): Refusal => ({ error, code: 'VALIDATION_ERROR' });
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
