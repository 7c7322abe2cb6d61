import type { Reader, Writer } from '../../../storage/port.ts';
import { list, sql } from '../../../storage/sql.ts';

/** `seq` changes with every change of vectors; deletion records up to `swept` are gone. */
export interface HeadRow {
  readonly seq: number;
  readonly swept: number;
}

export interface StoredRow {
  readonly id: string;
  readonly seq: number;
  readonly model: string;
  readonly facets: string;
  readonly dimension: number;
  readonly parts: number;
  readonly bytes: Uint8Array;
}

export interface TokenRow {
  readonly id: string;
  readonly signs: Uint8Array;
}

export interface GoneRow {
  readonly id: string;
  readonly seq: number;
}

export const findHead = (db: Reader, collection: string) =>
  db.get(sql<HeadRow>`
    select seq, swept from meaning_heads where tenant = ${db.tenant} and collection = ${collection}`);

/** The row stays locked until the commit: numbers become visible in order, so a reader cannot miss one. */
export const takeSeq = (db: Writer, collection: string) =>
  db.get(sql<{ readonly seq: number }>`
    insert into meaning_heads (tenant, collection, seq, swept, model) values (${db.tenant}, ${collection}, 1, 0, '')
    on conflict (tenant, collection) do update set seq = meaning_heads.seq + 1
    returning seq`);

export const saveVectors = (db: Writer, collection: string, row: StoredRow & { readonly textHash: string }) =>
  db.run(sql`
    insert into meaning_vectors (tenant, collection, id, seq, model, text_hash, facets, dimension, parts, bytes)
    values (${db.tenant}, ${collection}, ${row.id}, ${row.seq}, ${row.model}, ${row.textHash}, ${row.facets},
      ${row.dimension}, ${row.parts}, ${row.bytes})
    on conflict (tenant, collection, id) do update set seq = excluded.seq, model = excluded.model,
      text_hash = excluded.text_hash, facets = excluded.facets, dimension = excluded.dimension, parts = excluded.parts,
      bytes = excluded.bytes`);

export const saveFacets = (db: Writer, collection: string, id: string, seq: number, facets: string) =>
  db.run(sql`
    update meaning_vectors set facets = ${facets}, seq = ${seq}
    where tenant = ${db.tenant} and collection = ${collection} and id = ${id}`);

export const noteGone = (db: Writer, collection: string, ids: readonly string[], seq: number) =>
  db.run(sql`
    insert into meaning_gone (tenant, collection, id, seq)
    select tenant, collection, id, ${seq} from meaning_vectors
    where tenant = ${db.tenant} and collection = ${collection} and id in ${list(ids)}
    on conflict (tenant, collection, id) do update set seq = excluded.seq`);

export const deleteVectors = (db: Writer, collection: string, ids: readonly string[]) =>
  db.run(sql`
    delete from meaning_vectors where tenant = ${db.tenant} and collection = ${collection} and id in ${list(ids)}`);

export const saveTokens = (db: Writer, collection: string, row: TokenRow & { readonly model: string }) =>
  db.run(sql`
    insert into meaning_tokens (tenant, collection, id, model, signs)
    values (${db.tenant}, ${collection}, ${row.id}, ${row.model}, ${row.signs})
    on conflict (tenant, collection, id) do update set model = excluded.model, signs = excluded.signs`);

export const deleteTokens = (db: Writer, collection: string, ids: readonly string[]) =>
  db.run(sql`
    delete from meaning_tokens where tenant = ${db.tenant} and collection = ${collection} and id in ${list(ids)}`);

export const listTokens = (db: Reader, collection: string, model: string, ids: readonly string[]) =>
  db.all(sql<TokenRow>`
    select id, signs from meaning_tokens
    where tenant = ${db.tenant} and collection = ${collection} and id in ${list(ids)} and model = ${model}`);

export const listVectors = (db: Reader, collection: string, after: GoneRow, limit: number) =>
  db.all(sql<StoredRow>`
    select id, seq, model, facets, dimension, parts, bytes from meaning_vectors
    where tenant = ${db.tenant} and collection = ${collection} and (seq, id) > (${after.seq}, ${after.id})
    order by seq, id limit ${limit}`);

export const listGone = (db: Reader, collection: string, after: GoneRow, limit: number) =>
  db.all(sql<GoneRow>`
    select id, seq from meaning_gone
    where tenant = ${db.tenant} and collection = ${collection} and (seq, id) > (${after.seq}, ${after.id})
    order by seq, id limit ${limit}`);

export const countGone = (db: Reader, collection: string) =>
  db.get(sql<{ readonly n: number }>`
    select count(*) as n from meaning_gone where tenant = ${db.tenant} and collection = ${collection}`);

export const findGoneAt = (db: Reader, collection: string, place: number) =>
  db.get(sql<{ readonly seq: number }>`
    select seq from meaning_gone where tenant = ${db.tenant} and collection = ${collection}
    order by seq limit 1 offset ${place}`);

export const deleteGone = (db: Writer, collection: string, upTo: number) =>
  db.run(sql`
    delete from meaning_gone where tenant = ${db.tenant} and collection = ${collection} and seq <= ${upTo}`);

export const moveSwept = (db: Writer, collection: string, upTo: number) =>
  db.run(sql`
    update meaning_heads set swept = ${upTo} where tenant = ${db.tenant} and collection = ${collection}`);
