import { capabilityRules, linksIn, mentionsIn } from './oracle-capabilities.fixture.ts';
import type { EffectiveInput, ExpectedFault, OracleEntity } from './oracle-graph.fixture.ts';
import {
  canonical,
  entityIdOf,
  type Fields,
  fitted,
  observationIdOf,
  type SubmissionFacts,
} from './oracle-rules.fixture.ts';
import { OracleStatements, type StatementSource } from './oracle-statements.fixture.ts';
import { startOf } from './oracle-time.fixture.ts';

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

export interface FactInput extends EffectiveInput {
  readonly subject?: { readonly type: string; readonly name: string; readonly key?: string };
  readonly entity_id?: string;
  readonly fields?: Fields;
  readonly ended?: readonly string[];
  readonly source?: string;
}

/** The ids of an answer that only the program knows. */
export interface SubmitIds {
  readonly payload_id: string;
  readonly submission_id: string;
  readonly entities: readonly AnsweredObservation[];
}

export interface FactIds {
  readonly entityId: string;
  readonly payloadId: string;
  readonly submissionId: string;
  readonly observationId: string;
  readonly introductionId: string | undefined;
}

/** Of a type that only facts have. */
const factType = 'person';
const separator = '\u001f';

/** Keeps append-only lists and computes every answer from the beginning. Random ids are passed in. */
export class Oracle extends OracleStatements {
  readonly payloads: OraclePayload[] = [];
  readonly #submissions: OracleSubmission[] = [];
  readonly reasons = new Map<string, string>();
  /** Name and key of the entities that a fact created. */
  readonly #keys = new Map<string, readonly [name: string, key: string | undefined]>();

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

  checkSubmission(envelope: PayloadInput, now: number): ExpectedFault {
    const facts = this.#factsOf(envelope);
    return this.#findSame(facts) === undefined
      ? this.checkPeriod(envelope, facts.extractedAt, now, 'payload')
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
        ...{ submissionId, observedAt: extractedAt, ...this.periodOf(envelope, extractedAt, now, 'payload') },
      };
      for (const [i, one] of mentions.entries()) this.state(one, source, observations[i]!.observation_id, now);
      for (const ends of linksIn(capability, mentions)) {
        this.link(ends, source.effectiveAt, envelope.effective_at, submissionId, now);
      }
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
    const period = this.checkPeriod(given, now, now, 'correction');
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
      ...{ observedAt: last >= now ? last + 1 : now, ...this.periodOf(given, now, now, 'correction') },
    };
    if (reason !== undefined) this.reasons.set(correctionId, reason);
    this.state(
      { entityId: id, entityType: type, name, rule: 'name', role: 'correction', stated: fields },
      source,
      observationIdOf(id, correctionId, 'correction'),
      now,
    );
  }

  /** By its key if it has one, otherwise by its name: an id, or all entities that are called so. */
  candidatesOf({ subject, entity_id }: FactInput): readonly OracleEntity[] {
    if (subject === undefined) return this.entities.filter(({ id }) => id === entity_id);
    const name = this.rules.normaliseName(subject.name, false);
    const isMeant = (one: OracleEntity): boolean => {
      const [ownName, ownKey] = this.#keys.get(one.id) ?? [];
      return subject.key === undefined ? ownName === name : ownKey === subject.key;
    };
    return this.entities.filter((one) => one.type === factType && isMeant(one));
  }

  #factsOfFact(fact: FactInput, now: number): SubmissionFacts {
    const { subject, entity_id, fields, ended, source, effective_at, effective_until } = fact;
    const body = canonical(JSON.parse(JSON.stringify({ subject, entity_id, fields, ended })) as Fields);
    return {
      ...{ contentId: `${source} ${body}`, body, extractedAt: now, agent: undefined },
      effective: [effective_at, effective_until],
    };
  }

  /** [TR10] Of the whole group, at any time. */
  wasStated(id: string, field: string): boolean {
    const group = this.groupOf(this.rootOf(id));
    return this.statements.some(
      ({ entityId, fields, raw }) =>
        group.includes(entityId) && (Object.hasOwn(fields, field) || Object.hasOwn(raw, field)),
    );
  }

  checkFact(fact: FactInput, now: number): ExpectedFault {
    const { subject, fields = {}, ended = [] } = fact;
    const period = this.checkPeriod(fact, now, now, 'payload');
    const isPeriodGiven = fact.effective_at !== undefined && fact.effective_until !== undefined;
    const isEmpty = subject === undefined && Object.keys(fields).length + ended.length === 0;
    if (isEmpty || ended.some((field) => Object.hasOwn(fields, field)) || (isPeriodGiven && period !== undefined))
      return 'VALIDATION_ERROR';
    const candidates = this.candidatesOf(fact);
    if (candidates.length === 0 && subject === undefined) return 'ENTITY_NOT_FOUND';
    if (new Set(candidates.map(({ id }) => this.rootOf(id))).size > 1) return 'VALIDATION_ERROR';
    const [known] = candidates;
    const isStated = ended.every((field) => known !== undefined && this.wasStated(known.id, field));
    return isStated ? period : 'VALIDATION_ERROR';
  }

  /** The submission of an equal fact. */
  findFact(fact: FactInput, now: number): string | undefined {
    return this.#findSame(this.#factsOfFact(fact, now))?.submissionId;
  }

  /** [TR65] */
  fact(fact: FactInput, ids: FactIds, now: number): void {
    const facts = this.#factsOfFact(fact, now);
    const { subject, fields = {}, ended = [] } = fact;
    const known = this.candidatesOf(fact).find(({ id }) => id === ids.entityId);
    const name = subject === undefined ? '' : this.rules.normaliseName(subject.name, false);
    const key = subject?.key;
    const fullName = key === undefined ? name : `${name}${separator}${key}`;
    const entityId = known?.id ?? entityIdOf(factType, fullName);
    if (known === undefined) this.#keys.set(entityId, [name, key]);
    const keyField = key === undefined ? {} : { [key.includes('@') ? 'email' : 'key']: key };
    const introduced = known === undefined ? { name: subject!.name.trim(), ...keyField } : {};
    this.#submissions.push({ facts, submissionId: ids.submissionId, observations: [] });
    this.payloads.push({ contentId: facts.contentId, payloadId: ids.payloadId, type: 'fact' });
    const about = { ...{ entityId, entityType: known?.type ?? factType, name: fullName, rule: 'name' } };
    const source: StatementSource = {
      ...{ kind: 'payload', sourceId: ids.payloadId, submissionId: ids.submissionId, priority: 100, untilNewer: false },
      ...{ observedAt: now, ...this.periodOf(fact, now, now, 'payload') },
    };
    // A new entity is known since then, at the latest from now on, and without an end.
    const start = fact.effective_at === undefined ? now : startOf(fact.effective_at);
    const since = start < now ? { effective_at: fact.effective_at } : {};
    const own = { ...source, ...this.periodOf(since, now, now, 'payload') };
    const saysMore = Object.keys(fields).length + ended.length > 0;
    const isOne = known !== undefined || !saysMore || (fact.effective_until === undefined && start <= now);
    const self = { ...about, role: 'self', ended, stated: isOne ? { ...introduced, ...fields } : fields };
    this.state(self, known === undefined && !saysMore ? own : source, ids.observationId, now);
    if (isOne) return;
    this.state({ ...about, role: 'name', ended: [], stated: introduced }, own, ids.introductionId ?? '', now);
  }
}
