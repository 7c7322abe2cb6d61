import { addToHistoryBytes } from '#domains/notebooks/history/history-store.ts';
import {
  enterNamespace,
  hashOfName,
  namesLock,
  namespaceTopic,
} from '#domains/notebooks/namespaces/enter-namespace.ts';
import { addPadsByKey, insertNamespace } from '#domains/notebooks/namespaces/namespace-store.ts';
import { notebookLimits } from '#domains/notebooks/notebook-limits.ts';
import { afterCopies, firstCopy } from '#domains/notebooks/pads/former-versions.ts';
import { addToTotals, takenIds, takePad } from '#domains/notebooks/pads/pad-store.ts';
import { addTags, parseTags } from '#domains/notebooks/pads/pad-tags.ts';
import { deleteRemoval, insertRemoval, listTrashedPadsAt } from '#domains/notebooks/pads/pad-trash-store.ts';
import { hashOfPad, padTopic, trashId, trashPad } from '#domains/notebooks/pads/remove-pad.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { type Row, transferLimits, writeRows } from '#kernel/storage/transfer.ts';
import { adminFaults } from '../admin-faults.ts';
import { checkNotebookRow, isNotebookTable, notebookTables } from './check-notebook-rows.ts';
import {
  createLoggedWrite,
  type DomainRows,
  type DomainRowsDeps,
  parseCopy,
  textOf,
  trashedIn,
  trashTable,
  withoutTrashedOf,
} from './domain-rows.ts';
import type { Chunk } from './read-chunks.ts';

/**
 * Pads are merged by id and namespaces by name. Their keys are unique only in their old store, so all rows get new
 * ones. Cells are written before their pad and are first recorded as cells of a removed pad, so that the sweep removes
 * them if the import does not finish.
 */
const notebookImportLimits = {
  /** Pads per write: a pad with thousands of tags needs about fifty statements. */
  writePadsCount: 8,
  writeNamesCount: 100,
  removalsCount: 100,
} as const;

/** Other rows need no limit: one statement writes dozens of them. */
const stepCounts: Readonly<Record<string, number>> = {
  [notebookTables.pads]: notebookImportLimits.writePadsCount,
  [notebookTables.namespaces]: notebookImportLimits.writeNamesCount,
};

interface InspectedPad {
  readonly line: number;
  readonly cellCount: number;
  readonly namespaceKey: string;
  readonly isCopy: boolean;
  readonly isWanted: boolean;
}

const isCopy = (table: string, row: Row): boolean => table === trashTable && row['topic'] === padTopic;

function* inSteps<T>(items: readonly T[], count: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += count) yield items.slice(at, at + count);
}

const idOfCopy = (pad: Row): string => trashId(textOf(pad, 'scratch_id'), textOf(pad, 'pad_key'));

const sumOf = (rows: readonly Row[], column: string): number => rows.reduce((sum, row) => sum + Number(row[column]), 0);

const sayWithoutKey = ({ pad_key: _key, ...pad }: Row): string => canonicalJson(pad);

