import type { Json } from '#kernel/json/canonical.ts';
import { builtinSchemas } from '../schemas/builtin-schemas.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { capabilityRules, type EntityMention, mentionsIn } from './oracle-capabilities.fixture.ts';
import { type ExpectedFault, OracleGraph } from './oracle-graph.fixture.ts';
import {
  type Activation,
  canonical,
  type Fields,
  fitted,
  momentOf,
  type OracleSchema,
  observationIdOf,
  type Statement,
  type SubmissionFacts,
} from './oracle-rules.fixture.ts';
import { iso, startOf } from './oracle-time.fixture.ts';

export interface OracleEvent {
  readonly type: string;
  readonly at: number;
  readonly value: string;
  readonly field: string;
  readonly statement: Statement;
}

/** An observation as `submit_payload` answers it. */
export interface AnsweredObservation {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly observation_id: string;
  readonly identity_rule: string;
  readonly role: string;
}

interface OraclePayload {
  readonly contentId: string;
  readonly payloadId: string;
  readonly type: string;
}

interface OracleSubmission {
  readonly facts: SubmissionFacts;
  readonly submissionId: string;
  readonly observations: readonly AnsweredObservation[];
}

export interface EffectiveInput {
  readonly effective_at?: string | undefined;
  readonly effective_until?: string | undefined;
}

export interface PayloadInput extends EffectiveInput {
  readonly capability_id: string;
  readonly body: Fields;
  readonly provenance: {
    readonly source_refs: readonly string[];
    readonly extracted_at: string;
    readonly extractor_version: string;
    readonly agent_id?: string;
  };
}

export interface CorrectionInput extends EffectiveInput {
  readonly fields: Fields;
  readonly reason?: string | undefined;
  readonly until_newer?: boolean | undefined;
}

/** The ids of an answer that only the program knows. */
export interface SubmitIds {
  readonly payload_id: string;
  readonly submission_id: string;
  readonly entities: readonly AnsweredObservation[];
}

type StatementSource = Pick<
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

/** Keeps append-only lists and computes every answer from the beginning. Random ids are passed in. */
export class Oracle extends OracleGraph {
  readonly statements: Statement[] = [];
  readonly events: OracleEvent[] = [];
  readonly payloads: OraclePayload[] = [];
  readonly #submissions: OracleSubmission[] = [];
  readonly reasons = new Map<string, string>();
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

  #state(mention: EntityMention, source: StatementSource, id: string, now: number): void {
    const { entityId, entityType, name, role, stated } = mention;
    const schema = this.schemaOf(entityType);
    const said = Object.entries(stated).filter(([, value]) => value !== null && value !== undefined);
    const read = said.map(([name, value]) => {
      const field = this.rules.fieldOf(schema, name);
      return [name, value, fitted(field, this.rules.readValue(field, value))] as const;
    });
    const fields = Object.fromEntries(
      read.filter(([, , one]) => one !== undefined).map(([field, , one]) => [field, one as Json]),
    );
    const raw = Object.fromEntries(
      read.filter(([, , one]) => one === undefined).map(([field, value]) => [field, value]),
    );
    const statement: Statement = {
      ...{ id, entityId, entityType, schemaVersion: schema.version, role, ...source, createdAt: now, fields, raw },
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

  contentOf({ capability_id, body, provenance }: PayloadInput): string {
    const { source_refs, extractor_version, extracted_at } = provenance;
    const hashFields = capabilityRules[capability_id]!.hash;
    return this.rules.contentIdOf({ capability_id, hashFields, body, source_refs, extractor_version }, extracted_at);
  }

  #factsOf(envelope: PayloadInput): SubmissionFacts {
    const { body, provenance, effective_at, effective_until } = envelope;
    return {
      contentId: this.contentOf(envelope),
      body: canonical(body),
      extractedAt: startOf(provenance.extracted_at),
      effective: [effective_at, effective_until],
      agent: provenance.agent_id,
    };
  }

