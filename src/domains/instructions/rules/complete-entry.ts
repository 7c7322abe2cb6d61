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
import { bumpVersion, compareVersions } from './version.ts';

/** Import mode `merge`: given fields win, missing ones stay. */
export function mergeInput(existing: InstructionEntry, input: InstructionInput): InstructionInput {
  const definedFields = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  // The merged entry gets a new time.
  const { updatedAt: _updatedAt, ...kept } = existing;
  return { ...kept, ...definedFields, id: input.id, body: input.body };
}

export interface CompleteContext {
  /** ISO 8601. */
  readonly now: string;
  /** The replaced entry: its history continues, and its fields are the defaults. */
  readonly existing?: InstructionEntry;
  readonly canonicalOff: boolean;
  readonly agentId?: string;
  readonly workspace?: string;
  /** Entries of writers without the scope admin become drafts: searchable, but not served as rules. */
  readonly isTrusted: boolean;
}

export const unowned = 'unowned';
export const defaultPriority = 50;
const firstVersion = '1.0.0';
const dayMs = 86_400_000;

/** The date format has four-digit years. */
const lastMoment = Date.UTC(9999, 11, 31);

const addDays = (moment: string, days: number): string =>
  new Date(Math.min(Date.parse(moment) + days * dayMs, lastMoment)).toISOString();

function statusFor(input: InstructionInput, context: CompleteContext, isDeprecated: boolean) {
  if (!context.isTrusted) return 'draft';
  if (input.status !== undefined) return input.status;
  if (isDeprecated) return 'deprecated';
  const { existing } = context;
  return existing === undefined || existing.requirement === 'deprecated' ? 'approved' : existing.status;
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
function intervalFor(input: InstructionInput, existing: InstructionEntry | undefined, days: number): number {
  const given = input.reviewIntervalDays ?? existing?.reviewIntervalDays;
  const wasDerived =
    existing !== undefined &&
    given === existing.reviewIntervalDays &&
    given === reviewDaysOf(tierOf(existing.priority, existing.requirement));
  return given === undefined || wasDerived ? days : given;
}

function dueFor(
  input: InstructionInput,
  existing: InstructionEntry | undefined,
  reviewedAt: string,
  reviewIntervalDays: number,
): string {
  const isCadenceUnchanged =
    existing === undefined ||
    (existing.reviewIntervalDays === reviewIntervalDays &&
      (existing.lastReviewedAt ?? existing.createdAt) === reviewedAt);
  const given = input.nextReviewDue ?? existing?.nextReviewDue;
  if (given !== undefined && (isCadenceUnchanged || given !== existing?.nextReviewDue)) return given;
  return addDays(reviewedAt, reviewIntervalDays);
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

/** Fills all defaults and computed fields. Pure and idempotent. Usage counts are stored elsewhere. */
export function completeEntry(input: InstructionInput, context: CompleteContext): InstructionEntry {
  const { existing, now } = context;
  const body = canonicalise(input.body, context.canonicalOff);
  const sourceHash = sourceHashOf(body);
  const bodyChanged = existing !== undefined && existing.body !== body;
  const priority = input.priority ?? existing?.priority ?? defaultPriority;
  const requirement = input.requirement ?? existing?.requirement ?? 'optional';
  const priorityTier = tierOf(priority, requirement);
  const { categories, scopes } = normaliseCategories(input.categories ?? existing?.categories ?? []);
  const teamIds = isEmpty(input.teamIds) ? (scopes.teamIds ?? existing?.teamIds) : input.teamIds;
  const status = statusFor(input, context, requirement === 'deprecated');
  const version = versionFor(input, existing, bodyChanged);
  const createdAt = input.createdAt ?? existing?.createdAt ?? now;
  const lastReviewedAt =
    input.lastReviewedAt ?? existing?.lastReviewedAt ?? (status === 'approved' ? createdAt : undefined);
  const reviewIntervalDays = intervalFor(input, existing, reviewDaysOf(priorityTier));
  const filled: InstructionEntry = {
    id: input.id,
    title: input.title ?? existing?.title ?? input.id,
    body,
    rationale: input.rationale,
    description: input.description,
    examples: input.examples,
    tags: input.tags,
    priority,
    audience: input.audience ?? existing?.audience ?? 'all',
    requirement,
    categories,
    dependencies: input.dependencies,
    appliesTo: input.appliesTo,
    arguments: input.arguments,
    schemaVersion:
      input.schemaVersion === undefined || input.schemaVersion === '1' ? schemaVersion : input.schemaVersion,
    version,
    status,
    owner: input.owner ?? existing?.owner ?? unowned,
    classification: input.classification ?? existing?.classification ?? 'internal',
    lastReviewedAt,
    nextReviewDue: dueFor(input, existing, lastReviewedAt ?? createdAt, reviewIntervalDays),
    reviewIntervalDays,
    supersedes: input.supersedes,
    deprecatedBy: input.deprecatedBy,
    changeLog: changeLogFor(input, context, version),
    workspaceId: input.workspaceId ?? scopes.workspaceId ?? existing?.workspaceId,
    userId: input.userId ?? scopes.userId ?? existing?.userId,
    teamIds: teamIds === undefined ? undefined : [...teamIds],
    createdByAgent:
      existing?.createdByAgent ?? input.createdByAgent ?? (existing === undefined ? context.agentId : undefined),
    sourceWorkspace:
      existing?.sourceWorkspace ?? input.sourceWorkspace ?? (existing === undefined ? context.workspace : undefined),
    semanticSummary:
      input.semanticSummary ?? (existing === undefined || bodyChanged ? summaryOf(body) : existing.semanticSummary),
    createdAt,
    updatedAt: now,
    sourceHash,
    governanceHash: '',
    priorityTier,
    riskScore: riskOf(priority, requirement),
    extensions: input.extensions,
  };
  filled.governanceHash = entryGovernanceHash(filled);
  const entry = withoutUndefined(filled);
  entry.updatedAt = updatedAtFor(input, entry, context);
  return entry;
}
