import { z } from 'zod';
import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { findSyntaxError, regexLimits } from '#kernel/workers/regex-runner.ts';
import { describeIssue, parseConfig } from '../config-files.ts';

export const criteriaFileName = 'PROMPT-CRITERIA.json';

export const criteriaLimits = {
  criteriaBytes: 1024 * 1024,
  categoriesCount: 100,
  /** In all categories together: each rule is a job of the worker pool. */
  rulesCount: 200,
  ruleIdChars: 200,
  ruleTextChars: 1_000,
} as const;

/** Lowest first. */
export const reviewSeverities = ['info', 'low', 'warn', 'medium', 'error', 'high', 'critical'] as const;

const id = z.string().min(1).max(criteriaLimits.ruleIdChars);
const text = z.string().min(1).max(criteriaLimits.ruleTextChars);

const rule = z
  .strictObject({
    id,
    /** Reports an issue where it matches. */
    pattern: z.string().min(1).max(regexLimits.patternChars).optional(),
    flags: z
      .string()
      .regex(/^[imsu]{0,4}$/)
      .optional(),
    /** Reports an issue unless the prompt contains one of these texts; ignores case. */
    mustContain: z.union([text, z.array(text).min(1).max(100)]).optional(),
    severity: z.enum(reviewSeverities),
    description: text,
    remediation: text.optional(),
    /** Shows only the beginning of the match. */
    mask: z.boolean().optional(),
  })
  .refine((given) => (given.pattern === undefined) !== (given.mustContain === undefined), {
    message: 'needs either pattern or mustContain',
  });
export type CriteriaRule = z.infer<typeof rule>;

const category = z.looseObject({ id, rules: z.array(z.looseObject({})) });
const criteriaFile = z.looseObject({
  version: z.union([z.string(), z.number()]),
  categories: z.array(category).max(criteriaLimits.categoriesCount),
});

/** The form of the file and of the default rules. */
export interface CriteriaFile {
  readonly version: string;
  readonly categories: readonly { readonly id: string; readonly rules: readonly CriteriaRule[] }[];
}

export interface CategorizedRule {
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
  if (!parsed.success) return describeIssue(parsed.error);
  const { pattern, flags = defaultFlags } = parsed.data;
  return (pattern === undefined ? undefined : findPatternProblem(pattern, flags)) ?? parsed.data;
}

const nameOf = (given: Readonly<Record<string, unknown>>, at: number): string =>
  typeof given['id'] === 'string' ? given['id'].slice(0, criteriaLimits.ruleIdChars) : `number ${at + 1}`;

export const invalidCriteria = (why: string, details: Readonly<Record<string, unknown>> = {}): Fault =>
  faults.VALIDATION_ERROR({ why: `${criteriaFileName}: ${why}` }, { file: criteriaFileName, ...details });

/** Reports all invalid rules. */
export function parseCriteria(textOfFile: string): readonly CategorizedRule[] {
  if (Buffer.byteLength(textOfFile) > criteriaLimits.criteriaBytes) {
    throw invalidCriteria(`has more than ${criteriaLimits.criteriaBytes} bytes`);
  }
  const parsed = criteriaFile.safeParse(parseConfig(criteriaFileName, textOfFile));
  if (!parsed.success) throw invalidCriteria(describeIssue(parsed.error));
  const categorized: CategorizedRule[] = [];
  const problems: { rule: string; problem: string }[] = [];
  const seen = new Set<string>();
  for (const { id: categoryId, rules } of parsed.data.categories) {
    rules.forEach((given, at) => {
      const read = readRule(given);
      const name = nameOf(given, at);
      if (typeof read === 'string') problems.push({ rule: name, problem: read });
      else if (seen.has(read.id)) problems.push({ rule: name, problem: 'duplicate id' });
      else {
        seen.add(read.id);
        categorized.push({ category: categoryId, rule: read });
      }
    });
  }
  const [first] = problems;
  if (first !== undefined)
    throw invalidCriteria(`rule ${first.rule}: ${first.problem}`, { rule: first.rule, problems });
  if (categorized.length > criteriaLimits.rulesCount)
    throw invalidCriteria(`has more than ${criteriaLimits.rulesCount} rules`);
  return categorized;
}

export const toCategorizedRules = ({ categories }: CriteriaFile): readonly CategorizedRule[] =>
  categories.flatMap(({ id: categoryId, rules }) => rules.map((one) => ({ category: categoryId, rule: one })));
