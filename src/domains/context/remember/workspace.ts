import { sha256Hex } from '#kernel/hash/hash.ts';

/** The pad that collects what belongs nowhere else. */
export interface Inbox {
  readonly scratchId: string;
  readonly namespace: string | undefined;
  /** The workspace, else the caller; undefined for the owner of the data folder. */
  readonly owner: string | undefined;
}

const slugChars = 40;

export const isInbox = (scratchId: string): boolean => /^inbox-(?:.+-)?\d{4}-\d{2}(?:-\d{1,2})?$/.test(scratchId);

const toSlug = (text: string): string =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, slugChars);

/** Readable, and different for names that differ only in signs that an id cannot have. */
const toIdPart = (text: string): string => `${toSlug(text)}-${sha256Hex(text).slice(0, 6)}`;

/** One pad per workspace and month: a pad holds a limited number of cells. Without a workspace, the caller's own. */
export function inboxOf(workspace: string | undefined, actor: string, now: number): Inbox {
  const owner = workspace ?? (actor === 'local' ? undefined : actor);
  const month = new Date(now).toISOString().slice(0, 7);
  const scratchId = owner === undefined ? `inbox-${month}` : `inbox-${toIdPart(owner)}-${month}`;
  return { scratchId, namespace: workspace, owner };
}
