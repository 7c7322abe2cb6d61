import type { Call } from '#kernel/call.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { builtinById } from '../capabilities/builtin-capabilities.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import type { Capability } from '../capabilities/capability.ts';
import { type Body, contentIdOf } from '../capabilities/content-id.ts';
import { openedBy } from '../contradictions/opened-contradictions.ts';
import type { EntityDocuments } from '../entities/search/entity-documents.ts';
import { forgottenIn, type Tombstones } from '../forgetting/tombstones.ts';
import { findPossibleDuplicates } from '../merges/possible-duplicates.ts';
import { draftObservations } from '../observations/draft-observations.ts';
import { type GivenPeriod, readPeriod } from '../observations/effective-time.ts';
import type { WrittenObservation } from '../observations/observation.ts';
import { linkDrafts } from '../relationships/derived-links.ts';
import { type RawRemarks, rawRemarks } from '../schemas/raw-remarks.ts';
import { type Review, reviewStatement } from '../schemas/review-statement.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthLimits } from '../truth-limits.ts';
import { checkBody, checkObservedAt, checkText, type SubmitAnswer, type SubmitInput } from './payload-model.ts';
import { findPayload, findPayloads, findWholePayload } from './payload-store.ts';
import { createPayloadReader } from './read-payload.ts';
import { type NewSubmission, type SubmissionResult, writeSubmissions } from './submissions.ts';

/** Has its ids already, so that a repeated transaction writes the same rows. */
interface CheckedPayload {
  readonly input: SubmitInput;
  readonly bodyText: string;
  readonly period: GivenPeriod;
  readonly observedAt: number;
  readonly payloadId: string;
  readonly submissionId: string;
}

interface PreparedPayload extends CheckedPayload {
  /** Absent if the store has to be asked for the capability. */
  readonly parsed?: ParsedPayload;
}

type ParsedPayload = Omit<NewSubmission, 'actor'>;

export type Payloads = ReturnType<typeof createPayloads>;

export interface PayloadsDeps extends Pick<TruthDeps, 'storage' | 'clock' | 'ids'>, SchemaDeps {
  readonly capabilities: Pick<Capabilities, 'expect'>;
  readonly entityDocuments?: Pick<EntityDocuments, 'put' | 'reindex' | 'bulk'> | undefined;
  readonly tombstones?: Pick<Tombstones, 'refuseForgotten'> | undefined;
}

/** [TR11] */
const defaultPriority = 100;

/** Files that the body references; any other value of that name is an ordinary field. */
function fileUrlsOf(body: Body): readonly string[] {
  const urls = Object.hasOwn(body, 'file_urls') ? body['file_urls'] : undefined;
  const isList = Array.isArray(urls) && urls.length <= truthLimits.fileUrlsCount;
  return isList && urls.every((url): url is string => typeof url === 'string') ? urls : [];
}

const toEntity = ({ entityId, entityType, observationId, identityRule, role }: WrittenObservation) => ({
  entity_id: entityId,
  entity_type: entityType,
  observation_id: observationId,
  identity_rule: identityRule,
  role,
});

const messages = {
  payload: 'Payload created and observations extracted',
  submission: 'Known payload; what differs from earlier submissions was added as a new submission',
  nothing: 'A payload with this content was submitted before; nothing was added',
};

const toAnswer = (result: SubmissionResult): SubmitAnswer => ({
  payload_id: result.payloadId,
  payload_content_id: result.contentId,
  payload_submission_id: result.submissionId,
  submission_id: result.submissionId,
  created: result.isNewPayload,
  observations_added: result.isNewSubmission ? result.written.length : 0,
  message: messages[result.isNewPayload ? 'payload' : result.isNewSubmission ? 'submission' : 'nothing'],
  entities: result.written.map(toEntity),
});

