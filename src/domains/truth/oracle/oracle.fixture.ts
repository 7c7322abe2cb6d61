import type { Json } from '#kernel/json/canonical.ts';
import { builtinSchemas } from '../schemas/builtin-schemas.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { capabilityRules, type EntityMention, mentionsIn } from './oracle-capabilities.fixture.ts';
import {
  type Fields,
  fitted,
  momentOf,
  type OracleMerge,
  type OracleSchema,
  observationIdOf,
  type Rules,
  type Statement,
} from './oracle-rules.fixture.ts';

export interface OracleEntity {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly createdAt: number;
}

export interface OracleEdge {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly target: string;
  readonly createdAt: number;
}

export interface OracleEvent {
  readonly type: string;
  readonly at: number;
  readonly value: string;
  readonly field: string;
  readonly statement: Statement;
}

interface OraclePayload {
  readonly contentId: string;
  readonly payloadId: string;
  readonly type: string;
  readonly mentions: readonly EntityMention[];
}

export interface PayloadInput {
  readonly capability_id: string;
  readonly body: Fields;
  readonly provenance: {
    readonly source_refs: readonly string[];
    readonly extracted_at: string;
    readonly extractor_version: string;
  };
}

export type ExpectedFault = 'CYCLE_DETECTED' | 'ENTITY_NOT_FOUND' | 'NOT_FOUND' | 'VALIDATION_ERROR' | undefined;

/** Keeps append-only lists and computes every answer from the beginning. Random ids are passed in. */
export class Oracle {
  readonly statements: Statement[] = [];
  readonly entities: OracleEntity[] = [];
  readonly edges: OracleEdge[] = [];
  readonly merges: OracleMerge[] = [];
  readonly events: OracleEvent[] = [];
  readonly payloads: OraclePayload[] = [];
  readonly reasons = new Map<string, string>();
  readonly #registered: EntitySchema[] = [];
  readonly #active = new Map<string, EntitySchema>();
  readonly rules: Rules;

  constructor(rules: Rules) {
    this.rules = rules;
  }

  schemaOf(type: string): OracleSchema {
    return this.#active.get(type) ?? builtinSchemas.get(type) ?? { version: '1.0', fields: {} };
  }

  get hasActivated(): boolean {
    return this.#active.size > 0;
  }

  /** Now, if no time is given. */
  parentOf(id: string, knownAt = Number.MAX_SAFE_INTEGER): string | undefined {
    return this.merges.findLast((merge) => merge.source === id && this.rules.isInEffect(merge, knownAt))?.target;
  }

  rootOf(id: string, knownAt?: number): string {
    const parent = this.parentOf(id, knownAt);
    return parent === undefined ? id : this.rootOf(parent, knownAt);
  }

  groupOf(id: string, knownAt?: number): readonly string[] {
    const isBelow = (one: string): boolean => {
      const parent = this.parentOf(one, knownAt);
      return one === id || (parent !== undefined && isBelow(parent));
    };
    const ids = this.entities.map((entity) => entity.id).filter(isBelow);
    return this.rules.countedMembers(ids, id);
  }

