import { z } from 'zod';
import { canonicalJson } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { type RelationshipType, relationshipTypes } from '../words.ts';

const known: ReadonlySet<unknown> = new Set(relationshipTypes);

/** Its violation has a code of its own in the document. */
export const relationshipType = z
  .custom<RelationshipType>((text) => known.has(text), {
    params: { fault: truthFaults.INVALID_RELATIONSHIP_TYPE({}, { field: 'relationship_type' }) },
  })
  .meta({ type: 'string', enum: [...relationshipTypes] });

export const direction = z.enum(['inbound', 'outbound', 'both']).default('both');
export type Direction = z.infer<typeof direction>;

type JsonMap = Readonly<Record<string, unknown>>;
/** A number such as 1e999 is none any more when it arrives. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value !== 'object') return value !== undefined;
  if (depth === 0) return false;
  return Object.values(value).every((item) => isPlain(item, depth - 1));
}

const { metadataBytes, metadataDepth } = truthLimits;

/** The map itself goes on, not a copy by the parser. */
export const metadata = z
  .custom<JsonMap>(
    (value) =>
      isObject(value) && isPlain(value, metadataDepth) && Buffer.byteLength(canonicalJson(value)) <= metadataBytes,
    { error: `must be an object of finite JSON, at most ${metadataBytes} bytes and ${metadataDepth} levels` },
  )
  .meta({ type: 'object' });
