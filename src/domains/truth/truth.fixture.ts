import type { TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { describeOnEngines, type EngineFixture } from '#kernel/jobs/engines.fixture.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import type { Step, Storage, Writer } from '#kernel/storage/port.ts';
import { type AnyTool, defineToolset } from '#kernel/tool/tool.ts';
import { openToolset, type ToolAnswer } from '#tests/support/open-toolset.ts';
import { createCapabilities } from './capabilities/capabilities.ts';
import type { SubmitAnswer, SubmitInput } from './payloads/payload-model.ts';
import { createPayloads } from './payloads/payloads.ts';
import { createSchemas } from './schemas/schemas.ts';
import type { Truth } from './truth.ts';
import { toTruthStorage } from './truth-storage.ts';
import { capabilityTools, payloadTools, schemaTools } from './truth-toolset.ts';

type Clock = ReturnType<typeof createManualClock>;
/** The parts that all others need. */
export type BaseParts = Pick<Truth, 'payloads' | 'capabilities' | 'schemas'>;

export const codeOf = (answer: ToolAnswer): unknown =>
  (answer['error'] as { readonly code?: unknown } | undefined)?.code;

export const testCursors = createCursors(Buffer.from('the cursors of a test'));

/** `TruthDeps` with payloads, capabilities and schemas. */
export function createTruthBase(storage: Storage, clock: Clock = createManualClock()) {
  const deps = {
    ...{ storage: toTruthStorage(storage), clock, ids: createIds(clock), log: createLogFixture() },
    cursors: testCursors,
  };
  const schemas = createSchemas(deps);
  const capabilities = createCapabilities(deps);
  return { ...deps, schemas, capabilities, payloads: createPayloads({ ...deps, schemas, capabilities }) };
}
export type TruthBase = ReturnType<typeof createTruthBase>;

/** An invoice as an agent submits it. */
export const invoice = (body: object = {}, provenance: object = {}): SubmitInput => ({
  capability_id: 'neotoma:store_invoice:v1',
  body: {
    ...{ invoice_number: 'INV-001', amount: 1500, date: '2025-01-15' },
    ...{ vendor_name: 'Acme Corp', customer_name: 'Test Customer' },
    ...body,
  },
  provenance: {
    ...{ source_refs: [], extracted_at: '2025-01-15T10:30:00Z', extractor_version: 'neotoma-mcp:v0.2.1' },
    ...provenance,
  },
});

export const payloadOf = (name: string, body: object, provenance: object = {}): SubmitInput => ({
  ...invoice({}, provenance),
  capability_id: `neotoma:store_${name}:v1`,
  body: body as SubmitInput['body'],
});

/**
 * Calls tools through the real invoke and store: `createTruthFixture(base, { entities: createEntities(base) },
 * entityTools)`.
 */
export function createTruthFixture<More extends object>(
  base: TruthBase,
  more: More,
  tools: readonly AnyTool<BaseParts & More>[] = [],
) {
  const { payloads, capabilities, schemas, clock, ids } = base;
  const toolset = defineToolset<BaseParts & More>({
    name: 'truth',
    faultForm: 'traced',
    tools: [...payloadTools, ...capabilityTools, ...schemaTools, ...tools],
  });
  const client = openToolset(toolset, { payloads, capabilities, schemas, ...more }, { clock, ids });

  function as(tenant: TenantId) {
    const { call, ...mine } = client.as(tenant);
    return {
      ...mine,
      call,
      /** Runs a transaction and returns its result. */
      read: <T>(work: (db: Writer) => Step<T>): Promise<T> => base.storage.write(call('test', { audit: 'none' }), work),
      async submit(input: SubmitInput): Promise<SubmitAnswer> {
        return await base.payloads.submit(input, call('submit_payload'));
      },
    };
  }

  return { ...base, ...more, invoke: client.invoke, as };
}

export interface TruthEngine extends EngineFixture {
  /** The base parts on this store, or on another connection to it. */
  base(storage?: Storage): TruthBase;
}

/** Runs the tests on every engine. */
export const describeTruth = (title: string, define: (engine: TruthEngine) => void): void =>
  describeOnEngines(title, (engine) =>
    define({ ...engine, base: (storage) => createTruthBase(storage ?? engine.storage(), engine.clock) }),
  );
