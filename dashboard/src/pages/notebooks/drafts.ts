import { useSyncExternalStore } from 'react';
import { callTool, type Output } from '../../api/call.ts';

export type Pad = Output<'scratch_read'>['scratchpad'];
export type Cell = Pad['cells'][number];
export type Language = Cell['language'];

/** An unsaved text. It outlives the page, so that a change of page or of the cell elsewhere loses nothing. */
export interface Draft {
  readonly scratchId: string;
  /** The cell as it was when editing began; undefined for a new cell. */
  readonly base: Cell | undefined;
  readonly text: string;
  readonly language: Language;
  readonly tags: string;
  /** What others wrote meanwhile: the cell, or `deleted`. */
  readonly theirs?: Cell | 'deleted' | undefined;
}

export const newCellKey = '';
const keyOfDraft = ({ base }: Draft): string => base?.cell_id ?? newCellKey;

let drafts: ReadonlyMap<string, Draft> = new Map();
const listeners = new Set<() => void>();
const storeKey = (scratchId: string, key: string): string => `${scratchId}/${key}`;

function setDrafts(next: ReadonlyMap<string, Draft>): void {
  drafts = next;
  for (const listener of listeners) listener();
}

export function putDraft(draft: Draft): void {
  setDrafts(new Map(drafts).set(storeKey(draft.scratchId, keyOfDraft(draft)), draft));
}

export function dropDraft(draft: Draft): void {
  const next = new Map(drafts);
  next.delete(storeKey(draft.scratchId, keyOfDraft(draft)));
  setDrafts(next);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The drafts of a pad by cell id. */
export function useDrafts(scratchId: string): ReadonlyMap<string, Draft> {
  const all = useSyncExternalStore(subscribe, () => drafts);
  return new Map(
    [...all.values()].filter((draft) => draft.scratchId === scratchId).map((draft) => [keyOfDraft(draft), draft]),
  );
}

export const toTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];

/** A long cell comes without its content: it must be read first, or saving would empty it. */
export async function startDraft(scratchId: string, listed: Cell): Promise<void> {
  const cell = listed.content_omitted ? await readWhole(scratchId, listed) : listed;
  putDraft({
    scratchId,
    base: cell,
    text: cell.content ?? '',
    language: cell.language,
    tags: (cell.tags ?? []).join(', '),
  });
}

async function readWhole(scratchId: string, { cell_id }: Cell): Promise<Cell> {
  const { scratchpad } = await callTool('scratch_read', { scratch_id: scratchId, cell_ids: [cell_id] });
  const [cell] = scratchpad.cells;
  if (cell?.content === undefined) throw new Error('This cell is too long to be edited here.');
  return cell;
}

export const startNewCell = (scratchId: string): void =>
  putDraft({ scratchId, base: undefined, text: '', language: 'md', tags: '' });

export function isChanged({ base, text, language, tags }: Draft): boolean {
  if (base === undefined) return text !== '';
  return text !== base.content || language !== base.language || tags !== (base.tags ?? []).join(', ');
}
