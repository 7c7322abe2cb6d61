import type { Call } from '#kernel/call.ts';
import type { Reader, Storage, Work } from '#kernel/storage/port.ts';
import { entitiesTotal, observationsTotal, payloadsTotal } from '../observations/totals.ts';
import {
  type CountedRow,
  countEntities,
  countMerged,
  countObservations,
  countPayloads,
  listTotals,
} from './exchange-store.ts';

export interface WrongTotal {
  readonly kind: string;
  readonly key: string;
  readonly count: number;
}

export const nameOf = ({ kind, key }: WrongTotal): string => (key === '' ? kind : `${kind} ${key}`);

/** Stored totals that differ from the counted ones. */
export function* compareTotals(db: Reader, kind: string, counted: readonly CountedRow[]): Work<readonly WrongTotal[]> {
  const right = new Map(counted.map(({ key, count }) => [key, count]));
  const kept = new Map((yield* listTotals(db, kind)).map(({ key, count }) => [key, count]));
  return [...new Set([...right.keys(), ...kept.keys()])]
    .map((key) => ({ kind, key, count: right.get(key) ?? 0 }))
    .filter(({ key, count }) => (kept.get(key) ?? 0) !== count);
}

function* countRootsByIndex(db: Reader): Work<readonly CountedRow[]> {
  const merged = new Map((yield* countMerged(db)).map(({ key, count }) => [key, count]));
  return (yield* countEntities(db)).map(({ key, count }) => ({ key, count: count - (merged.get(key) ?? 0) }));
}

/** Cheap enough for `doctor`: a few counts over indexes. */
export const findWrongTotals = (storage: Pick<Storage, 'read'>, call: Call): Promise<readonly string[]> =>
  storage.read(call, function* (db) {
    const wrong = [
      ...(yield* compareTotals(db, entitiesTotal, yield* countRootsByIndex(db))),
      ...(yield* compareTotals(db, observationsTotal, yield* countObservations(db))),
      ...(yield* compareTotals(db, payloadsTotal, yield* countPayloads(db))),
    ];
    return wrong.map(nameOf);
  });
