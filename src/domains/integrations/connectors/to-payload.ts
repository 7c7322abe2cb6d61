import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import { integrationLimits } from '../integration-limits.ts';
import type { IncomingPayload } from '../payload-sink.ts';
import type { RemoteItem } from './connector.ts';
import type { KnownItem } from './connector-store.ts';

/** The lasting key of an item of one connector, and the hash of what it says now. */
export const toKnownItem = ({ kind, id, fields }: RemoteItem): KnownItem => ({
  item: sha256Hex(canonicalJson([kind, id])).slice(0, 32),
  hash: sha256Hex(canonicalJson(fields)),
});

function cutFields(fields: RemoteItem['fields']): Readonly<Record<string, Json | undefined>> {
  const { itemTextChars } = integrationLimits;
  let isCut = false;
  const cut = Object.entries(fields).map(([name, value]): [string, Json | undefined] => {
    if (typeof value !== 'string' || value.length <= itemTextChars) return [name, value];
    isCut = true;
    return [name, value.slice(0, itemTextChars).toWellFormed()];
  });
  return isCut ? { ...Object.fromEntries(cut), is_truncated: true } : fields;
}

/** Of a JavaScript date, in milliseconds before or after 1970. */
const latestTime = 8.64e15;
const extractorVersion = 'fourfold-connector:v1';

/** A clock that is ahead at the service does not date an item into the future. An impossible time counts as unknown. */
const toTime = (at: number | undefined, now: number): string => {
  const ms = Math.min(at ?? now, now);
  return new Date(Math.abs(ms) <= latestTime ? ms : now).toISOString();
};

export const toPayload = (provider: string, connectorId: string, item: RemoteItem, now: number): IncomingPayload => ({
  capability_id: `fourfold:store_${item.kind}:v1`,
  body: { ...cutFields(item.fields), provider, external_id: item.id },
  provenance: {
    source_refs: [],
    extracted_at: toTime(item.at, now),
    extractor_version: extractorVersion,
    agent_id: `connector:${connectorId}`,
  },
});
