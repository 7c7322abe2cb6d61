import { audiences, classifications, type InstructionInput, requirements, statuses, tiers } from '../entry-model.ts';
import { instructionIdPattern } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';

type Rule = (value: unknown) => boolean;

const { titleChars, summaryChars, categoriesCount, listFieldCount, listItemChars } = instructionLimits;

const isText: Rule = (value) => typeof value === 'string';
const textUpTo =
  (max: number): Rule =>
  (value) =>
    typeof value === 'string' && value.length <= max;
const oneOf =
  (words: readonly unknown[]): Rule =>
  (value) =>
    words.includes(value);
const listOf =
  (isItem: Rule, max: number): Rule =>
  (value) =>
    Array.isArray(value) && value.length <= max && value.every(isItem);
const nameUpTo =
  (max: number): Rule =>
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= max;
const intIn =
  (min: number, max: number): Rule =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
const isId: Rule = (value) => typeof value === 'string' && instructionIdPattern.test(value);

/** As this program writes timestamps. All others, such as those on a leap day, go to the schema. */
const plainMoment =
  /^\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const isMoment: Rule = (value) => typeof value === 'string' && plainMoment.test(value);

const logLineKeys = 3;
const isLogLine: Rule = (value) => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== logLineKeys) return false;
  const { version, changedAt, summary } = value as Record<string, unknown>;
  return isText(version) && isMoment(changedAt) && isText(summary);
};

const words = listOf(nameUpTo(listItemChars), listFieldCount);
const text = textUpTo(instructionLimits.textFieldChars);
const name = textUpTo(200);

/** Fields not listed here go to the schema. */
const rules: ReadonlyMap<string, Rule> = new Map<keyof InstructionInput, Rule>([
  ['id', isText],
  ['title', textUpTo(titleChars)],
  ['body', isText],
  ['rationale', text],
  ['description', text],
  ['examples', words],
  ['tags', words],
  ['priority', intIn(1, 100)],
  ['audience', oneOf(audiences)],
  ['requirement', oneOf(requirements)],
  ['categories', listOf(nameUpTo(100), categoriesCount)],
  ['dependencies', listOf(isId, listFieldCount)],
  ['schemaVersion', isText],
  ['version', isText],
  ['status', oneOf(statuses)],
  ['owner', name],
  ['classification', oneOf(classifications)],
  ['lastReviewedAt', isMoment],
  ['nextReviewDue', isMoment],
  ['reviewIntervalDays', intIn(1, 3_650)],
  ['supersedes', isId],
  ['deprecatedBy', isId],
  ['changeLog', listOf(isLogLine, Number.MAX_SAFE_INTEGER)],
  ['workspaceId', name],
  ['userId', name],
  ['teamIds', listOf(nameUpTo(200), 100)],
  ['createdByAgent', name],
  ['sourceWorkspace', name],
  ['semanticSummary', textUpTo(summaryChars)],
  ['createdAt', isMoment],
  ['updatedAt', isMoment],
  ['sourceHash', isText],
  ['governanceHash', isText],
  ['priorityTier', oneOf(tiers)],
  ['riskScore', Number.isFinite],
]);

/**
 * Whether the schema would certainly accept the value unchanged. A load reads thousands of documents that this program
 * wrote, and the schema takes longer than reading and parsing them. False means only that the schema has to decide.
 */
export function isCertainlyValid(value: object): value is InstructionInput {
  let neededCount = 0;
  for (const [key, field] of Object.entries(value)) {
    if (rules.get(key)?.(field) !== true) return false;
    if (key === 'id' || key === 'body') neededCount += 1;
  }
  return neededCount === 2;
}
