import type { Json } from '#kernel/json/canonical.ts';
import { builtinSchemas } from '../schemas/builtin-schemas.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import type { EntityMention } from './oracle-capabilities.fixture.ts';
import { type EffectiveInput, type ExpectedFault, OracleGraph } from './oracle-graph.fixture.ts';
import {
  type Activation,
  type Fields,
  fitted,
  momentOf,
  type OracleSchema,
  type Statement,
} from './oracle-rules.fixture.ts';
import { iso, startOf } from './oracle-time.fixture.ts';

export interface OracleEvent {
  readonly type: string;
  readonly at: number;
  readonly value: string;
  readonly field: string;
  readonly statement: Statement;
}

export type StatementSource = Pick<
  Statement,
  | 'kind'
  | 'sourceId'
  | 'submissionId'
  | 'priority'
  | 'observedAt'
  | 'effectiveAt'
  | 'effectiveUntil'
  | 'effectiveTexts'
  | 'untilNewer'
>;

/** Statements, when they hold, and the schemas that read them. */
export class OracleStatements extends OracleGraph {
  readonly statements: Statement[] = [];
  readonly events: OracleEvent[] = [];
  readonly #registered = new Map<EntitySchema, OracleSchema>();
  readonly #activations: (Activation & { readonly type: string })[] = [];

  /** Now, if no time is given. [TR37] An unknown type is open. */
  schemaOf(type: string, knownAt = Number.MAX_SAFE_INTEGER): OracleSchema {
    const last = this.#activations.findLast((one) => one.type === type && this.rules.wasActive(one, knownAt));
    return last?.schema ?? builtinSchemas.get(type) ?? { version: '1.0', fields: {}, open: true };
  }

  get hasActivated(): boolean {
    return this.#activations.length > 0;
  }

  state(mention: EntityMention, source: StatementSource, id: string, now: number): void {
    const { entityId, entityType, name, role, stated, ended = [] } = mention;
    const schema = this.schemaOf(entityType);
    const said = Object.entries(stated).filter(([, value]) => value !== null && value !== undefined);
    const read = said.map(([member, value]) => {
      const field = this.rules.fieldOf(schema, member);
      return [member, value, fitted(field, this.rules.readValue(field, value))] as const;
    });
    const fields = Object.fromEntries(
      read.filter(([, , one]) => one !== undefined).map(([field, , one]) => [field, one as Json]),
    );
    const raw = Object.fromEntries(
      read.filter(([, , one]) => one === undefined).map(([field, value]) => [field, value]),
    );
    const statement: Statement = {
      ...{
        id,
        entityId,
        entityType,
        schemaVersion: schema.version,
        role,
        ...source,
        createdAt: now,
        fields,
        raw,
        ended,
      },
      specificity: this.rules.specificityOf(fields, raw, schema),
    };
    if (this.find(entityId) === undefined) {
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

  periodOf(
    { effective_at, effective_until }: EffectiveInput,
    observedAt: number,
    now: number,
    kind: Statement['kind'],
  ) {
    const effectiveAt = effective_at === undefined ? this.rules.startOf(observedAt, now, kind) : startOf(effective_at);
    return {
      effectiveAt,
      effectiveUntil: effective_until === undefined ? undefined : startOf(effective_until),
      effectiveTexts: [effective_at ?? iso(effectiveAt), effective_until] as const,
    };
  }

  checkPeriod(given: EffectiveInput, observedAt: number, now: number, kind: Statement['kind']): ExpectedFault {
    const { effectiveAt, effectiveUntil } = this.periodOf(given, observedAt, now, kind);
    return effectiveUntil !== undefined && effectiveUntil <= effectiveAt ? 'VALIDATION_ERROR' : undefined;
  }

  /** Returns the entities concerned; undefined if the id is unknown. A second retraction changes nothing. */
  retract(id: string, now: number) {
    const concerned = this.statements.filter(({ submissionId }) => submissionId === id);
    if (concerned.length === 0) return undefined;
    const isNew = !this.retractions.has(id);
    if (isNew) this.retractions.set(id, now);
    return {
      ...{ id, kind: concerned[0]!.kind === 'correction' ? 'correction' : 'submission', retracted: isNew },
      retracted_at: iso(this.retractions.get(id)!),
      entity_ids: [...new Set(concerned.map(({ entityId }) => entityId))].sort(),
    };
  }

  checkRegistration(schema: EntitySchema): ExpectedFault {
    if (this.#registered.has(schema)) return undefined;
    const active = this.schemaOf(schema.entity_type);
    return schema.version < active.version || loses(active, schema) ? 'VALIDATION_ERROR' : undefined;
  }

  /** Without a statement it is as open as the active version. */
  register(schema: EntitySchema): void {
    if (this.#registered.has(schema)) return;
    this.#registered.set(schema, { ...schema, open: schema.open ?? this.schemaOf(schema.entity_type).open });
  }

  checkActivation(schema: EntitySchema): ExpectedFault {
    if (!this.#registered.has(schema)) return 'NOT_FOUND';
    return loses(this.schemaOf(schema.entity_type), schema) ? 'VALIDATION_ERROR' : undefined;
  }

  activate(schema: EntitySchema, now: number): void {
    const { entity_type: type, version } = schema;
    if (this.schemaOf(type).version === version) return;
    this.#activations.push({ type, schema: this.#registered.get(schema)!, activatedAt: now });
  }
}

const loses = (before: OracleSchema, after: OracleSchema): boolean =>
  Object.entries(before.fields).some(([name, { type }]) => after.fields[name]?.type !== type);
