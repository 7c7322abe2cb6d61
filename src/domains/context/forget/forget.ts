import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { toAlongside } from '#kernel/storage/alongside.ts';
import { askThrough } from '#kernel/tool/invoke.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import { findMovedNote, isMissingNote, type NotePlace } from '../find-moved-note.ts';
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

const findRuleFix =
  'instructions/search finds rules by words, instructions/listArchived lists those that were removed already.';
const findPadFix = 'scratch_list lists the scratchpads, scratch_trash those that were deleted already.';

const forgetRule: Forget = async (id, reason, ask) => {
  let answer: Answer;
  try {
    answer = await ask('instructions/remove', { ids: [id] });
  } catch (error) {
    if (error instanceof Fault && mayPropose.has(error.code)) return proposeRemoval(id, reason, ask);
    throw error;
  }
  if (answer['proposed'] === true) return toProposedRemoval(String(answer['proposal_id']));
  if (answer['removed'] === 0) throw faults.NOT_FOUND({ what: `rule ${id}` }, { field: 'id', fix: findRuleFix });
  return {
    forgotten: true,
    how: 'The rule is in the archive.',
    restore: { tool: 'instructions/restore', arguments: { ids: [id] } },
  };
};

const withdrawProposal: Forget = async (id, reason, ask) => {
  await ask('instructions/propose', { withdraw: id, ...withReason(reason) });
  return {
    forgotten: true,
    how: 'The proposal is withdrawn.',
    restore: { tool: 'instructions/propose', arguments: { reopen: id } },
  };
};

/** Also if it was moved to another pad since its id was given out. */
async function deleteCell(place: NotePlace, more: Answer, ask: Ask): Promise<Answer> {
  const toArguments = ({ scratchId, cellId }: NotePlace) => ({ scratch_id: scratchId, cell_id: cellId, ...more });
  try {
    return await ask('scratch_delete_cell', toArguments(place));
  } catch (error) {
    const moved = isMissingNote(error) ? await findMovedNote(place, ask) : undefined;
    if (moved === undefined) throw error;
    return ask('scratch_delete_cell', toArguments(moved));
  }
}

const forgetNote: Forget = async (id, _reason, ask) => {
  const [scratchId = '', cellId] = id.split('/', 2);
  if (cellId === undefined) {
    const { deleted, restore } = await ask('scratch_delete', { scratch_id: scratchId });
    if (deleted !== true) throw faults.NOT_FOUND({ what: `scratchpad ${scratchId}` }, { field: 'id', fix: findPadFix });
    return { forgotten: true, how: 'The scratchpad is in the trash.', restore: restore as Outcome['restore'] };
  }
  const { restore } = await deleteCell({ scratchId, cellId }, {}, ask);
  return {
    forgotten: true,
    how: 'The cell is deleted; scratch_history keeps what it said.',
    restore: restore as Outcome['restore'],
  };
};

const forgetFact: Forget = async (id, reason, ask) => {
  const { retracted } = await ask('retract_statement', { id, ...withReason(reason) });
  return {
    forgotten: retracted === true,
    how:
      retracted === true
        ? 'The statement no longer counts; what was known before stays known.'
        : 'It was retracted before.',
    restore: { tool: 'restore_statement', arguments: { id } },
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

/** `library@version`, or the id of a section of it: `@scope/name@1.2.0/guide.md#start`. */
const docPattern = /^((?:@[^@/:\s]+\/)?[^@/:\s]+)@([^@/#\s]+)(?:[/#].*)?$/u;

const forgetLibrary: Forget = async (id, _reason, ask) => {
  const [whole, library, version] = docPattern.exec(id) ?? [];
  if (library === undefined || version === undefined) {
    const why = 'docs are forgotten by library and version';
    throw faults.VALIDATION_ERROR(
      { why },
      { field: 'id', fix: 'Send doc:<library>@<version>; knowledge_list shows them.' },
    );
  }
  if (whole !== `${library}@${version}`) {
    const why = 'forget takes a whole version of a library, not one of its pages';
    const fix = `Send doc:${library}@${version}, or call knowledge_remove {"library": "${library}", "version": "${version}"}, to remove all its pages. To remove one page, ingest the others with knowledge_ingest and replace: true.`;
    throw faults.VALIDATION_ERROR({ why }, { field: 'id', fix });
  }
  await ask('knowledge_remove', { library, version });
  return {
    forgotten: true,
    how: 'The library is removed.',
    restore: { tool: 'knowledge_restore', arguments: { library, version } },
  };
};

const purgedHow =
  'Deleted for good: no tool returns it any more. Backups and exports from before may still contain it.';

const purgeCell: Forget = async (id, _reason, ask) => {
  const [scratchId = '', cellId] = id.split('/', 2);
  if (cellId === undefined) {
    const why = 'only single cells of a scratchpad can be deleted permanently';
    throw faults.VALIDATION_ERROR({ why }, { field: 'id', fix: 'Send note:<scratch_id>/<cell_id>.' });
  }
  await deleteCell({ scratchId, cellId }, { permanently: true }, ask);
  return { forgotten: true, how: purgedHow };
};

const purgeSource: Forget = async (id, _reason, ask) => {
  await ask('forget_source', { id, dry_run: false, confirm: id });
  return { forgotten: true, how: purgedHow };
};

const permanentKinds: Readonly<Record<string, Forget>> = { note: purgeCell, fact: purgeSource, record: purgeSource };

const kinds: Readonly<Record<string, Forget>> = {
  rule: forgetRule,
  proposal: withdrawProposal,
  note: forgetNote,
  fact: forgetFact,
  record: forgetRecord,
  doc: forgetLibrary,
};

const forms =
  'note:<scratch_id>/<cell_id>, note:<scratch_id>, rule:<id>, fact:<submission_id>, proposal:<proposal_id>, record:<id> or doc:<library>@<version>';

/** Ids that can be of one kind only. */
const bareIds: readonly (readonly [RegExp, string])[] = [
  [/^sub_/, 'fact'],
  [/^p-[0-9a-f]{12}$/, 'proposal'],
  [/^[\w-]{1,128}\/[\w-]{1,128}$/, 'note'],
  [docPattern, 'doc'],
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
  async ({ id: given, permanently, reason }: ForgetInput, call: ToolCall): Promise<ForgetAnswer> => {
    const { kind, id } = readId(given);
    const forgetIt = (permanently === true ? permanentKinds : kinds)[kind];
    if (forgetIt === undefined) {
      const why = `a ${kind} stays in the history and cannot be deleted permanently`;
      throw faults.VALIDATION_ERROR({ why }, { field: 'permanently', fix: 'Send it without permanently.' });
    }
    // The same text can be remembered again as soon as the item is gone.
    const alongside = toAlongside(function* (db) {
      yield* deleteRemembered(db, `${kind}:${id}`);
    });
    const ask: Ask = async (tool, args) => (await askThrough(call)(tool, args, { alongside })) as Answer;
    return { id: given, ...(await forgetIt(id, reason, ask)) };
  };
