import { createHash } from 'node:crypto';
import type { AcknowledgedWrites } from '#tests/support/survival/acknowledged-writes.ts';
import type { Json } from '#tests/support/survival/conversation.ts';
import type { Dice } from '#tests/support/survival/dice.ts';
import { lanesCount, type Write, type WritingLane } from '#tests/support/survival/kill-rounds.ts';

/** Describes one write as text: the parts of a payload, the fields of a correction, the ends of an edge, a root. */
export type Kept = string;

/** RULINGS R6. */
const entityIdOf = (type: string, name: string): string =>
  `ent_${createHash('sha256').update(`${type}:${name}`).digest('hex').slice(0, 24)}`;

const vendorsCount = 4;
const invoicesCount = 4;
const edgeTypes = ['DEPENDS_ON', 'PART_OF', 'REFERS_TO', 'SETTLES', 'SUPERSEDES'];

const vendorName = (lane: number, n: number): string => `vendor ${lane} ${n}`;
const vendorIdOf = (lane: number, n: number): string => entityIdOf('company', vendorName(lane, n));
const customerName = (lane: number): string => `customer ${lane}`;
/** The vendor is part of an invoice's natural key, so each lane keeps its own. */
const invoiceIdOf = (lane: number, n: number): string =>
  entityIdOf('invoice', [`inv-${lane}-${n}`, vendorName(lane, n % vendorsCount)].join('\u001f'));

/** Entities that lanes merge. */
export const laneVendors = (): ReadonlySet<string> =>
  new Set(
    Array.from({ length: lanesCount }, (_, lane) =>
      Array.from({ length: vendorsCount }, (_each, n) => vendorIdOf(lane, n)),
    ).flat(),
  );

export const mergedKey = (entityId: string): string => `merged ${entityId}`;

/** The parts of a complete payload. */
export const partsOf = (parts: readonly string[]): Kept => parts.toSorted().join(' | ');

/** Writes payloads, corrections, merges and edges for its own entities; each write has a unique mark. */
export function createWritingLane(lane: number, promises: AcknowledgedWrites<Kept>, dice: Dice): WritingLane<Kept> {
  const { below } = dice;
  const spokenOf = new Set<string>();
  let count = 0;
  const freshMark = (word: string): string => {
    count += 1;
    return `${word}-${lane}-${count}-${below(1_000_000)}`;
  };
  const isSpokenOf = (id: string): boolean => spokenOf.has(id);

  function submit(): Write<Kept> {
    const mark = freshMark('payload');
    const n = below(invoicesCount);
    const ids = [invoiceIdOf(lane, n), vendorIdOf(lane, n % vendorsCount), entityIdOf('company', customerName(lane))];
    const roles = ['self', 'vendor_name', 'customer_name'];
    return {
      tool: 'submit_payload',
      args: {
        capability_id: 'neotoma:store_invoice:v1',
        body: {
          ...{ invoice_number: `INV-${lane}-${n}`, amount: count, date: '2025-01-15', description: mark },
          ...{ vendor_name: vendorName(lane, n % vendorsCount), vendor_description: mark, vendor_tags: [mark] },
          ...{ customer_name: customerName(lane), customer_description: mark },
        },
        provenance: { source_refs: [], extracted_at: '2025-01-15T10:30:00Z', extractor_version: mark },
      },
      after: new Map([[mark, partsOf(roles.map((role, i) => `${role} of ${ids[i]}`))]]),
      check(answer) {
        for (const id of ids) spokenOf.add(id);
        const entities = answer['entities'] as readonly Json[];
        return answer['created'] === true && entities.every(({ entity_id }, i) => entity_id === ids[i]);
      },
    };
  }

  function correct(): Write<Kept> | undefined {
    const entity_id = vendorIdOf(lane, below(vendorsCount));
    if (!isSpokenOf(entity_id)) return undefined;
    const mark = freshMark('correction');
    return {
      tool: 'correct_entity',
      args: { entity_id, fields: { phone: mark }, reason: mark },
      after: new Map([[mark, `of ${entity_id}`]]),
      check: (answer) => (answer['snapshot'] as Json)['phone'] === mark,
    };
  }

  /** The others are merged into the first one. */
  function joinOrPart(): Write<Kept> | undefined {
    const root = vendorIdOf(lane, 0);
    const source = vendorIdOf(lane, 1 + below(vendorsCount - 1));
    if (!isSpokenOf(root) || !isSpokenOf(source)) return undefined;
    const key = mergedKey(source);
    const isMerged = promises.present(key) !== undefined;
    return {
      tool: isMerged ? 'unmerge_entities' : 'merge_entities',
      args: { source_entity_id: source, target_entity_id: root },
      after: new Map([[key, isMerged ? undefined : root]]),
      check: (answer) => answer['root_entity_id'] === (isMerged ? source : root),
    };
  }

  /** From a later invoice to an earlier one, so there is never a cycle. */
  function relate(): Write<Kept> | undefined {
    const from = 1 + below(invoicesCount - 1);
    const [source, target] = [invoiceIdOf(lane, from), invoiceIdOf(lane, below(from))];
    const type = dice.pick(edgeTypes)!;
    const mark = `edge ${type} ${source} ${target}`;
    if (!isSpokenOf(source) || !isSpokenOf(target) || promises.present(mark) !== undefined) return undefined;
    const ends = { source_entity_id: source, target_entity_id: target };
    return {
      tool: 'create_relationship',
      args: { relationship_type: type, ...ends, metadata: { mark } },
      after: new Map([[mark, 'is there']]),
      check: (answer) => answer['created'] === true,
    };
  }

  const plans = [submit, submit, submit, correct, joinOrPart, relate];
  return { next: () => dice.pick(plans)!() };
}
