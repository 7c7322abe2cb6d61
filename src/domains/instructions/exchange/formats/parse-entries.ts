import type { z } from 'zod';
import { isObject } from '#kernel/json/is-object.ts';
import { type InstructionInput, instructionInput } from '../../entry-model.ts';
import { instructionIdPattern } from '../../instruction-ids.ts';
import { mapEntry } from '../../rules/map-entry.ts';
import { type ParsedFile, type RuleFile, type SkippedPart, skippedFile, toStableId } from './rule-input.ts';

type Raw = Readonly<Record<string, unknown>>;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const known: ReadonlySet<string> = new Set(Object.keys(instructionInput.shape));

/** A backup is a list, an object that contains one, or a single entry. */
function findEntries(value: unknown): readonly unknown[] | undefined {
  if (isList(value)) return value;
  if (!isObject(value)) return undefined;
  const held = ['entries', 'items', 'instructions'].map((name) => value[name]).find(isList);
  if (held !== undefined) return held;
  return typeof value['id'] === 'string' && 'body' in value ? [value] : undefined;
}

/** Keeps fields of other programs as extensions. */
function withUnknownAsExtensions(raw: Raw): { readonly raw: Raw; readonly strange: readonly string[] } {
  const strange = Object.keys(raw).filter((key) => !known.has(key));
  if (strange.length === 0) return { raw, strange };
  const own = Object.entries(raw).filter(([key]) => known.has(key));
  const others = Object.entries(raw).filter(([key]) => !known.has(key));
  const extensions = isObject(raw['extensions']) ? raw['extensions'] : {};
  return {
    raw: { ...Object.fromEntries(own), extensions: { ...extensions, ...Object.fromEntries(others) } },
    strange,
  };
}

interface ParsedValue {
  readonly entry?: InstructionInput;
  readonly skipped?: SkippedPart;
  readonly mapped?: ParsedFile['mapped'];
  readonly warnings: readonly string[];
}

const describeError = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.length === 0 ? 'entry' : issue.path.join('.')}: ${issue.message}`)
    .join('; ');

function parseValue(value: unknown, source: string): ParsedValue {
  if (!isObject(value)) return { skipped: { source, reason: 'not an object' }, warnings: [] };
  const { raw: translated, mapped } = mapEntry(value);
  const { raw, strange } = withUnknownAsExtensions(translated);
  const warnings = strange.length === 0 ? [] : [`${source}: kept as extensions: ${strange.slice(0, 10).join(', ')}`];
  const given = raw['id'];
  const isRenamed = typeof given === 'string' && given !== '' && !instructionIdPattern.test(given);
  const id = isRenamed ? toStableId(given) : given;
  if (isRenamed) warnings.push(`${source}: changed the id ${JSON.stringify(given.slice(0, 200))} to ${String(id)}`);
  const result = instructionInput.safeParse({ ...raw, id });
  return result.success
    ? { entry: result.data, warnings, mapped: mapped.map((field) => ({ id: result.data.id, ...field })) }
    : { skipped: { source, reason: describeError(result.error) }, warnings };
}

export function parseEntries(file: RuleFile): ParsedFile {
  let value: unknown;
  try {
    value = JSON.parse(file.text.replace(/^\uFEFF/, ''));
  } catch {
    return skippedFile(file.path, 'not valid JSON');
  }
  const found = findEntries(value);
  if (found === undefined) return skippedFile(file.path, 'contains no entries');
  const isAlone = found.length === 1 && !Array.isArray(value);
  const taken = found.map((one, i) => parseValue(one, isAlone ? file.path : `${file.path}#${i}`));
  return {
    entries: taken.flatMap(({ entry }) => (entry === undefined ? [] : [entry])),
    skipped: taken.flatMap(({ skipped }) => (skipped === undefined ? [] : [skipped])),
    warnings: taken.flatMap(({ warnings }) => warnings),
    mapped: taken.flatMap(({ mapped = [] }) => mapped),
  };
}
