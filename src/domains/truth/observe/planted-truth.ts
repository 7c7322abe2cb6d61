import { afterAll, beforeAll, describe } from 'vitest';
import type { Call, Caller, TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { openLimiter } from '#kernel/limiter/limiter.ts';
import { createKeptLog } from '#kernel/log/log.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import { toCards } from '#kernel/tool/card.ts';
import { createInvoke } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { toFaultObject } from '#kernel/tool/print-fault.ts';
import { bindToolset, createRegistry } from '#kernel/tool/registry.ts';
import { type AnyTool, defineToolset } from '#kernel/tool/tool.ts';
import { migrations } from '#migrations/all.ts';
import { newTenant } from '#tests/contract/storage/call.ts';
import type { Place } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { createCapabilities } from '../capabilities/capabilities.ts';
import { capabilityTools } from '../capabilities/tools.ts';
import type { SubmitAnswer } from '../payloads/payloads.ts';
import { createPayloads } from '../payloads/payloads.ts';
import type { SubmitInput } from '../payloads/submit-input.ts';
import { payloadTools } from '../payloads/tools.ts';
import { createSchemas } from '../schemas/schemas.ts';
import { schemaTools } from '../schemas/tools.ts';
import type { Truth } from '../truth.ts';
import { toTruthStorage } from '../truth-storage.ts';

type Clock = ReturnType<typeof createManualClock>;
/** The rooms that every other one needs. */
export type GroundFloor = Pick<Truth, 'payloads' | 'capabilities' | 'schemas'>;

/** The answer, or the fault as its family prints it. */
export type Told = Readonly<Record<string, unknown>>;

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
  const { payloads, capabilities, schemas } = floor;
  const toolset = defineToolset<GroundFloor & More>({
    name: 'truth',
    faultForm: 'traced',
    tools: [...payloadTools, ...capabilityTools, ...schemaTools, ...tools],
  });
  const bugs: unknown[] = [];
  const invoke = createInvoke({
    registry: createRegistry(toCards(toolset), {
      truth: async () => bindToolset(toolset, { payloads, capabilities, schemas, ...more }),
    }),
    permits: { mutation: true, readOnly: false },
    limiter: openLimiter,
    meter: createToolMeter(),
    clock: floor.clock,
    ids: floor.ids,
    reportBug: ({ error }) => void bugs.push(error),
  });

  /** Of one tenant. */
  function as(tenant: TenantId) {
    const caller: Caller = { tenant, actor: 'ada', scopes: new Set(['admin']) };
    const call = (tool = 'test', part: Partial<Call> = {}): Call => ({
      ...caller,
      tool,
      audit: 'row',
      signal: new AbortController().signal,
      deadlineAt: Number.POSITIVE_INFINITY,
      progress() {},
      ...part,
    });
    async function ask(name: string, args: unknown = {}, idempotencyKey?: string): Promise<Told> {
      const outcome = await invoke({
        ...{ name, args, caller },
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      if (bugs.length > 0) throw bugs[0];
      if (outcome.ok) return JSON.parse(outcome.text) as Told;
      return toFaultObject('traced', outcome.fault, 'legacy', 'trace') as Told;
    }
    return {
      tenant,
      call,
      ask,
      /** What a transaction of its own answers. */
      read: <T>(work: (db: Writer) => Work<T>): Promise<T> =>
        floor.storage.write(call('test', { audit: 'none' }), work),
      async submit(input: SubmitInput): Promise<SubmitAnswer> {
        return await floor.payloads.submit(input, call('submit_payload'));
      },
    };
  }

  return { ...floor, ...more, as };
}

export interface TruthEngine {
  readonly name: string;
  readonly dialect: Storage['dialect'];
  readonly clock: Clock;
  storage(): Storage;
  place(): Place;
  /** Another process, as far as the store can tell. */
  openOther(): Promise<Storage>;
  /** The ground floor on this store, or on another opening of it. */
  floor(storage?: Storage): PlantedFloor;
  newTenant(): TenantId;
}

/** Says the same of every engine; a rehearsing one runs each write twice. One store a block, a tenant a test. */
export function describeTruth(title: string, tell: (engine: TruthEngine) => void): void {
  for (const engine of [sqliteEngine(true), postgresEngine(false)]) {
    describe(`${title} on ${engine.name}`, () => {
      const clock = createManualClock();
      const opened: Storage[] = [];
      let place: Place | undefined;
      const open = async () => {
        const storage = await place!.open({ migrations, clock });
        opened.push(storage);
        return storage;
      };
      beforeAll(async () => {
        place = await engine.create();
        await open();
      });
      afterAll(async () => {
        for (const storage of opened) await storage.close();
        await place?.remove();
      });
      tell({
        name: engine.name,
        dialect: engine.dialect,
        clock,
        storage: () => opened[0]!,
        place: () => place!,
        openOther: open,
        floor: (storage) => plantGroundFloor(storage ?? opened[0]!, clock),
        newTenant,
      });
    });
  }
}
