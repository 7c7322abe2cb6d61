import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionIdPattern } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';

export interface EntryPage {
  /** Of the whole catalog: two pages with one hash belong together. */
  readonly hash: string;
  readonly count: number;
  readonly items: readonly InstructionEntry[];
  /** Behind which id the next page begins; undefined at the end. */
  readonly nextAfter: string | undefined;
}

interface ListAnswer {
  readonly hash: string;
  readonly count: number;
  readonly items: readonly InstructionEntry[];
  readonly truncated?: true;
}

/**
 * One page of the catalog by id. It goes on behind an id, not at a number: what is added or removed between two pages
 * makes no other entry come twice or not at all. One more is asked for, to know whether there is more.
 */
export async function fetchPage(ask: Ask, after: string | undefined, limit: number): Promise<EntryPage> {
  const place = after === undefined ? {} : { after };
  const answer = (await ask('instructions/list', { limit: limit + 1, ...place })) as ListAnswer;
  const items = answer.items.slice(0, limit);
  const isMore = items.length < answer.items.length || answer.truncated === true;
  return { hash: answer.hash, count: answer.count, items, nextAfter: isMore ? items.at(-1)?.id : undefined };
}

/** Undefined: there is none, or its name could not be one. */
export async function fetchEntry(ask: Ask, id: string): Promise<InstructionEntry | undefined> {
  if (!instructionIdPattern.test(id)) return undefined;
  const { item } = (await ask('instructions/get', { id })) as { readonly item?: InstructionEntry | null };
  return item ?? undefined;
}

/** What may speak to a model with the catalog's authority. Entries of untrusted writers are drafts and never get here. */
export const isApproved = (entry: InstructionEntry): boolean => entry.status === 'approved';

/** A cursor is the id behind which its page begins. */
export function parseCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || instructionIdPattern.test(cursor)) return cursor;
  throw faults.INVALID_PARAMS({ why: 'the cursor is not one that this list gave' }, { field: 'cursor' });
}

export const toCursor = (after: string | undefined): { nextCursor?: string } =>
  after === undefined ? {} : { nextCursor: after };

/** Every entry at one moment. The catalog may change between two pages: then it is read again from the start. */
export async function fetchAll(ask: Ask, told: (done: number, total: number) => void = () => {}) {
  for (let attempt = 1; ; attempt += 1) {
    const entries: InstructionEntry[] = [];
    const hashes = new Set<string>();
    let after: string | undefined;
    do {
      const page: EntryPage = await fetchPage(ask, after, instructionLimits.pageCount * 10);
      entries.push(...page.items);
      hashes.add(page.hash);
      told(entries.length, page.count);
      after = page.nextAfter;
    } while (after !== undefined);
    if (hashes.size <= 1) return { entries, hash: [...hashes][0] ?? '' };
    if (attempt === instructionLimits.rereadCount) {
      throw faults.CONFLICT({ why: 'The catalog kept changing while it was read' });
    }
  }
}
