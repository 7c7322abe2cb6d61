import type { Instructions } from '#domains/instructions/instructions.ts';
import type { Notebooks } from '#domains/notebooks/notebooks.ts';
import type { SystemDeps } from '#domains/system/system.ts';
import type { Truth } from '#domains/truth/truth.ts';
import { truthFaults } from '#domains/truth/truth-faults.ts';
import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';

interface ChangeLookupParts {
  readonly instructions: () => Promise<Pick<Instructions, 'history' | 'reads'>>;
  readonly notebooks: () => Promise<Pick<Notebooks, 'pads'>>;
  readonly truth: () => Promise<Pick<Truth, 'entities'>>;
}

/** The fields of an entity as they were known at a time; none before it existed. */
async function fieldsKnownAt({ entities }: Pick<Truth, 'entities'>, entityId: string, at: number, call: Call) {
  try {
    return (await entities.snapshot({ entity_id: entityId, as_known_at: toIso(at) }, call)).snapshot;
  } catch (error) {
    if (error instanceof Fault && error.code === truthFaults.ENTITY_NOT_FOUND.kind.code) return {};
    throw error;
  }
}

/** Finds what a change replaced, in the memories that keep earlier states. */
export function createChangeLookup({
  instructions,
  truth,
}: Omit<ChangeLookupParts, 'notebooks'>): SystemDeps['changeOf'] {
  return async ({ topic, id, hash, at }, call) => {
    if (topic === 'instruction') {
      const found = await (await instructions()).history.changeOf({ id, etag: hash, at }, call);
      if (found === undefined) return undefined;
      const fields = Object.entries(found.changes).map(([field, { before, after }]) => ({ field, before, after }));
      return { fields, diff: found.bodyDiff, version: found.number };
    }
    if (topic === 'entity') {
      const memory = await truth();
      const [before, after] = [
        await fieldsKnownAt(memory, id, at - 1, call),
        await fieldsKnownAt(memory, id, at, call),
      ];
      const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
      const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
      return {
        fields: changed.map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null })),
      };
    }
    return undefined;
  };
}

/** Names of rules, scratchpads, entities and keys; other items have ids that people chose. */
export const createItemNames =
  ({
    instructions,
    notebooks,
    truth,
    access,
  }: ChangeLookupParts & Pick<SystemDeps, 'access'>): SystemDeps['nameItems'] =>
  async (topic, ids, call) => {
    if (topic === 'instruction') return (await instructions()).reads.titles(ids, call);
    if (topic === 'scratchpad') return (await notebooks()).pads.titles(ids, call);
    if (topic === 'entity') return (await truth()).entities.names(ids, call);
    if (topic !== 'api_keys') return new Map();
    const keys = await access().listKeys(call.tenant);
    return new Map(keys.map(({ id, name }) => [id, name]));
  };
