import { toIso } from '#kernel/clock/clock.ts';
import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { type InstructionEntry, type InstructionInput, instructionEntry, instructionInput } from '../entry-model.ts';
import { instructionIdPattern } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import { mapEntry, needsMapping } from '../rules/map-entry.ts';
import type { CatalogEntry } from './catalog.ts';
import { isCertainlyValid } from './fast-validation.ts';

/** Another writer was faster. */
export const changedByOther = (id: string): Fault =>
  faults.CONFLICT(
    { why: `${id} was changed by another writer` },
    { id, fix: `Read its present state with instructions/get {"id": "${id}"}, then write again.` },
  );

/** The stored JSON without defaults; undefined when it does not parse. */
export function parseStoredJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** The order of the model, so that a change of one field changes one line. */
const keys = Object.keys(instructionEntry.shape) as readonly (keyof InstructionEntry)[];

/** The stored text of an entry: deterministic and readable in a diff. */
export function toEntryText(entry: InstructionEntry): string {
  const ordered: Record<string, unknown> = {};
  for (const key of keys) if (entry[key] !== undefined) ordered[key] = entry[key];
  return `${JSON.stringify(ordered, undefined, 2)}\n`;
}

/** Undefined if it can be stored. */
export const sizeFault = (id: string, text: string): Fault | undefined =>
  Buffer.byteLength(text) <= instructionLimits.fileBytes
    ? undefined
    : faults.RESOURCE_LIMIT({ what: `the entry ${id}`, limit: instructionLimits.fileBytes, unit: 'bytes' }, { id });

export const etagOf = (text: string | Uint8Array): string => sha256Hex(text);

export type ParsedEntry =
  | { readonly item: CatalogEntry; readonly problem?: undefined }
  | { readonly item?: undefined; readonly problem: string; readonly mayBeUnfinished: boolean };

export interface ParseContext {
  readonly id: string;
  /** Used for dates that the document lacks. */
  readonly modifiedAt: number;
  readonly canonicalOff: boolean;
  /** The etag of the bytes, where it is known. */
  readonly etag?: string;
}

const decoder = new TextDecoder('utf-8', { fatal: true });
const known = new Set(Object.keys(instructionInput.shape));

const rejected = (problem: string, mayBeUnfinished = false): ParsedEntry => ({ problem, mayBeUnfinished });

const asRecord = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** Keeps unknown fields as extensions, so that a later edit by a tool does not drop them. */
function withUnknownAsExtensions(value: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const foreign: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    if (field === null) continue;
    (known.has(key) ? kept : foreign)[key] = field;
  }
  if (Object.keys(foreign).length > 0) kept['extensions'] = { ...foreign, ...asRecord(kept['extensions']) };
  return kept;
}

function parseJson(bytes: Uint8Array): { readonly value: unknown } | { readonly problem: string } {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { problem: 'not valid UTF-8' };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: text.trim() === '' ? 'the file is empty' : 'not valid JSON, or truncated' };
  }
}

const isPlain = (value: object): value is InstructionInput =>
  isCertainlyValid(value) && instructionIdPattern.test(value.id);

/** The input, or why it is invalid. */
function toInput(value: object): InstructionInput | string {
  const asIs = instructionInput.safeParse(withUnknownAsExtensions(value));
  if (asIs.success && !needsMapping(value)) return asIs.data;
  const input = instructionInput.safeParse(withUnknownAsExtensions(mapEntry({ ...value }).raw));
  if (input.success) return input.data;
  const [issue] = input.error.issues;
  return `${issue?.path.join('.') || 'entry'}: ${issue?.message ?? 'not valid'}`;
}

/** The latest time that a date with four-digit years can express; a file may claim any. */
const lastMoment = Date.UTC(9999, 11, 31);

const toMoment = (at: number): string => toIso(Math.min(Math.max(at, 0), lastMoment));

/** Fills in missing fields without writing them back. */
export function parseEntry(bytes: Uint8Array, context: ParseContext): ParsedEntry {
  const { id, modifiedAt, canonicalOff, etag = etagOf(bytes) } = context;
  if (!instructionIdPattern.test(id)) return rejected('its name is not a valid id (a-z, 0-9, - and _)');
  const parsed = parseJson(bytes);
  if ('problem' in parsed) return rejected(parsed.problem, true);
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return rejected('not a JSON object');
  const input = isPlain(value) ? value : toInput(value);
  if (typeof input === 'string') return rejected(input);
  if (input.id !== id) return rejected('its id differs from its file name');
  if (input.body.trim() === '') return rejected('its body is empty');
  const entry = completeEntry(input, { now: toMoment(modifiedAt), canonicalOff });
  const { bodyChars } = instructionLimits;
  if (entry.body.length > bodyChars) return rejected(`its body has more than ${bodyChars} characters`);
  const { sourceHash: recorded } = input;
  // Other programs record the hash of the body as it is, without our normal form.
  const isMatching = recorded === undefined || recorded === entry.sourceHash || recorded === sha256Hex(input.body);
  return { item: isMatching ? { entry, etag } : { entry, etag, recordedHash: recorded } };
}

export function parseArchived(
  document: string,
  id: string,
  at: number,
  canonicalOff: boolean,
): InstructionEntry | undefined {
  return parseEntry(Buffer.from(document), { id, modifiedAt: at, canonicalOff }).item?.entry;
}
