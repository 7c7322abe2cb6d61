import type { Fault } from '#kernel/fault/fault.ts';
import type { Printer } from './printer.ts';
import { toSafeJson, toSafeText } from './safe-text.ts';

export const exitCodes = { ok: 0, fault: 1, usage: 2 } as const;

interface Place {
  readonly instancePath: string;
  readonly message: string;
}

/** The further places where arguments do not fit; the message names the first. */
function otherPlaces(fault: Fault): readonly string[] {
  const errors = fault.details['errors'];
  if (!Array.isArray(errors)) return [];
  return (errors as readonly Place[])
    .slice(1)
    .map(({ instancePath, message }) => `  ${instancePath || 'arguments'} ${message}`);
}

/** What went wrong and what to do, to stderr; stdout holds answers only. Answers the exit code. */
export function printFault(printer: Printer, fault: Fault, asJson = false): number {
  const { code, message, details } = fault;
  const { fix, retryable } = fault.kind;
  if (asJson) printer.err(`${toSafeJson({ error: { code, message, fix, retryable, details } }, 0)}\n`);
  else printer.err(toSafeText([`${code}: ${message}`, ...otherPlaces(fault), `Fix: ${fix}`, ''].join('\n')));
  return code === 'USAGE_ERROR' ? exitCodes.usage : exitCodes.fault;
}
