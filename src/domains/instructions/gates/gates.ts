import type { Call } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { yieldToEventLoop } from '#kernel/clock/yield-to-event-loop.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ReadConfigFile } from './config-files.ts';
import { evaluateGate, type GateResult } from './evaluate-gate.ts';
import { gatesFileName, parseGates } from './gate-file.ts';

export interface GatesReport {
  readonly generatedAt: string;
  readonly results: readonly GateResult[];
  /** Gates that did not pass, by severity, and how many there are. */
  readonly summary: { readonly errors: number; readonly warnings: number; readonly total: number };
  readonly notConfigured?: true;
}

/** Policy gates: what the catalog as a whole must be like. */
export interface Gates {
  evaluate(call: Call): Promise<GatesReport>;
}

export interface GatesDeps {
  readonly catalog: Pick<Catalog, 'state'>;
  readonly readConfigFile: ReadConfigFile;
  readonly clock: Clock;
}

export const createGates = ({ catalog, readConfigFile, clock }: GatesDeps): Gates => ({
  async evaluate(call) {
    const text = await readConfigFile(gatesFileName, call);
    const generatedAt = toIso(clock.now());
    if (text === undefined) {
      return { generatedAt, results: [], summary: { errors: 0, warnings: 0, total: 0 }, notConfigured: true };
    }
    const gates = parseGates(text);
    const { entries } = await catalog.state(call);
    const results: GateResult[] = [];
    for (const gate of gates) {
      results.push(evaluateGate(gate, entries));
      // Each gate looks at every entry: others get their turn in between.
      await yieldToEventLoop(call.signal);
    }
    const failedCount = (severity: GateResult['severity']) =>
      results.filter((result) => !result.passed && result.severity === severity).length;
    const summary = { errors: failedCount('error'), warnings: failedCount('warn'), total: results.length };
    return { generatedAt, results, summary };
  },
});
