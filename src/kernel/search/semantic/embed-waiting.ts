import type { Call } from '../../call.ts';
import { type DocumentEmbedding, type Embedder, TextRejectedError } from '../../embed/embedder.ts';
import { signBytes } from '../../embed/token-signs.ts';
import { sha256Hex } from '../../hash/hash.ts';
import type { Log } from '../../log/log.ts';
import type { Storage } from '../../storage/port.ts';
import type { Collection } from '../collection.ts';
import { searchLimits } from '../search-limits.ts';
import type { VectorIndex, VectorRow } from '../vectors.ts';
import type { SemanticSource, SemanticText } from './semantic-search.ts';
import {
  deleteWaiting,
  type KnownRow,
  listGoneWaiting,
  listKnown,
  listWaiting,
  listWaitingOf,
  type WaitingRow,
} from './semantic-store.ts';
import { toParts } from './split-text.ts';
import { encodeFacets } from './vectors/facet-match.ts';
import { takeSeq } from './vectors/vector-store.ts';

export interface EmbedWaitingDeps {
  readonly storage: Storage;
  readonly vectors: VectorIndex;
  readonly log: Log;
  readonly embedder: Embedder;
  readonly collection: Collection;
  readonly source: SemanticSource;
  readonly signal: AbortSignal;
  toCall(): Call;
}

interface Plan {
  /** Without text, or without a word in it. */
  readonly gone: readonly string[];
  readonly moved: readonly { readonly id: string; readonly facets: SemanticText['facets'] }[];
  readonly changed: readonly { readonly id: string; readonly textHash: string; readonly from: SemanticText }[];
}

const textsOf = ({ text, others = [] }: SemanticText): readonly string[] => [text, ...others];

const partsOf = (from: SemanticText, partChars: number): readonly string[] =>
  textsOf(from)
    .flatMap((text) => toParts(text, partChars))
    .slice(0, searchLimits.partsCount);

const idsOf = (row: WaitingRow): readonly string[] => JSON.parse(row.ids) as readonly string[];

function planDocuments(
  { id: model, partChars }: Pick<Embedder, 'id' | 'partChars'>,
  ids: readonly string[],
  texts: ReadonlyMap<string, SemanticText>,
  known: readonly KnownRow[],
): Plan {
  const stored = new Map(known.map((row) => [row.id, row]));
  const gone: string[] = [];
  const moved: Plan['moved'][number][] = [];
  const changed: Plan['changed'][number][] = [];
  for (const id of ids) {
    const from = texts.get(id);
    const row = stored.get(id);
    if (from === undefined || partsOf(from, partChars).length === 0) {
      if (row !== undefined) gone.push(id);
      continue;
    }
    const textHash = sha256Hex(textsOf(from).join('\0'));
    if (row?.model !== model || row.text_hash !== textHash) changed.push({ id, textHash, from });
    else if (row.facets !== encodeFacets(from.facets)) moved.push({ id, facets: from.facets });
  }
  return { gone, moved, changed };
}

/** Embeds the documents of a few pending rows, the most urgent first. Returns how many; 0 if none was pending. */
export async function embedWaiting(deps: EmbedWaitingDeps): Promise<number> {
  const { storage, collection, toCall } = deps;
  const waiting = await storage.read(toCall(), (db) => listWaiting(db, collection.name, searchLimits.waitingRowsCount));
  if (waiting.length === 0) return 0;
  const rows: WaitingRow[] = [];
  const ids = new Set<string>();
  for (const row of waiting) {
    if (ids.size >= searchLimits.documentsCount) break;
    rows.push(row);
    for (const id of idsOf(row)) ids.add(id);
  }
  const tickets = rows.map(({ ticket }) => ticket);
  const all = [...ids];
  for (let from = 0; from < all.length; from += searchLimits.documentsCount) {
    await embedDocuments(deps, all.slice(from, from + searchLimits.documentsCount), tickets);
  }
  await storage.write(toCall(), function* (db) {
    yield* deleteWaiting(db, collection.name, tickets);
  });
  return all.length;
}

