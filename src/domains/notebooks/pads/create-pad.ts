import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { RestoreCall } from '#kernel/tool/restore-call.ts';
import { recordCreation } from '../history/record-change.ts';
import { enterNamespace } from '../namespaces/enter-namespace.ts';
import { addPadsByKey } from '../namespaces/namespace-store.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { type CellInput, checkScratchId, type LightPad, type PadMetadata } from '../notebook-model.ts';
import { insertPadSchemas } from '../schemas/schema-input.ts';
import { toCellDocument, toPadDocument } from '../search/notebook-documents.ts';
import type { ValidationResult } from '../validation/validation-result.ts';
import { appendCells } from './append-cell.ts';
import { type CellRow, insertCells } from './cell-store.ts';
import type { EvictedPad } from './eviction.ts';
import type { PadContext, WrittenPad } from './pad-context.ts';
import { limitCellTags, tooManyCells } from './pad-faults.ts';
import { addToTotals, bumpPad, insertPad, takePad } from './pad-store.ts';
import { addTags, uniteTags } from './pad-tags.ts';
import { toLightPad } from './pad-views.ts';
import { hashOfPad, padTopic, toPadRestore, trashPad } from './remove-pad.ts';
import { cursorOfRest, type ShownCells } from './show-cells.ts';
import { toCellFields, toMapText } from './to-cell-row.ts';

type IfExists = 'reset' | 'fail' | 'append';

export interface CreateInput {
  readonly scratch_id?: string | undefined;
  readonly metadata?: PadMetadata | undefined;
  readonly cells?: readonly CellInput[] | undefined;
  readonly if_exists?: IfExists | undefined;
  /** Of a pad that already exists. */
  readonly shown?: ShownCells;
}

export interface CreateAnswer {
  readonly ok: true;
  readonly scratchpad: LightPad;
  readonly next_cursor?: string;
  readonly reset?: true;
  readonly appended?: true;
  readonly restore?: RestoreCall;
  readonly validation?: readonly ValidationResult[];
  readonly evicted_scratchpads?: readonly string[];
}

interface CreatedPad extends WrittenPad {
  readonly outcome: 'created' | 'reset' | 'appended';
  /** The key of the pad that was reset. */
  readonly formerKey?: string | undefined;
  readonly evicted: readonly EvictedPad[];
}

