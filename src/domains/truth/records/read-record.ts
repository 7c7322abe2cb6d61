import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Storage, Work } from '#kernel/storage/port.ts';
import { type Answer, showTimes, statementTimes } from '../entities/entity-model.ts';
import { findObservations } from '../entities/observed-store.ts';
import { textSpan } from '../entities/provenance/provenance-model.ts';
import { findInText } from '../entities/provenance/source-text.ts';
import { parseFields } from '../entities/reduce-rows.ts';
import { truthPageLimits } from '../page-limits.ts';
import { findEntitySummaries, listObservationsBySource } from '../relationships/graph/graph-store.ts';
import { truthFaults } from '../truth-faults.ts';
import { recordView, toRecordView } from './record.ts';
import { findRecord } from './record-store.ts';

const extracted = z.object({
  observation_id: z.string(),
  entity_id: z.string(),
  entity_type: z.string(),
  canonical_name: z.string(),
  role: z.string(),
  ...statementTimes,
  fields: z.array(
    z.object({
      field: z.string(),
      value: z.unknown(),
      source_text: z.object(textSpan).optional().describe('Where the value is in `properties.text`'),
    }),
  ),
});

export const recordWithStatements = recordView.extend({
  extracted: z.array(extracted).describe('What the record states about entities'),
  truncated: z.literal(true).optional().describe('It states more'),
});
export type RecordWithStatements = Answer<typeof recordWithStatements>;

function showFields(properties: string, fields: Readonly<Record<string, Json | undefined>>) {
  return Object.entries(fields).map(([field, value]) => {
    const found = value === undefined ? undefined : findInText(properties, value);
    return { field, value, ...(found !== undefined && { source_text: found }) };
  });
}

function* readRecord(db: Reader, id: string): Work<RecordWithStatements> {
  const row = yield* findRecord(db, id);
  if (row === undefined) throw truthFaults.RECORD_NOT_FOUND({});
  const { recordStatementsCount } = truthPageLimits;
  const heads = yield* listObservationsBySource(db, id, recordStatementsCount + 1);
  const shown = heads.slice(0, recordStatementsCount);
  const idsOf = (name: 'entity_id' | 'observation_id') => [...new Set(shown.map((head) => head[name]))];
  const observedAts = [...new Set(shown.map(({ observed_at }) => observed_at))];
  const found =
    shown.length === 0 ? [] : yield* findObservations(db, idsOf('entity_id'), observedAts, idsOf('observation_id'));
  const summaries = found.length === 0 ? [] : yield* findEntitySummaries(db, idsOf('entity_id'));
  const names = new Map(summaries.map(({ entity_id, canonical_name }) => [entity_id, canonical_name]));
  return {
    ...toRecordView(row),
    extracted: found
      .toSorted((a, b) => (a.role < b.role ? -1 : a.role > b.role ? 1 : a.observation_id < b.observation_id ? -1 : 1))
      .map((one) => ({
        observation_id: one.observation_id,
        entity_id: one.entity_id,
        entity_type: one.entity_type,
        canonical_name: names.get(one.entity_id) ?? '',
        role: one.role,
        ...showTimes(one),
        fields: showFields(row.properties, parseFields(one.fields)),
      })),
    ...(heads.length > shown.length && { truncated: true }),
  };
}

/** A record with what was extracted from it, and where in its text. */
export const createRecordReader =
  ({ storage }: { readonly storage: Storage }) =>
  ({ id }: { readonly id: string }, call: Call): Promise<RecordWithStatements> =>
    storage.read(call, (db) => readRecord(db, id));
