import { z } from 'zod';
import type { PageRequest, RemotePage } from './connector.ts';

const cursorForm = z.object({ part: z.string(), places: z.record(z.string(), z.string()) });

/** One page of a part. `place` is where it goes on, also in the next sync; undefined for its start. */
export interface PartPage extends Omit<RemotePage, 'cursor'> {
  readonly place: string | undefined;
}

export interface PartRequest extends Omit<PageRequest, 'cursor'> {
  readonly part: string;
  readonly place: string | undefined;
}

/** Reads several lists one after the other, each with its own place. */
export const readParts =
  (parts: readonly string[], fetchPart: (request: PartRequest) => Promise<PartPage>) =>
  async ({ cursor, ...request }: PageRequest): Promise<RemotePage> => {
    const at = cursorForm.parse(cursor === undefined ? { part: parts[0], places: {} } : JSON.parse(cursor));
    const { place, hasMore, ...page } = await fetchPart({ ...request, part: at.part, place: at.places[at.part] });
    const places = { ...at.places, ...(place !== undefined && { [at.part]: place }) };
    const next = hasMore ? at.part : parts[parts.indexOf(at.part) + 1];
    return {
      ...page,
      hasMore: next !== undefined,
      cursor: JSON.stringify({ part: next ?? parts[0], places }),
    };
  };
