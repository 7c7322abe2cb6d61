import type { Call } from '#kernel/call.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { anyInstruction, instructionTopic } from '../../instruction-ids.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import type { CatalogEntry, CatalogProblem } from '../catalog.ts';
import { lockEntries } from '../catalog-store.ts';
import { changedByOther, type ParsedEntry, parseEntry, parseStoredJson } from '../entry-json.ts';
import type { EntrySource, PreparedChange, SourceDeps, StoredFile } from '../entry-source.ts';
import { type RecordedChange, recordChanges } from '../record-changes.ts';
import { runInSlices } from '../time-slices.ts';
import {
  deleteRow,
  expectIntact,
  findEtag,
  type InstructionRow,
  insertRow,
  isIntact,
  listRowsAfter,
  listRowsOf,
  listSizes,
  updateRow,
} from './table-store.ts';

const { changesPageCount, rowsPageCount } = instructionLimits;

const toPair = (id: string, kept: CatalogEntry | undefined): [string, CatalogEntry][] =>
  kept === undefined ? [] : [[id, kept]];

/** Entries as rows, for stores that several machines share. */
export function createTableSource(deps: SourceDeps): EntrySource {
  const { tenant, storage, sink, closing } = deps;
  /** The newest change that the catalog contains. */
  let seq = 0;
  let turn: Promise<void> = Promise.resolve();

  /** Runs reads one after the other, so that an older read never overwrites a newer one. */
  function oneAtATime(work: () => Promise<void>): Promise<void> {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  }

  function parseRow(row: InstructionRow): ParsedEntry {
    const { id, document, etag, at } = row;
    if (!isIntact(row)) return { problem: 'damaged in the store: run fourfold doctor --deep', mayBeUnfinished: false };
    return parseEntry(Buffer.from(document), { id, modifiedAt: at, canonicalOff: deps.canonicalOff, etag });
  }

  function publish(rows: readonly InstructionRow[], gone: Iterable<string>): void {
    const entries = new Map<string, CatalogEntry | undefined>();
    const problems = new Map<string, CatalogProblem | undefined>();
    for (const row of rows) {
      const { id } = row;
      const { item, problem } = parseRow(row);
      const file = `${id}.json`;
      entries.set(id, item);
      problems.set(file, problem === undefined ? undefined : { file, problem });
    }
    for (const id of gone) {
      entries.set(id, undefined);
      problems.set(`${id}.json`, undefined);
    }
    sink.apply({ entries, problems });
  }

  /** The result of our own commit when the store fails right after it. The next refresh reads the rows again. */
  function publishOwn(changes: readonly PreparedChange[], error: unknown): void {
    deps.log.warn({ reason: String(error) }, 'could not read stored instructions back; the next call reads them');
    const entries = changes.map(({ id, after }) => [id, after ?? undefined] as const);
    sink.apply({ entries: new Map(entries), problems: new Map() });
  }

  async function loadAll(call: Call): Promise<void> {
    const newest = await storage.version(tenant, instructionTopic);
    const left = new Set(sink.ids());
    for (let after = ''; ; ) {
      const page = await storage.read(call, (db) => listRowsAfter(db, after, rowsPageCount));
      let slice: InstructionRow[] = [];
      const endSlice = () => {
        if (slice.length > 0) publish(slice, []);
        slice = [];
      };
      await runInSlices(
        page,
        (row) => {
          left.delete(row.id);
          slice.push(row);
        },
        endSlice,
        closing,
      );
      after = page.at(-1)?.id ?? after;
      if (page.length < rowsPageCount) break;
    }
    if (left.size > 0) publish([], left);
    seq = newest;
  }

  async function applyChanges(call: Call): Promise<void> {
    if ((await storage.version(tenant, instructionTopic)) === seq) return;
    for (;;) {
      const page = await storage.changesSince(tenant, instructionTopic, seq, changesPageCount);
      if (page.some(({ id }) => id === anyInstruction)) {
        await loadAll(call);
        sink.reconcile(sink.ids());
        return;
      }
      const ids = [...new Set(page.map(({ id }) => id))];
      if (ids.length > 0) {
        const rows = await storage.read(call, (db) => listRowsOf(db, ids));
        const found = new Set(rows.map(({ id }) => id));
        publish(
          rows,
          ids.filter((id) => !found.has(id)),
        );
      }
      seq = page.at(-1)?.seq ?? seq;
      if (page.length < changesPageCount) return;
    }
  }

  function* applyChange(db: Writer, { id, before, after }: PreparedChange): Work<string | undefined> {
    let documentBefore: string | undefined;
    let isDone: boolean;
    if (after === null) {
      documentBefore = before === null ? undefined : yield* deleteRow(db, id, before);
      isDone = documentBefore !== undefined;
    } else if (before === null) isDone = (yield* insertRow(db, id, after.text, after.etag)) === 1;
    else isDone = (yield* updateRow(db, id, before, after.text, after.etag)) === 1;
    if (!isDone) throw changedByOther(id);
    return documentBefore;
  }

  return {
    load: (call) => oneAtATime(() => loadAll(call)),
    refresh: (call) => oneAtATime(() => applyChanges(call)),
    sweepsInBackground: false,
    async refreshEntry(call, id) {
      const row = await storage.read(call, (db) => findEtag(db, id));
      if (row?.etag === sink.find(id)?.etag) return;
      await oneAtATime(() => applyChanges(call));
      if (sink.find(id) !== undefined) return;
      const [stored] = await storage.read(call, (db) => listRowsOf(db, [id]));
      if (stored !== undefined) expectIntact(id, stored);
    },
    async storedJson(call, id) {
      const [row] = await storage.read(call, (db) => listRowsOf(db, [id]));
      if (row === undefined) return undefined;
      expectIntact(id, row);
      return parseStoredJson(Buffer.from(row.document));
    },
    async commit(call, changes) {
      await storage.write(call, function* (db) {
        yield* lockEntries(db);
        const recorded: RecordedChange[] = [];
        for (const one of changes) recorded.push({ ...one, documentBefore: yield* applyChange(db, one) });
        yield* recordChanges(db, call, deps, recorded);
      });
      await oneAtATime(() => applyChanges(call).catch((error: unknown) => publishOwn(changes, error)));
    },
    *readCurrent(db, ids) {
      const rows = yield* listRowsOf(db, ids);
      return new Map(rows.flatMap((row) => toPair(row.id, parseRow(row).item)));
    },
    async files(call) {
      const files: StoredFile[] = [];
      for (let after = ''; ; ) {
        const page = await storage.read(call, (db) => listSizes(db, after, rowsPageCount));
        for (const { id, bytes, at } of page) files.push({ file: `${id}.json`, bytes, modifiedAt: at });
        after = page.at(-1)?.id ?? after;
        if (page.length < rowsPageCount) return files;
      }
    },
    async close() {
      await turn;
    },
  };
}