  #find(id: string): OracleEntity | undefined {
    return this.entities.find((entity) => entity.id === id);
  }

  #state(
    mentions: EntityMention,
    source: Pick<Statement, 'kind' | 'sourceId' | 'observedAt' | 'priority'>,
    key: string,
    now: number,
  ): void {
    const { entityId, entityType, name, role, stated } = mentions;
    const schema = this.schemaOf(entityType);
    const said = Object.entries(stated).filter(([, value]) => value !== null && value !== undefined);
    const read = said.map(([field, value]) => [field, value, fitted(schema.fields[field], value)] as const);
    const fields = Object.fromEntries(
      read.filter(([, , one]) => one !== undefined).map(([field, , one]) => [field, one as Json]),
    );
    const raw = Object.fromEntries(
      read.filter(([, , one]) => one === undefined).map(([field, value]) => [field, value]),
    );
    const statement: Statement = {
      id: observationIdOf(entityId, key, role),
      ...{ entityId, entityType, schemaVersion: schema.version, role, ...source, createdAt: now, fields, raw },
      specificity: this.rules.specificityOf(fields, raw, schema),
    };
    if (this.#find(entityId) === undefined) {
      this.entities.push({ id: entityId, type: entityType, name: name.replaceAll('\u001f', ' '), createdAt: now });
    }
    this.statements.push(statement);
    this.#mark(statement, fields);
  }

  /** [TR19] With the active schema; existing events stay. */
  #mark(statement: Statement, said: Fields): void {
    const { entityType } = statement;
    for (const [field, read] of Object.entries(this.schemaOf(entityType).fields)) {
      const value = read.type === 'date' ? fitted(read, said[field]) : undefined;
      const isThere = this.events.some((event) => event.statement === statement && event.field === field);
      if (typeof value !== 'string' || isThere) continue;
      this.events.push({ type: `${entityType}_${field}`, at: momentOf(value)!, value, field, statement });
    }
  }

  /** Creates the events of values that the schema accepts only now. */
  rebuild(): void {
    for (const statement of this.statements) this.#mark(statement, { ...statement.raw, ...statement.fields });
  }

  contentOf({ capability_id, body, provenance }: PayloadInput): string {
    const { source_refs, extractor_version, extracted_at } = provenance;
    const hashFields = capabilityRules[capability_id]!.hash;
    return this.rules.contentIdOf({ capability_id, hashFields, body, source_refs, extractor_version }, extracted_at);
  }

  /** [TR1] `payloadId` comes from the answer; a duplicate answers that of the first payload. */
  submit(envelope: PayloadInput, payloadId: string, now: number) {
    const contentId = this.contentOf(envelope);
    const known = this.payloads.find((payload) => payload.contentId === contentId);
    const capability = capabilityRules[envelope.capability_id]!;
    const mentions = known?.mentions ?? mentionsIn(capability, envelope.body, contentId, this.rules);
    const payload = known ?? { contentId, payloadId, type: capability.type, mentions };
    if (known === undefined) {
      this.payloads.push(payload);
      const source = {
        ...({ kind: 'payload', sourceId: payloadId, priority: capability.priority } as const),
        observedAt: Date.parse(envelope.provenance.extracted_at),
      };
      for (const one of mentions) this.#state(one, source, contentId, now);
    }
    return {
      payload_id: payload.payloadId,
      payload_content_id: contentId,
      created: known === undefined,
      entities: mentions.map(({ entityId, entityType, role, rule }) => ({
        ...{ entity_id: entityId, entity_type: entityType, identity_rule: rule, role },
        observation_id: observationIdOf(entityId, contentId, role),
      })),
    };
  }

  checkCorrection(id: string, fields: Fields): ExpectedFault {
    const entity = this.#find(id);
    if (entity === undefined) return 'ENTITY_NOT_FOUND';
    const schema = this.schemaOf(entity.type);
    const isFree = Object.keys(schema.fields).length === 0;
    const isFine = Object.entries(fields).every(
      ([field, value]) => value !== null && (isFree || fitted(schema.fields[field], value) !== undefined),
    );
    return isFine ? undefined : 'VALIDATION_ERROR';
  }

  /** [TR31] */
  correct(id: string, fields: Fields, correctionId: string, reason: string | undefined, now: number): void {
    const { type, name } = this.#find(id)!;
    const group = this.groupOf(this.rootOf(id));
    const others = this.statements.filter((one) => one.kind === 'correction' && group.includes(one.entityId));
    const last = Math.max(...others.map(({ observedAt }) => observedAt), 0);
    const source = {
      ...({ kind: 'correction', sourceId: correctionId, priority: 1000 } as const),
      observedAt: last >= now ? last + 1 : now,
    };
    if (reason !== undefined) this.reasons.set(correctionId, reason);
    this.#state(
      { entityId: id, entityType: type, name, rule: 'name', role: 'correction', stated: fields },
      source,
      correctionId,
      now,
    );
  }

  /** [TR22] [TR23] Between groups, for each type separately. */
  hasCycle(): boolean {
    const types = [...new Set(this.edges.map(({ type }) => type))].filter((type) => !this.rules.allowsCycle(type));
    return types.some((type) => {
      let left = this.edges
        .filter((edge) => edge.type === type)
        .map(({ source, target }) => [this.rootOf(source), this.rootOf(target)] as const)
        .filter(([source, target]) => source !== target);
      for (;;) {
        const next = left.filter(([, target]) => left.some(([source]) => source === target));
        if (next.length === left.length) return left.length > 0;
        left = next;
      }
    });
  }

  findEdge(type: string, source: string, target: string): OracleEdge | undefined {
    return this.edges.find((edge) => edge.type === type && edge.source === source && edge.target === target);
  }

  checkEdge(type: string, source: string, target: string): ExpectedFault {
    if (this.findEdge(type, source, target) !== undefined) return undefined;
    if (this.#find(source) === undefined || this.#find(target) === undefined) return 'ENTITY_NOT_FOUND';
    if (this.rootOf(source) === this.rootOf(target)) return 'CYCLE_DETECTED';
    this.edges.push({ id: '', type, source, target, createdAt: 0 });
    const isCycle = this.hasCycle();
    this.edges.pop();
    return isCycle ? 'CYCLE_DETECTED' : undefined;
  }

  relate(edge: OracleEdge): void {
    if (this.findEdge(edge.type, edge.source, edge.target) === undefined) this.edges.push(edge);
  }

  /** [TR20] [TR21] */
  checkMerge(source: string, target: string, now: number): ExpectedFault {
    const [from, to] = [this.#find(source), this.#find(target)];
    if (from === undefined || to === undefined) return 'ENTITY_NOT_FOUND';
    const isFree = this.parentOf(source) === undefined && this.rootOf(target) !== source;
    if (source === target || !isFree || from.type !== to.type) return 'VALIDATION_ERROR';
    this.merge(source, target, now);
    const isCycle = this.hasCycle();
    this.merges.pop();
    return isCycle ? 'CYCLE_DETECTED' : undefined;
  }

  merge(source: string, target: string, now: number): void {
    this.merges.push({ source, target: this.rootOf(target), mergedAt: now, unmergedAt: undefined });
  }

  #currentMerge(source: string): OracleMerge | undefined {
    return this.merges.findLast((merge) => merge.source === source && merge.unmergedAt === undefined);
  }

  checkUnmerge(source: string, target: string, now: number): ExpectedFault {
    if (this.#find(source) === undefined || this.#find(target) === undefined) return 'ENTITY_NOT_FOUND';
    const merge = this.#currentMerge(source);
    const isTogether = this.rootOf(source) === this.rootOf(target) && !this.groupOf(source).includes(target);
    if (merge === undefined || !isTogether) return 'VALIDATION_ERROR';
    merge.unmergedAt = now;
    const isCycle = this.hasCycle();
    merge.unmergedAt = undefined;
    return isCycle ? 'CYCLE_DETECTED' : undefined;
  }

  unmerge(source: string, now: number): void {
    this.#currentMerge(source)!.unmergedAt = now;
  }

  checkRegistration(schema: EntitySchema): ExpectedFault {
    if (this.#registered.includes(schema)) return undefined;
    const active = this.schemaOf(schema.entity_type);
    return schema.version < active.version || loses(active, schema) ? 'VALIDATION_ERROR' : undefined;
  }

  register(schema: EntitySchema): void {
    if (!this.#registered.includes(schema)) this.#registered.push(schema);
  }

  checkActivation(schema: EntitySchema): ExpectedFault {
    if (!this.#registered.includes(schema)) return 'NOT_FOUND';
    return loses(this.schemaOf(schema.entity_type), schema) ? 'VALIDATION_ERROR' : undefined;
  }

  activate(schema: EntitySchema): void {
    this.#active.set(schema.entity_type, schema);
  }
}

const loses = (before: OracleSchema, after: OracleSchema): boolean =>
  Object.entries(before.fields).some(([name, { type }]) => after.fields[name]?.type !== type);
