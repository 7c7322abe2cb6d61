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
  readonly specificity: number;
  readonly priority: number;
  readonly fields: Fields;
  readonly raw: Fields;
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

export const entityIdOf = (type: string, name: string): string => `ent_${hash24(`${type}:${name}`)}`;

/** [TR8] */
export const observationIdOf = (entityId: string, sourceKey: string, role: string): string =>
  `obs_${hash24([entityId, sourceKey, role].join(separator))}`;

/** Undefined for a date that does not exist. */
export function momentOf(text: string): number | undefined {
  const ms = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN;
  const day = text.slice(0, 10);
  const isReal = !Number.isNaN(ms) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return isReal ? ms : undefined;
}

function fitOne(type: string, value: Json): Json | undefined {
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

const weights: Readonly<Record<string, (one: Statement) => number>> = {
  observed_at: (one) => one.observedAt,
  source_priority: (one) => one.priority,
  specificity_score: (one) => one.specificity,
};
const leads: Readonly<Record<string, string>> = {
  highest_priority: 'source_priority',
  most_specific: 'specificity_score',
};

/** [TR12] [TR14] */
function byRank(field: OracleField, a: Statement, b: Statement): number {
  const [first, second] = [a.kind === 'correction', b.kind === 'correction'];
  if (first !== second) return first ? -1 : 1;
  const lead = first ? undefined : leads[field.strategy ?? ''];
  for (const by of [lead ?? 'observed_at', field.tie_breaker ?? 'observed_at', 'observed_at']) {
    const apart = weights[by]!(b) - weights[by]!(a);
    if (apart !== 0) return apart;
  }
  return a.id < b.id ? -1 : 1;
}

/** [TR11] */
function specificityOf(fields: Fields, _raw: Fields, schema: OracleSchema): number {
  const count = Object.keys(schema.fields).length;
  return count === 0 ? 0 : Math.round((Object.keys(fields).length / count) * 10_000) / 10_000;
}

export interface OracleMerge {
  readonly source: string;
  readonly target: string;
  readonly mergedAt: number;
  unmergedAt: number | undefined;
}

/** Each rule can be replaced by a wrong one, which the comparison must detect. */
export interface Rules {
  contentIdOf(content: Content, extractedAt: string): string;
  normaliseName(text: string, isCompany: boolean): string;
  byRank(field: OracleField, a: Statement, b: Statement): number;
  specificityOf(fields: Fields, raw: Fields, schema: OracleSchema): number;
  /** [TR18] */
  isAtOrBefore(time: number, moment: number): boolean;
  isInEffect(merge: OracleMerge, moment: number): boolean;
  /** [TR13] */
  isUnion(field: OracleField): boolean;
  /** [TR22] */
  allowsCycle(relationshipType: string): boolean;
  /** [TR20] The members whose observations count for a root. */
  countedMembers(group: readonly string[], root: string): readonly string[];
}

export const rules: Rules = {
  contentIdOf,
  normaliseName,
  byRank,
  specificityOf,
  isAtOrBefore: (time, moment) => time <= moment,
  isInEffect: ({ mergedAt, unmergedAt }, moment) =>
    mergedAt <= moment && (unmergedAt === undefined || unmergedAt > moment),
  isUnion: ({ strategy }) => strategy === 'merge_array',
  allowsCycle: (type) => type === 'REFERS_TO',
  countedMembers: (group) => group,
};
