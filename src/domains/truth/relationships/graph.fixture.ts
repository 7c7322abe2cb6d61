import { createCursors } from '#kernel/cursor/cursor.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Storage, Work } from '#kernel/storage/port.ts';
import type { Sql } from '#kernel/storage/sql.ts';
import { chunksOf } from '../chunks.ts';
import { createEntities } from '../entities/entities.ts';
import { createMerges } from '../merges/merges.ts';
import { entityIdOf } from '../observations/entity-name.ts';
import type { ObservationDraft, ObservationSource } from '../observations/observation.ts';
import { writeObservations } from '../observations/write-observations.ts';
import { createTruthFixture, type TruthEngine } from '../truth.fixture.ts';
import { entityTools, mergeTools, relationshipTools } from '../truth-toolset.ts';
import { relationshipIdOf } from './relationship-id.ts';
import type { Edge } from './relationship-model.ts';
import { insertEdges } from './relationship-store.ts';
import { createRelationships } from './relationships.ts';
import { fromCall, toStatementRow } from './state-edge.ts';
import { showPeriods } from './statements/periods.ts';
import { insertStatements } from './statements/statement-store.ts';

export interface EntityStatement {
  readonly type?: string;
  /** Days since 1 January 2025. */
  readonly day?: number;
  readonly stated?: Readonly<Record<string, Json>>;
  readonly ended?: readonly string[];
  /** Replaces parts of the source. */
  readonly source?: Partial<ObservationSource>;
}

const beginning = Date.UTC(2025, 0, 1);

/** Entities, edges and merges of a new tenant, called through their tools. */
export function createGraphFixture(
  engine: Pick<TruthEngine, 'base' | 'newTenant'>,
  tenant = engine.newTenant(),
  storage?: Storage,
) {
  const base = engine.base(storage);
  const truth = createTruthFixture(
    base,
    {
      entities: createEntities(base),
      relationships: createRelationships(base),
      merges: createMerges({ ...base, cursors: createCursors(Buffer.from('the cursors of a test')) }),
    },
    [...entityTools, ...relationshipTools, ...mergeTools],
  );
  const mine = truth.as(tenant);
  let count = 0;

  /** Adds an observation of each entity from one source, creating new entities. */
  async function stateAll(names: readonly string[], statement: EntityStatement = {}) {
    const { type = 'company', day = 0, stated = {}, ended = [], source: given = {} } = statement;
    count += 1;
    const key = `source-${count}`;
    const drafts = names.map(
      (name): ObservationDraft => ({
        ...{ entityType: type, entityId: entityIdOf(type, name), displayName: name, name },
        ...{ identityRule: 'name', role: name, stated: { name, ...stated }, ended },
      }),
    );
    const source: ObservationSource = {
      ...{ kind: 'payload', id: key, key, submissionId: key, origin: key },
      ...{ observedAt: beginning + day * 86_400_000, period: { effectiveUntil: null }, priority: 100 },
      ...given,
    };
    for (const some of chunksOf(drafts, 200)) await mine.read((db) => writeObservations(db, base, source, some));
    return drafts.map(({ entityId }) => entityId);
  }

  /** Inserts edges directly: a thousand tool calls would take long. */
  async function relateAll(type: string, source: string, targets: readonly string[]): Promise<void> {
    for (const some of chunksOf(targets, 250)) {
      await mine.read(function* (db) {
        const open = { effective_at: db.now, effective_until: null, at_chars: 0, until_chars: 0, metadata: null };
        const firsts = some.map((target) => {
          const id = relationshipIdOf(type, source, target);
          return { target, first: toStatementRow(db, id, 'state', open, 0, { source: fromCall, actor: 'test' }) };
        });
        yield* insertStatements(
          db,
          firsts.map(({ first }) => first),
        );
        yield* insertEdges(
          db,
          firsts.map(({ target, first }) => ({
            relationship_id: first.relationship_id,
            relationship_type: type,
            ...{ source_entity_id: source, target_entity_id: target, source_root_id: source, target_root_id: target },
            created_at: db.now,
            ...showPeriods([first], false, db.now),
          })),
        );
      });
    }
  }

  return {
    ...truth,
    ...mine,
    stateAll,
    relateAll,
    state: async (name: string, statement?: EntityStatement) => (await stateAll([name], statement))[0]!,
    relate: (
      relationship_type: string,
      source_entity_id: string,
      target_entity_id: string,
      metadata?: object,
      more: object = {},
    ) =>
      mine.ask('create_relationship', {
        ...{ relationship_type, source_entity_id, target_entity_id, ...more },
        ...(metadata === undefined ? {} : { metadata }),
      }),
    async edgesOf(entity_id: string, more: object = {}): Promise<readonly Edge[]> {
      return (await mine.ask('list_relationships', { entity_id, ...more }))['relationships'] as readonly Edge[];
    },
    merge: (source_entity_id: string, target_entity_id: string, dry_run = false) =>
      mine.ask('merge_entities', { source_entity_id, target_entity_id, dry_run }),
    unmerge: (source_entity_id: string, target_entity_id: string, dry_run = false) =>
      mine.ask('unmerge_entities', { source_entity_id, target_entity_id, dry_run }),
  };
}

function* counted<T>(work: Work<T>, count: () => void): Work<T> {
  let answer: unknown;
  for (;;) {
    const step = work.next(answer);
    if (step.done === true) return step.value;
    count();
    answer = yield step.value;
  }
}

/** Counts the statements of reads. */
export function countReads(storage: Storage) {
  let statements = 0;
  const read: Storage['read'] = (call, work) =>
    storage.read(call, (db) =>
      counted(work(db)[Symbol.iterator](), () => {
        statements += 1;
      }),
    );
  return { storage: { ...storage, read } satisfies Storage, statements: () => statements };
}

export function queryOf(make: (db: Reader) => unknown, tenant: Reader['tenant']): Sql {
  const queries: Sql[] = [];
  const keep = (answer: unknown) => (query: Sql) => {
    queries.push(query);
    return {
      // biome-ignore lint/correctness/useYield: it answers without asking the store.
      *[Symbol.iterator]() {
        return answer;
      },
    } as never;
  };
  // A statement that checks its rows runs only when it is yielded.
  const made = make({ tenant, now: 0, get: keep(undefined), all: keep([]), run: keep(0) } as Reader);
  for (const _step of made as Iterable<unknown>) throw new Error('bug: nothing is yielded here');
  return queries[0]!;
}
