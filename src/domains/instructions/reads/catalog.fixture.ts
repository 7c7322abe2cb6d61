import { type Call, localTenant } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { answerSearch } from '#kernel/search/answer-search.ts';
import { emptyView, type View } from '#kernel/search/keyword/index/view.ts';
import { createPart } from '#kernel/search/keyword/query/part.ts';
import { createSearchBuffers } from '#kernel/search/keyword/query/search-buffers.ts';
import { buildSegment } from '#kernel/search/keyword/segment/build-segment.ts';
import { createStemmer } from '#kernel/search/stemmer.ts';
import type { Catalog, CatalogEntry, CatalogProblem, CatalogState } from '../catalog/catalog.ts';
import { instructionDocuments, toDocument } from '../catalog/documents.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import { completeEntry } from '../rules/complete-entry.ts';

export const plantedNow = '2026-01-01T00:00:00.000Z';

export const plantedCall = (tool = 'instructions/list'): Call => ({
  tenant: localTenant,
  actor: 'ada',
  scopes: new Set(['admin']),
  tool,
  audit: 'none',
  signal: new AbortController().signal,
  deadlineAt: Number.POSITIVE_INFINITY,
  progress() {},
});

/** A whole entry from what matters to a test. */
export const toEntry = (input: Partial<InstructionInput> & { readonly id: string }): InstructionEntry =>
  completeEntry({ body: `Body of ${input.id}`, ...input }, { now: plantedNow, canonicalOff: false, isTrusted: true });

const toRow = (entry: InstructionEntry): CatalogEntry => ({ entry, etag: sha256Hex(JSON.stringify(entry)) });
const newestOf = (entries: readonly InstructionEntry[]): string =>
  entries.reduce((newest, { updatedAt }) => (updatedAt > newest ? updatedAt : newest), '');

function toState(rows: ReadonlyMap<string, CatalogEntry>, problems: readonly CatalogProblem[]): CatalogState {
  const entries = [...rows.keys()].sort().map((id) => rows.get(id)!.entry);
  const inCategory = (name: string) => entries.filter(({ categories }) => categories.includes(name.toLowerCase()));
  const names = [...new Set(entries.flatMap(({ categories }) => categories))].sort();
  return {
    hash: sha256Hex(entries.map(({ id, sourceHash }) => `${id}:${sourceHash}`).join('|')),
    count: entries.length,
    entries,
    find: (id) => rows.get(id),
    inCategory,
    categories: names.map((name) => {
      const found = inCategory(name);
      return { name, count: found.length, lastUpdated: newestOf(found) };
    }),
    problems,
    lastModified: entries.length === 0 ? undefined : newestOf(entries),
  };
}

export interface PlantedCatalog extends Catalog {
  /** What was asked of it, in order. */
  readonly asked: string[];
  /** Puts a file into the folder; the catalog does not see it until it looks. */
  drop(entry: InstructionEntry): void;
  /** Puts a file there that cannot be served. */
  dropBroken(id: string): void;
  /** The next looks do not bring into the catalog what they find. */
  isBlind: boolean;
  /** Thrown by the next readings of the state. */
  failure: Error | undefined;
}

const stemOf = createStemmer();
const buffersFor = createSearchBuffers();

function toView(state: CatalogState): View {
  const walk = buildSegment(instructionDocuments.fields, state.entries.map(toDocument), stemOf);
  let step = walk.next();
  while (step.done !== true) step = walk.next();
  return { ...emptyView, tail: [createPart(instructionDocuments, step.value, undefined)] };
}

/** The port in memory, with a folder behind it that may know more than the catalog. Searches with the real index. */
export function createPlantedCatalog(...entries: readonly InstructionEntry[]): PlantedCatalog {
  const folder = new Map<string, CatalogEntry | CatalogProblem>(entries.map((entry) => [entry.id, toRow(entry)]));
  const served = new Map<string, CatalogEntry>(entries.map((entry) => [entry.id, toRow(entry)]));
  const problems: CatalogProblem[] = [];
  const asked: string[] = [];
  let state = toState(served, problems);
  let view: View | undefined;
  const refuse = () => Promise.reject(new Error('the planted catalog cannot write'));

  function serve(row: CatalogEntry): void {
    served.set(row.entry.id, row);
    state = toState(served, problems);
    view = undefined;
  }

  const catalog: PlantedCatalog = {
    asked,
    isBlind: false,
    failure: undefined,
    drop: (entry) => void folder.set(entry.id, toRow(entry)),
    dropBroken(id) {
      const problem = { file: `${id}.json`, problem: 'not JSON' };
      folder.set(id, problem);
      problems.push(problem);
      state = toState(served, [...problems]);
    },
    async state() {
      asked.push('state');
      if (catalog.failure !== undefined) throw catalog.failure;
      return state;
    },
    async look(_call, id) {
      asked.push(`look ${id}`);
      const there = folder.get(id);
      if (there === undefined) return { found: undefined, lateMaterialized: false, problem: undefined };
      if ('problem' in there) return { found: undefined, lateMaterialized: false, problem: there };
      const known = served.get(id);
      if (known?.etag !== there.etag && !catalog.isBlind) serve(there);
      return { found: there, lateMaterialized: known === undefined && !catalog.isBlind, problem: undefined };
    },
    async reload() {
      asked.push('reload');
      for (const row of folder.values()) if ('entry' in row) serve(row);
      return state;
    },
    async search(_call, query) {
      asked.push('search');
      view ??= toView(state);
      return answerSearch(instructionDocuments, view, query, { stemOf, buffersFor });
    },
    async files() {
      asked.push('files');
      return [...folder].map(([id, row]) => ({
        file: `${id}.json`,
        bytes: JSON.stringify(row).length,
        modifiedAt: Date.parse(plantedNow),
      }));
    },
    stored: refuse,
    commit: refuse,
    restore: refuse,
    archived: refuse,
    close: async () => {},
  };
  return catalog;
}