async function embedDocuments(deps: EmbedWaitingDeps, ids: readonly string[], tickets: readonly string[]) {
  const { storage, vectors, collection, source, embedder, toCall } = deps;
  const texts = await source.texts(toCall(), ids);
  const known = await storage.read(toCall(), (db) => listKnown(db, collection.name, ids));
  const plan = planDocuments(embedder, ids, texts, known);
  const { rows, refused } = await embedTexts(deps, plan.changed);
  if (rows.length + refused.length + plan.gone.length + plan.moved.length === 0) return;
  await storage.write(toCall(), function* (db) {
    // Deletes in this collection now wait for this transaction; those since our read have left a row.
    yield* takeSeq(db, collection.name);
    const notes = yield* listGoneWaiting(db, collection.name);
    const isGone = new Set(notes.filter(({ ticket }) => !tickets.includes(ticket)).flatMap(idsOf));
    // That row may be purged already, but what is forgotten for good has also left our own rows.
    const isWanted = new Set((yield* listWaitingOf(db, collection.name, tickets)).flatMap(idsOf));
    yield* vectors.put(
      db,
      collection,
      rows.filter(({ id }) => isWanted.has(id) && !isGone.has(id)),
    );
    yield* vectors.remove(db, collection, [...plan.gone, ...refused]);
    for (const { id, facets } of plan.moved) yield* vectors.setFacets(db, collection, id, facets);
  });
}

type EmbeddedPart = Pick<DocumentEmbedding, 'vector'> & Partial<DocumentEmbedding>;

/** Of the first tokens of all parts; undefined if the model gives none. */
function joinSigns(parts: readonly EmbeddedPart[]): Uint8Array | undefined {
  const signs = parts.flatMap(({ tokenSigns }) => (tokenSigns === undefined ? [] : [tokenSigns]));
  if (signs.length === 0) return undefined;
  const bytes = searchLimits.tokensCount * signBytes(parts[0]!.vector.length);
  return new Uint8Array(Buffer.concat(signs).subarray(0, bytes));
}

/** Embeds the documents part by part, in batches across documents. A document with a rejected part gets no vector. */
async function embedTexts(deps: EmbedWaitingDeps, documents: Plan['changed']) {
  const { embedder } = deps;
  const parts = documents.flatMap(({ from }, document) =>
    partsOf(from, embedder.partChars).map((text) => ({ document, text })),
  );
  const embeddings = documents.map((): EmbeddedPart[] => []);
  const refused = new Set<number>();
  for (let from = 0; from < parts.length; from += embedder.batchCount) {
    const batch = parts.slice(from, from + embedder.batchCount);
    const embedded = await embedBatch(
      deps,
      batch.map(({ text }) => text),
    );
    batch.forEach(({ document }, i) => {
      const embedding = embedded[i];
      if (embedding === undefined) refused.add(document);
      else embeddings[document]!.push(embedding);
    });
  }
  const rows = documents.flatMap(({ id, textHash, from }, document): readonly VectorRow[] => {
    if (refused.has(document)) return [];
    const own = embeddings[document]!;
    const tokenSigns = joinSigns(own);
    const row = { id, model: embedder.id, textHash, vectors: own.map(({ vector }) => vector) };
    const { facets } = from;
    return [{ ...row, ...(tokenSigns && { tokenSigns }), ...(facets && { facets }) }];
  });
  return { rows, refused: documents.filter((_, document) => refused.has(document)).map(({ id }) => id) };
}

/** Undefined for each text that the embedder rejects. */
async function embedBatch(
  deps: EmbedWaitingDeps,
  texts: readonly string[],
): Promise<readonly (EmbeddedPart | undefined)[]> {
  const { embedder, source, signal, collection, log } = deps;
  signal.throwIfAborted();
  try {
    if (source.keepsTokens === true && embedder.tokens !== undefined)
      return await embedder.tokens.embedDocuments(texts, signal);
    return (await embedder.embed(texts, { signal, purpose: 'document' })).map((vector) => ({ vector }));
  } catch (error) {
    if (!(error instanceof TextRejectedError)) throw error;
    if (texts.length === 1) {
      log.warn(
        { collection: collection.name, reason: error.message },
        'the embedder rejected a text; it is found by keyword search only',
      );
      return [undefined];
    }
  }
  // One of them is the cause: embed each alone, so that the others get their vectors.
  const embedded: (EmbeddedPart | undefined)[] = [];
  for (const text of texts) embedded.push(...(await embedBatch(deps, [text])));
  return embedded;
}
