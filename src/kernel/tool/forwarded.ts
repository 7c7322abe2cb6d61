import type { Outcome } from './invoke.ts';
import { toFamilyFault } from './print-fault.ts';
import type { Ask } from './resource.ts';
import type { ToolCall } from './tool.ts';

/** The outcome of another tool, to be answered as if that tool had been called. */
export class Forwarded {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }
}

/** Lets a handler call other tools in the name of its caller. Throws the other tool's Fault. */
export const askThrough =
  (call: ToolCall): Ask =>
  async (name, args) => {
    const { outcome } = await call.forward(name, args);
    if (!outcome.ok) throw toFamilyFault(outcome.card?.faultForm, outcome.fault);
    return outcome.value;
  };
