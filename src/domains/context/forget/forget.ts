import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { askThrough } from '#kernel/tool/invoke.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import { deleteRemembered } from '../remember/remembered-store.ts';
import type { ForgetAnswer, ForgetInput } from './tools/forget.ts';

export interface ForgetDeps {
  readonly storage: Pick<Storage, 'write'>;
}

type Outcome = Omit<ForgetAnswer, 'id'>;
type Forget = (id: string, reason: string | undefined, call: ToolCall) => Promise<Outcome>;
type Answer = Readonly<Record<string, unknown>>;

const ask = async (call: ToolCall, tool: string, args: Answer): Promise<Answer> =>
  (await askThrough(call)(tool, args)) as Answer;

const withReason = (reason: string | undefined) => (reason === undefined ? {} : { reason });

/** A person decides if the caller may not remove rules. */
const proposeRemoval: Forget = async (id, reason, call) => {
  const answer = await ask(call, 'instructions/propose', { remove: id, ...withReason(reason) });
  const proposalId = String(answer['proposal_id']);
  return {
    forgotten: false,
    how: `Proposed to remove the rule. It applies until a person approves: fourfold instructions approve ${proposalId}`,
    restore: { tool: 'instructions/propose', arguments: { withdraw: proposalId } },
  };
};

const mayPropose: ReadonlySet<string> = new Set(['MUTATION_DISABLED', 'PERMISSION_DENIED']);

const forgetRule: Forget = async (id, reason, call) => {
  let answer: Answer;
  try {
    answer = await ask(call, 'instructions/remove', { ids: [id] });
  } catch (error) {
    if (error instanceof Fault && mayPropose.has(error.code)) return proposeRemoval(id, reason, call);
    throw error;
  }
  if (answer['proposed'] === true) {
    return { forgotten: false, how: 'Proposed to remove the rule. It applies until a person approves the proposal.' };
  }
  if (answer['removed'] === 0) throw faults.NOT_FOUND({ what: `rule ${id}` }, { field: 'id' });
  return {
    forgotten: true,
    how: 'The rule is in the archive.',
    restore: { tool: 'instructions/restore', arguments: { ids: [id] } },
  };
};

const withdrawProposal: Forget = async (id, reason, call) => {
  await ask(call, 'instructions/propose', { withdraw: id, ...withReason(reason) });
  return { forgotten: true, how: 'The proposal is withdrawn. To propose it again, send the text to remember.' };
};

const forgetNote: Forget = async (id, _reason, call) => {
  const [scratchId = '', cellId] = id.split('/', 2);
  if (cellId === undefined) {
    const { deleted, restore } = await ask(call, 'scratch_delete', { scratch_id: scratchId });
    if (deleted !== true) throw faults.NOT_FOUND({ what: `scratchpad ${scratchId}` }, { field: 'id' });
    return { forgotten: true, how: 'The scratchpad is in the trash.', restore: restore as Outcome['restore'] };
  }
  const { restore } = await ask(call, 'scratch_delete_cell', { scratch_id: scratchId, cell_id: cellId });
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

const forgetFact: Forget = async (id, reason, call) => {
  const payload = await ask(call, 'get_payload', { submission_id: id });
  const { retracted } = await ask(call, 'retract_statement', { id, ...withReason(reason) });
  return {
    forgotten: retracted === true,
    how:
      retracted === true
        ? 'The statement no longer counts; what was known before stays known.'
        : 'It was retracted before.',
    restore: toStatement(payload),
  };
};

const forgetRecord: Forget = async (id, _reason, call) => {
  await ask(call, 'delete_record', { id });
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

/** `note:pad/cell` → how notes are forgotten, and `pad/cell`. Ids of statements need no prefix. */
function readId(given: string): { readonly forget: Forget; readonly id: string } {
  if (given.startsWith('sub_')) return { forget: forgetFact, id: given };
  const colon = given.indexOf(':');
  const kind = given.slice(0, Math.max(0, colon));
  const id = given.slice(colon + 1);
  if (Object.hasOwn(kinds, kind) && id !== '') return { forget: kinds[kind]!, id };
  const why = given.startsWith('ent_')
    ? 'an entity has many statements: get_field_provenance shows the submission_id of each, and forget takes one'
    : `the id begins with ${Object.keys(kinds).join(':, ')}:`;
  throw faults.VALIDATION_ERROR({ why }, { field: 'id' });
}

export const createForget =
  ({ storage }: ForgetDeps) =>
  async ({ id: given, reason }: ForgetInput, call: ToolCall): Promise<ForgetAnswer> => {
    const { forget, id } = readId(given);
    const outcome = await forget(id, reason, call);
    await storage.write({ ...call, audit: 'none' }, (db) => deleteRemembered(db, given));
    return { id: given, ...outcome };
  };
