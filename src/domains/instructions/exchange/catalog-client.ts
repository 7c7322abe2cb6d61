import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionIdPattern } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';

export interface EntryPage {
  /** The hash of the whole catalog: pages with the same hash belong together. */
  readonly hash: string;
  readonly count: number;
  readonly items: readonly InstructionEntry[];
  /** The id after which the next page begins; undefined at the end. */
  readonly nextAfter: string | undefined;
}

interface ListAnswer {
  readonly hash: string;
  readonly count: number;
  readonly items: readonly InstructionEntry[];
  readonly truncated?: true;
}

/**
 * One page of the catalog by id. Continues after an id instead of at an offset, so that changes between two pages
 * neither skip nor repeat an entry. Requests one entry more to see whether another page follows.
 */
export async function fetchPage(ask: Ask, after: string | undefined, limit: number): Promise<EntryPage> {
  const place = after === undefined ? {} : { after };
  const answer = (await ask('instructions/list', { limit: limit + 1, ...place })) as ListAnswer;
  const items = answer.items.slice(0, limit);
  const isMore = items.length < answer.items.length || answer.truncated === true;
  return { hash: answer.hash, count: answer.count, items, nextAfter: isMore ? items.at(-1)?.id : undefined };
}

/** Undefined also when the id is not valid. */
export async function fetchEntry(ask: Ask, id: string): Promise<InstructionEntry | undefined> {
  if (!instructionIdPattern.test(id)) return undefined;
  const { item } = (await ask('instructions/get', { id })) as { readonly item?: InstructionEntry | null };
  return item ?? undefined;
}

/** Only approved entries may instruct a model; entries of untrusted writers are drafts. */
export const isApproved = (entry: InstructionEntry): boolean => entry.status === 'approved';

/** The cursor is the id after which the page begins. */
export function parseCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || instructionIdPattern.test(cursor)) return cursor;
  throw faults.INVALID_PARAMS({ why: 'the cursor does not belong to this list' }, { field: 'cursor' });
}

export const toCursor = (after: string | undefined): { nextCursor?: string } =>
  after === undefined ? {} : { nextCursor: after };

/** All entries at one moment: starts over when the catalog changes between two pages. */
export async function fetchAll(ask: Ask, progress: (done: number, total: number) => void = () => {}) {
  for (let attempt = 1; ; attempt += 1) {
    const entries: InstructionEntry[] = [];
    const hashes = new Set<string>();
    let after: string | undefined;
    do {
      const page: EntryPage = await fetchPage(ask, after, instructionLimits.pageCount * 10);
      entries.push(...page.items);
      hashes.add(page.hash);
      progress(entries.length, page.count);
      after = page.nextAfter;
    } while (after !== undefined);
    if (hashes.size <= 1) return { entries, hash: [...hashes][0] ?? '' };
    if (attempt === instructionLimits.rereadCount) {
      const fix = 'Run it again when nobody else writes to the catalog; audit/list shows who does.';
      throw faults.CONFLICT({ why: 'The catalog kept changing while it was read' }, { fix });
    }
  }
}
