import type { Pad } from '../notebook-program.ts';

export interface KeptCell {
  readonly cell_id: string;
  readonly content: string;
  readonly tags: readonly string[];
}

/** The parts of a pad that a write determines. */
export interface KeptPad {
  readonly namespace: string;
  readonly revision: number;
  readonly tags: readonly string[];
  readonly cells: readonly KeptCell[];
  /** Schema name → title. */
  readonly schemas: Readonly<Record<string, string>>;
}

/** Independent of the order of names. */
export function textOf({ namespace, revision, tags, cells, schemas }: KeptPad): string {
  const kept = cells.map((cell) => ({ cell_id: cell.cell_id, content: cell.content, tags: cell.tags }));
  const named = Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ namespace, revision, tags, cells: kept, schemas: Object.fromEntries(named) });
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

export const cellTagsOf = ({ cells }: Pick<KeptPad, 'cells'>): readonly string[] =>
  unique(cells.flatMap(({ tags }) => tags));

/** Contradictions within a pad that was read. */
export function findContradictions(pad: Pad): readonly string[] {
  const { scratch_id, cells, cell_count, cell_tags } = pad;
  const indices = cells.map(({ index }) => index);
  const isContiguous = indices.every((index, i) => index === i);
  const computed = unique(cells.flatMap(({ tags }) => tags ?? []));
  return [
    ...(isContiguous ? [] : [`${scratch_id} has the indices ${indices.join()}`]),
    ...(cell_count === cells.length ? [] : [`${scratch_id} counts ${cell_count} of ${cells.length} cells`]),
    ...(cell_tags.join() === computed.join() ? [] : [`${scratch_id} has the cell tags ${cell_tags.join()}`]),
  ];
}

export function toKept(pad: Pad): KeptPad {
  const schemas = (pad.metadata?.['schemas'] ?? {}) as Readonly<Record<string, { schema: { title: string } }>>;
  return {
    namespace: pad.namespace ?? '',
    revision: pad.revision,
    tags: pad.tags,
    cells: pad.cells.map(({ cell_id, content = '', tags = [] }) => ({ cell_id, content, tags })),
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, { schema }]) => [name, schema.title])),
  };
}
