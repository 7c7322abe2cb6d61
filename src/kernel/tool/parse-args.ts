import type { z } from 'zod';
import { cutText } from '../fault/bound-fault.ts';
import { Fault, withFix } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { limits } from '../limits.ts';
import { findIllFormedChar, findIllFormedText, textAt, withoutNul } from '../text/well-formed.ts';
import { toArgumentFix, toMissingFix } from './argument-fix.ts';
import type { Card } from './card.ts';
import { toParamErrors, valueAt } from './issues.ts';
import type { BoundTool } from './registry.ts';
import { stopEarly } from './stop-early.ts';

/** `_meta` belongs to the request and is never an argument, but some clients put it there. */
function withoutMeta(args: unknown): unknown {
  if (args === null || typeof args !== 'object' || !Object.hasOwn(args, '_meta')) return args;
  const { _meta, ...rest } = args as Record<string, unknown>;
  return rest;
}

/** zod's own sentence would contain every unknown key; ours are made from the first few. */
const inOneWord: z.core.ParseContext<z.core.$ZodIssue> = {
  error: ({ code }) => (code === 'unrecognized_keys' ? code : undefined),
};

/** Which character a text store cannot keep, and where; the way to it was found before. */
function describeIllFormed(text: string): string {
  const at = findIllFormedChar(text);
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return `the ${code === '0000' ? 'NUL character' : 'half of a surrogate pair'} U+${code} at position ${at}`;
}

/** Checked in valid arguments only: the walk visits everything, and invalid arguments may be huge. */
function checkText(card: Card, args: unknown): void {
  const illFormedAt = findIllFormedText(args);
  if (illFormedAt === undefined) return;
  const error = {
    instancePath: cutText(illFormedAt, limits.faultMessageChars),
    keyword: 'format',
    message: 'must be well-formed text',
    schemaPath: '#',
  };
  const text = textAt(args, illFormedAt);
  const what = text === undefined ? 'each NUL and each half of a surrogate pair' : describeIllFormed(text);
  const place = cutText(illFormedAt || 'the arguments', limits.faultMessageChars);
  const fix = `Remove ${what} from ${text === undefined ? `the keys of ${place}` : place}; binary data belongs in a file: upload_file.`;
  throw faults.INVALID_PARAMS(
    { why: `${illFormedAt || 'arguments'} contains NUL or a lone surrogate` },
    { method: card.name, errors: [{ ...error, params: {} }], fix },
  );
}

const isUnknownKey = ({ code }: z.core.$ZodIssue): boolean => code === 'unrecognized_keys';

/** Required members of the object at a path that are not given. */
const missingAt = (issues: readonly z.core.$ZodIssue[], path: readonly PropertyKey[], args: unknown) =>
  issues.flatMap((issue) => {
    const name = issue.path.at(-1);
    const isMember = issue.path.length === path.length + 1 && path.every((step, i) => step === issue.path[i]);
    return isMember && typeof name === 'string' && valueAt(args, issue.path) === undefined ? [name] : [];
  });

/** A misspelled argument is the reason why another one is missing, so it comes first. */
function fixOf(tool: BoundTool, card: Card, issues: readonly z.core.$ZodIssue[], args: unknown): string {
  const issue = issues.find(isUnknownKey) ?? issues[0];
  if (issue === undefined) return faults.INVALID_PARAMS.kind.fix;
  const { path } = issue;
  const given = valueAt(args, path);
  if (issue.code === 'custom' && given === undefined) return toMissingFix(card, String(path.at(-1) ?? ''));
  const [error] = toParamErrors([issue], args).errors;
  if (error === undefined) return faults.INVALID_PARAMS.kind.fix;
  const missing = missingAt(issues, path, args);
  return toArgumentFix(card, tool.input, { path, error, given, missing });
}

/** The input of a tool, or a fault that lists the first violations of its schema. */
export function parseArgs(tool: BoundTool, card: Card, given: unknown): unknown {
  let args: unknown = withoutMeta(given) ?? {};
  if (card.stripsNul && findIllFormedText(args) !== undefined) args = withoutNul(args);
  const parsed = stopEarly(tool.input).safeParse(args, inOneWord);
  if (parsed.success) {
    checkText(card, args);
    return parsed.data;
  }
  const { issues } = parsed.error;
  const fix = fixOf(tool, card, issues, args);
  const named = issues.find((issue) => issue.code === 'custom' && issue.params?.['fault'] instanceof Fault);
  if (named?.code === 'custom') {
    const fault = named.params?.['fault'] as Fault;
    const isGiven = valueAt(args, named.path) !== undefined;
    throw isGiven && !issues.some(isUnknownKey) ? fault : withFix(fault, fix);
  }
  const { errors, total } = toParamErrors(issues, args);
  const rest = total > errors.length ? ` (and at least ${total - 1} more errors)` : '';
  const first = errors[0];
  const why = first === undefined ? undefined : `${first.instancePath || 'arguments'} ${first.message}${rest}`;
  throw faults.INVALID_PARAMS(why === undefined ? {} : { why }, {
    method: card.name,
    errors,
    ...(rest !== '' && { errors_total: total }),
    fix,
  });
}
