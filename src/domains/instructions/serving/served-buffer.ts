import type { TenantId } from '#kernel/call.ts';
import type { ServedDay } from './serving-store.ts';

export interface Receiver {
  readonly tenant: TenantId;
  readonly day: number;
  readonly actor: string;
  readonly workspace: string;
}

interface Counts {
  applies: number;
  mayApply: number;
  lastAt: number;
}

interface ReceiverCounts {
  readonly receiver: Receiver;
  readonly rules: Map<string, Counts>;
}

/** Counts in memory, added up per receiver and rule. Holds at most `rulesMax`; further ones are dropped. */
export function createServedBuffer(rulesMax: number) {
  let receivers = new Map<string, ReceiverCounts>();
  let rulesCount = 0;

  function rulesOf(receiver: Receiver): Map<string, Counts> {
    const key = JSON.stringify([receiver.tenant, receiver.day, receiver.actor, receiver.workspace]);
    let known = receivers.get(key);
    if (known === undefined) {
      known = { receiver, rules: new Map() };
      receivers.set(key, known);
    }
    return known.rules;
  }

  function add(rules: Map<string, Counts>, id: string, applies: number, mayApply: number, at: number): void {
    const counts = rules.get(id);
    if (counts !== undefined) {
      counts.applies += applies;
      counts.mayApply += mayApply;
      counts.lastAt = Math.max(counts.lastAt, at);
    } else if (rulesCount < rulesMax) {
      rules.set(id, { applies, mayApply, lastAt: at });
      rulesCount += 1;
    }
  }

  return {
    isEmpty: () => rulesCount === 0,
    isFull: () => rulesCount >= rulesMax,
    add(receiver: Receiver, at: number, applies: readonly string[], mayApply: readonly string[]): void {
      const rules = rulesOf(receiver);
      for (const id of applies) add(rules, id, 1, 0, at);
      for (const id of mayApply) add(rules, id, 0, 1, at);
    },
    /** Empties it. */
    take(): ReadonlyMap<TenantId, readonly ServedDay[]> {
      const taken = new Map<TenantId, ServedDay[]>();
      for (const { receiver, rules } of receivers.values()) {
        const { tenant, day, actor, workspace } = receiver;
        const rows = taken.get(tenant) ?? [];
        taken.set(tenant, rows);
        for (const [id, { applies, mayApply, lastAt }] of rules) {
          rows.push({ day, id, actor, workspace, applies_count: applies, may_apply_count: mayApply, last_at: lastAt });
        }
      }
      receivers = new Map();
      rulesCount = 0;
      return taken;
    },
    /** Returns rows that could not be stored. */
    putBack(tenant: TenantId, rows: readonly ServedDay[]): void {
      for (const { day, actor, workspace, id, applies_count, may_apply_count, last_at } of rows) {
        add(rulesOf({ tenant, day, actor, workspace }), id, applies_count, may_apply_count, last_at);
      }
    },
  };
}
