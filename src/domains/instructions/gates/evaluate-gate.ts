import type { InstructionEntry } from '../entry-model.ts';
import type { Comparison, Condition, Gate, GateOp, WhereFilter } from './gate-file.ts';

export interface GateResult {
  readonly id: string;
  readonly passed: boolean;
  /** Entries that fit `where`; of an expression, how many of its parts hold. */
  readonly count: number;
  readonly op: GateOp | 'all' | 'any' | 'not';
  /** What is compared with; of an expression, how many parts it has. */
  readonly value: number;
  readonly severity: 'error' | 'warn';
  readonly description?: string;
}

type Matches = (entry: InstructionEntry) => boolean;

/** Words are compared without regard to case: categories are kept in lower case, and people write them otherwise. */
function toChoice(wanted: string | readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (wanted === undefined) return undefined;
  return new Set((typeof wanted === 'string' ? [wanted] : wanted).map((word) => word.toLowerCase()));
}

export function toMatcher(where: WhereFilter): Matches {
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
  const every = (where.all ?? []).map(toMatcher);
  const some = where.any?.map(toMatcher);
  const none = where.not === undefined ? undefined : toMatcher(where.not);
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

function countOf(where: WhereFilter | undefined, entries: readonly InstructionEntry[]): number {
  if (where === undefined) return entries.length;
  const matches = toMatcher(where);
  let count = 0;
  for (const entry of entries) if (matches(entry)) count += 1;
  return count;
}

const holdsComparison = ({ where, op, value }: Comparison, entries: readonly InstructionEntry[]): boolean =>
  compare(countOf(where, entries), op, value);

function holds(condition: Condition, entries: readonly InstructionEntry[]): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, entries));
  if ('any' in condition) return condition.any.some((part) => holds(part, entries));
  if ('not' in condition) return !holds(condition.not, entries);
  return holdsComparison(condition, entries);
}

function judge(
  gate: Gate,
  entries: readonly InstructionEntry[],
): Pick<GateResult, 'passed' | 'count' | 'op' | 'value'> {
  if ('op' in gate) {
    const count = countOf(gate.where, entries);
    return { passed: compare(count, gate.op, gate.value), count, op: gate.op, value: gate.value };
  }
  if ('not' in gate) {
    const isSo = holds(gate.not, entries);
    return { passed: !isSo, count: isSo ? 1 : 0, op: 'not', value: 1 };
  }
  const isAll = 'all' in gate;
  const parts = 'all' in gate ? gate.all : gate.any;
  const count = parts.filter((part) => holds(part, entries)).length;
  return { passed: isAll ? count === parts.length : count > 0, count, op: isAll ? 'all' : 'any', value: parts.length };
}

export function evaluateGate(gate: Gate, entries: readonly InstructionEntry[]): GateResult {
  const { id, severity, description } = gate;
  const result = { id, ...judge(gate, entries), severity };
  return description === undefined ? result : { ...result, description };
}
