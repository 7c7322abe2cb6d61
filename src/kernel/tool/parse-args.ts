import type { z } from 'zod';
import { cutText } from '../fault/bound-fault.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { limits } from '../limits.ts';
import { findIllFormedText, withoutNul } from '../text/well-formed.ts';
import type { Card } from './card.ts';
import { toParamErrors } from './issues.ts';
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
  throw faults.INVALID_PARAMS(
    { why: `${illFormedAt || 'arguments'} contains NUL or a lone surrogate` },
    { method: card.name, errors: [{ ...error, params: {} }] },
  );
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
  const named = parsed.error.issues.find(
    (issue) => issue.code === 'custom' && issue.params?.['fault'] instanceof Fault,
  );
  if (named?.code === 'custom') throw named.params?.['fault'];
  const { errors, total } = toParamErrors(parsed.error.issues, args);
  const rest = total > errors.length ? ` (and at least ${total - 1} more errors)` : '';
  const first = errors[0];
  const why = first === undefined ? undefined : `${first.instancePath || 'arguments'} ${first.message}${rest}`;
  const details = { method: card.name, errors, ...(rest !== '' && { errors_total: total }) };
  throw faults.INVALID_PARAMS(why === undefined ? {} : { why }, details);
}
