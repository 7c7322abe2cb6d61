import type { Work, Writer } from '#kernel/storage/port.ts';
import { type RelationshipType, relationshipTypes } from '../words.ts';

/**
 * Nobody else makes or moves edges of these types up to the commit, so what was looked up afterwards stays so: two
 * writers do not close a circle together. Always in the order of the list of types.
 */
export function* lockEdges(db: Writer, types: readonly RelationshipType[]): Work<void> {
  for (const type of relationshipTypes) {
    if (types.includes(type)) yield* db.lock(`relationships:${type}`);
  }
}
