import type { TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { describeOnEngines, type EngineFixture } from '#kernel/jobs/engines.fixture.ts';
import { createKeptLog } from '#kernel/log/log.ts';
import type { Step, Storage, Writer } from '#kernel/storage/port.ts';
import { type AnyTool, defineToolset } from '#kernel/tool/tool.ts';
import { openFamilyDoor, type Told } from '#tests/support/family-door.ts';
import { createCapabilities } from '../capabilities/capabilities.ts';
import { createPayloads, type SubmitAnswer } from '../payloads/payloads.ts';
import type { SubmitInput } from '../payloads/submit-input.ts';
import { createSchemas } from '../schemas/schemas.ts';
import type { Truth } from '../truth.ts';
import { toTruthStorage } from '../truth-storage.ts';
import { capabilityTools, payloadTools, schemaTools } from '../truth-toolset.ts';

type Clock = ReturnType<typeof createManualClock>;
/** The rooms that every other one needs. */
export type GroundFloor = Pick<Truth, 'payloads' | 'capabilities' | 'schemas'>;

export const codeOf = (told: Told): unknown => (told['error'] as { readonly code?: unknown } | undefined)?.code;

/** What the rooms above are made of: `TruthDeps`, and the ground floor. */
export function plantGroundFloor(storage: Storage, clock: Clock = createManualClock()) {
  const deps = { storage: toTruthStorage(storage), clock, ids: createIds(clock), log: createKeptLog() };
  const schemas = createSchemas(deps);
  const capabilities = createCapabilities(deps);
  return { ...deps, schemas, capabilities, payloads: createPayloads({ ...deps, schemas, capabilities }) };
}
export type PlantedFloor = ReturnType<typeof plantGroundFloor>;

/** An invoice as an agent sends it. */
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
 * The real door and store with the ground floor behind it, and whatever rooms a test puts on top:
 * `plantTruth(floor, { entities: createEntities(floor) }, entityTools)`.
 */
export function plantTruth<More extends object>(
  floor: PlantedFloor,
  more: More,
  tools: readonly AnyTool<GroundFloor & More>[] = [],
) {
  const { payloads, capabilities, schemas, clock, ids } = floor;
  const toolset = defineToolset<GroundFloor & More>({
    name: 'truth',
    faultForm: 'traced',
    tools: [...payloadTools, ...capabilityTools, ...schemaTools, ...tools],
  });
  const door = openFamilyDoor(toolset, { payloads, capabilities, schemas, ...more }, { clock, ids });

  /** Of one tenant. */
  function as(tenant: TenantId) {
    const { call, ...mine } = door.as(tenant);
    return {
      ...mine,
      call,
      /** What a transaction of its own answers. */
      read: <T>(work: (db: Writer) => Step<T>): Promise<T> =>
        floor.storage.write(call('test', { audit: 'none' }), work),
      async submit(input: SubmitInput): Promise<SubmitAnswer> {
        return await floor.payloads.submit(input, call('submit_payload'));
      },
    };
  }

  return { ...floor, ...more, invoke: door.invoke, as };
}

export interface TruthEngine extends EngineFixture {
  /** The ground floor on this store, or on another opening of it. */
  floor(storage?: Storage): PlantedFloor;
}

/** Says the same of every engine. */
export const describeTruth = (title: string, tell: (engine: TruthEngine) => void): void =>
  describeOnEngines(title, (engine) =>
    tell({ ...engine, floor: (storage) => plantGroundFloor(storage ?? engine.storage(), engine.clock) }),
  );