export function createNotebookRows(deps: DomainRowsDeps): DomainRows {
  const { storage, ids, mode, call } = deps;
  const writeLogged = createLoggedWrite(deps);
  /** By key of the export. */
  const inspected = new Map<string, InspectedPad>();
  const cellCounts = new Map<string, number>();
  const names = new Map<string, string>();
  /** For pads and trash rows that are imported. */
  const newKeys = new Map<string, string>();

  const newKeyOf = (row: Row): string | undefined => newKeys.get(textOf(row, 'pad_key'));

  function note(pad: Row, line: number, isWanted: boolean, namespaceKey: string, isCopied: boolean): void {
    const key = textOf(pad, 'pad_key');
    if (inspected.has(key)) throw adminFaults.IMPORT_INVALID({ line, why: 'another scratchpad has the same pad_key' });
    inspected.set(key, { line, cellCount: Number(pad['cell_count']), namespaceKey, isCopy: isCopied, isWanted });
  }

  async function inspectPads(rows: readonly Row[], lineOf: (i: number) => number): Promise<void> {
    const taken = new Set<string>();
    if (mode === 'skip') {
      for (const some of inSteps(rows, transferLimits.keysCount)) {
        const found = await storage.read(call(), (db) =>
          takenIds(
            db,
            some.map((row) => textOf(row, 'scratch_id')),
          ),
        );
        for (const { scratch_id } of found) taken.add(scratch_id);
      }
    }
    for (const [i, row] of rows.entries()) {
      note(row, lineOf(i), !taken.has(textOf(row, 'scratch_id')), textOf(row, 'namespace_key'), false);
    }
  }

  /** A trash row with the same id, time and content is the same row, from an earlier import or still here. */
  async function inspectTrashed(row: Row, line: number): Promise<void> {
    const pad = parseCopy(row, idOfCopy);
    if (pad === undefined) throw adminFaults.IMPORT_INVALID({ line, why: 'it is not a valid removed scratchpad' });
    checkNotebookRow(notebookTables.pads, pad, line);
    const id = textOf(pad, 'scratch_id');
    const known = await storage.read(call(), function* (db) {
      const { trashPageCount } = notebookLimits;
      return yield* listTrashedPadsAt(db, padTopic, firstCopy(id), afterCopies(id), Number(row['at']), trashPageCount);
    });
    const said = sayWithoutKey(pad);
    const isKnown = known.some(({ document }) => sayWithoutKey(JSON.parse(document) as Row) === said);
    note(pad, line, !isKnown, '', true);
  }

  async function inspect({ table: { name: table }, rows, lastLine }: Chunk): Promise<void> {
    const lineOf = (i: number): number => lastLine - rows.length + 1 + i;
    for (const [i, row] of rows.entries()) {
      if (isCopy(table, row)) await inspectTrashed(row, lineOf(i));
      if (!isNotebookTable(table)) continue;
      checkNotebookRow(table, row, lineOf(i));
      const key = row['pad_key'] as string;
      if (table === notebookTables.cells) cellCounts.set(key, (cellCounts.get(key) ?? 0) + 1);
      if (table === notebookTables.namespaces) names.set(textOf(row, 'namespace_key'), textOf(row, 'namespace'));
    }
    if (table === notebookTables.pads) await inspectPads(rows, lineOf);
  }

  /** Skips removed pads whose cells are partly swept: they cannot be restored. */
  function validate(): void {
    for (const [key, { line, cellCount, namespaceKey, isCopy: isCopied, isWanted }] of inspected) {
      const count = cellCounts.get(key) ?? 0;
      if (!isCopied && count !== cellCount) {
        throw adminFaults.IMPORT_INVALID({
          line,
          why: `it should have ${cellCount} cells, but the export has ${count}`,
        });
      }
      if (namespaceKey !== '' && !names.has(namespaceKey)) {
        throw adminFaults.IMPORT_INVALID({ line, why: 'its namespace is not in the export' });
      }
      if (isWanted && count === cellCount) newKeys.set(key, ids.uuid());
    }
  }

  function* writeNamespaces(db: Writer, rows: readonly Row[]): Work<number> {
    yield* db.lock(namesLock);
    let written = 0;
    for (const row of rows) {
      const namespace = textOf(row, 'namespace');
      const count = yield* insertNamespace(db, { namespace_key: ids.uuid(), namespace, pads_count: 0 });
      if (count > 0) yield* db.changed(namespaceTopic, namespace, 'create', hashOfName(namespace));
      written += count;
    }
    return written;
  }

  /** Moves an existing pad to the trash, as a reset does. Returns false if the existing one stays. */
  function* writePad(db: Writer, { table, columns }: Chunk, row: Row, padKey: string): Work<boolean> {
    const scratchId = textOf(row, 'scratch_id');
    const namespace_key = yield* enterNamespace(db, names.get(textOf(row, 'namespace_key')) ?? null, ids);
    let pad = { ...row, scratch_id: scratchId, pad_key: padKey, namespace_key, revision: Number(row['revision']) };
    let isThere = false;
    for (;;) {
      const before = mode === 'replace' ? yield* takePad(db, scratchId) : undefined;
      if (before !== undefined) {
        isThere = true;
        yield* trashPad(db, before, 'reset', call().actor);
        // A client that expects a revision of the old pad must not match the new one.
        pad = { ...pad, revision: Math.max(pad.revision, before.revision + 1) };
      }
      if ((yield* writeRows(db, table, columns, [pad], 'keep')) > 0) break;
      // A pad with this id was created after the check.
      if (mode === 'fail') {
        throw adminFaults.IMPORT_TAKEN({ table: table.name, key: `scratch_id ${scratchId}`, isPartial: true });
      }
      if (mode === 'skip') {
        if (namespace_key !== '') yield* addPadsByKey(db, namespace_key, -1);
        return false;
      }
    }
    yield* deleteRemoval(db, padKey);
    yield* addToTotals(db, 1, Number(row['cell_count']));
    yield* addTags(db, pad, 'pad', parseTags(textOf(row, 'tags')));
    yield* addTags(db, pad, 'cell', parseTags(textOf(row, 'cell_tags')));
    yield* db.changed(padTopic, scratchId, isThere ? 'update' : 'create', hashOfPad(pad));
    return true;
  }

  function* writeSome(db: Writer, chunk: Chunk, rows: readonly Row[]): Work<number> {
    const { table, columns } = chunk;
    if (table.name === notebookTables.namespaces) return yield* writeNamespaces(db, rows);
    if (table.name !== notebookTables.pads) {
      const keyed = rows.map((row) => ({ ...row, pad_key: newKeyOf(row) ?? null }));
      if (table.name === notebookTables.changes) yield* addToHistoryBytes(db, sumOf(rows, 'kept_bytes'));
      return yield* writeRows(db, table, columns, keyed, 'keep');
    }
    let written = 0;
    for (const row of rows) {
      const key = newKeyOf(row);
      if (key !== undefined && (yield* writePad(db, chunk, row, key))) written += 1;
    }
    return written;
  }

  function* writeCopies(db: Writer, { table, columns }: Chunk, rows: readonly Row[]): Work<number> {
    const copies = rows.flatMap((row) => {
      const pad = parseCopy(row, idOfCopy);
      const key = pad === undefined ? undefined : newKeyOf(pad);
      if (pad === undefined || key === undefined) return [];
      const document = JSON.stringify({ ...pad, pad_key: key });
      return [{ ...row, id: trashId(textOf(pad, 'scratch_id'), key), document }];
    });
    return yield* writeRows(db, table, columns, copies, 'keep');
  }

  return {
    handles: ({ table }) => isNotebookTable(table.name),
    mustBeNew: ({ table: { name } }) => name === notebookTables.pads || !isNotebookTable(name),
    withoutTrashed: (chunk) => withoutTrashedOf(chunk, padTopic),
    inspect,
    validate,
    async begin() {
      for (const some of inSteps([...newKeys.values()], notebookImportLimits.removalsCount)) {
        await storage.write({ ...call(), audit: 'none' }, function* (db) {
          for (const key of some) yield* insertRemoval(db, key);
        });
      }
    },
    async write(chunk) {
      const { name } = chunk.table;
      const rows =
        name === notebookTables.namespaces ? chunk.rows : chunk.rows.filter((row) => newKeyOf(row) !== undefined);
      let written = 0;
      for (const some of inSteps(rows, stepCounts[name] ?? rows.length)) {
        written += await writeLogged(chunk, (db) => writeSome(db, chunk, some));
      }
      return written;
    },
    async finish(chunks) {
      let written = 0;
      for await (const chunk of trashedIn(chunks(), padTopic)) {
        written += await writeLogged(chunk, (db) => writeCopies(db, chunk, chunk.rows));
      }
      return written;
    },
  };
}
