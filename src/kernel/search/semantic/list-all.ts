import type { Call } from '../../call.ts';
import type { Ids } from '../../ids/ids.ts';
import type { Storage } from '../../storage/port.ts';
import type { Collection } from '../collection.ts';
import { searchLimits } from '../search-limits.ts';
import type { MeaningSource } from './meaning.ts';
import { deleteListed, findState, insertWaiting, moveListed, saveState, urgencies } from './semantic-store.ts';

export interface ListAllDeps {
  readonly storage: Storage;
  readonly ids: Ids;
  readonly model: string;
  readonly collection: Collection;
  readonly source: MeaningSource;
  readonly signal: AbortSignal;
  toCall(): Call;
}

/** Puts every document on the waiting list when the collection has vectors of another model. Goes on where it was stopped. */
export async function listAll(deps: ListAllDeps): Promise<void> {
  const { storage, model, source, signal, toCall } = deps;
  const collection = deps.collection.name;
  let after = await storage.write(toCall(), function* (db) {
    const state = yield* findState(db, collection);
    if (state?.model === model) return state.listed_up_to;
    yield* deleteListed(db, collection);
    yield* saveState(db, collection, { model, listed_up_to: '' });
    return '';
  });
  while (after !== null) {
    signal.throwIfAborted();
    const ids = await source.ids(toCall(), after === '' ? undefined : after, searchLimits.listedCount);
    const next = ids.length < searchLimits.listedCount ? null : ids.at(-1)!;
    const rows: (readonly string[])[] = [];
    for (let from = 0; from < ids.length; from += searchLimits.documentsCount) {
      rows.push(ids.slice(from, from + searchLimits.documentsCount));
    }
    const isMoved = await storage.write(toCall(), function* (db) {
      // Another process without an embedder, or with another one, has marked the collection: the next look begins anew.
      if ((yield* moveListed(db, collection, model, next)) === 0) return false;
      for (const row of rows) {
        yield* insertWaiting(db, collection, { urgency: urgencies.listed, ticket: deps.ids.uuid(), ids: row });
      }
      return true;
    });
    if (!isMoved) return;
    after = next;
  }
}
