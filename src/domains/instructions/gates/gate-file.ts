import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { describeIssue, parseConfig } from '../config-files.ts';
import { classifications, requirements, statuses, tiers } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { type ActivityFilter, usageSignals } from '../rules/activity-filter.ts';

export const gatesFileName = 'gates.json';

const gateLimits = {
  gatesFileBytes: 1024 * 1024,
  gatesCount: 1_000,
  branchesCount: 100,
  gateTextChars: 1_000,
} as const;

export const gateOps = ['>=', '>', '<=', '<', '==', '!='] as const;
export type GateOp = (typeof gateOps)[number];
export const gateSeverities = ['error', 'warn'] as const;

type OneOrMore = string | readonly string[] | undefined;

/** All given conditions must hold; a list of values means any of them. */
export interface WhereFilter extends ActivityFilter {
  readonly requirement?: OneOrMore;
  readonly priorityGt?: number | undefined;
  readonly priorityLt?: number | undefined;
  readonly category?: OneOrMore;
  readonly status?: OneOrMore;
  readonly tier?: OneOrMore;
  readonly owner?: OneOrMore;
  readonly classification?: OneOrMore;
  readonly all?: readonly WhereFilter[] | undefined;
  readonly any?: readonly WhereFilter[] | undefined;
  readonly not?: WhereFilter | undefined;
}

export interface Comparison {
  readonly where?: WhereFilter | undefined;
  readonly op: GateOp;
  readonly value: number;
}

export type Condition =
  | Comparison
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

const oneOrMore = <T extends z.ZodType<string>>(value: T) => z.union([value, z.array(value).min(1)]).optional();
const text = z.string().min(1).max(gateLimits.gateTextChars);
const branches = <T>(of: z.ZodType<T>) => z.array(of).min(1).max(gateLimits.branchesCount);

const whereFilter: z.ZodType<WhereFilter> = z.lazy(() =>
  z
    .strictObject({
      requirement: oneOrMore(z.enum(requirements)),
      priorityGt: z.number().optional(),
      priorityLt: z.number().optional(),
      category: oneOrMore(text),
      status: oneOrMore(z.enum(statuses)),
      tier: oneOrMore(z.enum(tiers)),
      owner: oneOrMore(text),
      classification: oneOrMore(z.enum(classifications)),
      reviewOverdue: z.boolean().optional(),
      unusedDays: z.int().min(1).max(instructionLimits.unusedDays).optional(),
      signal: oneOrMore(z.enum(usageSignals)),
      signalMin: z.int().min(1).max(instructionLimits.keptRemarksCount).optional(),
      all: branches(whereFilter).optional(),
      any: branches(whereFilter).optional(),
      not: whereFilter.optional(),
    })
    .refine(({ signal, signalMin }) => signalMin === undefined || signal !== undefined, {
      path: ['signalMin'],
      message: 'needs signal next to it',
    }),
);

const comparison = { where: whereFilter.optional(), op: z.enum(gateOps), value: z.number() };

const condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject(comparison),
    z.strictObject({ all: branches(condition) }),
    z.strictObject({ any: branches(condition) }),
    z.strictObject({ not: condition }),
  ]),
);

const named = { id: text, description: text.optional(), severity: z.enum(gateSeverities) };
const joined = { ...named, type: z.literal('expression').optional() };

const countGate = z.strictObject({ ...named, type: z.literal('count').optional(), ...comparison });
const allGate = z.strictObject({ ...joined, all: branches(condition) });
const anyGate = z.strictObject({ ...joined, any: branches(condition) });
const notGate = z.strictObject({ ...joined, not: condition });

export type Gate =
  | z.infer<typeof countGate>
  | z.infer<typeof allGate>
  | z.infer<typeof anyGate>
  | z.infer<typeof notGate>;

const gatesFile = z.looseObject({ gates: z.array(z.looseObject({})).max(gateLimits.gatesCount) });

/** Chooses the schema by its key, so that the error is about that form and not about all four. */
function formOf(given: Readonly<Record<string, unknown>>): z.ZodType<Gate> {
  if ('all' in given) return allGate;
  if ('any' in given) return anyGate;
  if ('not' in given) return notGate;
  return countGate;
}

const invalidGates = (why: string, problems: readonly string[]) =>
  faults.VALIDATION_ERROR({ why: `${gatesFileName}: ${why}` }, { file: gatesFileName, problems });

/** Reports all problems of the file. An invalid file is rejected as a whole, because a skipped gate would pass. */
export function parseGates(textOfFile: string): readonly Gate[] {
  if (Buffer.byteLength(textOfFile) > gateLimits.gatesFileBytes) {
    const problem = `has more than ${gateLimits.gatesFileBytes} bytes`;
    throw invalidGates(problem, [problem]);
  }
  const parsed = gatesFile.safeParse(parseConfig(gatesFileName, textOfFile));
  if (!parsed.success) {
    const problem = describeIssue(parsed.error);
    throw invalidGates(problem, [problem]);
  }
  const gates: Gate[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  parsed.data.gates.forEach((given, at) => {
    const name = typeof given['id'] === 'string' ? given['id'].slice(0, 200) : `number ${at + 1}`;
    const gate = formOf(given).safeParse(given);
    if (!gate.success) problems.push(`gate ${name}: ${describeIssue(gate.error)}`);
    else if (seen.has(gate.data.id)) problems.push(`gate ${name}: duplicate id`);
    else {
      seen.add(gate.data.id);
      gates.push(gate.data);
    }
  });
  const [first] = problems;
  if (first !== undefined) throw invalidGates(first, problems);
  return gates;
}
