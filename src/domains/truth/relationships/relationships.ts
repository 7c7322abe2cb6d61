import type { Call } from '#kernel/call.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import type { AskedMoment } from '../entities/load-entity.ts';
import { awaitCommits, toMoment } from '../entities/read-snapshot.ts';
import { readTime } from '../iso-time.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { readNeighborhood } from './graph/neighborhood.ts';
import { walkRelated } from './graph/walk-related.ts';
import { listBriefly, listBrieflyOfEach, listRelationships } from './list-relationships.ts';
import type {
  CreateAnswer,
  CreateInput,
  Edge,
  ListInput,
  NeighborhoodInput,
  RelatedInput,
} from './relationship-model.ts';
import {
  expectTypes,
  listAllTypes,
  type RegisterInput,
  registerType,
} from './relationship-types/relationship-types.ts';
import { fromCall, markEdge, type StatedEdge, stateEdges } from './state-edge.ts';
import type { StatedPeriod } from './statements/periods.ts';

/** As a caller states it. */
function readTimes({
  effective_at,
  effective_until,
}: Pick<CreateInput, 'effective_at' | 'effective_until'>): StatedPeriod {
  const at = effective_at === undefined ? undefined : readTime(effective_at, 'effective_at');
  const until = effective_until === undefined ? undefined : readTime(effective_until, 'effective_until');
  return { at: at?.from, atChars: at?.chars, until: until?.from, untilChars: until?.chars };
}

const holdsText = ({ effective_at, effective_until }: Edge): string =>
  [
    'it holds',
    effective_at === undefined ? '' : ` from ${effective_at}`,
    effective_until === undefined ? (effective_at === undefined ? ' now' : '') : ` until ${effective_until}`,
  ].join('');

function toCreateAnswer({ created, statement_added, restored, after }: StatedEdge): CreateAnswer {
  if (created || !statement_added) return { ...after, created };
  const what = restored ? 'The relationship had been deleted and is restored' : 'The relationship existed';
  return { ...after, created, statement_added, message: `${what}; a statement was added: ${holdsText(after)}` };
}

function* createRelationship(db: Writer, input: CreateInput, actor: string): Work<CreateAnswer> {
  const [type] = yield* expectTypes(db, [input.relationship_type], 'relationship_type');
  const { target_entity_id: targetId, metadata } = input;
  const statement = { type: type!, targetId, effective: readTimes(input), metadata, source: fromCall, actor };
  const [stated] = yield* stateEdges(db, input.source_entity_id, [statement]);
  return toCreateAnswer(stated!);
}

export type Relationships = ReturnType<typeof createRelationships>;

export interface EdgeInput {
  readonly relationship_id: string;
  readonly reason?: string | undefined;
}

export function createRelationships({ storage, schemas, clock }: Pick<TruthDeps, 'storage' | 'clock'> & SchemaDeps) {
  const mark = (kind: 'delete' | 'restore', { relationship_id, reason }: EdgeInput, call: Call) =>
    storage.write(call, (db) => markEdge(db, relationship_id, kind, { source: fromCall, actor: call.actor, reason }));

  async function ask<T>(
    input: Pick<ListInput, 'at' | 'as_known_at'>,
    call: Call,
    work: (db: Reader, asked: AskedMoment) => Work<T>,
  ): Promise<T> {
    const asked = toMoment(input, clock.now());
    await awaitCommits({ storage }, asked, call);
    return storage.read(call, (db) => work(db, asked));
  }

  return {
    create: (input: CreateInput, call: Call) => storage.write(call, (db) => createRelationship(db, input, call.actor)),
    async delete(input: EdgeInput, call: Call) {
      const { edge, changed } = await mark('delete', input, call);
      const message = changed ? 'Deleted; restore_relationship brings it back' : 'It was deleted before';
      return { ...edge, deleted: true as const, changed, message };
    },
    async restore(input: EdgeInput, call: Call) {
      const { edge, changed } = await mark('restore', input, call);
      return { ...edge, restored: changed, message: changed ? 'Restored with all its periods' : 'It is not deleted' };
    },
    list: (input: ListInput, call: Call) => ask(input, call, (db, asked) => listRelationships(db, input, asked)),
    briefly: (input: Pick<ListInput, 'entity_id' | 'at' | 'as_known_at'>, call: Call) =>
      ask(input, call, (db, asked) => listBriefly(db, input.entity_id, asked)),
    /** Roots with their newest relationships, up to `each`. */
    brieflyOfEach: (entityIds: readonly string[], each: number, at: string | undefined, call: Call) =>
      ask({ at }, call, (db, asked) => listBrieflyOfEach(db, entityIds, each, asked)),
    related: (input: RelatedInput, call: Call) => ask(input, call, (db, asked) => walkRelated(db, input, asked)),
    neighborhood: (input: NeighborhoodInput, call: Call) =>
      ask(input, call, (db, asked) => readNeighborhood(db, { schemas }, input, asked)),
    registerType: (input: RegisterInput, call: Call) => storage.write(call, (db) => registerType(db, input)),
    async listTypes(call: Call) {
      const relationship_types = await storage.read(call, listAllTypes);
      return { relationship_types, total: relationship_types.length };
    },
  };
}
