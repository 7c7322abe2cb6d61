import { type Call, localTenant } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { answerSearch } from '#kernel/search/answer-search.ts';
import { emptyView, type View } from '#kernel/search/keyword/index/view.ts';
import { createPart } from '#kernel/search/keyword/query/part.ts';
import { createSearchBuffers } from '#kernel/search/keyword/query/search-buffers.ts';
import { buildSegment } from '#kernel/search/keyword/segment/build-segment.ts';
import { createStemmer } from '#kernel/search/stemmer.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import type { ArchivedEntry, Catalog, CatalogEntry, CatalogProblem, CatalogState, EntryChange } from './catalog.ts';
import { ChunkedCatalogState } from './catalog-state.ts';
import { etagOf, parseEntry, toEntryText } from './entry-json.ts';
import { instructionDocuments, toDocument } from './search-documents.ts';

export const fixtureNow = '2026-01-01T00:00:00.000Z';

export const createCall = (tool = 'instructions/list'): Call => ({
  tenant: localTenant,
  actor: 'ada',
  scopes: new Set(['admin']),
  tool,
  audit: 'none',
  signal: new AbortController().signal,
  deadlineAt: Number.POSITIVE_INFINITY,
  progress() {},
});

/** A complete entry from the fields that matter to a test. */
export const createEntry = (input: Partial<InstructionInput> & { readonly id: string }): InstructionEntry =>
  completeEntry({ body: `Body of ${input.id}`, ...input }, { now: fixtureNow, canonicalOff: false });

const toCatalogEntry = (entry: InstructionEntry): CatalogEntry => ({ entry, etag: etagOf(toEntryText(entry)) });

export interface MemoryCatalog extends Catalog {
  /** The methods that were called, in order. */
  readonly calls: string[];
  readonly commits: (readonly EntryChange[])[];
  /** Serves entries as they are, even with a wrong hash. */
  put(...entries: readonly InstructionEntry[]): void;
  /** Stores a document as an editor would write it. */
  putDocument(document: Readonly<Record<string, unknown>> & { readonly id: string }): void;
  remove(...ids: readonly string[]): void;
  /** Adds a file that the catalog does not serve before it looks. */
  drop(entry: InstructionEntry): void;
  /** Adds a file that cannot be served. */
  dropBroken(id: string): void;
  /** `lookUp` does not add to the catalog what it finds. */
  isBlind: boolean;
  /** `state` throws it. */
  failure: Error | undefined;
  /** Runs once before the next commit, such as a write by somebody else. */
  beforeCommit: (() => void) | undefined;
}

const stemOf = createStemmer();
const buffersFor = createSearchBuffers();

function toView(state: CatalogState): View {
  const walk = buildSegment(instructionDocuments.fields, state.entries.map(toDocument), stemOf);
  let step = walk.next();
  while (step.done !== true) step = walk.next();
  return { ...emptyView, tail: [createPart(instructionDocuments, step.value, undefined)] };
}

/** The catalog port in memory, with files that it may not have seen yet. Searches with the real index. */
export function createMemoryCatalog(...initial: readonly InstructionEntry[]): MemoryCatalog {
  const served = new Map<string, CatalogEntry>(initial.map((entry) => [entry.id, toCatalogEntry(entry)]));
  const documents = new Map<string, string>();
  const unseen = new Map<string, CatalogEntry | CatalogProblem>();
  const problems: CatalogProblem[] = [];
  const calls: string[] = [];
  let archive: ArchivedEntry[] = [];
  let state = ChunkedCatalogState.of(served.values(), problems);
  let view: View | undefined;

  function update(change: () => void): CatalogState {
    change();
    view = undefined;
    state = ChunkedCatalogState.of(served.values(), [...problems]);
    return state;
  }

  function store(id: string, text: string): void {
    const { item, problem } = parseEntry(Buffer.from(text), { id, modifiedAt: 0, canonicalOff: false });
    if (item === undefined) throw new Error(`bug: ${id} cannot be served: ${problem}`);
    documents.set(id, text);
    served.set(id, item);
  }

  function apply({ id, after }: EntryChange, actor: string): void {
    if (after !== null) {
      store(id, toEntryText(after));
      return;
    }
    const before = served.get(id);
    if (before !== undefined) {
      archive = [{ entry: before.entry, removedAt: archive.length + 1, removedBy: actor }, ...archive];
    }
    documents.delete(id);
    served.delete(id);
  }

  const catalog: MemoryCatalog = {
    calls,
    commits: [],
    isBlind: false,
    failure: undefined,
    beforeCommit: undefined,
    put(...entries) {
      update(() => {
        for (const entry of entries) served.set(entry.id, toCatalogEntry(entry));
      });
    },
    putDocument: (document) => void update(() => store(document.id, JSON.stringify(document))),
    remove(...ids) {
      update(() => {
        for (const id of ids) served.delete(id);
      });
    },
    drop: (entry) => void unseen.set(entry.id, toCatalogEntry(entry)),
    dropBroken(id) {
      const problem = { file: `${id}.json`, problem: 'not JSON' };
      unseen.set(id, problem);
      update(() => problems.push(problem));
    },
    async state() {
      calls.push('state');
      if (catalog.failure !== undefined) throw catalog.failure;
      return state;
    },
    async lookUp(_call, id) {
      calls.push(`lookUp ${id}`);
      const file = unseen.get(id);
      if (file === undefined) return { found: served.get(id), lateMaterialized: false, problem: undefined };
      if ('problem' in file) return { found: undefined, lateMaterialized: false, problem: file };
      const lateMaterialized = !served.has(id) && !catalog.isBlind;
      if (!catalog.isBlind) update(() => served.set(id, file));
      return { found: file, lateMaterialized, problem: undefined };
    },
    async reload() {
      calls.push('reload');
      return update(() => {
        for (const file of unseen.values()) if ('entry' in file) served.set(file.entry.id, file);
      });
    },
    async search(_call, query) {
      calls.push('search');
      view ??= toView(state);
      return answerSearch(instructionDocuments, view, query, { stemOf, buffersFor });
    },
    async files() {
      calls.push('files');
      const modifiedAt = Date.parse(fixtureNow);
      return [...new Map<string, object>([...served, ...unseen])].map(([id, file]) => ({
        file: `${id}.json`,
        bytes: JSON.stringify(file).length,
        modifiedAt,
      }));
    },
    async storedJson(_call, id) {
      const text = documents.get(id);
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    },
    async commit(call, changes) {
      const first = catalog.beforeCommit;
      catalog.beforeCommit = undefined;
      first?.();
      for (const { id, before } of changes) {
        if ((served.get(id)?.etag ?? null) !== before) throw faults.CONFLICT({ why: `${id} was changed meanwhile` });
      }
      catalog.commits.push(changes);
      return update(() => {
        for (const change of changes) apply(change, call.actor);
      });
    },
    listArchived: async (_call, limit, before) =>
      archive
        .filter(
          ({ removedAt, entry }) =>
            before === undefined || removedAt < before.at || (removedAt === before.at && entry.id < before.id),
        )
        .slice(0, limit),
    async restore(_call, ids) {
      const restored: string[] = [];
      for (const id of ids) {
        const found = archive.find(({ entry }) => entry.id === id);
        if (found === undefined || served.has(id)) continue;
        update(() => store(id, toEntryText(found.entry)));
        archive = archive.filter((item) => item !== found);
        restored.push(id);
      }
      return { restored, missing: ids.filter((id) => !restored.includes(id)) };
    },
    close: async () => {},
  };
  return catalog;
}
