import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { enterNamespace } from '../namespaces/enter-namespace.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { type CellInput, checkScratchId, type LightPad, type PadMetadata } from '../notebook-model.ts';
import { insertPadSchemas } from '../schemas/schema-input.ts';
import { toCellDocument, toPadDocument } from '../search/notebook-documents.ts';
import type { ValidationResult } from '../validation/validation-result.ts';
import { type CellRow, insertCells } from './cell-store.ts';
import type { EvictedPad } from './eviction.ts';
import type { PadContext, WrittenPad } from './pad-context.ts';
import { limitCellTags, overLimit } from './pad-faults.ts';
import { addToTotals, insertPad, takePad } from './pad-store.ts';
import { addTags, uniteTags } from './pad-tags.ts';
import { toLightPad } from './pad-views.ts';
import { hashOfPad, padTopic, trashPad } from './remove-pad.ts';
import { toCellFields, toMapText } from './to-cell-row.ts';

export interface CreateInput {
  readonly scratch_id?: string | undefined;
  readonly metadata?: PadMetadata | undefined;
  readonly cells?: readonly CellInput[] | undefined;
  readonly if_exists?: 'reset' | 'fail' | undefined;
}

export interface CreateAnswer {
  readonly ok: true;
  readonly scratchpad: LightPad;
  readonly reset?: true;
  readonly validation?: readonly ValidationResult[];
  readonly evicted_scratchpads?: readonly string[];
}

interface CreatedPad extends WrittenPad {
  readonly isReset: boolean;
  readonly evicted: readonly EvictedPad[];
}

export function createPadCreation(context: PadContext) {
  const { storage, ids, documents, access, eviction, maxCellsPerPad, maxCellBytes } = context;

  function toCellRows(cells: readonly CellInput[]): {
    readonly rows: readonly CellRow[];
    readonly tags: readonly string[];
  } {
    if (maxCellsPerPad > 0 && cells.length > maxCellsPerPad) {
      throw overLimit(`a scratchpad has at most ${maxCellsPerPad} cells, not ${cells.length}`, maxCellsPerPad);
    }
    const seen = new Set<string>();
    const tagLists: (readonly string[])[] = [];
    const rows = cells.map((cell, position) => {
      const cellId = cell.cell_id ?? ids.uuid();
      if (seen.has(cellId)) {
        throw faults.CONFLICT({ why: `Two cells have the cell_id ${cellId}` }, { cell_id: cellId });
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

  /** Moves an existing pad of this id to the trash. */
  function* replaceRow(db: Writer, prepared: Prepared, mayReset: boolean, actor: string) {
    const { scratchId, namespace, fields } = prepared;
    const namespace_key = yield* enterNamespace(db, namespace, ids);
    const dropped: string[] = [];
    let revision = 1;
    for (;;) {
      const before = yield* takePad(db, scratchId);
      if (before !== undefined) {
        if (!mayReset) {
          throw faults.CONFLICT({ why: `A scratchpad ${scratchId} already exists` }, { scratch_id: scratchId });
        }
        dropped.push(...(yield* trashPad(db, before, 'reset', actor)));
        revision = before.revision + 1;
      }
      const row = {
        ...fields,
        ...{ scratch_id: scratchId, pad_key: ids.uuid(), namespace_key, revision },
        ...{ created_at: db.now, updated_at: db.now },
      };
      // 0 rows: another writer created this id meanwhile, so replace that pad too.
      if ((yield* insertPad(db, row)) > 0) return { row, dropped, isReset: revision > 1 };
    }
  }

  function* write(
    db: Writer,
    prepared: Prepared,
    mayReset: boolean,
    notes: ReturnType<typeof access.pending>,
    actor: string,
  ): Work<CreatedPad> {
    const { cells, padTags, namespace } = prepared;
    const { row, dropped, isReset } = yield* replaceRow(db, prepared, mayReset, actor);
    const totals = yield* addToTotals(db, 1, row.cell_count);
    const evicted = isReset
      ? []
      : yield* eviction.evictExcess(db, totals?.pads_count ?? 0, row.scratch_id, notes, actor);
    yield* insertCells(db, row.pad_key, cells.rows);
    yield* addTags(db, row, 'pad', padTags);
    yield* addTags(db, row, 'cell', cells.tags);
    if (prepared.schemas !== undefined) yield* insertPadSchemas(db, row.pad_key, prepared.schemas, ids);
    if (dropped.length > 0) yield* documents.drop(db, dropped);
    const pad = { ...row, namespace };
    yield* documents.put(db, [toPadDocument(pad), ...cells.rows.map((cell) => toCellDocument(pad, cell))]);
    yield* db.changed(padTopic, row.scratch_id, isReset ? 'update' : 'create', hashOfPad(row));
    return { scratchpad: toLightPad(pad, cells.rows), padKey: row.pad_key, isReset, evicted };
  }

  return async (input: CreateInput, call: Call): Promise<CreateAnswer> => {
    if (input.scratch_id !== undefined) checkScratchId(input.scratch_id);
    const prepared = prepare(input);
    const backlog = await eviction.evictBacklog(call);
    const notes = access.pending(call.tenant);
    const written = await storage.write(call, (db) =>
      write(db, prepared, input.if_exists !== 'fail', notes, call.actor),
    );
    eviction.report(written.evicted);
    const { scratchpad } = written;
    const validation = await context.validate(call, written, input.cells ?? [], 0);
    const evicted = [...backlog, ...written.evicted].map(({ scratch_id }) => scratch_id);
    return {
      ok: true,
      scratchpad,
      ...(written.isReset && { reset: true }),
      ...(validation !== undefined && { validation }),
      ...(evicted.length > 0 && { evicted_scratchpads: evicted }),
    };
  };
}
