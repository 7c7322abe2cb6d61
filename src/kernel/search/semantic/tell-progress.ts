import type { Log } from '../../log/log.ts';
import { searchLimits } from '../search-limits.ts';
import type { Place } from './rounds.ts';

/** Says in the log how far one is while all documents of a place are embedded; of single writes nothing is said. */
export interface ProgressTeller {
  isTelling(key: string): boolean;
  begin(key: string, place: Place, embedder: string, pendingCount: number): void;
  did(key: string, documentsCount: number): void;
  end(key: string): void;
}

interface Told {
  readonly fields: { readonly collection: string; readonly embedder: string };
  readonly pendingCount: number;
  readonly startedAt: number;
  doneCount: number;
  saidCount: number;
}

export function createProgressTeller(log: Log): ProgressTeller {
  const places = new Map<string, Told>();
  return {
    isTelling: (key) => places.has(key),
    begin(key, { collection }, embedder, pendingCount) {
      if (pendingCount === 0) return;
      const fields = { collection: collection.name, embedder };
      places.set(key, { fields, pendingCount, startedAt: performance.now(), doneCount: 0, saidCount: 0 });
      log.info({ ...fields, pending: pendingCount }, 'all documents are embedded; meanwhile words find them');
    },
    did(key, documentsCount) {
      const told = places.get(key);
      if (told === undefined) return;
      told.doneCount += documentsCount;
      if (told.doneCount - told.saidCount < searchLimits.saidEveryCount) return;
      told.saidCount = told.doneCount;
      // What is written meanwhile goes first and is counted too.
      const pending = Math.max(0, told.pendingCount - told.doneCount);
      log.info({ ...told.fields, embedded: told.doneCount, pending }, 'documents are being embedded');
    },
    end(key) {
      const told = places.get(key);
      if (told === undefined) return;
      places.delete(key);
      const seconds = Math.round((performance.now() - told.startedAt) / 1_000);
      log.info({ ...told.fields, embedded: told.doneCount, seconds }, 'all documents are embedded now');
    },
  };
}
