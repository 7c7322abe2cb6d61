import { canonicalJson } from '#kernel/json/canonical.ts';
import { type InstructionEntry, type InstructionInput, schemaVersion } from '../entry-model.ts';
import { normaliseCategories } from './categories.ts';
import {
  canonicalise,
  entryGovernanceHash,
  reviewDaysOf,
  riskOf,
  sourceHashOf,
  summaryOf,
  tierOf,
} from './derived-fields.ts';
import { primaryCategoryOf } from './map-entry.ts';
import { bumpVersion, compareVersions } from './version.ts';

export interface CompleteContext {
  /** ISO 8601. */
  readonly now: string;
  /** The stored entry: its history continues, and its fields are the defaults. */
  readonly existing?: InstructionEntry;
  /** Drops the stored fields that are not given; only the history continues. */
  readonly isReplaced?: boolean;
  readonly canonicalOff: boolean;
  readonly agentId?: string;
  readonly workspace?: string;
}

export const unowned = 'unowned';
export const defaultPriority = 50;
const firstVersion = '1.0.0';
const dayMs = 86_400_000;

/** The date format has four-digit years. */
const lastMoment = Date.UTC(9999, 11, 31);

const addDays = (moment: string, days: number): string =>
  new Date(Math.min(Date.parse(moment) + days * dayMs, lastMoment)).toISOString();

function statusFor(input: InstructionInput, kept: InstructionEntry | undefined, isDeprecated: boolean) {
  if (input.status !== undefined) return input.status;
  if (isDeprecated) return 'deprecated';
  return kept === undefined || kept.requirement === 'deprecated' ? 'approved' : kept.status;
}

function versionFor(input: InstructionInput, existing: InstructionEntry | undefined, bodyChanged: boolean): string {
  if (existing === undefined) return input.version ?? firstVersion;
  // A version that is not higher was only copied from the stored entry.
  if (input.version !== undefined && compareVersions(input.version, existing.version) > 0) return input.version;
  return bodyChanged ? bumpVersion(existing.version, 'patch') : existing.version;
}

type ChangeLog = InstructionEntry['changeLog'];

const startsWith = (log: ChangeLog, start: ChangeLog): boolean =>
  log.length >= start.length && canonicalJson(log.slice(0, start.length)) === canonicalJson(start);

/** The change log only grows: a caller may append to it but not rewrite it. */
function changeLogFor(input: InstructionInput, context: CompleteContext, version: string): ChangeLog {
  const { existing, now } = context;
  const given = input.changeLog ?? [];
  if (existing === undefined) {
    return given.length > 0 ? given : [{ version, changedAt: input.createdAt ?? now, summary: 'created' }];
  }
  const log = startsWith(given, existing.changeLog) ? given : existing.changeLog;
  if (version === existing.version || log.at(-1)?.version === version) return log;
  return [...log, { version, changedAt: now, summary: 'body changed' }];
}

/** Recomputes a derived value that the caller only sent back. */
function intervalFor(input: InstructionInput, kept: InstructionEntry | undefined, days: number): number {
  const given = input.reviewIntervalDays ?? kept?.reviewIntervalDays;
  const wasDerived =
    kept !== undefined &&
    given === kept.reviewIntervalDays &&
    given === reviewDaysOf(tierOf(kept.priority, kept.requirement));
  return given === undefined || wasDerived ? days : given;
}

function dueFor(
  input: InstructionInput,
  kept: InstructionEntry | undefined,
  reviewedAt: string,
  reviewIntervalDays: number,
): string {
  const isCadenceUnchanged =
    kept === undefined ||
    (kept.reviewIntervalDays === reviewIntervalDays && (kept.lastReviewedAt ?? kept.createdAt) === reviewedAt);
  const given = input.nextReviewDue ?? kept?.nextReviewDue;
  if (given !== undefined && (isCadenceUnchanged || given !== kept?.nextReviewDue)) return given;
  return addDays(reviewedAt, reviewIntervalDays);
}

/** A summary that was derived from the old body is derived from the new one. */
function summaryFor(input: InstructionInput, kept: InstructionEntry | undefined, body: string): string {
  if (input.semanticSummary !== undefined) return input.semanticSummary;
  const isOwn = kept !== undefined && (kept.body === body || kept.semanticSummary !== summaryOf(kept.body));
  return isOwn ? kept.semanticSummary : summaryOf(body);
}

const isEmpty = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);

/** Copies the object at the end: objects built field by field become hash tables and take several times the memory. */
function withoutUndefined(entry: InstructionEntry): InstructionEntry {
  const kept: Record<string, unknown> = {};
  for (const key in entry) {
    const value = entry[key as keyof InstructionEntry];
    if (value !== undefined) kept[key] = value;
  }
  return { ...kept } as InstructionEntry;
}

