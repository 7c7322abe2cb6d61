import { z } from 'zod';

const placeForm = z.object({
  /** The first entries at the last complete walk. */
  known: z.array(z.string()),
  /** Of a walk that has begun: the page it has come to, its first entries, and how many known ones it has met. */
  token: z.string().optional(),
  first: z.array(z.string()).optional(),
  met: z.int().optional(),
});

const rememberedCount = 5;
/** More than one: a single known entry may have been removed and added again, and is then the newest. */
const metCount = 3;

const parsePlace = (place: string | undefined) =>
  placeForm.parse(place === undefined ? { known: [] } : JSON.parse(place));

export const tokenOf = (place: string | undefined): string | undefined => parsePlace(place).token;

/**
 * The place after a page of a list that starts with its newest entry and cannot be asked for what is new. A walk ends
 * at the entries with which the last one began.
 */
export function walkOn(
  place: string | undefined,
  page: { readonly ids: readonly string[]; readonly next: string | undefined },
): { readonly place: string; readonly hasMore: boolean } {
  const { known, token, first, met = 0 } = parsePlace(place);
  const started = [...(token === undefined ? [] : (first ?? [])), ...page.ids].slice(0, rememberedCount);
  const metNow = met + page.ids.filter((id) => known.includes(id)).length;
  const hasMore = page.next !== undefined && metNow < metCount;
  const after = hasMore ? { known, token: page.next, first: started, met: metNow } : { known: started };
  return { place: JSON.stringify(after), hasMore };
}