export function createPayloads(deps: PayloadsDeps) {
  const { storage, clock, ids, capabilities } = deps;

  function check(input: SubmitInput): CheckedPayload {
    const bodyText = checkBody(input.body);
    checkText(input);
    return {
      input,
      bodyText,
      period: readPeriod(input),
      observedAt: checkObservedAt(input.provenance.extracted_at, 'provenance.extracted_at', clock.now()),
      payloadId: ids.uuid(),
      submissionId: `sub_${ids.uuid()}`,
    };
  }

  /** Reads the payload of a built-in capability before the transaction, which would hold the lock meanwhile. */
  function prepare(input: SubmitInput): PreparedPayload {
    const checked = check(input);
    const builtin = builtinById.get(input.capability_id);
    return builtin === undefined ? checked : { ...checked, parsed: read(builtin, checked) };
  }

  function read(capability: Capability, prepared: CheckedPayload): ParsedPayload {
    const { capability_id, body, provenance, client_request_id = null } = prepared.input;
    const { source_refs, extractor_version, agent_id = null } = provenance;
    const contentId = contentIdOf(capability, { body, sourceRefs: source_refs, extractorVersion: extractor_version });
    const drafts = draftObservations(capability, body, contentId);
    const row = {
      payload_id: prepared.payloadId,
      content_id: contentId,
      submission_id: prepared.submissionId,
      capability_id,
      primary_type: capability.primary_type,
      entity_id: drafts[0]!.entityId,
      extracted_at: prepared.observedAt,
      extractor_version,
      agent_id,
      client_request_id,
      source_refs: JSON.stringify(source_refs),
      file_urls: JSON.stringify(fileUrlsOf(body)),
      body: prepared.bodyText,
    };
    const links = linkDrafts(capability, drafts);
    return { row, drafts, links, period: prepared.period, priority: capability.source_priority ?? defaultPriority };
  }

  function* readAll(db: Reader, prepared: readonly PreparedPayload[]): Work<readonly ParsedPayload[]> {
    const known = new Map<string, Capability>();
    for (const { input, parsed } of prepared) {
      const { capability_id } = input;
      if (parsed !== undefined || known.has(capability_id)) continue;
      known.set(capability_id, yield* capabilities.expect(db, capability_id, 'capability_id'));
    }
    return prepared.map((one) => one.parsed ?? read(known.get(one.input.capability_id)!, one));
  }

  function* writeAll(
    db: Writer,
    prepared: readonly PreparedPayload[],
    { actor, durability }: Pick<Call, 'actor' | 'durability'>,
  ) {
    const parsed = yield* readAll(db, prepared);
    return yield* writeSubmissions(
      db,
      durability === 'soon' ? { ...deps, entityDocuments: deps.entityDocuments?.bulk } : deps,
      parsed.map((one) => ({ ...one, actor })),
    );
  }

  async function submitMany(
    inputs: readonly SubmitInput[],
    call: Call,
    after: (db: Writer, answers: readonly SubmitAnswer[]) => Work<void> = function* () {},
  ): Promise<readonly SubmitAnswer[]> {
    const prepared = inputs.map(prepare);
    return storage.write(call, function* (db) {
      const answers = prepared.length === 0 ? [] : (yield* writeAll(db, prepared, call)).map(toAnswer);
      yield* after(db, answers);
      return answers;
    });
  }

  /** [TR92] */
  function* review(db: Reader, { capability_id, body }: SubmitInput): Work<Review & RawRemarks> {
    const capability = yield* capabilities.expect(db, capability_id, 'capability_id');
    const schema = yield* deps.schemas.active(db, capability.primary_type);
    const found = reviewStatement(schema, capability, body);
    return { ...found, ...rawRemarks(schema, found) };
  }

  return {
    async submit(input: SubmitInput, call: Call): Promise<SubmitAnswer> {
      const prepared = prepare(input);
      return await storage.write(call, function* (db) {
        const [result] = yield* writeAll(db, [prepared], call);
        const duplicates = yield* findPossibleDuplicates(db, result!.written);
        return {
          ...toAnswer(result!),
          ...(yield* review(db, input)),
          ...duplicates,
          ...openedBy(result!.written),
          ...forgottenIn(result!.written),
        };
      });
    },
    /** All in one transaction, or none; `after` runs in the same one. */
    submitMany,
    /** Validates like `submitMany` without writing. */
    async checkMany(inputs: readonly SubmitInput[], call: Call) {
      const prepared = inputs.map(prepare);
      await storage.read(call, function* (db) {
        const parsed = yield* readAll(db, prepared);
        if (deps.tombstones === undefined) return;
        yield* deps.tombstones.refuseForgotten(
          db,
          parsed.flatMap(({ row, drafts }) => drafts.map((draft) => ({ ...draft, observedAt: row.extracted_at }))),
          parsed.map(({ row }) => ({
            items: [{ kind: 'content', value: row.content_id }],
            observedAt: row.extracted_at,
          })),
        );
      });
    },
    /** Resolves when all payloads submitted so far are durable. */
    flush: (call: Call) => storage.flush(call),
    /** Without the body. */
    find: findPayload,
    findMany: findPayloads,
    findWhole: findWholePayload,
    get: createPayloadReader({ storage }),
  };
}
