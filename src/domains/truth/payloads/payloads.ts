import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { builtinById } from '../capabilities/builtin-capabilities.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import type { Capability } from '../capabilities/capability.ts';
import { type Body, contentIdOf } from '../capabilities/content-id.ts';
import { draftObservations } from '../observations/draft-observations.ts';
import { observationIdOf } from '../observations/entity-name.ts';
import type { ObservationDraft, WrittenObservation } from '../observations/observation.ts';
import { createTally, payloadsTotal } from '../observations/totals.ts';
import { type SourceStatement, writeStatements, writeTotals } from '../observations/write-observations.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { payloadTopic } from '../truth-vocabulary.ts';
import { checkBody, checkObservedAt, checkText, type SubmitAnswer, type SubmitInput } from './payload-model.ts';
import {
  findByContent,
  findPayload,
  findPayloads,
  findWholePayload,
  insertPayloads,
  type WholePayloadRow,
} from './payload-store.ts';

/** Has its ids already, so that a repeated transaction writes the same rows. */
interface CheckedPayload {
  readonly input: SubmitInput;
  readonly bodyText: string;
  readonly observedAt: number;
  readonly payloadId: string;
  readonly submissionId: string;
}

interface ParsedPayload {
  readonly capability: Capability;
  readonly row: Omit<WholePayloadRow, 'created_at'>;
  readonly drafts: readonly ObservationDraft[];
}

interface PreparedPayload extends CheckedPayload {
  /** Absent if the store has to be asked for the capability. */
  readonly parsed?: ParsedPayload;
}

interface CreatedPayload {
  readonly statement: SourceStatement;
  readonly contentId: string;
  readonly submissionId: string;
}

type InsertedPayload = CreatedPayload | { readonly again: SubmitAnswer };

export type Payloads = ReturnType<typeof createPayloads>;

export interface PayloadsDeps extends Pick<TruthDeps, 'storage' | 'clock' | 'ids'>, SchemaDeps {
  readonly capabilities: Pick<Capabilities, 'find'>;
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

const toStatement = ({ capability, row, drafts }: ParsedPayload): SourceStatement => ({
  source: {
    kind: 'payload',
    id: row.payload_id,
    key: row.content_id,
    observedAt: row.extracted_at,
    priority: capability.source_priority ?? defaultPriority,
  },
  drafts,
});

const toAnswer = (
  { statement, contentId, submissionId }: CreatedPayload,
  written: readonly WrittenObservation[],
): SubmitAnswer => ({
  payload_id: statement.source.id,
  payload_content_id: contentId,
  payload_submission_id: submissionId,
  created: true,
  message: 'Payload created and observations extracted',
  entities: written.map(toEntity),
});

/** From the first payload: fields outside the hash may differ in the duplicate. */
function answerDuplicate(capability: Capability, row: WholePayloadRow): SubmitAnswer {
  const drafts = draftObservations(capability, JSON.parse(row.body) as Body, row.content_id);
  return {
    payload_id: row.payload_id,
    payload_content_id: row.content_id,
    payload_submission_id: row.submission_id,
    created: false,
    message: 'A payload with this content was submitted before; nothing was added',
    entities: drafts.map((draft) =>
      toEntity({ ...draft, observationId: observationIdOf(draft.entityId, row.content_id, draft.role) }),
    ),
  };
}

export function createPayloads(deps: PayloadsDeps) {
  const { storage, clock, ids, capabilities } = deps;

  function check(input: SubmitInput): CheckedPayload {
    const bodyText = checkBody(input.body);
    checkText(input);
    return {
      input,
      bodyText,
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
    return { capability, row, drafts };
  }

  function* readAll(db: Reader, prepared: readonly PreparedPayload[]): Work<readonly ParsedPayload[]> {
    const known = new Map<string, Capability>();
    for (const { input, parsed } of prepared) {
      const { capability_id } = input;
      if (parsed !== undefined || known.has(capability_id)) continue;
      const capability = yield* capabilities.find(db, capability_id);
      if (capability === undefined) throw truthFaults.UNKNOWN_CAPABILITY({}, { field: 'capability_id' });
      known.set(capability_id, capability);
    }
    return prepared.map((one) => one.parsed ?? read(known.get(one.input.capability_id)!, one));
  }

  function* findFirst(db: Writer, { capability, row }: ParsedPayload): Work<SubmitAnswer> {
    const first = yield* findByContent(db, row.content_id);
    if (first === undefined) throw new Error('bug: a payload was neither found nor inserted');
    return answerDuplicate(capability, first);
  }

  /** Inserts the payloads only; their observations are written together afterwards. */
  function* insertAll(db: Writer, payloads: readonly ParsedPayload[]): Work<readonly InsertedPayload[]> {
    const rows = yield* insertPayloads(
      db,
      payloads.map(({ row }) => row),
    );
    const inserted = new Set(rows.map(({ payload_id }) => payload_id));
    const entered: InsertedPayload[] = [];
    for (const one of payloads) {
      const { payload_id, content_id, submission_id, body } = one.row;
      if (!inserted.has(payload_id)) {
        entered.push({ again: yield* findFirst(db, one) });
        continue;
      }
      yield* db.changed(payloadTopic, payload_id, 'create', sha256Hex(body));
      entered.push({ statement: toStatement(one), contentId: content_id, submissionId: submission_id });
    }
    return entered;
  }

  function* writeAll(db: Writer, prepared: readonly PreparedPayload[]): Work<readonly SubmitAnswer[]> {
    const entered = yield* insertAll(db, yield* readAll(db, prepared));
    const created = entered.filter((one) => 'statement' in one);
    const tally = createTally();
    tally.add(payloadsTotal, '', created.length);
    const written = yield* writeStatements(
      db,
      deps,
      created.map(({ statement }) => statement),
      tally,
    );
    yield* writeTotals(db, tally);
    const answers = new Map(created.map((one, i) => [one, toAnswer(one, written[i]!)]));
    return entered.map((one) => ('again' in one ? one.again : answers.get(one)!));
  }

  async function submitMany(inputs: readonly SubmitInput[], call: Call): Promise<readonly SubmitAnswer[]> {
    const prepared = inputs.map(prepare);
    return await storage.write(call, (db) => writeAll(db, prepared));
  }

  return {
    submit: async (input: SubmitInput, call: Call): Promise<SubmitAnswer> => (await submitMany([input], call))[0]!,
    /** All in one transaction, or none. */
    submitMany,
    /** Validates like `submitMany` without writing. */
    async checkMany(inputs: readonly SubmitInput[], call: Call) {
      const prepared = inputs.map(prepare);
      await storage.read(call, (db) => readAll(db, prepared));
    },
    /** Resolves when all payloads submitted so far are durable. */
    flush: (call: Call) => storage.flush(call),
    /** Without the body. */
    find: findPayload,
    findMany: findPayloads,
    findWhole: findWholePayload,
  };
}
