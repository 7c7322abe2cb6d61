import type { z } from 'zod';
import { isObject } from '#kernel/json/is-object.ts';
import { type InstructionInput, instructionInput } from '../../entry-model.ts';
import { instructionIdPattern } from '../../words.ts';
import { nothingParsed, type ParsedFile, type RuleFile, type SkippedPart } from './parsed-file.ts';
import { toStableId } from './stable-id.ts';

type Raw = Readonly<Record<string, unknown>>;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const known: ReadonlySet<string> = new Set(Object.keys(instructionInput.shape));

/** Where the entries of a backup stand: it is a list, holds one under a name, or is one entry itself. */
function findEntries(value: unknown): readonly unknown[] | undefined {
  if (isList(value)) return value;
  if (!isObject(value)) return undefined;
  const held = ['entries', 'items', 'instructions'].map((name) => value[name]).find(isList);
  if (held !== undefined) return held;
  return typeof value['id'] === 'string' && 'body' in value ? [value] : undefined;
}

/** Fields of other programs are kept as extensions: nothing that somebody wrote is dropped. */
function adopt(raw: Raw): { readonly raw: Raw; readonly strange: readonly string[] } {
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

interface Taken {
  readonly entry?: InstructionInput;
  readonly skipped?: SkippedPart;
  readonly warnings: readonly string[];
}

const say = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.length === 0 ? 'entry' : issue.path.join('.')}: ${issue.message}`)
    .join('; ');

function take(value: unknown, source: string): Taken {
  if (!isObject(value)) return { skipped: { source, reason: 'it is no object' }, warnings: [] };
  const { raw, strange } = adopt(value);
  const warnings = strange.length === 0 ? [] : [`${source}: kept as extensions: ${strange.slice(0, 10).join(', ')}`];
  const given = raw['id'];
  const isRenamed = typeof given === 'string' && given !== '' && !instructionIdPattern.test(given);
  const id = isRenamed ? toStableId(given) : given;
  if (isRenamed) warnings.push(`${source}: the id ${JSON.stringify(given.slice(0, 200))} became ${String(id)}`);
  const result = instructionInput.safeParse({ ...raw, id });
  return result.success
    ? { entry: result.data, warnings }
    : { skipped: { source, reason: say(result.error) }, warnings };
}

/** A file of one entry, or a backup: a list, or an object that holds one beside whatever else it tells. */
export function parseEntries(file: RuleFile): ParsedFile {
  let value: unknown;
  try {
    value = JSON.parse(file.text.replace(/^\uFEFF/, ''));
  } catch {
    return nothingParsed(file.path, 'it is not JSON');
  }
  const found = findEntries(value);
  if (found === undefined) return nothingParsed(file.path, 'it holds no entries');
  const isAlone = found.length === 1 && !Array.isArray(value);
  const taken = found.map((one, i) => take(one, isAlone ? file.path : `${file.path}#${i}`));
  return {
    entries: taken.flatMap(({ entry }) => (entry === undefined ? [] : [entry])),
    skipped: taken.flatMap(({ skipped }) => (skipped === undefined ? [] : [skipped])),
    warnings: taken.flatMap(({ warnings }) => warnings),
  };
}
