import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Catalog, CatalogState } from '../catalog/catalog.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import { completeEntry } from '../rules/complete-entry.ts';

const plantedNow = '2026-01-01T00:00:00.000Z';

export const plantEntry = (id: string, part: Partial<InstructionInput> = {}): InstructionEntry =>
  completeEntry(
    { id, body: `The body of ${id}.`, title: id, ...part },
    { now: plantedNow, canonicalOff: false, isTrusted: true },
  );

export interface PlantedCatalog extends Pick<Catalog, 'state' | 'lookUp'> {
  /** As it is, also with a hash that is wrong. */
  put(...entries: InstructionEntry[]): void;
  remove(...ids: string[]): void;
  /** A file that no list has seen yet. */
  drop(entry: InstructionEntry): void;
  readonly looks: string[];
}

/** The same catalog for every tenant, in memory, with the answers of the real one. */
export function plantCatalog(...ids: string[]): PlantedCatalog {
  const entries = new Map(ids.map((id) => [id, plantEntry(id)]));
  const dropped = new Map<string, InstructionEntry>();
  const looks: string[] = [];

  function toState(): CatalogState {
    const sorted = [...entries.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return {
      hash: sha256Hex(sorted.map(({ id, sourceHash }) => `${id}:${sourceHash}`).join('|')),
      count: sorted.length,
      entries: sorted,
      find: (id) => {
        const entry = entries.get(id);
        return entry === undefined ? undefined : { entry, etag: sha256Hex(JSON.stringify(entry)) };
      },
      inCategory: (category) => sorted.filter((entry) => entry.categories.includes(category.toLowerCase())),
      categories: [],
      problems: [],
      lastModified: sorted.at(-1)?.updatedAt,
    };
  }

  return {
    looks,
    put: (...given) => {
      for (const entry of given) entries.set(entry.id, entry);
    },
    remove: (...gone) => {
      for (const id of gone) entries.delete(id);
    },
    drop: (entry) => void dropped.set(entry.id, entry),
    state: async () => toState(),
    async lookUp(_call, id) {
      looks.push(id);
      const late = dropped.get(id);
      if (late !== undefined) entries.set(id, late);
      return { found: toState().find(id), lateMaterialized: late !== undefined, problem: undefined };
    },
  };
}
