import { z } from 'zod';
import { listSome } from '#kernel/text/list-some.ts';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { gateOps, gateSeverities, gatesFileName } from '../gates/gate-file.ts';
import type { Instructions } from '../instructions.ts';

const outputSchema = z.object({
  generatedAt: z.string(),
  results: z.array(
    z.object({
      id: z.string(),
      passed: z.boolean(),
      count: z.int(),
      op: z.enum([...gateOps, 'all', 'any', 'not']),
      value: z.number(),
      severity: z.enum(gateSeverities),
      description: z.string().optional(),
    }),
  ),
  summary: z.object({ errors: z.int(), warnings: z.int(), total: z.int() }),
  notConfigured: z.literal(true).optional(),
});

export type GatesReport = DeepReadonly<z.infer<typeof outputSchema>>;
export type GateResult = GatesReport['results'][number];

/** A missing file is as good as a warning: it may be missing by mistake. */
function findGatesFailure({ results, notConfigured }: GatesReport, failOn: string): string | undefined {
  if (notConfigured === true) return failOn === 'warn' ? `${gatesFileName} is missing` : undefined;
  const failed = results.filter(({ passed, severity }) => !passed && (failOn === 'warn' || severity === 'error'));
  if (failed.length === 0) return undefined;
  const named = failed.map(({ id, count, op, value }) => `${id} (${count}, must be ${op} ${value})`);
  return `gates not passed: ${listSome(named)}`;
}

export const gatesEvaluate = defineTool({
  name: 'gates/evaluate',
  title: 'Evaluate policy gates',
  summary: 'Evaluates the gates of gates.json and reports which ones the catalog passes.',
  guide: { when: ['a build must fail when the catalog violates a policy'], example: {} },
  effect: 'read',
  failOn: gateSeverities,
  findFailure: findGatesFailure,
  input: z.strictObject({}),
  output: outputSchema,
  faults: ['VALIDATION_ERROR'],
  run: ({ gates }: Pick<Instructions, 'gates'>, _input, call) => gates.evaluate(call),
});
