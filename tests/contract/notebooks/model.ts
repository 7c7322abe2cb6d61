/** A reference implementation with lists in memory; the real notebooks must give the same answers. */

export interface ModelCell {
  readonly cell_id: string;
  readonly language: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly revision: number;
}

interface Namespace {
  name: string;
}

interface ModelPad {
  readonly scratch_id: string;
  readonly title: string | null;
  readonly namespace: Namespace | null;
  readonly tags: readonly string[];
  readonly cells: readonly ModelCell[];
  readonly revision: number;
}

type Json = Readonly<Record<string, unknown>>;
export type Args = Json & { readonly scratch_id?: string };

export interface ModelLimits {
  readonly padsMax: number;
  readonly cellsMax: number;
  readonly bytesMax: number;
}

const types: Readonly<Record<string, string>> = { md: 'markup', json: 'data', py: 'code', txt: 'text' };
const unique = (tags: readonly string[]): readonly string[] => [...new Set(tags)];
const failed = (code: string): Json => ({ ok: false, code });
const sorted = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort();

type GivenCell = Omit<ModelCell, 'revision' | 'cell_id'> & { readonly cell_id?: string };

export function createModel({ padsMax, cellsMax, bytesMax }: ModelLimits, now: string) {
  const pads = new Map<string, ModelPad>();
  const trash = new Map<string, { readonly pad: ModelPad; readonly namespaceName: string | null }[]>();
  const namespaces: Namespace[] = [];

  const find = (name: unknown): Namespace | undefined => namespaces.find((one) => one.name === name);

  function enter(name: string | null | undefined): Namespace | null {
    if (name === null || name === undefined) return null;
    const known = find(name);
    if (known !== undefined) return known;
    const made = { name };
    namespaces.push(made);
    return made;
  }

  const cellTags = (pad: ModelPad): readonly string[] => unique(pad.cells.flatMap(({ tags }) => tags));

  const light = (cell: ModelCell, index: number): Json => ({
    ...{ cell_id: cell.cell_id, index, language: cell.language, type: types[cell.language], revision: cell.revision },
    ...(cell.tags.length > 0 && { tags: cell.tags }),
  });

  const full = (cell: ModelCell, index: number): Json => ({
    ...light(cell, index),
    ...{ tags: cell.tags, content: cell.content, validate: false },
    metadata: cell.tags.length > 0 ? { tags: cell.tags } : {},
  });

  function show(pad: ModelPad, cells: readonly Json[], withMetadata = true): Json {
    const named = {
      ...{ title: pad.title, description: null, namespace: pad.namespace?.name ?? null },
      ...{ tags: pad.tags, cell_tags: cellTags(pad) },
    };
    return {
      ...{ scratch_id: pad.scratch_id, ...named, cell_count: pad.cells.length, revision: pad.revision },
      ...{ created_at: now, updated_at: now, cells },
      ...(withMetadata && { metadata: named }),
    };
  }

  const showLight = (pad: ModelPad): Json => show(pad, pad.cells.map(light));

  function remove(scratchId: string): void {
    const pad = pads.get(scratchId);
    if (pad === undefined) return;
    pads.delete(scratchId);
    trash.set(scratchId, [...(trash.get(scratchId) ?? []), { pad, namespaceName: pad.namespace?.name ?? null }]);
  }

  const isLong = (content: string): boolean => Buffer.byteLength(content) > bytesMax;
  const toCell = (cell: GivenCell, cell_id: string, revision: number): ModelCell => ({
    ...{ cell_id, language: cell.language, content: cell.content, tags: unique(cell.tags), revision },
  });

  function choose(pad: ModelPad, args: Args): readonly [number, ModelCell][] | undefined {
    const ids = args['cell_ids'] as readonly string[] | undefined;
    const tags = args['tags'] as readonly string[] | undefined;
    if (ids?.some((id) => !pad.cells.some(({ cell_id }) => cell_id === id))) return undefined;
    return [...pad.cells.entries()].filter(
      ([, cell]) =>
        (ids === undefined || ids.length === 0 || ids.includes(cell.cell_id)) &&
        (tags === undefined || tags.length === 0 || cell.tags.some((tag) => tags.includes(tag))),
    );
  }

  const isIn = (pad: ModelPad, names: unknown): boolean => {
    const wanted = (names ?? []) as readonly string[];
    return wanted.length === 0 || (pad.namespace !== null && wanted.includes(pad.namespace.name));
  };

  const tools: Readonly<Record<string, (args: Args) => Json>> = {
    scratch_create(args) {
      const scratchId = args.scratch_id!;
      const metadata = args['metadata'] as { title: string | null; namespace: string | null; tags: readonly string[] };
      const cells = args['cells'] as readonly (GivenCell & { readonly cell_id: string })[];
      if (cells.length > cellsMax) return failed('CAPACITY_LIMIT_REACHED');
      for (const [i, cell] of cells.entries()) {
        if (cells.findIndex(({ cell_id }) => cell_id === cell.cell_id) !== i) return failed('CONFLICT');
        if (isLong(cell.content)) return failed('CAPACITY_LIMIT_REACHED');
      }
      const before = pads.get(scratchId);
      if (before !== undefined && args['if_exists'] === 'fail') return failed('CONFLICT');
      if (before === undefined && pads.size >= padsMax) return failed('CAPACITY_LIMIT_REACHED');
      remove(scratchId);
      const pad: ModelPad = {
        ...{ scratch_id: scratchId, title: metadata.title, namespace: enter(metadata.namespace) },
        ...{ tags: unique(metadata.tags), revision: (before?.revision ?? 0) + 1 },
        cells: cells.map((cell) => toCell(cell, cell.cell_id, 1)),
      };
      pads.set(scratchId, pad);
      return { ok: true, scratchpad: showLight(pad), ...(before !== undefined && { reset: true }) };
    },
    scratch_append_cell(args) {
      const cell = args['cell'] as GivenCell & { readonly cell_id: string };
      if (isLong(cell.content)) return failed('CAPACITY_LIMIT_REACHED');
      const pad = pads.get(args.scratch_id!);
      if (pad === undefined) return failed('NOT_FOUND');
      if ((args['expected_revision'] ?? pad.revision) !== pad.revision) return failed('CONFLICT');
      if (pad.cells.length >= cellsMax) return failed('CAPACITY_LIMIT_REACHED');
      if (pad.cells.some(({ cell_id }) => cell_id === cell.cell_id)) return failed('CONFLICT');
      const after = { ...pad, revision: pad.revision + 1, cells: [...pad.cells, toCell(cell, cell.cell_id, 1)] };
      pads.set(pad.scratch_id, after);
      return { ok: true, scratchpad: showLight(after) };
    },
    scratch_replace_cell(args) {
      const given = args['cell'] as GivenCell;
      if (isLong(given.content)) return failed('CAPACITY_LIMIT_REACHED');
      const pad = pads.get(args.scratch_id!);
      if (pad === undefined) return failed('NOT_FOUND');
      if ((args['expected_revision'] ?? pad.revision) !== pad.revision) return failed('CONFLICT');
      const index = pad.cells.findIndex(({ cell_id }) => cell_id === args['cell_id']);
      const old = pad.cells[index];
      if (old === undefined) return failed('INVALID_ID');
      const newIndex = (args['new_index'] as number | undefined) ?? index;
      if (newIndex >= pad.cells.length) return failed('INVALID_INDEX');
      const cells = pad.cells.filter((cell) => cell !== old);
      cells.splice(newIndex, 0, toCell(given, old.cell_id, old.revision + 1));
      const after = { ...pad, revision: pad.revision + 1, cells };
      pads.set(pad.scratch_id, after);
      return { ok: true, scratchpad: showLight(after) };
    },
    scratch_delete(args) {
      const pad = pads.get(args.scratch_id!);
      if (pad !== undefined && (args['expected_revision'] ?? pad.revision) !== pad.revision) return failed('CONFLICT');
      remove(args.scratch_id!);
      return { ok: true, scratch_id: args.scratch_id, deleted: pad !== undefined };
    },
    scratch_read(args) {
      const pad = pads.get(args.scratch_id!);
      const isNamed = ((args['namespaces'] ?? []) as readonly string[]).length > 0;
      if (isNamed && (pad === undefined || !isIn(pad, args['namespaces']))) return failed('CONFLICT');
      if (pad === undefined) return failed('NOT_FOUND');
      const chosen = choose(pad, args);
      if (chosen === undefined) return failed('INVALID_ID');
      const cells = chosen.map(([index, cell]) => full(cell, index));
      return { ok: true, scratchpad: show(pad, cells, args['include_metadata'] !== false) };
    },
    scratch_list_cells(args) {
      const pad = pads.get(args.scratch_id!);
      if (pad === undefined) return failed('NOT_FOUND');
      const chosen = choose(pad, args);
      if (chosen === undefined) return failed('INVALID_ID');
      const cells = chosen.map(([index, cell]) => ({
        ...light(cell, index),
        ...{
          metadata: cell.tags.length > 0 ? { tags: cell.tags } : {},
          preview: [...cell.content].slice(0, 80).join(''),
        },
        content_bytes: Buffer.byteLength(cell.content),
      }));
      return { ok: true, scratch_id: args.scratch_id, cells };
    },
    scratch_list(args) {
      const tags = (args['tags'] ?? []) as readonly string[];
      const found = [...pads.values()]
        .filter((pad) => isIn(pad, args['namespaces']))
        .filter((pad) => tags.length === 0 || [...pad.tags, ...cellTags(pad)].some((tag) => tags.includes(tag)))
        .sort((a, b) => (a.scratch_id < b.scratch_id ? -1 : 1));
      const scratchpads = found.map((pad) => ({
        ...{ scratch_id: pad.scratch_id, title: pad.title, description: null },
        ...{ namespace: pad.namespace?.name ?? null, cell_count: pad.cells.length },
      }));
      return { ok: true, scratchpads };
    },
    scratch_list_tags(args) {
      const found = [...pads.values()].filter((pad) => isIn(pad, args['namespaces']));
      return {
        ok: true,
        scratchpad_tags: sorted(found.flatMap(({ tags }) => tags)),
        cell_tags: sorted(found.flatMap(cellTags)),
      };
    },
    scratch_namespace_list() {
      const byName = namespaces.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
      const count = (one: Namespace) => [...pads.values()].filter(({ namespace }) => namespace === one).length;
      return {
        ok: true,
        namespaces: byName.map((one) => ({ namespace: one.name, scratchpad_count: count(one) })),
      };
    },
    scratch_namespace_create({ namespace }) {
      const created = find(namespace) === undefined;
      enter(namespace as string);
      return { ok: true, namespace, created };
    },
    scratch_namespace_rename(args) {
      const old = find(args['old_namespace']);
      const name = args['new_namespace'] as string;
      if (old === undefined) return failed('NOT_FOUND');
      if (find(name) !== undefined) return failed('VALIDATION_ERROR');
      const count = [...pads.values()].filter(({ namespace }) => namespace === old).length;
      const isMoved = args['migrate_scratchpads'] !== false;
      if (isMoved || count === 0) old.name = name;
      else enter(name);
      return { ok: true, namespace: name, migrated_count: isMoved ? count : 0 };
    },
    scratch_namespace_delete(args) {
      const one = find(args['namespace']);
      if (one === undefined) return { ok: true, deleted: false, removed_scratchpads: [] };
      const inside = [...pads.values()]
        .filter(({ namespace }) => namespace === one)
        .map(({ scratch_id }) => scratch_id);
      if (inside.length > 0 && args['delete_scratchpads'] !== true) return failed('VALIDATION_ERROR');
      for (const scratchId of inside) remove(scratchId);
      namespaces.splice(namespaces.indexOf(one), 1);
      return { ok: true, deleted: true, removed_scratchpads: inside.sort() };
    },
    /**
     * Not a tool: the command line does this. Of copies from the same millisecond, the highest revision is the newest.
     */
    restore(args) {
      const copies = trash.get(args.scratch_id!) ?? [];
      const newest = copies.toSorted((a, b) => b.pad.revision - a.pad.revision)[0];
      if (newest === undefined) return failed('NOT_FOUND');
      if (copies.filter(({ pad }) => pad.revision === newest.pad.revision).length > 1) return { isOpen: true };
      if (pads.has(args.scratch_id!)) return failed('CONFLICT');
      if (pads.size >= padsMax) return failed('CAPACITY_LIMIT_REACHED');
      trash.set(
        args.scratch_id!,
        copies.filter((copy) => copy !== newest),
      );
      const pad = { ...newest.pad, namespace: enter(newest.namespaceName), revision: newest.pad.revision + 1 };
      pads.set(pad.scratch_id, pad);
      return { ok: true, scratchpad: showLight(pad) };
    },
  };

  return {
    answer(name: string, args: Args): Json {
      const tool = tools[name];
      if (tool === undefined) throw new Error(`the model has no ${name}`);
      return tool(args);
    },
    totals: () => ({
      pads_count: pads.size,
      cells_count: [...pads.values()].reduce((sum, { cells }) => sum + cells.length, 0),
    }),
  };
}
