import type { Reader, Writer } from '../../../storage/port.ts';
import { list, sql } from '../../../storage/sql.ts';

/**
 * `generation` changes with the segments, `seq` with every row; rows up to `merged` are in segments. A negative
 * `merged` means that documents bypassed the index, so it has to be rebuilt.
 */
export interface HeadRow {
  readonly seq: number;
  readonly merged: number;
  readonly generation: number;
}

export interface EntriesRow {
  readonly seq: number;
  readonly entries: string;
}

export interface SegmentRow {
  readonly id: string;
  readonly docs: number;
  readonly bytes: number;
  readonly chunks: number;
  readonly dead: Uint8Array | null;
}

export interface ChunkRow {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

export const findHead = (db: Reader, collection: string) =>
  db.get(sql<HeadRow>`
    select seq, merged, generation from search_heads where tenant = ${db.tenant} and collection = ${collection}`);

/** The row stays locked until the commit: numbers become visible in order, so a reader cannot miss one. */
export const takeSeq = (db: Writer, collection: string) =>
  db.get(sql<{ readonly seq: number }>`
    insert into search_heads (tenant, collection, seq, merged, generation) values (${db.tenant}, ${collection}, 1, 0, 0)
    on conflict (tenant, collection) do update set seq = search_heads.seq + 1
    returning seq`);

export const insertRow = (db: Writer, collection: string, seq: number, entries: string) =>
  db.run(sql`
    insert into search_rows (tenant, collection, seq, entries) values (${db.tenant}, ${collection}, ${seq}, ${entries})`);

export const listRows = (db: Reader, collection: string, after: number, limit: number) =>
  db.all(sql<EntriesRow>`
    select seq, entries from search_rows
    where tenant = ${db.tenant} and collection = ${collection} and seq > ${after} order by seq limit ${limit}`);

export const findOldestRow = (db: Reader, collection: string) =>
  db.get(sql<{ readonly seq: number | null }>`
    select min(seq) as seq from search_rows where tenant = ${db.tenant} and collection = ${collection}`);

export const deleteRows = (db: Writer, collection: string, upTo: number) =>
  db.run(sql`
    delete from search_rows where tenant = ${db.tenant} and collection = ${collection} and seq <= ${upTo}`);

export const listSegments = (db: Reader, collection: string) =>
  db.all(sql<SegmentRow>`
    select id, docs, bytes, chunks, dead from search_segments
    where tenant = ${db.tenant} and collection = ${collection} and state = 'live' order by id`);

export const findChunk = (db: Reader, segment: string, chunk: number) =>
  db.get(sql<ChunkRow>`
    select hash, bytes from search_chunks where tenant = ${db.tenant} and segment = ${segment} and chunk = ${chunk}`);

export const insertBuilding = (db: Writer, collection: string, segment: Omit<SegmentRow, 'dead'>) =>
  db.run(sql`
    insert into search_segments (tenant, collection, id, state, docs, bytes, chunks, dead, at)
    values (${db.tenant}, ${collection}, ${segment.id}, 'building', ${segment.docs}, ${segment.bytes}, ${segment.chunks},
      null, ${db.now})`);

export const insertChunk = (db: Writer, segment: string, chunk: number, hash: string, bytes: Uint8Array) =>
  db.run(sql`
    insert into search_chunks (tenant, segment, chunk, hash, bytes)
    values (${db.tenant}, ${segment}, ${chunk}, ${hash}, ${bytes})`);

/** Returns 0 if another merge came first. */
export const moveHead = (db: Writer, collection: string, generation: number, merged: number) =>
  db.run(sql`
    update search_heads set generation = generation + 1, merged = ${merged}
    where tenant = ${db.tenant} and collection = ${collection} and generation = ${generation}`);

export const insertHead = (db: Writer, collection: string) =>
  db.run(sql`
    insert into search_heads (tenant, collection, seq, merged, generation) values (${db.tenant}, ${collection}, 0, 0, 0)
    on conflict (tenant, collection) do nothing`);

/** The generation changes, so that every process notices and a running merge does not undo it. */
export const markOutdated = (db: Writer, collection: string) =>
  db.run(sql`
    insert into search_heads (tenant, collection, seq, merged, generation) values (${db.tenant}, ${collection}, 0, -1, 1)
    on conflict (tenant, collection) do update set merged = -1, generation = search_heads.generation + 1`);

/** Returns fewer than given if one was swept because its writer seemed dead. */
export const makeLive = (db: Writer, collection: string, ids: readonly string[]) =>
  db.run(sql`
    update search_segments set state = 'live', at = ${db.now}
    where tenant = ${db.tenant} and collection = ${collection} and id in ${list(ids)} and state = 'building'`);

export const makeDropped = (db: Writer, collection: string, ids: readonly string[]) =>
  db.run(sql`
    update search_segments set state = 'dropped', dead = null, at = ${db.now}
    where tenant = ${db.tenant} and collection = ${collection} and id in ${list(ids)}`);

export const saveDead = (db: Writer, collection: string, id: string, dead: Uint8Array) =>
  db.run(sql`
    update search_segments set dead = ${dead}
    where tenant = ${db.tenant} and collection = ${collection} and id = ${id}`);

export const listSweepable = (db: Reader, collection: string, droppedBefore: number, builtBefore: number) =>
  db.all(sql<{ readonly id: string; readonly chunks: number }>`
    select id, chunks from search_segments
    where tenant = ${db.tenant} and collection = ${collection}
      and ((state = 'dropped' and at <= ${droppedBefore}) or (state = 'building' and at <= ${builtBefore}))
    order by id`);

export const deleteChunk = (db: Writer, segment: string, chunk: number) =>
  db.run(sql`
    delete from search_chunks where tenant = ${db.tenant} and segment = ${segment} and chunk = ${chunk}`);

export const deleteSegment = (db: Writer, collection: string, id: string) =>
  db.run(sql`
    delete from search_segments where tenant = ${db.tenant} and collection = ${collection} and id = ${id}
      and state <> 'live'`);
