import type { Call } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { yieldToEventLoop } from '#kernel/clock/yield-to-event-loop.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ReadConfigFile } from '../config-files.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { type RuleActivity, toActivityConditions, toActivityNeeds } from '../rules/activity-filter.ts';
import type { RuleRecords } from '../serving/rule-records.ts';
import type { GateResult, GatesReport } from '../tools/gates-evaluate.ts';
import { type Condition, type Gate, type GateOp, gatesFileName, parseGates, type WhereFilter } from './gate-file.ts';

type Matches = (entry: InstructionEntry) => boolean;

/** Ignores case: categories are stored in lower case, but people write them differently. */
function toChoice(wanted: string | readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (wanted === undefined) return undefined;
  return new Set((typeof wanted === 'string' ? [wanted] : wanted).map((word) => word.toLowerCase()));
}

export function toMatcher(where: WhereFilter, activity: RuleActivity): Matches {
  const single = (
    [
      ['requirement', 'requirement'],
      ['status', 'status'],
      ['tier', 'priorityTier'],
      ['owner', 'owner'],
      ['classification', 'classification'],
    ] as const
  ).flatMap(([filter, field]): Matches[] => {
    const choice = toChoice(where[filter]);
    return choice === undefined ? [] : [(entry) => choice.has(entry[field].toLowerCase())];
  });
  const categories = toChoice(where.category);
  const { priorityGt, priorityLt } = where;
  const inner = (part: WhereFilter) => toMatcher(part, activity);
  const every = [...toActivityConditions(where, activity), ...(where.all ?? []).map(inner)];
  const some = where.any?.map(inner);
  const none = where.not === undefined ? undefined : inner(where.not);
  return (entry) =>
    single.every((matches) => matches(entry)) &&
    (categories === undefined || entry.categories.some((category) => categories.has(category.toLowerCase()))) &&
    (priorityGt === undefined || entry.priority > priorityGt) &&
    (priorityLt === undefined || entry.priority < priorityLt) &&
    every.every((matches) => matches(entry)) &&
    (some === undefined || some.some((matches) => matches(entry))) &&
    (none === undefined || !none(entry));
}

export function compare(count: number, op: GateOp, value: number): boolean {
  switch (op) {
    case '>=':
      return count >= value;
    case '>':
      return count > value;
    case '<=':
      return count <= value;
    case '<':
      return count < value;
    case '==':
      return count === value;
    case '!=':
      return count !== value;
  }
}

/** The catalog that gates are evaluated on. */
interface Subject {
  readonly entries: readonly InstructionEntry[];
  readonly activity: RuleActivity;
}

function countOf(where: WhereFilter | undefined, { entries, activity }: Subject): number {
  if (where === undefined) return entries.length;
  const matches = toMatcher(where, activity);
  let count = 0;
  for (const entry of entries) if (matches(entry)) count += 1;
  return count;
}

function holds(condition: Condition, subject: Subject): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, subject));
  if ('any' in condition) return condition.any.some((part) => holds(part, subject));
  if ('not' in condition) return !holds(condition.not, subject);
  return compare(countOf(condition.where, subject), condition.op, condition.value);
}

function evaluate(gate: Gate, subject: Subject): Pick<GateResult, 'passed' | 'count' | 'op' | 'value'> {
  if ('op' in gate) {
    const count = countOf(gate.where, subject);
    return { passed: compare(count, gate.op, gate.value), count, op: gate.op, value: gate.value };
  }
  if ('not' in gate) {
    const isSo = holds(gate.not, subject);
    return { passed: !isSo, count: isSo ? 1 : 0, op: 'not', value: 1 };
  }
  const isAll = 'all' in gate;
  const parts = 'all' in gate ? gate.all : gate.any;
  const count = parts.filter((part) => holds(part, subject)).length;
  return { passed: isAll ? count === parts.length : count > 0, count, op: isAll ? 'all' : 'any', value: parts.length };
}

function evaluateGate(gate: Gate, subject: Subject): GateResult {
  const { id, severity, description } = gate;
  const result = { id, ...evaluate(gate, subject), severity };
  return description === undefined ? result : { ...result, description };
}

function* filtersIn(where: WhereFilter): Generator<WhereFilter> {
  yield where;
  const { all = [], any = [], not } = where;
  for (const part of [...all, ...any, ...(not === undefined ? [] : [not])]) yield* filtersIn(part);
}

function* filtersOf(condition: Condition | Gate): Generator<WhereFilter> {
  if ('op' in condition) {
    if (condition.where !== undefined) yield* filtersIn(condition.where);
    return;
  }
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : [condition.not];
  for (const part of parts) yield* filtersOf(part);
}

/** Policy gates: conditions on the catalog as a whole. */
export interface Gates {
  evaluate(call: Call): Promise<GatesReport>;
}

export interface GatesDeps {
  readonly catalog: Pick<Catalog, 'state'>;
  readonly readConfigFile: ReadConfigFile;
  readonly clock: Clock;
  readonly records: Pick<RuleRecords, 'activity'>;
}

export const createGates = ({ catalog, readConfigFile, clock, records }: GatesDeps): Gates => ({
  async evaluate(call) {
    const text = await readConfigFile(gatesFileName, call);
    const generatedAt = toIso(clock.now());
    if (text === undefined) {
      return { generatedAt, results: [], summary: { errors: 0, warnings: 0, total: 0 }, notConfigured: true };
    }
    const gates = parseGates(text);
    const { entries } = await catalog.state(call);
    const needs = toActivityNeeds(gates.flatMap((gate) => [...filtersOf(gate)]));
    const subject = { entries, activity: await records.activity(call, needs) };
    const results: GateResult[] = [];
    for (const gate of gates) {
      results.push(evaluateGate(gate, subject));
      // Each gate scans all entries.
      await yieldToEventLoop(call.signal);
    }
    const failedCount = (severity: GateResult['severity']) =>
      results.filter((result) => !result.passed && result.severity === severity).length;
    const summary = { errors: failedCount('error'), warnings: failedCount('warn'), total: results.length };
    return { generatedAt, results, summary };
  },
});
