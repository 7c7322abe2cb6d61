import { runProgram, serveProgram } from '#tests/support/program.ts';
import type { AcknowledgedWrites } from '#tests/support/survival/acknowledged-writes.ts';
import { lanesCount } from '#tests/support/survival/kill-rounds.ts';
import type { SharedPlace } from '#tests/support/survival/places.ts';
import type { Victim } from '#tests/support/survival/victim.ts';
import { cellTagsOf, type KeptPad } from './kept-pad.ts';
import { laneIds, laneTag } from './writing-lane.ts';

const sorted = (texts: Iterable<string>): string => [...new Set(texts)].toSorted().join();
export const differ = (what: string, is: string, expected: string): readonly string[] =>
  is === expected ? [] : [`${what}: ${is}, not ${expected}`];

/** Compares tags, namespaces and search with the pads. */
export async function findDerived(victim: Victim, pads: ReadonlyMap<string, KeptPad>): Promise<readonly string[]> {
  const all = [...pads.values()];
  const tags = await victim.call<Record<string, readonly string[]>>('scratch_list_tags');
  const { namespaces = [] } =
    (await victim.call<{ namespaces: readonly { namespace: string; scratchpad_count: number }[] }>(
      'scratch_namespace_list',
    )) ?? {};
  const counts = namespaces.filter(({ scratchpad_count: n }) => n !== 0);
  const expected = all.map(
    ({ namespace }) => `${namespace}=${all.filter((pad) => pad.namespace === namespace).length}`,
  );
  const flaws = [
    ...differ('tags of pads', (tags?.['scratchpad_tags'] ?? []).join(), sorted(all.flatMap((pad) => pad.tags))),
    ...differ('tags of cells', (tags?.['cell_tags'] ?? []).join(), sorted(all.flatMap(cellTagsOf))),
    ...differ(
      'namespaces',
      sorted(counts.map(({ namespace, scratchpad_count: n }) => `${namespace}=${n}`)),
      sorted(expected),
    ),
  ];
  for (let lane = 0; lane < lanesCount; lane += 1) {
    // By words: a hybrid answer ends where the hits become irrelevant.
    const args = { query: 'kept lane', tags: [laneTag(lane)], limit: 50, mode: 'words' };
    const found = await victim.call<{ hits: readonly Record<string, string>[] }>('scratch_search', args);
    const places = (found?.hits ?? []).map((hit) => `${hit['scratch_id']}/${hit['cell_id'] ?? ''}`);
    const there = [...pads].filter(([id]) => id.startsWith(`${laneTag(lane)}-`));
    const documents = there.flatMap(([id, { cells }]) => [`${id}/`, ...cells.map(({ cell_id }) => `${id}/${cell_id}`)]);
    flaws.push(...differ(`search in lane ${lane}`, sorted(places), sorted(documents)));
  }
  return flaws;
}

/** Compares the totals for limits and metrics with the pads. */
export async function findTotals(
  { env }: SharedPlace,
  promises: AcknowledgedWrites<KeptPad>,
): Promise<readonly string[]> {
  const pads = laneIds().flatMap((id) => promises.present(id) ?? []);
  const served = await serveProgram(env);
  const made = await runProgram(
    ['keys', 'create', '--name', 'looker', '--scopes', 'read', '--scopes', 'admin', '--json'],
    env,
  );
  const { key } = JSON.parse(made.stdout) as { key: string };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  await fetch(`${served.url}/api/tools/scratch_list`, { method: 'POST', headers, body: '{}' });
  const text = await (await fetch(`${served.url}/metrics`, { headers })).text();
  await served.stop();
  const currentOf = (name: string): string =>
    new RegExp(`^scratch_notebook_${name}_current (\\d+)$`, 'm').exec(text)?.[1] ?? 'none';
  const cellsCount = pads.reduce((sum, { cells }) => sum + cells.length, 0);
  return [
    ...differ('scratchpads in all', currentOf('scratchpads'), `${pads.length}`),
    ...differ('cells in all', currentOf('cells'), `${cellsCount}`),
  ];
}
