import { Fault } from '#kernel/fault/fault.ts';
import type { FactItem } from './memory-item.ts';
import { type MoveDeps, recordError } from './move-deps.ts';
import { factRecord } from './moved-items.ts';

/** Types that are already known answer `created: false`. An unusable one fails with its facts. */
async function registerTypes({ ask }: MoveDeps, facts: readonly FactItem[]): Promise<void> {
  const types = new Set(facts.flatMap(({ relations = [] }) => relations.map(({ type }) => type)));
  for (const relationship_type of types) {
    try {
      await ask('register_relationship_type', { relationship_type });
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'INVALID_RELATIONSHIP_TYPE') throw error;
    }
  }
}

export async function moveFacts(deps: MoveDeps, facts: readonly FactItem[]) {
  const { ask, moved, report, program, dryRun } = deps;
  const records = facts.map(factRecord);
  const known = await moved.find(records);
  const counts = { new: 0, changed: 0, known: 0 };
  const wanted = facts.filter((_fact, i) => known.get(records[i]!.item) !== records[i]!.hash);
  if (!dryRun) await registerTypes(deps, wanted);
  for (const [i, fact] of facts.entries()) {
    deps.signal?.throwIfAborted();
    deps.progress(i, facts.length, 'importing facts');
    const record = records[i]!;
    const before = known.get(record.item);
    if (before === record.hash) {
      counts.known += 1;
      continue;
    }
    const { subject, fields, relations } = fact;
    try {
      if (!dryRun) await ask('store_fact', { subject, fields, relations, source: `${program}: ${fact.source}` });
    } catch (error) {
      recordError(report, fact.source, error);
      continue;
    }
    if (!dryRun) await moved.save([record]);
    counts[before === undefined ? 'new' : 'changed'] += 1;
  }
  return counts;
}
