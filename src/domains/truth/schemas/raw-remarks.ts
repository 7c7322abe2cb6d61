import { z } from 'zod';
import { type EntitySchema, fieldOf } from './entity-schema.ts';
import type { Review } from './review-statement.ts';

/** Part of the answer to a write that keeps values outside the snapshot. */
export const rawFields = {
  raw_fields: z.array(z.string()).optional().describe('Kept as raw_fragments, not in the snapshot'),
  raw_hint: z.string().optional(),
};

export interface RawRemarks {
  readonly raw_fields?: readonly string[];
  readonly raw_hint?: string;
}

/** Names of fields in the hint; the list has all of them. */
const namedCount = 3;

const listed = (names: readonly string[]): string =>
  names.slice(0, namedCount).join(', ') + (names.length > namedCount ? ', …' : '');

/** [TR92] What was kept without becoming a part of the snapshot, where to see it, and how to make it a part. */
export function rawRemarks(schema: EntitySchema, review: Review): RawRemarks {
  const { entity_type } = schema;
  const unknown = (review.unknown_fields ?? []).filter((name) => fieldOf(schema, name) === undefined);
  const misfits = (review.not_fitting ?? []).filter(({ parsed_as }) => parsed_as === undefined);
  const raw = [...unknown, ...misfits.map(({ field }) => field)];
  if (raw.length === 0) return {};
  const known = unknown.flatMap((name) => {
    const meant = review.did_you_mean?.[name];
    return meant === undefined ? [] : [`${name} as ${meant}`];
  });
  const ways = [
    ...(known.length === 0 ? [] : [`send ${listed(known)}`]),
    ...(misfits.length === 0 ? [] : [`send ${listed(misfits.map(({ field }) => field))} as not_fitting expects`]),
    ...(unknown.length === 0
      ? []
      : [`add ${unknown.length === 1 ? 'it' : 'them'} to the schema: register_entity_schema, activate_entity_schema`]),
  ];
  const why = unknown.length === 0 ? '' : `: ${entity_type} has only the fields of its schema`;
  const raw_hint =
    `${listed(raw)} ${raw.length === 1 ? 'is' : 'are'} kept and found, but in raw_fragments and not in the snapshot${why}. ` +
    `For the snapshot, ${ways.join(', or ')}.`;
  return { raw_fields: raw, raw_hint };
}
