import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Capability } from './capability.ts';

export type Body = Readonly<Record<string, Json | undefined>>;

function normaliseMap(map: Body, keys: readonly string[]): string {
  const members: string[] = [];
  for (const key of keys.toSorted()) {
    const value = map[key];
    if (value !== undefined) members.push(`${JSON.stringify(key)}:${normaliseValue(value)}`);
  }
  return `{${members.join(',')}}`;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** In one pass: canonical JSON with strings trimmed and lower-cased and arrays sorted. */
function normaliseValue(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value.trim().toLowerCase());
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(normaliseValue).sort().join(',')}]`;
  return normaliseMap(value, Object.keys(value));
}

/**
 * Canonical JSON of the capability's hash fields. A body without any of them counts as a whole; otherwise all such
 * bodies would be one payload.
 */
export function normaliseBody({ hash_fields }: Pick<Capability, 'hash_fields'>, body: Body): string {
  const chosen = hash_fields.filter((field) => Object.hasOwn(body, field));
  return normaliseMap(body, chosen.length === 0 ? Object.keys(body) : [...new Set(chosen)]);
}

export interface Content {
  readonly body: Body;
  readonly sourceRefs: readonly string[];
  readonly extractorVersion: string;
}

/** [TR2] Sender, time and request id are left out: the same content is the same payload. */
export function contentIdOf(capability: Capability, { body, sourceRefs, extractorVersion }: Content): string {
  const members = [
    `"body":${normaliseBody(capability, body)}`,
    `"capability_id":${JSON.stringify(capability.capability_id)}`,
    `"extractor_version":${JSON.stringify(extractorVersion)}`,
    `"source_refs":${JSON.stringify(sourceRefs.toSorted())}`,
  ];
  return `payload_${sha256Hex(`{${members.join(',')}}`).slice(0, 24)}`;
}
