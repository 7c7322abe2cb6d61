import { boundDetails, boundMessage } from '../fault/bound-fault.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { isObject } from '../json/is-object.ts';
import type { FaultForm } from './tool.ts';

/** Protocol revisions from 2026-07-28 on reserve -32000 … -32099; our codes move to -31000 … there. */
export type Era = 'legacy' | 'modern';

export const toRpcCode = (rpc: number, era: Era): number =>
  era === 'modern' && rpc <= -32000 && rpc >= -32099 ? rpc + 1000 : rpc;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

interface ErrorMessage {
  readonly error: RpcError;
}

const protocolFaults = [faults.PARSE_ERROR, faults.INVALID_REQUEST, faults.METHOD_NOT_FOUND, faults.INVALID_PARAMS];

/** The data of an error that the SDK wrote, with a suggestion if we have one for its code. */
function withSuggestion({ code, data }: RpcError): { data?: unknown } {
  const bounded = data === undefined ? undefined : boundDetails({ data }).data;
  const kind = protocolFaults.find((make) => make.kind.rpc === code)?.kind;
  if (kind === undefined || (bounded !== undefined && !isObject(bounded))) {
    return bounded === undefined ? {} : { data: bounded };
  }
  return { data: { suggestion: kind.fix, ...bounded } };
}

/** For an error that the SDK wrote: it may quote the request, as a fault of ours never does in full. */
export const boundError = <M extends ErrorMessage>(message: M): M => ({
  ...message,
  error: {
    code: message.error.code,
    message: boundMessage(message.error.message),
    ...withSuggestion(message.error),
  },
});

const documentation = (fault: Fault): string => `docs/reference/faults.md#${fault.code.toLowerCase()}`;

/** The form of the instruction tools, and of every plain JSON-RPC method. */
export const toRpcError = (fault: Fault, era: Era): RpcError => ({
  code: toRpcCode(fault.kind.rpc, era),
  message: fault.message,
  data: { name: fault.code, ...fault.details, suggestion: fault.fix, documentation: documentation(fault) },
});

/** Details of a fault always contain its fix. */
const toDetails = ({ details, fix }: Fault): Readonly<Record<string, unknown>> => ({ ...details, fix });

/** The fault as an object, for families that answer JSON. `traceId` is also in the log. */
export function toFaultObject(form: Exclude<FaultForm, 'plain'>, fault: Fault, era: Era, traceId: string): object {
  switch (form) {
    case 'numeric':
      return { error: toRpcError(fault, era) };
    case 'flagged':
      return {
        ok: false,
        error: { code: notebookCode(fault), message: fault.message, error: fault.message, details: toDetails(fault) },
      };
    case 'traced':
      return {
        error: { code: notebookCode(fault), message: fault.message, details: toDetails(fault), trace_id: traceId },
      };
  }
}

/** Notebooks and truth report every violation of an input schema as VALIDATION_ERROR. */
const notebookCode = (fault: Fault): string => (fault.code === 'INVALID_PARAMS' ? 'VALIDATION_ERROR' : fault.code);

/** For surfaces with one form for all families: uses the family's own code. */
export function toFormFault(form: FaultForm | undefined, fault: Fault): Fault {
  const code = form === 'flagged' || form === 'traced' ? notebookCode(fault) : fault.code;
  return code === fault.code
    ? fault
    : new Fault({ ...fault.kind, code }, fault.message, toDetails(fault), { cause: fault });
}

/** A bug is already in the log under the id of its fault; the `id` of another fault names an item. */
export function reportedIdOf(fault: Fault): string | undefined {
  const id = fault.code === faults.INTERNAL.kind.code ? fault.details['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
