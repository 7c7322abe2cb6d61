import type { Ask } from '#kernel/tool/resource.ts';
import { createEntry } from '../catalog/memory-catalog.fixture.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import type { RuleSync } from './read-sources.ts';

interface AskFixture {
  readonly ask: Ask;
  readonly entries: Map<string, InstructionEntry>;
  /** The tools that were called, in order. */
  readonly asked: string[];
}

interface ImportArguments {
  readonly entries: readonly InstructionInput[];
  readonly mode: string;
  readonly dryRun: boolean;
}

/** For rules that came from no file. */
export const noSync: RuleSync = {
  marks: async () => [],
  catalog: async () => () => undefined,
  removedMarks: async () => [],
  async preview({ sections }) {
    const steps = sections.map((section) => ({
      action: 'add' as const,
      section,
      id: section.input.id,
      holder: undefined,
    }));
    return { steps, kept: [], skipped: [], errors: [], keptRemoved: [], knownCount: 0 };
  },
  run: (sources, freeId) => noSync.preview(sources, freeId),
};

/** An `ask` over entries in memory, with the tools that import, export, prompts and resources call. */
export function createAsk(inputs: readonly InstructionInput[] = [], pageMax = Number.POSITIVE_INFINITY): AskFixture {
  const entries = new Map(inputs.map((input) => [input.id, createEntry(input)]));
  const asked: string[] = [];
  const sorted = (): readonly InstructionEntry[] => [...entries.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const hash = (): string =>
    sorted()
      .map(({ id, sourceHash }) => `${id}:${sourceHash}`)
      .join('|');
  const tools: Readonly<Record<string, (args: never) => object>> = {
    'instructions/list': ({ limit, after = '' }: { limit: number; after?: string }) => {
      const left = sorted().filter(({ id }) => id > after);
      const items = left.slice(0, Math.min(limit, pageMax));
      const isCut = items.length < Math.min(limit, left.length);
      return { hash: hash(), count: entries.size, items, ...(isCut ? { truncated: true } : {}) };
    },
    'instructions/get': ({ id }: { id: string }) => {
      const item = entries.get(id);
      return item === undefined ? { notFound: true, id, hash: hash() } : { hash: hash(), item };
    },
    'instructions/import': ({ entries: given, mode, dryRun }: ImportArguments) => {
      const known = given.filter(({ id }) => entries.has(id)).length;
      for (const input of dryRun ? [] : given) {
        if (mode !== 'skip' || !entries.has(input.id)) entries.set(input.id, createEntry(input));
      }
      const counts = mode === 'skip' ? { skipped: known, overwritten: 0 } : { skipped: 0, overwritten: known };
      return { imported: given.length - known, ...counts, errors: [], total: given.length };
    },
    'instructions/remove': ({ ids }: { ids: readonly string[] }) => ({
      removed: ids.filter((id) => entries.delete(id)).length,
    }),
  };
  return {
    entries,
    asked,
    async ask(tool, args) {
      asked.push(tool);
      return tools[tool]!(args as never);
    },
  };
}
