import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import type { InstructionEntry } from '../model.ts';
import { instructionIdPattern } from '../words.ts';
import { outsideLimits } from './outside-limits.ts';

export interface EntryPage {
  /** Of the whole catalog: two pages with one hash belong together. */
  readonly hash: string;
  readonly count: number;
  readonly items: readonly InstructionEntry[];
  /** Where the next page begins; undefined at the end. */
  readonly nextOffset: number | undefined;
}

interface ListAnswer {
  readonly hash: string;
  readonly count: number;
  readonly items: readonly InstructionEntry[];
  readonly nextOffset?: number;
}

/** One page of the catalog by id. An answer cut off by its size says itself where it goes on. */
export async function askPage(ask: Ask, offset: number, limit: number): Promise<EntryPage> {
  const answer = (await ask('instructions/list', { limit, offset })) as ListAnswer;
  const { hash, count, items } = answer;
  const reached = answer.nextOffset ?? offset + items.length;
  const isMore = items.length > 0 && reached < count;
  return { hash, count, items, nextOffset: isMore ? reached : undefined };
}

/** Undefined: there is none, or its name could not be one. */
export async function askEntry(ask: Ask, id: string): Promise<InstructionEntry | undefined> {
  if (!instructionIdPattern.test(id)) return undefined;
  const { item } = (await ask('instructions/get', { id })) as { readonly item?: InstructionEntry | null };
  return item ?? undefined;
}

/** What may speak to a model with the catalog's authority. Entries of untrusted writers are drafts and never get here. */
export const isServed = (entry: InstructionEntry): boolean => entry.status === 'approved';

export function toOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,9}$/.test(cursor)) throw faults.INVALID_PARAMS({ why: 'the cursor is not one that this list gave' });
  return Number(cursor);
}

export const toCursor = (offset: number | undefined): { nextCursor?: string } =>
  offset === undefined ? {} : { nextCursor: String(offset) };

/** Every entry at one moment. The catalog may change between two pages: then it is read again from the start. */
export async function askAll(ask: Ask, told: (done: number, total: number) => void = () => {}) {
  for (let attempt = 1; ; attempt += 1) {
    const entries: InstructionEntry[] = [];
    const hashes = new Set<string>();
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const page: EntryPage = await askPage(ask, offset, outsideLimits.pageCount * 10);
      entries.push(...page.items);
      hashes.add(page.hash);
      told(entries.length, page.count);
      offset = page.nextOffset;
    }
    if (hashes.size <= 1) return { entries, hash: [...hashes][0] ?? '' };
    if (attempt === outsideLimits.readAgainCount) {
      throw faults.CONFLICT({ why: 'The catalog kept changing while it was read' });
    }
  }
}
