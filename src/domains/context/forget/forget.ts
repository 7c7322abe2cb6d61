import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { toAlongside } from '#kernel/storage/alongside.ts';
import { askThrough } from '#kernel/tool/invoke.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import { deleteRemembered } from '../remember/remembered-store.ts';
import type { ForgetAnswer, ForgetInput } from './tools/forget.ts';

type Outcome = Omit<ForgetAnswer, 'id'>;
type Ask = (tool: string, args: Answer) => Promise<Answer>;
type Forget = (id: string, reason: string | undefined, ask: Ask) => Promise<Outcome>;
type Answer = Readonly<Record<string, unknown>>;

const withReason = (reason: string | undefined) => (reason === undefined ? {} : { reason });

const toProposedRemoval = (proposalId: string): Outcome => ({
  forgotten: false,
  how: `Proposed to remove the rule. It applies until a person approves: fourfold instructions approve ${proposalId}`,
  restore: { tool: 'instructions/propose', arguments: { withdraw: proposalId } },
});

/** A person decides if the caller may not remove rules. */
const proposeRemoval: Forget = async (id, reason, ask) => {
  const answer = await ask('instructions/propose', { remove: id, ...withReason(reason) });
  return toProposedRemoval(String(answer['proposal_id']));
};

const mayPropose: ReadonlySet<string> = new Set(['MUTATION_DISABLED', 'PERMISSION_DENIED']);

const forgetRule: Forget = async (id, reason, ask) => {
  let answer: Answer;
  try {
    answer = await ask('instructions/remove', { ids: [id] });
  } catch (error) {
    if (error instanceof Fault && mayPropose.has(error.code)) return proposeRemoval(id, reason, ask);
    throw error;
  }
  if (answer['proposed'] === true) return toProposedRemoval(String(answer['proposal_id']));
  if (answer['removed'] === 0) throw faults.NOT_FOUND({ what: `rule ${id}` }, { field: 'id' });
  return {
    forgotten: true,
    how: 'The rule is in the archive.',
    restore: { tool: 'instructions/restore', arguments: { ids: [id] } },
  };
};

interface WithdrawnProposal {
  readonly id: string;
  readonly what: string;
  readonly changes: Readonly<Record<string, { readonly after: unknown }>>;
  readonly texts: { readonly proposed: string | null };
  readonly reason?: string;
}

/** The call that proposes the same once more. */
function toProposal({ id, what, changes, texts: { proposed }, reason }: WithdrawnProposal): Outcome['restore'] {
  const fields = Object.entries(changes).map(([field, { after }]) => [field, after] as const);
  const entry = { id, ...(proposed !== null && { body: proposed }), ...Object.fromEntries(fields) };
  const change = what === 'delete' ? { remove: id } : { entry };
  return { tool: 'instructions/propose', arguments: { ...change, ...withReason(reason) } };
}

const withdrawProposal: Forget = async (id, reason, ask) => {
  const { items } = await ask('instructions/proposals', { proposal_id: id, state: 'all' });
  await ask('instructions/propose', { withdraw: id, ...withReason(reason) });
  const [proposal] = items as readonly [WithdrawnProposal];
  return { forgotten: true, how: 'The proposal is withdrawn.', restore: toProposal(proposal) };
};

const forgetNote: Forget = async (id, _reason, ask) => {
  const [scratchId = '', cellId] = id.split('/', 2);
  if (cellId === undefined) {
    const { deleted, restore } = await ask('scratch_delete', { scratch_id: scratchId });
    if (deleted !== true) throw faults.NOT_FOUND({ what: `scratchpad ${scratchId}` }, { field: 'id' });
    return { forgotten: true, how: 'The scratchpad is in the trash.', restore: restore as Outcome['restore'] };
  }
  const { restore } = await ask('scratch_delete_cell', { scratch_id: scratchId, cell_id: cellId });
  return { forgotten: true, how: 'The cell is in the trash.', restore: restore as Outcome['restore'] };
};

const factCapability = 'fourfold:store_fact:v1';

/** The call that states the same once more. */
function toStatement(payload: Answer): Outcome['restore'] {
  const { capability_id, body, provenance } = payload;
  if (capability_id !== factCapability) {
    return { tool: 'submit_payload', arguments: { capability_id, body, provenance } };
  }
  const { source_refs = [] } = provenance as { readonly source_refs?: readonly string[] };
  return {
    tool: 'store_fact',
    arguments: { ...(body as Answer), ...(source_refs[0] === undefined ? {} : { source: source_refs[0] }) },
  };
}

const forgetFact: Forget = async (id, reason, ask) => {
  const payload = await ask('get_payload', { submission_id: id });
  const { retracted } = await ask('retract_statement', { id, ...withReason(reason) });
  return {
    forgotten: retracted === true,
    how:
      retracted === true
        ? 'The statement no longer counts; what was known before stays known.'
        : 'It was retracted before.',
    restore: toStatement(payload),
  };
};

const forgetRecord: Forget = async (id, _reason, ask) => {
  await ask('delete_record', { id });
  return {
    forgotten: true,
    how: 'The record is in the trash.',
    restore: { tool: 'restore_record', arguments: { id } },
  };
};

const kinds: Readonly<Record<string, Forget>> = {
  rule: forgetRule,
  proposal: withdrawProposal,
  note: forgetNote,
  fact: forgetFact,
  record: forgetRecord,
};

const forms =
  'note:<scratch_id>/<cell_id>, note:<scratch_id>, rule:<id>, fact:<submission_id>, proposal:<proposal_id> or record:<id>';

/** Ids that can be of one kind only. */
const bareIds: readonly (readonly [RegExp, string])[] = [
  [/^sub_/, 'fact'],
  [/^p-[0-9a-f]{12}$/, 'proposal'],
  [/^[\w-]{1,128}\/[\w-]{1,128}$/, 'note'],
];

/** `note:pad/cell` → `note` and `pad/cell`. Some ids need no prefix. */
function readId(given: string): { readonly kind: string; readonly id: string } {
  const [, bare] = bareIds.find(([pattern]) => pattern.test(given)) ?? [];
  if (bare !== undefined) return { kind: bare, id: given };
  const colon = given.indexOf(':');
  const kind = given.slice(0, Math.max(0, colon));
  const id = given.slice(colon + 1);
  if (Object.hasOwn(kinds, kind) && id !== '') return { kind, id };
  if (given.startsWith('ent_')) {
    const why = 'an entity has many statements, and forget takes one of them';
    const fix = `list_observations {"entity_id": "${given.slice(0, 64)}"} and get_field_provenance show the submission_id of each statement: send fact:<submission_id>.`;
    throw faults.VALIDATION_ERROR({ why }, { field: 'id', fix });
  }
  const why = `the id begins with ${Object.keys(kinds).join(':, ')}:`;
  throw faults.VALIDATION_ERROR(
    { why },
    { field: 'id', fix: `Send ${forms}. recall and the searches show these ids.` },
  );
}

export const createForget =
  () =>
  async ({ id: given, reason }: ForgetInput, call: ToolCall): Promise<ForgetAnswer> => {
    const { kind, id } = readId(given);
    // The same text can be remembered again as soon as the item is gone.
    const alongside = toAlongside(function* (db) {
      yield* deleteRemembered(db, `${kind}:${id}`);
    });
    const ask: Ask = async (tool, args) => (await askThrough(call)(tool, args, { alongside })) as Answer;
    return { id: given, ...(await kinds[kind]!(id, reason, ask)) };
  };
