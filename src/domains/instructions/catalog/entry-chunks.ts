import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { CatalogEntry } from './catalog.ts';

interface CategoryGroup {
  readonly entries: InstructionEntry[];
  lastUpdated: string;
}

/** A run of entries in id order. Immutable, so that catalog states share the chunks that did not change. */
export class EntryChunk {
  readonly rows: readonly CatalogEntry[];
  #line: Buffer | undefined;
  #categories: ReadonlyMap<string, CategoryGroup> | undefined;
  #lastModified: string | undefined;

  constructor(rows: readonly CatalogEntry[]) {
    this.rows = rows;
  }

  get firstId(): string {
    return this.rows[0]!.entry.id;
  }

  /** `id:sourceHash` joined by `|`: the input of the catalog hash. */
  get line(): Buffer {
    this.#line ??= Buffer.from(this.rows.map(({ entry }) => `${entry.id}:${entry.sourceHash}`).join('|'));
    return this.#line;
  }

  get categories(): ReadonlyMap<string, CategoryGroup> {
    this.#categories ??= this.#groupByCategory();
    return this.#categories;
  }

  get lastModified(): string {
    this.#lastModified ??= this.rows.reduce((last, { entry }) => laterMoment(last, entry.updatedAt), '');
    return this.#lastModified;
  }

  #groupByCategory(): ReadonlyMap<string, CategoryGroup> {
    const groups = new Map<string, CategoryGroup>();
    for (const { entry } of this.rows) {
      for (const name of new Set(entry.categories.map(toCategoryKey))) {
        const group = groups.get(name);
        if (group === undefined) groups.set(name, { entries: [entry], lastUpdated: entry.updatedAt });
        else {
          group.entries.push(entry);
          group.lastUpdated = laterMoment(group.lastUpdated, entry.updatedAt);
        }
      }
    }
    return groups;
  }
}

export const toCategoryKey = (category: string): string => category.toLowerCase();

/** As this program writes timestamps: milliseconds, UTC. */
const isOwnForm = (moment: string): boolean => moment.length === 24 && moment.endsWith('Z');

/** Timestamps with different offsets do not compare as text; those of our own format do, which saves parsing them. */
export function laterMoment(a: string, b: string): string {
  if (a === '') return b;
  const isLater = isOwnForm(a) && isOwnForm(b) ? b > a : Date.parse(b) > Date.parse(a);
  return isLater ? b : a;
}

export type Chunks = readonly EntryChunk[];

/** The last chunk that does not start after the id. */
function chunkAt(chunks: Chunks, id: string): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (chunks[middle]!.firstId <= id) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The first row that is not below the id. */
function rowAt(rows: readonly CatalogEntry[], id: string): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]!.entry.id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function findEntry(chunks: Chunks, id: string): CatalogEntry | undefined {
  const rows = chunks[chunkAt(chunks, id)]?.rows;
  if (rows === undefined) return undefined;
  const row = rows[rowAt(rows, id)];
  return row?.entry.id === id ? row : undefined;
}

function splitIntoChunks(rows: readonly CatalogEntry[]): Chunks {
  const size = instructionLimits.chunkEntriesCount;
  if (rows.length === 0) return [];
  if (rows.length <= 2 * size) return [new EntryChunk(rows)];
  const chunks: EntryChunk[] = [];
  for (let at = 0; at < rows.length; at += size) chunks.push(new EntryChunk(rows.slice(at, at + size)));
  return chunks;
}

const byId = (a: CatalogEntry, b: CatalogEntry): number => (a.entry.id < b.entry.id ? -1 : 1);

export const toChunks = (entries: Iterable<CatalogEntry>): Chunks => splitIntoChunks([...entries].sort(byId));

/** Undefined removes the entry. */
export type Edits = ReadonlyMap<string, CatalogEntry | undefined>;

type Edit = readonly [id: string, row: CatalogEntry | undefined];

/** Sorts the edits in place; large batches arrive nearly sorted. */
function editRows(rows: readonly CatalogEntry[], edits: Edit[]): readonly CatalogEntry[] {
  const edited: CatalogEntry[] = [];
  let from = 0;
  for (const [id, row] of edits.sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
    const at = rowAt(rows, id);
    for (; from < at; from += 1) edited.push(rows[from]!);
    if (row !== undefined) edited.push(row);
    if (rows[at]?.entry.id === id) from += 1;
  }
  for (; from < rows.length; from += 1) edited.push(rows[from]!);
  return edited;
}

/** Copies only the chunks that contain an edited id. */
export function editChunks(chunks: Chunks, edits: Edits): Chunks {
  if (chunks.length === 0) return toChunks([...edits.values()].filter((row) => row !== undefined));
  const perChunk = new Map<number, Edit[]>();
  for (const edit of edits) {
    const at = chunkAt(chunks, edit[0]);
    const list = perChunk.get(at);
    if (list === undefined) perChunk.set(at, [edit]);
    else list.push(edit);
  }
  return chunks.flatMap((chunk, at) => {
    const own = perChunk.get(at);
    return own === undefined ? [chunk] : splitIntoChunks(editRows(chunk.rows, own));
  });
}
