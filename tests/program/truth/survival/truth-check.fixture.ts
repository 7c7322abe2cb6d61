import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '#tests/support/program.ts';
import type { Json } from '#tests/support/survival/conversation.ts';
import type { Memory, RestartContext } from '#tests/support/survival/kill-rounds.ts';
import type { SharedPlace } from '#tests/support/survival/places.ts';
import type { Victim } from '#tests/support/survival/victim.ts';
import { createWritingLane, type Kept, laneVendors, mergedKey, partsOf } from './writing-lane.fixture.ts';

/** A rebuild takes as long as a round. */
const thoroughEvery = 10;
const pageCount = 1000;

interface Observation {
  readonly id: string;
  readonly entity_id: string;
  readonly source_kind: string;
  readonly source_record_id: string;
  readonly role: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Undefined if the program ended before the last answer. */
async function listAll<T>(victim: Victim, tool: string, args: Json, member: string): Promise<readonly T[] | undefined> {
  const all: T[] = [];
  for (;;) {
    const page = await victim.call(tool, { ...args, limit: pageCount, offset: all.length });
    if (page === undefined) return undefined;
    const items = page[member] as readonly T[];
    all.push(...items);
    if (items.length === 0 || all.length >= (page['total'] as number)) return all;
  }
}

interface Present {
  readonly kept: ReadonlyMap<string, Kept>;
  readonly flaws: readonly string[];
}

/** Reads all writes back through the tools. */
async function readAll(victim: Victim): Promise<Present | undefined> {
  const entities = await listAll<Json>(victim, 'retrieve_entities', { include_snapshots: true }, 'entities');
  if (entities === undefined) return undefined;
  const parts = new Map<string, string[]>();
  const kept = new Map<string, Kept>();
  const flaws: string[] = [];
  const vendors = laneVendors();
  for (const { entity_id: root, entity_type, snapshot, observation_count } of entities) {
    const entity = { entity_id: root };
    const observations = await listAll<Observation>(victim, 'list_observations', entity, 'observations');
    const edges = await listAll<Json>(
      victim,
      'list_relationships',
      { ...entity, direction: 'outbound' },
      'relationships',
    );
    if (observations === undefined || edges === undefined) return undefined;
    if (observations.length !== observation_count) {
      flaws.push(`${String(root)} counts ${String(observation_count)} of ${observations.length} observations`);
    }
    for (const { entity_id, source_kind, role, fields } of observations) {
      const { description, phone } = fields;
      if (source_kind === 'correction') kept.set(phone ?? '', `of ${entity_id}`);
      else if (description !== undefined)
        parts.set(description, [...(parts.get(description) ?? []), `${role} of ${entity_id}`]);
      if (entity_id !== root && vendors.has(entity_id)) kept.set(mergedKey(entity_id), String(root));
    }
    // The snapshot shows the newest correction of a company.
    const phones = observations.filter(({ source_kind }) => source_kind === 'correction');
    if (entity_type === 'company' && phones.length > 0 && (snapshot as Json)['phone'] !== phones[0]!.fields['phone']) {
      flaws.push(`${String(root)} has the phone ${String((snapshot as Json)['phone'])}`);
    }
    for (const { metadata } of edges) {
      const mark = (metadata as Json | undefined)?.['mark'];
      if (typeof mark === 'string') kept.set(mark, 'is there');
    }
  }
  for (const [mark, some] of parts) kept.set(mark, partsOf(some));
  return { kept, flaws };
}

/** Compares the stored states with the observations. */
async function findRebuilt({ env }: SharedPlace): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runProgram(['truth', 'rebuild', '--check', '--json'], env);
  const report = JSON.parse(stdout === '' ? '{}' : stdout) as Json;
  const answer = [
    report['differing'],
    report['missing'],
    report['misdirected_relationships'],
    (report['wrong_totals'] as readonly string[] | undefined)?.length,
  ];
  return code === 0 && answer.every((count) => count === 0) ? [] : [`rebuild says ${stdout}${stderr}`];
}

async function findFlaws({ victim, place, promises, round, isLast }: RestartContext<Kept>): Promise<readonly string[]> {
  const present = await readAll(victim);
  if (present === undefined) return [`the program ended before it answered: ${victim.said()}`];
  const flaws = [...present.flaws, ...promises.compare(present.kept)];
  if (!isLast && round % thoroughEvery !== thoroughEvery - 1) return flaws;
  return [...flaws, ...(await findRebuilt(place))];
}

const payloadRoles = 3;

/** Only an export shows a payload without observations. */
async function findBarren({ env, folder }: SharedPlace): Promise<readonly string[]> {
  const file = join(folder, 'truth.jsonl');
  const { code, stderr } = await runProgram(['truth', 'export', file, '--force', '--json'], env);
  if (code !== 0) return [`export ended with ${code}: ${stderr}`];
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly t?: string; readonly r?: Readonly<Record<string, string>> });
  const of = (table: string) => rows.flatMap((each) => (each.t === table && each.r ? [each.r] : []));
  const counts = new Map(of('truth_payloads').map((row) => [row['payload_id']!, 0]));
  const flaws: string[] = [];
  for (const { source_id = '', source_kind } of of('truth_observations')) {
    if (source_kind !== 'payload') continue;
    if (counts.has(source_id)) counts.set(source_id, counts.get(source_id)! + 1);
    else flaws.push(`${source_id} was never submitted`);
  }
  for (const [id, count] of counts) if (count !== payloadRoles) flaws.push(`${id} has ${count} observations`);
  if (counts.size === 0) flaws.push('the export holds no payload');
  return flaws;
}

/** Uses every kind of write once, without a mark and with entities that no lane uses. */
async function warmUp(victim: Victim): Promise<void> {
  const provenance = { source_refs: [], extracted_at: '2025-01-01T00:00:00Z', extractor_version: 'warm' };
  const body = { invoice_number: 'warm', vendor_name: 'warm one', customer_name: 'warm two' };
  const answer = await victim.call('submit_payload', { capability_id: 'neotoma:store_invoice:v1', body, provenance });
  const [, one, two] = (answer!['entities'] as readonly Json[]).map(({ entity_id }) => entity_id);
  const pair = { source_entity_id: one, target_entity_id: two };
  await victim.call('create_relationship', { relationship_type: 'REFERS_TO', ...pair });
  await victim.call('merge_entities', pair);
  await victim.call('unmerge_entities', pair);
  await readAll(victim);
}

export const truthMemory: Memory<Kept> = {
  textOf: (kept) => kept,
  createLane: createWritingLane,
  firstRead: 'retrieve_entities',
  warmUp,
  findFlaws,
  findAtRest: findBarren,
};