const isSameExceptTime = (a: InstructionEntry, b: InstructionEntry): boolean =>
  a.sourceHash === b.sourceHash &&
  a.body === b.body &&
  canonicalJson({ ...a, body: '', updatedAt: '' }) === canonicalJson({ ...b, body: '', updatedAt: '' });

/** Writing back the stored entry does not change its time. */
function updatedAtFor(input: InstructionInput, entry: InstructionEntry, context: CompleteContext): string {
  const { existing, now } = context;
  if (existing === undefined) return input.updatedAt ?? now;
  if (input.updatedAt !== undefined && input.updatedAt !== existing.updatedAt) return input.updatedAt;
  return isSameExceptTime(entry, existing) ? existing.updatedAt : now;
}

/** A complete entry as the input of the next write: a new time, and a summary that came from the body follows it. */
export function asInput({ updatedAt: _updatedAt, semanticSummary, ...kept }: InstructionEntry): InstructionInput {
  return semanticSummary === summaryOf(kept.body) ? kept : { ...kept, semanticSummary };
}

/** Fills all defaults and computed fields. Pure and idempotent. Usage counts are stored elsewhere. */
export function completeEntry(input: InstructionInput, context: CompleteContext): InstructionEntry {
  const { existing, now } = context;
  const kept = context.isReplaced === true ? undefined : existing;
  const body = canonicalise(input.body, context.canonicalOff);
  const sourceHash = sourceHashOf(body);
  const bodyChanged = existing !== undefined && existing.body !== body;
  const priority = input.priority ?? kept?.priority ?? defaultPriority;
  const requirement = input.requirement ?? kept?.requirement ?? 'optional';
  const priorityTier = tierOf(priority, requirement);
  const { categories, scopes } = normaliseCategories(
    input.categories ?? kept?.categories ?? [],
    primaryCategoryOf({ extensions: input.extensions ?? kept?.extensions }),
  );
  const teamIds = isEmpty(input.teamIds) ? (scopes.teamIds ?? input.teamIds ?? kept?.teamIds) : input.teamIds;
  const status = statusFor(input, kept, requirement === 'deprecated');
  const version = versionFor(input, existing, bodyChanged);
  const createdAt = input.createdAt ?? existing?.createdAt ?? now;
  const lastReviewedAt =
    input.lastReviewedAt ?? kept?.lastReviewedAt ?? (status === 'approved' ? createdAt : undefined);
  const reviewIntervalDays = intervalFor(input, kept, reviewDaysOf(priorityTier));
  const filled: InstructionEntry = {
    id: input.id,
    title: input.title ?? kept?.title ?? input.id,
    body,
    rationale: input.rationale ?? kept?.rationale,
    description: input.description ?? kept?.description,
    examples: input.examples ?? kept?.examples,
    tags: input.tags ?? kept?.tags,
    priority,
    audience: input.audience ?? kept?.audience ?? 'all',
    requirement,
    categories,
    dependencies: input.dependencies ?? kept?.dependencies,
    appliesTo: input.appliesTo ?? kept?.appliesTo,
    arguments: input.arguments ?? kept?.arguments,
    schemaVersion:
      input.schemaVersion === '1' ? schemaVersion : (input.schemaVersion ?? kept?.schemaVersion ?? schemaVersion),
    version,
    status,
    owner: input.owner ?? kept?.owner ?? unowned,
    classification: input.classification ?? kept?.classification ?? 'internal',
    lastReviewedAt,
    nextReviewDue: dueFor(input, kept, lastReviewedAt ?? createdAt, reviewIntervalDays),
    reviewIntervalDays,
    supersedes: input.supersedes ?? kept?.supersedes,
    deprecatedBy: input.deprecatedBy ?? kept?.deprecatedBy,
    changeLog: changeLogFor(input, context, version),
    workspaceId: input.workspaceId ?? scopes.workspaceId ?? kept?.workspaceId,
    userId: input.userId ?? scopes.userId ?? kept?.userId,
    teamIds: teamIds === undefined ? undefined : [...teamIds],
    createdByAgent:
      existing?.createdByAgent ?? input.createdByAgent ?? (existing === undefined ? context.agentId : undefined),
    sourceWorkspace:
      existing?.sourceWorkspace ?? input.sourceWorkspace ?? (existing === undefined ? context.workspace : undefined),
    semanticSummary: summaryFor(input, kept, body),
    createdAt,
    updatedAt: now,
    sourceHash,
    governanceHash: '',
    priorityTier,
    riskScore: riskOf(priority, requirement),
    extensions: input.extensions ?? kept?.extensions,
  };
  filled.governanceHash = entryGovernanceHash(filled);
  const entry = withoutUndefined(filled);
  entry.updatedAt = updatedAtFor(input, entry, context);
  return entry;
}
