import type { Call, Scope } from '#kernel/call.ts';
import { localTenant } from '#kernel/call.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { limits } from '#kernel/limits.ts';
import type { ArchivedEntry, Catalog, CatalogEntry, CatalogState, EntryChange } from '../catalog/catalog.ts';
import { etagOf, parseEntry, toEntryText } from '../catalog/entry-json.ts';
import type { InstructionEntry } from '../entry-model.ts';

export const plantedCall = (tool: string, scopes: readonly Scope[] = ['admin']): Call => ({
  tenant: localTenant,
  actor: 'tester',
  scopes: new Set(scopes),
  tool,
  audit: 'row',
  signal: new AbortController().signal,
  deadlineAt: systemClock.now() + limits.callDeadlineMs,
  progress: () => {},
});

function toState(documents: ReadonlyMap<string, CatalogEntry>): CatalogState {
  const ids = [...documents.keys()].sort();
  const entries = ids.flatMap((id) => documents.get(id)?.entry ?? []);
  const inCategory = (name: string) => entries.filter(({ categories }) => categories.includes(name.toLowerCase()));
  const names = [...new Set(entries.flatMap(({ categories }) => categories))].sort();
  const newest = (list: readonly InstructionEntry[]) =>
    list.map(({ updatedAt }) => updatedAt).reduce((a, b) => (a > b ? a : b), '');
  return {
    hash: sha256Hex(entries.map(({ id, sourceHash }) => `${id}:${sourceHash}`).join('|')),
    count: entries.length,
    entries,
    find: (id) => documents.get(id),
    inCategory,
    categories: names.map((name) => ({ name, count: inCategory(name).length, lastUpdated: newest(inCategory(name)) })),
    problems: [],
    lastModified: entries.length === 0 ? undefined : newest(entries),
  };
}

export interface PlantedCatalog extends Catalog {
  /** Puts a document there as an editor would. */
  plant(document: Readonly<Record<string, unknown>> & { readonly id: string }): void;
  readonly commits: (readonly EntryChange[])[];
  /** Runs once before the next commit: somebody else is faster. */
  beforeCommit: (() => void) | undefined;
}

/** The port in memory: texts by id, as a folder would hold them, for tests of what stands on the catalog. */
export function createPlantedCatalog(): PlantedCatalog {
  const texts = new Map<string, string>();
  const documents = new Map<string, CatalogEntry>();
  let archive: ArchivedEntry[] = [];
  let state = toState(documents);
  let archivedAt = 0;

  function put(id: string, text: string | undefined): void {
    if (text === undefined) {
      texts.delete(id);
      documents.delete(id);
      return;
    }
    const parsed = parseEntry(Buffer.from(text), { id, modifiedAt: 0, canonicalOff: false });
    if (parsed.kept === undefined) throw new Error(`bug: ${id} cannot be served: ${parsed.problem}`);
    texts.set(id, text);
    documents.set(id, parsed.kept);
  }

  const catalog: PlantedCatalog = {
    commits: [],
    beforeCommit: undefined,
    plant(document) {
      put(document.id, JSON.stringify(document));
      state = toState(documents);
    },
    storedJson: async (_call, id) => {
      const text = texts.get(id);
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    },
    state: async () => state,
    lookUp: async (_call, id) => ({ found: documents.get(id), lateMaterialized: false, problem: undefined }),
    async commit(call, changes) {
      const first = catalog.beforeCommit;
      catalog.beforeCommit = undefined;
      first?.();
      for (const { id, before } of changes) {
        if ((documents.get(id)?.etag ?? null) !== before) throw faults.CONFLICT({ why: `${id} was changed meanwhile` });
      }
      for (const { id, after } of changes) {
        const gone = documents.get(id);
        if (after === null && gone !== undefined) {
          archivedAt += 1;
          archive = [{ entry: gone.entry, removedAt: archivedAt, removedBy: call.actor }, ...archive];
        }
        const text = after === null ? undefined : toEntryText(after);
        put(id, text);
        if (text !== undefined && documents.get(id)?.etag !== etagOf(text)) throw new Error('bug: not read back');
      }
      catalog.commits.push(changes);
      state = toState(documents);
      return state;
    },
    reload: async () => state,
    search: () => Promise.reject(new Error('nothing here searches')),
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
        if (found === undefined || documents.has(id)) continue;
        put(id, toEntryText(found.entry));
        archive = archive.filter((item) => item !== found);
        restored.push(id);
      }
      state = toState(documents);
      return { restored, missing: ids.filter((id) => !restored.includes(id)) };
    },
    files: async () => [...texts].map(([id, text]) => ({ file: `${id}.json`, bytes: text.length, modifiedAt: 0 })),
    close: async () => {},
  };
  return catalog;
}