  #findSame(facts: SubmissionFacts): OracleSubmission | undefined {
    return this.#submissions.find((one) => this.rules.isSameSubmission(one.facts, facts));
  }

  #periodOf(
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

  #checkPeriod(given: EffectiveInput, observedAt: number, now: number, kind: Statement['kind']): ExpectedFault {
    const { effectiveAt, effectiveUntil } = this.#periodOf(given, observedAt, now, kind);
    return effectiveUntil !== undefined && effectiveUntil <= effectiveAt ? 'VALIDATION_ERROR' : undefined;
  }

  checkSubmission(envelope: PayloadInput, now: number): ExpectedFault {
    const facts = this.#factsOf(envelope);
    return this.#findSame(facts) === undefined
      ? this.#checkPeriod(envelope, facts.extractedAt, now, 'payload')
      : undefined;
  }

  /** [TR1] [TR8] Returns the expected answer. */
  submit(envelope: PayloadInput, ids: SubmitIds, now: number) {
    const facts = this.#factsOf(envelope);
    const { contentId, extractedAt } = facts;
    const known = this.payloads.find((payload) => payload.contentId === contentId);
    const same = this.#findSame(facts);
    const capability = capabilityRules[envelope.capability_id]!;
    const mentions = mentionsIn(capability, envelope.body, contentId, this.rules);
    const payload = known ?? { contentId, payloadId: ids.payload_id, type: capability.type };
    const isTaken = (id: string | undefined): boolean => this.statements.some((one) => one.id === id);
    const observations =
      same?.observations ??
      mentions.map(({ entityId, entityType, role, rule }, i) => {
        const id = ids.entities[i]?.observation_id;
        return {
          ...{ entity_id: entityId, entity_type: entityType, identity_rule: rule, role },
          // The first one of a payload follows from the content; the others must be new.
          observation_id:
            known === undefined ? observationIdOf(entityId, contentId, role) : isTaken(id) ? 'another id' : id!,
        };
      });
    const submissionId = same?.submissionId ?? ids.submission_id;
    if (known === undefined) this.payloads.push(payload);
    if (same === undefined) {
      this.#submissions.push({ facts, submissionId, observations });
      const source: StatementSource = {
        ...{ kind: 'payload', sourceId: payload.payloadId, priority: capability.priority, untilNewer: false },
        ...{ submissionId, observedAt: extractedAt, ...this.#periodOf(envelope, extractedAt, now, 'payload') },
      };
      for (const [i, one] of mentions.entries()) this.#state(one, source, observations[i]!.observation_id, now);
    }
    return {
      ...{ payload_id: payload.payloadId, payload_content_id: contentId, created: known === undefined },
      ...{ payload_submission_id: submissionId, submission_id: submissionId, entities: observations },
      observations_added: same === undefined ? observations.length : 0,
    };
  }

  checkFields(id: string, fields: Fields): ExpectedFault {
    const entity = this.find(id);
    if (entity === undefined) return 'ENTITY_NOT_FOUND';
    const schema = this.schemaOf(entity.type);
    const isFine = Object.entries(fields).every(([name, value]) => {
      const field = this.rules.fieldOf(schema, name);
      return fitted(field, this.rules.readValue(field, value)) !== undefined;
    });
    return isFine ? undefined : 'VALIDATION_ERROR';
  }

  checkCorrection(id: string, given: CorrectionInput, now: number): ExpectedFault {
    const { effective_at, effective_until } = given;
    // A period that contradicts itself is refused before the entity is looked up.
    const isGiven = effective_at !== undefined && effective_until !== undefined;
    const period = this.#checkPeriod(given, now, now, 'correction');
    return (isGiven ? period : undefined) ?? this.checkFields(id, given.fields) ?? period;
  }

  /** [TR31] */
  correct(id: string, given: CorrectionInput, correctionId: string, now: number): void {
    const { type, name } = this.find(id)!;
    const { fields, reason, until_newer } = given;
    const group = this.groupOf(this.rootOf(id));
    const others = this.statements.filter((one) => one.kind === 'correction' && group.includes(one.entityId));
    const last = Math.max(...others.map(({ observedAt }) => observedAt), 0);
    const source: StatementSource = {
      ...{ kind: 'correction', sourceId: correctionId, priority: 1000, untilNewer: until_newer === true },
      submissionId: correctionId,
      ...{ observedAt: last >= now ? last + 1 : now, ...this.#periodOf(given, now, now, 'correction') },
    };
    if (reason !== undefined) this.reasons.set(correctionId, reason);
    this.#state(
      { entityId: id, entityType: type, name, rule: 'name', role: 'correction', stated: fields },
      source,
      observationIdOf(id, correctionId, 'correction'),
      now,
    );
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
