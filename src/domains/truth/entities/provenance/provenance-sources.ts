import { findCreators } from '#kernel/audit/item-changes.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { newestTrash } from '#kernel/storage/trash.ts';
import { parseFileAddress, toFileUrl } from '../../files/file-address.ts';
import { findFileNames } from '../../files/file-store.ts';
import { toIso } from '../../iso-time.ts';
import { findPayloads, findPayloadsByContent, type PayloadRow } from '../../payloads/payload-store.ts';
import { parseTrashedRecord } from '../../records/record.ts';
import { findRecordHeads, type RecordHead } from '../../records/record-store.ts';
import { truthLimits } from '../../truth-limits.ts';
import { recordTopic } from '../../truth-vocabulary.ts';
import { findCorrections } from '../observed-store.ts';
import type { SourceRecord, SourceRef } from './provenance-model.ts';

const parseTexts = (json: string): readonly string[] => JSON.parse(json) as readonly string[];

export interface SourceWithRefs {
  readonly record: SourceRecord;
  readonly refs: readonly string[];
  /** Of a correction or a record. */
  readonly actor?: string;
}

const payloadSource = (row: PayloadRow): SourceWithRefs => ({
  record: {
    id: row.payload_id,
    type: row.primary_type,
    file_urls: parseTexts(row.file_urls),
    created_at: toIso(row.created_at),
  },
  refs: parseTexts(row.source_refs),
});

const recordSource = (row: RecordHead): SourceWithRefs => ({
  record: {
    id: row.record_id,
    type: row.type,
    file_urls: parseTexts(row.file_urls),
    created_at: toIso(row.created_at),
  },
  refs: [],
});

/** Observations outlive their deleted record, so it is shown from the trash while it is there. */
function* findDeletedRecord(db: Reader, recordId: string): Work<SourceWithRefs | undefined> {
  const item = yield* newestTrash(db, recordTopic, recordId);
  if (item === undefined) return undefined;
  const { record, refs } = recordSource(parseTrashedRecord(recordId, item.document));
  return { record: { ...record, deleted: true }, refs };
}

function* findRecordSources(db: Reader, recordIds: readonly string[]): Work<Map<string, SourceWithRefs>> {
  const rows = recordIds.length === 0 ? [] : yield* findRecordHeads(db, recordIds);
  const found = new Map(rows.map((row) => [row.record_id, recordSource(row)]));
  for (const id of recordIds) {
    if (found.has(id)) continue;
    const deleted = yield* findDeletedRecord(db, id);
    if (deleted !== undefined) found.set(id, deleted);
  }
  if (found.size === 0) return found;
  const items = [...found.keys()].map((id) => ({ topic: recordTopic, id }));
  for (const { id, actor } of yield* findCreators(db, items)) found.set(id, { ...found.get(id)!, actor });
  return found;
}

interface SourceOf {
  readonly source_kind: 'payload' | 'record' | 'correction';
  readonly source_id: string;
}

const idsOfKind = (of: readonly SourceOf[], kind: SourceOf['source_kind']): readonly string[] => [
  ...new Set(of.filter(({ source_kind }) => source_kind === kind).map(({ source_id }) => source_id)),
];

/** Adds the name of the first file of each source. */
function* nameFiles(
  db: Reader,
  sources: ReadonlyMap<string, SourceWithRefs>,
): Work<ReadonlyMap<string, SourceWithRefs>> {
  const addressOf = ({ record }: SourceWithRefs) => parseFileAddress(record.file_urls[0] ?? '');
  const addresses = [...sources.values()].flatMap((source) => addressOf(source) ?? []);
  if (addresses.length === 0) return sources;
  const names = new Map((yield* findFileNames(db, addresses)).map((row) => [toFileUrl(row), row.file_name]));
  return new Map(
    [...sources].map(([id, source]) => {
      const address = addressOf(source);
      const name = address === undefined ? undefined : names.get(toFileUrl(address));
      return [id, name === undefined ? source : { ...source, record: { ...source.record, file_name: name } }];
    }),
  );
}

/** By source id. Purged records are missing. */
export function* findSources(db: Reader, of: readonly SourceOf[]): Work<ReadonlyMap<string, SourceWithRefs>> {
  const found = yield* findRecordSources(db, idsOfKind(of, 'record'));
  const payloads = idsOfKind(of, 'payload');
  if (payloads.length > 0) {
    for (const row of yield* findPayloads(db, payloads)) found.set(row.payload_id, payloadSource(row));
  }
  const corrections = idsOfKind(of, 'correction');
  if (corrections.length > 0) {
    for (const { correction_id, reason, actor, created_at } of yield* findCorrections(db, corrections)) {
      const details = reason === null ? {} : { reason };
      const record = {
        id: correction_id,
        type: 'correction',
        file_urls: [],
        created_at: toIso(created_at),
        ...details,
      };
      found.set(correction_id, { record, refs: [], ...(actor === '' ? {} : { actor }) });
    }
  }
  return yield* nameFiles(db, found);
}

const filePrefix = 'fourfold://';

/** References may be payload ids, content ids or record ids. */
function* findRefs(db: Reader, refs: readonly string[]): Work<ReadonlyMap<string, SourceWithRefs>> {
  const found = new Map<string, SourceWithRefs>();
  for (const row of yield* findPayloads(db, refs)) found.set(row.payload_id, payloadSource(row));
  for (const row of yield* findPayloadsByContent(db, refs)) found.set(row.content_id, payloadSource(row));
  const rest = refs.filter((ref) => !found.has(ref) && !ref.startsWith(filePrefix));
  for (const [id, source] of yield* findRecordSources(db, rest)) found.set(id, source);
  return found;
}

function toRef(ref: string, source: SourceWithRefs | undefined): SourceRef {
  if (source !== undefined) return { ref, ...source.record };
  return ref.startsWith(filePrefix) ? { ref, type: 'file', file_urls: [ref] } : { ref, type: 'unknown', file_urls: [] };
}

/** Follows references breadth first, each once. */
export function* followRefs(db: Reader, sources: readonly SourceWithRefs[]): Work<readonly SourceRef[]> {
  const seen = new Set(sources.map(({ record }) => record.id));
  const shown: SourceRef[] = [];
  let wave = sources.flatMap(({ refs }) => refs);
  for (let depth = 0; depth < truthLimits.sourceRefsDepth; depth += 1) {
    const fresh = [...new Set(wave)].filter((ref) => !seen.has(ref));
    const refs = fresh.slice(0, truthLimits.entitySourceRefsCount - shown.length);
    if (refs.length === 0) return shown;
    const found = yield* findRefs(db, refs);
    for (const ref of refs) {
      seen.add(ref);
      const source = found.get(ref);
      // A payload can be referenced by either of its ids.
      if (source !== undefined && source.record.id !== ref && seen.has(source.record.id)) continue;
      if (source !== undefined) seen.add(source.record.id);
      shown.push(toRef(ref, source));
    }
    wave = refs.flatMap((ref) => found.get(ref)?.refs ?? []);
  }
  return shown;
}
