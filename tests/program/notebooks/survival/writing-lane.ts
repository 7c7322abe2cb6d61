import type { AcknowledgedWrites } from '#tests/support/survival/acknowledged-writes.ts';
import type { Json } from '#tests/support/survival/conversation.ts';
import type { Dice } from '#tests/support/survival/dice.ts';
import { lanesCount, type Write, type WritingLane } from '#tests/support/survival/kill-rounds.ts';
import type { KeptCell, KeptPad } from './kept-pad.ts';

const padsCount = 3;
const cellsCount = 6;
/** Each lane has a tag of its own. */
export const laneTag = (lane: number): string => `lane-${lane}`;

const idsOf = (lane: number): readonly string[] => Array.from({ length: padsCount }, (_, i) => `lane-${lane}-${i}`);

/** Of the pads of all lanes, existing or not. */
export const laneIds = (): readonly string[] => Array.from({ length: lanesCount }, (_, lane) => idsOf(lane)).flat();

const isLight = (answer: Json, id: string, pad: KeptPad): boolean => {
  const { scratch_id, revision, cell_count, cells } = answer['scratchpad'] as Json;
  const ids = (cells as readonly Json[]).map(({ cell_id }) => cell_id);
  const expected = pad.cells.map(({ cell_id }) => cell_id);
  return (
    scratch_id === id &&
    revision === pad.revision &&
    cell_count === expected.length &&
    JSON.stringify(ids) === JSON.stringify(expected)
  );
};

/** Runs every kind of write on a few pads of its own, in sequence, each with new content. */
export function createWritingLane(
  lane: number,
  promises: AcknowledgedWrites<KeptPad>,
  dice: Dice,
): WritingLane<KeptPad> {
  const ids = idsOf(lane);
  const { pick, below } = dice;
  let count = 0;
  const fresh = (word: string): string => {
    count += 1;
    return `${word}-${lane}-${count}-${below(1_000_000)}`;
  };
  const freshCell = (cell_id: string): KeptCell => ({
    cell_id,
    content: `Kept ${fresh('text')}`,
    tags: [laneTag(lane), `tag-${below(5)}`],
  });
  const toInput = (cell: KeptCell): Json => ({ language: 'md', ...cell });
  const present = (): readonly string[] => ids.filter((id) => promises.present(id) !== undefined);
  const kept = (id: string): KeptPad => promises.present(id)!;
  const namespaceNow = (): string => {
    const [id] = present();
    return id === undefined ? fresh('space') : kept(id).namespace;
  };

  function create(id: string): Write<KeptPad> {
    const before = promises.present(id);
    const revision = (before?.revision ?? 0) + 1;
    const cells = Array.from({ length: below(4) }, () => freshCell(fresh('cell')));
    const pad: KeptPad = { namespace: namespaceNow(), revision, tags: [laneTag(lane)], cells, schemas: {} };
    return {
      tool: 'scratch_create',
      args: { scratch_id: id, metadata: { namespace: pad.namespace, tags: pad.tags }, cells: cells.map(toInput) },
      after: new Map([[id, pad]]),
      putsAway: new Map([[id, 'reset']]),
      check: (answer) => isLight(answer, id, pad) && (answer['reset'] === true) === (before !== undefined),
    };
  }

  function change(id: string, tool: string, args: Json, to: Partial<KeptPad>): Write<KeptPad> {
    const before = kept(id);
    const pad = { ...before, revision: before.revision + 1, ...to };
    const check = (answer: Json) => tool === 'scratch_upsert_schema' || isLight(answer, id, pad);
    return { tool, args: { scratch_id: id, ...args }, after: new Map([[id, pad]]), check };
  }

  const plans: readonly (() => Write<KeptPad> | undefined)[] = [
    () => create(pick(ids)!),
    ...Array.from({ length: 3 }, () => () => {
      const id = pick(present());
      if (id === undefined || kept(id).cells.length >= cellsCount) return undefined;
      const cell = freshCell(fresh('cell'));
      return change(id, 'scratch_append_cell', { cell: toInput(cell) }, { cells: [...kept(id).cells, cell] });
    }),
    ...Array.from({ length: 2 }, () => () => {
      const id = pick(present());
      const old = id === undefined ? undefined : pick(kept(id).cells);
      if (id === undefined || old === undefined) return undefined;
      const cell = freshCell(old.cell_id);
      const rest = kept(id).cells.filter(({ cell_id }) => cell_id !== old.cell_id);
      const new_index = below(rest.length + 1);
      const args = { cell_id: old.cell_id, cell: toInput(cell), new_index };
      return change(id, 'scratch_replace_cell', args, { cells: rest.toSpliced(new_index, 0, cell) });
    }),
    ...Array.from({ length: 2 }, () => () => {
      const [from, to] = dice.pickSome(present(), 2);
      const cell = from === undefined ? undefined : pick(kept(from).cells);
      if (from === undefined || to === undefined || cell === undefined) return undefined;
      const [source, target] = [kept(from), kept(to)];
      if (target.cells.length >= cellsCount) return undefined;
      const { cell_id } = cell;
      const to_index = below(target.cells.length + 1);
      const left = { ...source, revision: source.revision + 1, cells: source.cells.filter((one) => one !== cell) };
      const revision = Math.max(target.revision, left.revision) + 1;
      const entered = { ...target, revision, cells: target.cells.toSpliced(to_index, 0, cell) };
      return {
        tool: 'scratch_move_cell',
        args: { scratch_id: from, cell_id, to_scratch_id: to, to_index },
        after: new Map([
          [from, left],
          [to, entered],
        ]),
        check: (answer: Json) => isLight(answer, to, entered),
      };
    }),
    () => {
      const id = pick(present());
      if (id === undefined) return undefined;
      const after = new Map([[id, undefined]]);
      return { tool: 'scratch_delete', args: { scratch_id: id }, after, check: (answer) => answer['deleted'] === true };
    },
    () => {
      const id = pick(present());
      if (id === undefined) return undefined;
      const name = `s${below(3)}`;
      const schema = { title: fresh('schema') };
      const schemas = { ...kept(id).schemas, [name]: schema.title };
      return change(id, 'scratch_upsert_schema', { schema: { name, schema } }, { schemas });
    },
    () => {
      const those = present();
      if (those.length === 0) return undefined;
      const namespace = fresh('space');
      return {
        tool: 'scratch_namespace_rename',
        args: { old_namespace: namespaceNow(), new_namespace: namespace },
        after: new Map(those.map((id) => [id, { ...kept(id), namespace }])),
        check: (answer) => answer['migrated_count'] === those.length,
      };
    },
  ];

  return { next: () => pick(plans)!() };
}
