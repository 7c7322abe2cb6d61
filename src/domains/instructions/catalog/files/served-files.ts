import { fileNameOf, idOfFile } from './folder-names.ts';

export const describeRival = (id: string, holder: string): string => `its id ${id} is already used by ${holder}`;

/** The file that serves each id, if all of these are present: the one with the name of its id, otherwise the first. */
export function holdersOf(files: readonly string[]): ReadonlyMap<string, string> {
  const sorted = files.toSorted();
  const holders = new Map(sorted.toReversed().map((file) => [idOfFile(file), file]));
  for (const file of sorted) if (file === `${idOfFile(file)}.json`) holders.set(idOfFile(file), file);
  return holders;
}

/** Which file serves an id. Catalogs of other programs have capitals and dots in their names, so several may claim one. */
export function createServedFiles() {
  /** By id, where the name of the file is not the id. */
  const aliases = new Map<string, string>();
  /** Files whose id another file serves. */
  const rivals = new Set<string>();

  const fileOf = (id: string): string => aliases.get(id) ?? `${id}.json`;
  const rivalsOf = (id: string): readonly string[] => [...rivals].filter((name) => idOfFile(name) === id);

  /** A file that is named after its id has precedence; `displaced` served the id until now. */
  function claim(name: string, isPresent: (name: string) => boolean): { holder?: string; displaced?: string } {
    const id = idOfFile(name);
    const alias = aliases.get(id);
    if (name === `${id}.json`) {
      if (alias === undefined) return {};
      aliases.delete(id);
      rivals.add(alias);
      return { displaced: alias };
    }
    const holder = isPresent(`${id}.json`) ? `${id}.json` : alias;
    if (holder !== undefined && holder !== name) {
      rivals.add(name);
      return { holder };
    }
    aliases.set(id, name);
    rivals.delete(name);
    return {};
  }

  return {
    fileOf,
    claim,
    /** The rivals of a file that served its id until now; undefined if it did not. */
    release(name: string): readonly string[] | undefined {
      const id = idOfFile(name);
      rivals.delete(name);
      if (fileOf(id) !== name) return undefined;
      aliases.delete(id);
      return rivalsOf(id);
    },
    /** The file that gets the name of its id, and its rivals. */
    rename(id: string, move: (from: string, to: string) => void): readonly string[] {
      const alias = aliases.get(id);
      if (alias === undefined) return [];
      move(alias, fileNameOf(id));
      aliases.delete(id);
      return [alias, ...rivalsOf(id)];
    },
  };
}
