import { sha256Hex } from '#kernel/hash/hash.ts';
import { type InstructionEntry, instructionEntry } from '../entry-model.ts';

/** The order of the model, so that a change of one field is a change of one line. */
const keys = Object.keys(instructionEntry.shape) as readonly (keyof InstructionEntry)[];

/** An entry as it is stored: the same entry always gives the same bytes, and a diff of two is readable. */
export function toEntryText(entry: InstructionEntry): string {
  const ordered: Record<string, unknown> = {};
  for (const key of keys) if (entry[key] !== undefined) ordered[key] = entry[key];
  return `${JSON.stringify(ordered, undefined, 2)}\n`;
}

export const etagOf = (text: string | Uint8Array): string => sha256Hex(text);
