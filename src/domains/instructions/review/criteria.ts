import { z } from 'zod';
import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { findSyntaxError, regexLimits } from '#kernel/workers/regex-runner.ts';
import { parseConfig } from '../gates/config-files.ts';
import { tellIssue } from '../gates/tell-issue.ts';

export const criteriaFileName = 'PROMPT-CRITERIA.json';

export const criteriaLimits = {
  criteriaBytes: 1024 * 1024,
  categoriesCount: 100,
  /** Of all categories together: each is a job of the worker pool. */
  rulesCount: 200,
  ruleIdChars: 200,
  ruleTextChars: 1_000,
} as const;

/** Least first. The documents use these words in turn; all are understood. */
export const reviewSeverities = ['info', 'low', 'warn', 'medium', 'error', 'high', 'critical'] as const;
export type ReviewSeverity = (typeof reviewSeverities)[number];

const id = z.string().min(1).max(criteriaLimits.ruleIdChars);
const text = z.string().min(1).max(criteriaLimits.ruleTextChars);

const rule = z
  .strictObject({
    id,
    /** An issue where it matches. */
    pattern: z.string().min(1).max(regexLimits.patternChars).optional(),
    flags: z
      .string()
      .regex(/^[imsu]{0,4}$/)
      .optional(),
    /** An issue unless one of these texts is there, in whatever case. */
    mustContain: z.union([text, z.array(text).min(1).max(100)]).optional(),
    severity: z.enum(reviewSeverities),
    description: text,
    remediation: text.optional(),
    /** Shows only the beginning of what was found. */
    mask: z.boolean().optional(),
  })
  .refine((given) => (given.pattern === undefined) !== (given.mustContain === undefined), {
    message: 'has either pattern or mustContain',
  });
export type CriteriaRule = z.infer<typeof rule>;

const category = z.looseObject({ id, rules: z.array(z.looseObject({})) });
const criteriaFile = z.looseObject({
  version: z.union([z.string(), z.number()]),
  categories: z.array(category).max(criteriaLimits.categoriesCount),
});

/** A file as people write it; the rules that come with the program have the same form. */
export interface CriteriaFile {
  readonly version: string;
  readonly categories: readonly { readonly id: string; readonly rules: readonly CriteriaRule[] }[];
}

export interface PlacedRule {
  readonly category: string;
  readonly rule: CriteriaRule;
}

export const defaultFlags = 'i';

function findPatternProblem(pattern: string, flags: string): string | undefined {
  if (new Set(flags).size < flags.length) return 'its flags repeat themselves';
  const reason = findSyntaxError(pattern, flags);
  return reason === undefined ? undefined : `its pattern is not valid: ${reason}`;
}

function readRule(given: unknown): CriteriaRule | string {
  const parsed = rule.safeParse(given);
  if (!parsed.success) return tellIssue(parsed.error);
  const { pattern, flags = defaultFlags } = parsed.data;
  return (pattern === undefined ? undefined : findPatternProblem(pattern, flags)) ?? parsed.data;
}

const nameOf = (given: Readonly<Record<string, unknown>>, at: number): string =>
  typeof given['id'] === 'string' ? given['id'].slice(0, criteriaLimits.ruleIdChars) : `number ${at + 1}`;

export const brokenCriteria = (why: string, details: Readonly<Record<string, unknown>> = {}): Fault =>
  faults.VALIDATION_ERROR({ why: `${criteriaFileName}: ${why}` }, { file: criteriaFileName, ...details });

/** Tells every rule that is wrong: what it does not name is known to be good. */
export function parseCriteria(textOfFile: string): readonly PlacedRule[] {
  if (Buffer.byteLength(textOfFile) > criteriaLimits.criteriaBytes) {
    throw brokenCriteria(`has more than ${criteriaLimits.criteriaBytes} bytes`);
  }
  const parsed = criteriaFile.safeParse(parseConfig(criteriaFileName, textOfFile));
  if (!parsed.success) throw brokenCriteria(tellIssue(parsed.error));
  const placed: PlacedRule[] = [];
  const problems: { rule: string; problem: string }[] = [];
  const seen = new Set<string>();
  for (const { id: categoryId, rules } of parsed.data.categories) {
    rules.forEach((given, at) => {
      const read = readRule(given);
      const name = nameOf(given, at);
      if (typeof read === 'string') problems.push({ rule: name, problem: read });
      else if (seen.has(read.id)) problems.push({ rule: name, problem: 'this id is used twice' });
      else {
        seen.add(read.id);
        placed.push({ category: categoryId, rule: read });
      }
    });
  }
  const [first] = problems;
  if (first !== undefined) throw brokenCriteria(`rule ${first.rule}: ${first.problem}`, { rule: first.rule, problems });
  if (placed.length > criteriaLimits.rulesCount)
    throw brokenCriteria(`has more than ${criteriaLimits.rulesCount} rules`);
  return placed;
}

export const placeRules = ({ categories }: CriteriaFile): readonly PlacedRule[] =>
  categories.flatMap(({ id: categoryId, rules }) => rules.map((one) => ({ category: categoryId, rule: one })));