export function createPadCreation(context: PadContext) {
  const { storage, ids, documents, access, eviction, cursors, maxCellsPerPad, maxCellBytes } = context;

  function toCellRows(cells: readonly CellInput[]): {
    readonly rows: readonly CellRow[];
    readonly tags: readonly string[];
  } {
    if (maxCellsPerPad > 0 && cells.length > maxCellsPerPad) {
      throw tooManyCells(`a scratchpad has at most ${maxCellsPerPad} cells, not ${cells.length}`, maxCellsPerPad);
    }
    const seen = new Set<string>();
    const tagLists: (readonly string[])[] = [];
    const rows = cells.map((cell, position) => {
      const cellId = cell.cell_id ?? ids.uuid();
      if (seen.has(cellId)) {
        const fix = 'Give every cell its own cell_id, or leave it out: missing ids are generated.';
        throw faults.CONFLICT({ why: `Two cells have the cell_id ${cellId}` }, { cell_id: cellId, fix });
      }
      seen.add(cellId);
      const { tagList, ...given } = toCellFields(cell, maxCellBytes);
      tagLists.push(tagList);
      return { ...given, cell_id: cellId, position, revision: 1 };
    });
    const tags = uniteTags(...tagLists);
    limitCellTags(tags);
    return { rows, tags };
  }

  /** Rejects what it can before the store is asked. */
  function prepare(input: CreateInput) {
    const {
      title,
      description,
      summary,
      namespace,
      tags,
      schemas,
      cell_tags: _cellTags,
      ...rest
    } = input.metadata ?? {};
    const cells = toCellRows(input.cells ?? []);
    const padTags = uniteTags(tags);
    return {
      scratchId: input.scratch_id ?? ids.uuid(),
      schemas,
      padTags,
      cells,
      namespace: namespace === undefined || namespace === '' ? null : namespace,
      fields: {
        title: title ?? null,
        description: description ?? null,
        summary: summary ?? null,
        tags: JSON.stringify(padTags),
        cell_tags: JSON.stringify(cells.tags),
        metadata: toMapText(rest, 'the metadata of a scratchpad', notebookLimits.metadataBytes),
        cell_count: cells.rows.length,
      },
    };
  }
  type Prepared = ReturnType<typeof prepare>;

  /**
   * Moves an existing pad of this id to the trash. Undefined if cells are to be added to a pad that another writer created
   * meanwhile.
   */
  function* replaceRow(db: Writer, prepared: Prepared, ifExists: IfExists, actor: string) {
    const { scratchId, namespace, fields } = prepared;
    const namespace_key = yield* enterNamespace(db, namespace, ids);
    const dropped: string[] = [];
    let revision = 1;
    let formerKey: string | undefined;
    for (;;) {
      const before = ifExists === 'append' ? undefined : yield* takePad(db, scratchId);
      if (before !== undefined) {
        if (ifExists === 'fail') {
          const fix =
            'Send if_exists: "append" to add the cells to it, "reset" to replace it, or use another scratch_id.';
          throw faults.CONFLICT({ why: `A scratchpad ${scratchId} already exists` }, { scratch_id: scratchId, fix });
        }
        dropped.push(...(yield* trashPad(db, before, 'reset', actor)));
        revision = before.revision + 1;
        formerKey = before.pad_key;
      }
      const row = {
        ...fields,
        ...{ scratch_id: scratchId, pad_key: ids.uuid(), namespace_key, revision },
        ...{ created_at: db.now, updated_at: db.now },
      };
      if ((yield* insertPad(db, row)) > 0) return { row, dropped, isReset: revision > 1, formerKey };
      // Another writer created this id meanwhile, so replace that pad too.
      if (ifExists === 'append') {
        if (namespace_key !== '') yield* addPadsByKey(db, namespace_key, -1);
        return undefined;
      }
    }
  }

  function* write(
    db: Writer,
    prepared: Prepared,
    ifExists: IfExists,
    notes: ReturnType<typeof access.pending>,
    actor: string,
    shown: ShownCells,
  ): Work<CreatedPad> {
    const { cells, padTags, namespace } = prepared;
    const existing = ifExists === 'append' ? yield* bumpPad(db, prepared.scratchId, cells.rows.length) : undefined;
    if (existing !== undefined) {
      const written = yield* appendCells(db, context, existing, cells.rows, shown, actor);
      return { ...written, outcome: 'appended', evicted: [] };
    }
    const placed = yield* replaceRow(db, prepared, ifExists, actor);
    if (placed === undefined) return yield* write(db, prepared, ifExists, notes, actor, shown);
    const { row, dropped, isReset, formerKey } = placed;
    const totals = yield* addToTotals(db, 1, row.cell_count);
    const evicted = isReset
      ? []
      : yield* eviction.evictExcess(db, totals?.pads_count ?? 0, row.scratch_id, notes, actor);
    yield* insertCells(db, row.pad_key, cells.rows);
    yield* recordCreation(db, row, actor);
    yield* addTags(db, row, 'pad', padTags);
    yield* addTags(db, row, 'cell', cells.tags);
    if (prepared.schemas !== undefined) yield* insertPadSchemas(db, row.pad_key, prepared.schemas, ids);
    if (dropped.length > 0) yield* documents.drop(db, dropped);
    const pad = { ...row, namespace };
    yield* documents.put(db, [toPadDocument(pad), ...cells.rows.map((cell) => toCellDocument(pad, cell))]);
    yield* db.changed(padTopic, row.scratch_id, isReset ? 'update' : 'create', hashOfPad(row));
    return {
      scratchpad: toLightPad(pad, cells.rows),
      padKey: row.pad_key,
      outcome: isReset ? 'reset' : 'created',
      formerKey,
      evicted,
    };
  }

  return async (input: CreateInput, call: Call): Promise<CreateAnswer> => {
    if (input.scratch_id !== undefined) checkScratchId(input.scratch_id);
    const prepared = prepare(input);
    const backlog = await eviction.evictBacklog(call);
    const notes = access.pending(call.tenant);
    const written = await storage.write(call, (db) =>
      write(db, prepared, input.if_exists ?? 'reset', notes, call.actor, input.shown),
    );
    eviction.report(written.evicted);
    const { scratchpad } = written;
    const cells = input.cells ?? [];
    const { scratch_id } = scratchpad;
    const validation = await context.validate(call, written, cells, scratchpad.cell_count - cells.length);
    const evicted = [...backlog, ...written.evicted].map((pad) => pad.scratch_id);
    return {
      ok: true,
      scratchpad,
      ...cursorOfRest(cursors, call, scratchpad),
      ...(written.outcome !== 'created' && { [written.outcome]: true }),
      ...(written.formerKey !== undefined && {
        restore: toPadRestore({ scratch_id, copy: written.formerKey, replace: true }),
      }),
      ...(validation !== undefined && { validation }),
      ...(evicted.length > 0 && { evicted_scratchpads: evicted }),
    };
  };
}
