import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { foldCase } from '#kernel/text/normalise.ts';
import { isPatternFault, type RegexRunner } from '#kernel/workers/regex-runner.ts';
import type { ReadConfigFile } from '../config-files.ts';
import type { ReviewIssue, ReviewReport } from '../tools/prompt-review.ts';
import {
  type CategorizedRule,
  type CriteriaRule,
  criteriaFileName,
  defaultFlags,
  invalidCriteria,
  parseCriteria,
  reviewSeverities,
  toCategorizedRules,
} from './criteria.ts';
import { defaultCriteria } from './default-criteria.ts';
import { hasSecret } from './has-secret.ts';

const previewLimits = {
  shownChars: 100,
  /** Enough of a secret to find it, too little to use it. */
  maskedChars: 4,
} as const;

/** Never cuts a surrogate pair in half. */
const cutAt = (text: string, max: number): string =>
  text
    .slice(0, max)
    .toWellFormed()
    .replace(/\ufffd$/, '');

/** `AKIA...`: only the beginning, at most a quarter of a short match. */
export function toMatchPreview(match: string, isMasked: boolean): string {
  if (isMasked) return `${cutAt(match, Math.min(previewLimits.maskedChars, Math.floor(match.length / 4)))}...`;
  return match.length <= previewLimits.shownChars ? match : `${cutAt(match, previewLimits.shownChars)}...`;
}

export const reviewLimits = {
  /** Without NUL characters. */
  promptChars: 10_000,
  /** Counted matches per rule. */
  matchesCount: 100,
} as const;

export interface Review {
  review(prompt: string, call: Call): Promise<ReviewReport>;
  /** By the shipped criteria alone, which is fast. */
  hasSecret(text: string): boolean;
}

export interface ReviewDeps {
  readonly readConfigFile: ReadConfigFile;
  readonly regex: Pick<RegexRunner, 'findAll'>;
}

/** Critical matches are masked unless the rule says otherwise. */
const isMasked = (rule: CriteriaRule): boolean => rule.mask ?? rule.severity === 'critical';

function summarise(issues: readonly ReviewIssue[]): ReviewReport['summary'] {
  const counts: Record<string, number> = {};
  for (const { severity } of issues) counts[severity] = (counts[severity] ?? 0) + 1;
  const highestSeverity = reviewSeverities.findLast((severity) => severity in counts);
  return highestSeverity === undefined ? { counts } : { counts, highestSeverity };
}

export function createReview({ readConfigFile, regex }: ReviewDeps): Review {
  const defaultRules = toCategorizedRules(defaultCriteria);
  /** Checking patterns costs more than running them, so a file is checked once per version. */
  let parsedFile: { readonly text: string; readonly rules: readonly CategorizedRule[] } | undefined;

  async function readRules(call: Call): Promise<readonly CategorizedRule[]> {
    const text = await readConfigFile(criteriaFileName, call);
    if (text === undefined) return defaultRules;
    if (parsedFile?.text !== text) parsedFile = { text, rules: parseCriteria(text) };
    return parsedFile.rules;
  }

  async function findMatches(rule: CriteriaRule, source: string, prompt: string, call: Call) {
    try {
      const { texts } = await regex.findAll({
        source,
        flags: rule.flags ?? defaultFlags,
        texts: [prompt],
        tenant: call.tenant,
        signal: call.signal,
        matchesPerTextCount: reviewLimits.matchesCount,
      });
      return texts[0] ?? [];
    } catch (error) {
      if (!isPatternFault(error)) throw error;
      const problem = `its pattern cannot be run: ${error.message}`;
      throw invalidCriteria(`rule ${rule.id}: ${problem}`, {
        rule: rule.id,
        problems: [{ rule: rule.id, problem }],
      });
    }
  }

  /** The match, or undefined when the rule reports nothing. */
  async function applyRule(
    rule: CriteriaRule,
    prompt: string,
    call: Call,
  ): Promise<Pick<ReviewIssue, 'match' | 'matchCount'> | undefined> {
    if (rule.pattern === undefined) {
      const wanted = [rule.mustContain ?? []].flat();
      const folded = foldCase(prompt);
      return wanted.some((text) => folded.includes(foldCase(text))) ? undefined : {};
    }
    const [first, ...more] = await findMatches(rule, rule.pattern, prompt, call);
    if (first === undefined) return undefined;
    return { match: toMatchPreview(prompt.slice(first.start, first.end), isMasked(rule)), matchCount: more.length + 1 };
  }

  return {
    hasSecret,
    async review(given, call) {
      const prompt = given.replaceAll('\0', '');
      if (prompt.length > reviewLimits.promptChars) {
        throw faults.RESOURCE_LIMIT({ what: 'The prompt', limit: reviewLimits.promptChars, unit: 'characters' });
      }
      const rules = await readRules(call);
      const issues: ReviewIssue[] = [];
      // In sequence: a review occupies one worker, however many rules there are.
      for (const { category, rule } of rules) {
        const found = await applyRule(rule, prompt, call);
        if (found === undefined) continue;
        const { id: ruleId, severity, description, remediation } = rule;
        issues.push({
          ruleId,
          severity,
          description,
          ...found,
          category,
          ...(remediation === undefined ? {} : { remediation }),
        });
      }
      return { issues, summary: summarise(issues) };
    },
  };
}
