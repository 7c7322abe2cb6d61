import { toIso } from '#kernel/clock/clock.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { type InstructionEntry, type InstructionInput, instructionInput } from '../entry-model.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import { instructionIdPattern } from '../words.ts';
import type { CatalogEntry } from './catalog.ts';
import { etagOf } from './entry-text.ts';
import { isPlainInput } from './plain-input.ts';

/** Either an entry that can be served, or why it cannot. */
export type Parsed =
  | { readonly kept: CatalogEntry; readonly problem?: undefined }
  | { readonly kept?: undefined; readonly problem: string; readonly mayBeUnfinished: boolean };

export interface ParseContext {
  readonly id: string;
  /** Stands for dates that the document does not say. */
  readonly modifiedAt: number;
  readonly canonicalOff: boolean;
  /** Of the bytes, where it is known already. */
  readonly etag?: string;
}

const decoder = new TextDecoder('utf-8', { fatal: true });
const known = new Set(Object.keys(instructionInput.shape));

const refused = (problem: string, mayBeUnfinished = false): Parsed => ({ problem, mayBeUnfinished });

const asRecord = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** Fields that are not ours are kept among the extensions: whoever wrote them finds them again after an edit by a tool. */
function knownFields(value: object): Record<string, unknown> {
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
    return { problem: 'it is not UTF-8' };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: text.trim() === '' ? 'it is empty' : 'it is not JSON, or cut off' };
  }
}

/** Or why it is none. */
function toInput(value: object): InstructionInput | string {
  const input = instructionInput.safeParse(knownFields(value));
  if (input.success) return input.data;
  const [issue] = input.error.issues;
  return `${issue?.path.join('.') || 'entry'}: ${issue?.message ?? 'not valid'}`;
}

/** Serves what is stored; missing fields are filled in, and nothing is written back. */
export function parseEntry(bytes: Uint8Array, context: ParseContext): Parsed {
  const { id, modifiedAt, canonicalOff, etag = etagOf(bytes) } = context;
  if (!instructionIdPattern.test(id)) return refused('its name is not an id: a-z, 0-9, - and _');
  const parsed = parseJson(bytes);
  if ('problem' in parsed) return refused(parsed.problem, true);
  const { value } = parsed;
  if (!isObject(value)) return refused('it holds no object');
  const input = isPlainInput(value) ? value : toInput(value);
  if (typeof input === 'string') return refused(input);
  if (input.id !== id) return refused('its id is not its name');
  const entry = completeEntry(input, { now: toIso(modifiedAt), canonicalOff, isTrusted: true });
  // Kept as found: whether body and hash agree is what an integrity check is to find out.
  const sourceHash = input.sourceHash ?? entry.sourceHash;
  return { kept: { entry: sourceHash === entry.sourceHash ? entry : { ...entry, sourceHash }, etag } };
}

/** The document of an entry that was removed. */
export function parseArchived(
  document: string,
  id: string,
  at: number,
  canonicalOff: boolean,
): InstructionEntry | undefined {
  return parseEntry(Buffer.from(document), { id, modifiedAt: at, canonicalOff }).kept?.entry;
}
