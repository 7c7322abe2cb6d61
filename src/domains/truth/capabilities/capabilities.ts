import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import type { RestoreCall } from '#kernel/tool/restore-call.ts';
import { expectTypes } from '../relationships/relationship-types/relationship-types.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthLimits } from '../truth-limits.ts';
import { capabilityTopic } from '../truth-vocabulary.ts';
import { builtinById, builtinCapabilities } from './builtin-capabilities.ts';
import type { Capability } from './capability.ts';
import {
  countCapabilities,
  deleteCapability,
  findCapability,
  insertCapability,
  listCapabilities,
} from './capability-store.ts';
import { unknownCapability } from './unknown-capability.ts';

export interface ListedCapability extends Capability {
  readonly builtin: boolean;
}

interface RemovedCapability {
  readonly capability_id: string;
  readonly removed: boolean;
  readonly restore: RestoreCall;
}

export interface Capabilities {
  /** Needs a query only if it is not built in. */
  find(db: Reader, id: string): Work<Capability | undefined>;
  /** UNKNOWN_CAPABILITY if it does not exist; `field` names the argument. */
  expect(db: Reader, id: string, field: string): Work<Capability>;
  list(call: Call): Promise<{ readonly capabilities: readonly ListedCapability[]; readonly total: number }>;
  /**
   * A definition never changes, because earlier payloads were read with it. Registering the same one again is not an
   * error.
   */
  register(definition: Capability, call: Call): Promise<{ readonly capability: Capability; readonly created: boolean }>;
  /** Payloads that were read with it keep their observations. */
  /** The answer contains the definition, which can be registered again. */
  remove(capabilityId: string, call: Call): Promise<RemovedCapability>;
}

// Validated by the schema before it was stored.
const parse = (definition: string): Capability => JSON.parse(definition) as Capability;

const isBuiltin = (id: string): boolean => builtinById.has(id);

/** Serialises registrations, so that the count stays right. */
const registryLock = 'truth-capabilities';

export function createCapabilities({ storage }: Pick<TruthDeps, 'storage'>): Capabilities {
  function* find(db: Reader, id: string): Work<Capability | undefined> {
    const builtin = builtinById.get(id);
    if (builtin !== undefined) return builtin;
    const row = yield* findCapability(db, id);
    return row === undefined ? undefined : parse(row.definition);
  }

  function* listAll(db: Reader): Work<readonly Capability[]> {
    const rows = yield* listCapabilities(db, truthLimits.registeredCount);
    return [...builtinCapabilities, ...rows.map(({ definition }) => parse(definition))];
  }

  return {
    find,
    *expect(db, id, field) {
      const known = yield* find(db, id);
      if (known === undefined) throw unknownCapability(id, yield* listAll(db), { field });
      return known;
    },
    async list(call) {
      const rows = await storage.read(call, (db) => listCapabilities(db, truthLimits.registeredCount));
      const capabilities = [
        ...builtinCapabilities.map((one) => ({ ...one, builtin: true })),
        ...rows.map(({ definition }) => ({ ...parse(definition), builtin: false })),
      ];
      return { capabilities, total: capabilities.length };
    },
    register: (definition, call) =>
      storage.write(call, function* (db) {
        const { capability_id, extract } = definition;
        const text = canonicalJson(definition);
        yield* db.lock(registryLock);
        const known = yield* find(db, capability_id);
        if (known !== undefined) {
          if (canonicalJson(known) === text) return { capability: known, created: false };
          throw faults.CONFLICT(
            { why: `${capability_id} is registered with another definition; register a new version` },
            {
              capability_id,
              fix: 'list_capabilities shows the registered definition; register yours under a new version, such as :v2.',
            },
          );
        }
        yield* expectTypes(
          db,
          extract.flatMap(({ link }) => link ?? []),
          'extract.link',
        );
        const { registeredCount } = truthLimits;
        const counted = yield* countCapabilities(db, registeredCount);
        if ((counted?.count ?? 0) >= registeredCount) {
          throw faults.RESOURCE_LIMIT({
            what: 'The list of capabilities',
            limit: registeredCount,
            unit: 'capabilities',
          });
        }
        yield* insertCapability(db, capability_id, text);
        yield* db.changed(capabilityTopic, capability_id, 'create', sha256Hex(text));
        return { capability: definition, created: true };
      }),
    remove: (capability_id, call) =>
      storage.write(call, function* (db) {
        if (isBuiltin(capability_id)) {
          throw faults.VALIDATION_ERROR(
            { why: 'A built-in capability cannot be removed' },
            { capability_id, fix: 'Remove only registered capabilities; list_capabilities shows the origin of each.' },
          );
        }
        const row = yield* findCapability(db, capability_id);
        if (row === undefined) throw unknownCapability(capability_id, yield* listAll(db), { capability_id });
        yield* deleteCapability(db, capability_id);
        yield* db.changed(capabilityTopic, capability_id, 'delete', sha256Hex(row.definition));
        const definition = JSON.parse(row.definition) as Record<string, unknown>;
        return { capability_id, removed: true, restore: { tool: 'register_capability', arguments: definition } };
      }),
  };
}
