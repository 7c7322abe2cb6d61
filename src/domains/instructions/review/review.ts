import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { foldCase } from '#kernel/text/normalise.ts';
import { isPatternFault, type RegexRunner } from '#kernel/workers/regex-runner.ts';
import type { ReadConfigFile } from '../gates/config-files.ts';
import {
  brokenCriteria,
  type CriteriaRule,
  criteriaFileName,
  defaultFlags,
  type PlacedRule,
  parseCriteria,
  placeRules,
  type ReviewSeverity,
  reviewSeverities,
} from './criteria.ts';
import { defaultCriteria } from './default-criteria.ts';

const shownMatchLimits = {
  shownChars: 100,
  /** What may be seen of a secret: enough to find it, too little to use it. */
  maskedChars: 4,
} as const;

/** At most so many characters, never half of a pair. */
const cutAt = (text: string, max: number): string =>
  text
    .slice(0, max)
    .toWellFormed()
    .replace(/\ufffd$/, '');

/** `AKIA...`: the beginning only, and of a short one less than a quarter. */
export function toShownMatch(match: string, isMasked: boolean): string {
  if (isMasked) return `${cutAt(match, Math.min(shownMatchLimits.maskedChars, Math.floor(match.length / 4)))}...`;
  return match.length <= shownMatchLimits.shownChars ? match : `${cutAt(match, shownMatchLimits.shownChars)}...`;
}

export const reviewLimits = {
  /** Of the prompt, without its NULs. */
  promptChars: 10_000,
  /** Matches of one rule that are counted. */
  matchesCount: 100,
} as const;

export interface ReviewIssue {
  readonly ruleId: string;
  readonly severity: ReviewSeverity;
  readonly description: string;
  /** The first place that matches; only its beginning where it may be a secret. */
  readonly match?: string;
  readonly matchCount?: number;
  readonly category: string;
  readonly remediation?: string;
}

export interface ReviewReport {
  readonly issues: readonly ReviewIssue[];
  readonly summary: {
    readonly counts: Readonly<Record<string, number>>;
    readonly highestSeverity?: ReviewSeverity;
  };
}

/** Looks a prompt through for what its criteria name. */
export interface Review {
  review(prompt: string, call: Call): Promise<ReviewReport>;
}

export interface ReviewDeps {
  readonly readConfigFile: ReadConfigFile;
  readonly patterns: Pick<RegexRunner, 'findAll'>;
}

/** What may be shown in part only, unless the rule says otherwise. */
const isMasked = (rule: CriteriaRule): boolean => rule.mask ?? rule.severity === 'critical';

function summarise(issues: readonly ReviewIssue[]): ReviewReport['summary'] {
  const counts: Record<string, number> = {};
  for (const { severity } of issues) counts[severity] = (counts[severity] ?? 0) + 1;
  const highestSeverity = reviewSeverities.findLast((severity) => severity in counts);
  return highestSeverity === undefined ? { counts } : { counts, highestSeverity };
}

export function createReview({ readConfigFile, patterns }: ReviewDeps): Review {
  const shipped = placeRules(defaultCriteria);
  /** A file is parsed once, until it changes. */
  let judged: { readonly text: string; readonly rules: readonly PlacedRule[] } | undefined;

  async function readRules(call: Call): Promise<readonly PlacedRule[]> {
    const text = await readConfigFile(criteriaFileName, call);
    if (text === undefined) return shipped;
    if (judged?.text !== text) judged = { text, rules: parseCriteria(text) };
    return judged.rules;
  }

  async function findMatches(rule: CriteriaRule, source: string, prompt: string, call: Call) {
    try {
      const { texts } = await patterns.findAll({
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
      throw brokenCriteria(`rule ${rule.id}: ${problem}`, {
        rule: rule.id,
        problems: [{ rule: rule.id, problem }],
      });
    }
  }

  /** What is found, or undefined when the rule has nothing to say. */
  async function judge(
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
    return { match: toShownMatch(prompt.slice(first.start, first.end), isMasked(rule)), matchCount: more.length + 1 };
  }

  return {
    async review(given, call) {
      const prompt = given.replaceAll('\0', '');
      if (prompt.length > reviewLimits.promptChars) {
        throw faults.RESOURCE_LIMIT({ what: 'The prompt', limit: reviewLimits.promptChars, unit: 'characters' });
      }
      const rules = await readRules(call);
      const issues: ReviewIssue[] = [];
      // One after the other: a review takes one thread of the pool, however many rules there are.
      for (const { category, rule } of rules) {
        const found = await judge(rule, prompt, call);
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
