import { boundDetails, boundMessage } from '../fault/bound-fault.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
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

/** For an error that the SDK wrote: it may quote the request, as a fault of ours never does in full. */
export const boundError = <M extends ErrorMessage>(message: M): M => ({
  ...message,
  error: {
    code: message.error.code,
    message: boundMessage(message.error.message),
    ...(message.error.data !== undefined && { data: boundDetails({ data: message.error.data }).data }),
  },
});

const documentation = (fault: Fault): string => `docs/reference/faults.md#${fault.code.toLowerCase()}`;

/** The form of the instruction tools, and of every plain JSON-RPC method. */
export const toRpcError = (fault: Fault, era: Era): RpcError => ({
  code: toRpcCode(fault.kind.rpc, era),
  message: fault.message,
  data: { name: fault.code, ...fault.details, suggestion: fault.kind.fix, documentation: documentation(fault) },
});

function details(fault: Fault): { details?: unknown } {
  return Object.keys(fault.details).length === 0 ? {} : { details: fault.details };
}

/** The fault as an object, for families that answer JSON. `traceId` is also in the log. */
export function toFaultObject(form: Exclude<FaultForm, 'plain'>, fault: Fault, era: Era, traceId: string): object {
  switch (form) {
    case 'numeric':
      return { error: toRpcError(fault, era) };
    case 'flagged':
      return {
        ok: false,
        error: { code: notebookCode(fault), message: fault.message, error: fault.message, ...details(fault) },
      };
    case 'traced':
      return { error: { code: notebookCode(fault), message: fault.message, ...details(fault), trace_id: traceId } };
  }
}

/** Notebooks and truth report every violation of an input schema as VALIDATION_ERROR. */
const notebookCode = (fault: Fault): string => (fault.code === 'INVALID_PARAMS' ? 'VALIDATION_ERROR' : fault.code);

/** For surfaces with one form for all families: uses the family's own code. */
export function toFormFault(form: FaultForm | undefined, fault: Fault): Fault {
  const code = form === 'flagged' || form === 'traced' ? notebookCode(fault) : fault.code;
  return code === fault.code
    ? fault
    : new Fault({ ...fault.kind, code }, fault.message, fault.details, { cause: fault });
}

/** A bug is already in the log under the id of its fault; the `id` of another fault names an item. */
export function reportedIdOf(fault: Fault): string | undefined {
  const id = fault.code === faults.INTERNAL.kind.code ? fault.details['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The text block of a failed `tools/call`. */
export const toFaultText = (form: FaultForm, fault: Fault, era: Era, traceId: string): string =>
  form === 'plain' ? `Error: ${fault.message}` : JSON.stringify(toFaultObject(form, fault, era, traceId));
