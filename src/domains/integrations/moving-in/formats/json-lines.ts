import { isObject } from '#kernel/json/is-object.ts';
import type { MemoryFile, SkippedPart } from '../memory-item.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface JsonLine {
  /** `memory.jsonl:12`. */
  readonly source: string;
  readonly value: JsonObject;
}

export function readJsonLines({ path, text }: MemoryFile): {
  readonly lines: readonly JsonLine[];
  readonly skipped: readonly SkippedPart[];
} {
  const lines: JsonLine[] = [];
  const skipped: SkippedPart[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const source = `${path}:${i + 1}`;
    const value = parseObject(line);
    if (value === undefined) skipped.push({ source, reason: 'the line is not a JSON object' });
    else lines.push({ source, value });
  }
  return { lines, skipped };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined if it is not JSON. */
export function readJson({ text }: MemoryFile): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => textOf(one) !== undefined) : [];

export const objectsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((one): one is JsonObject => isObject(one)) : [];
