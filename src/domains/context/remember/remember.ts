import type { Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { cutBeginning } from '#kernel/text/budget.ts';
import { askThrough } from '#kernel/tool/invoke.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import { contextLimits } from '../context-limits.ts';
import { chooseKind, type RememberedKind, withoutOpening } from './choose-kind.ts';
import { readFields } from './read-fields.ts';
import { findRemembered, saveRemembered } from './remembered-store.ts';
import type { RememberAnswer, RememberedItem, RememberInput, RememberItem } from './tools/remember.ts';
import { type Inbox, inboxOf } from './workspace.ts';

export interface RememberDeps {
  readonly storage: Pick<Storage, 'read' | 'write'>;
  readonly clock: Clock;
  /** Of calls that name none; undefined if there is none. */
  workspace(call: Call): Promise<string | undefined>;
}

/** What was stored, and the call that undoes it. */
type Stored = Omit<RememberedItem, 'kind'>;

type Answer = Readonly<Record<string, unknown>>;

/** Each write of a call needs its own key. */
const askTool = async (call: ToolCall, tool: string, args: Answer, key?: string): Promise<Answer> =>
  (await askThrough(call)(tool, args, key)) as Answer;

/** Texts that differ only in case, blanks and a full stop at the end say the same. */
function toComparable(text: string): string {
  const line = text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
  return line.endsWith('.') ? line.slice(0, -1) : line;
}

const ruleIdOf = (text: string): string => {
  const words = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .slice(0, 6)
    .join('-');
  return `${words.slice(0, 60) || 'rule'}-${sha256Hex(toComparable(text)).slice(0, 6)}`;
};

async function proposeRule(text: string, { source }: RememberItem, call: ToolCall, key: string): Promise<Stored> {
  const id = ruleIdOf(text);
  const title = cutBeginning(text, contextLimits.titleChars);
  // It names no files or tasks, so agents get it with every task; the person who approves it can narrow it down.
  const entry = { id, title, body: text, requirement: 'recommended', appliesTo: { always: true } };
  const reason = source === undefined ? 'Remembered' : `Remembered from ${source}`;
  const answer = await askTool(call, 'instructions/propose', { entry, reason }, key);
  const proposalId = answer['proposal_id'];
  if (typeof proposalId !== 'string') return { id: `rule:${id}`, known: true, where: 'The catalog says this already.' };
  return {
    id: `proposal:${proposalId}`,
    where: `Proposed as the rule ${id}. It applies when a person approves it: fourfold instructions approve ${proposalId}`,
    undo: { tool: 'instructions/propose', arguments: { withdraw: proposalId } },
  };
}

const entityId = /^ent_[a-z0-9]+$/;

/** An entity that is known by this name, or a new topic. */
async function toSubject(about: NonNullable<RememberItem['about']>, call: ToolCall) {
  if (typeof about !== 'string') return { subject: about };
  if (entityId.test(about)) return { entity_id: about };
  const { entities } = await askTool(call, 'get_entity_by_identifier', { identifier: about });
  const exact = (entities as readonly { readonly entity_id: string; readonly match?: string }[]).filter(
    ({ match }) => match === undefined || match === 'alias',
  );
  if (exact.length > 1) {
    const ids = exact.slice(0, contextLimits.candidatesCount).map(({ entity_id }) => entity_id);
    throw faults.VALIDATION_ERROR(
      { why: `"${about}" fits ${exact.length} entities: pass the entity_id or {type, name}` },
      { field: 'about', candidates: ids },
    );
  }
  return exact.length === 1 ? { entity_id: exact[0]!.entity_id } : { subject: { type: 'topic', name: about } };
}

async function storeFact(text: string, item: RememberItem, call: ToolCall, key: string): Promise<Stored> {
  const { about, source, effective_at } = item;
  if (about === undefined) {
    const fix = 'Say what it is about: {"text": "pays within 14 days", "about": "Globex"}, or leave kind out.';
    throw faults.VALIDATION_ERROR({ why: 'a fact needs about' }, { field: 'about', fix });
  }
  const subject = await toSubject(about, call);
  const fields = { ...readFields(text), remembered: [text] };
  const given = { ...subject, fields, ...(source && { source }), ...(effective_at && { effective_at }) };
  const answer = await askTool(call, 'store_fact', given, key);
  const submissionId = String(answer['submission_id']);
  return {
    id: `fact:${submissionId}`,
    where: `Stored as a fact about ${String(answer['name'])} (${String(answer['entity_id'])})`,
    changes: answer['changes'] as NonNullable<Stored['changes']>,
    undo: { tool: 'retract_statement', arguments: { id: submissionId } },
  };
}

/** The next pad of the month if one is full. */
async function appendNote(inbox: Inbox, cell: Readonly<Record<string, unknown>>, call: ToolCall, key: string) {
  for (let number = 1; ; number += 1) {
    const scratchId = number === 1 ? inbox.scratchId : `${inbox.scratchId}-${number}`;
    try {
      const metadata = { title: 'Inbox', ...(inbox.namespace && { namespace: inbox.namespace }) };
      const pad = { scratch_id: scratchId, metadata, cells: [cell], if_exists: 'append' };
      await askTool(call, 'scratch_create', pad, key);
      return scratchId;
    } catch (error) {
      const isFull = error instanceof Fault && error.code === 'CAPACITY_LIMIT_REACHED';
      if (!isFull || number >= contextLimits.inboxPadsCount) throw error;
    }
  }
}

async function keepNote(text: string, item: RememberItem, inbox: Inbox, call: ToolCall, key: string): Promise<Stored> {
  const cellId = `m-${sha256Hex(canonicalJson([text, call.actor])).slice(0, 24)}`;
  const { source, effective_at } = item;
  const about = { ...(source && { source }), ...(effective_at && { effective_at }), by: call.actor };
  const cell = { cell_id: cellId, language: 'md', content: text, tags: ['remembered'], metadata: about };
  const scratchId = await appendNote(inbox, cell, call, key);
  return {
    id: `note:${scratchId}/${cellId}`,
    where: `Stored in the pad ${scratchId}`,
    undo: { tool: 'forget', arguments: { id: `note:${scratchId}/${cellId}` } },
  };
}

const goneCodes: ReadonlySet<string> = new Set(['NOT_FOUND', 'INVALID_ID', 'RECORD_NOT_FOUND']);

interface Submitted {
  readonly submission_id: string;
  readonly retracted_at?: string;
}

/** It may have been taken back by other tools meanwhile: deleted, retracted, withdrawn or rejected. */
async function isStillThere(itemId: string, call: ToolCall): Promise<boolean> {
  const [kind = '', id = ''] = itemId.split(/:(.*)/s);
  try {
    if (kind === 'note') {
      const [scratchId, cellId] = id.split('/', 2);
      await askTool(call, 'scratch_read', { scratch_id: scratchId, cell_ids: [cellId] });
    } else if (kind === 'fact') {
      const { submissions } = await askTool(call, 'get_payload', { submission_id: id });
      const own = (submissions as readonly Submitted[]).find((one) => one.submission_id === id);
      return own?.retracted_at === undefined;
    } else if (kind === 'proposal') {
      const { items } = await askTool(call, 'instructions/proposals', { proposal_id: id, state: 'all' });
      return (items as readonly { readonly state: string }[]).some(({ state }) => isOpenOrApproved.has(state));
    }
    return true;
  } catch (error) {
    if (error instanceof Fault && goneCodes.has(error.code)) return false;
    throw error;
  }
}

const isOpenOrApproved: ReadonlySet<string> = new Set(['pending', 'approved']);

/** True if the text contains a password or a key. Rules are read by every agent, so it must not become one. */
async function hasSecret(text: string, call: ToolCall): Promise<boolean> {
  for (let at = 0; at < text.length; at += contextLimits.reviewStepChars) {
    const prompt = text.slice(at, at + contextLimits.reviewChars);
    const { issues } = await askTool(call, 'prompt/review', { prompt });
    const found = issues as readonly { readonly category: string; readonly severity: string }[];
    if (found.some(({ category, severity }) => category === 'security' && severity !== 'low')) return true;
  }
  return false;
}

const secretWarning =
  'This looks like a password or key. It is stored as a note and not as a rule; forget removes it, and a secret manager is a better place.';

export function createRemember({ storage, clock, workspace }: RememberDeps) {
  async function keepOne(item: RememberItem, namespace: string | undefined, call: ToolCall, key: string) {
    const text = withoutOpening(item.text);
    if (text === '') throw faults.VALIDATION_ERROR({ why: 'the text is empty' }, { field: 'text' });
    const inbox = inboxOf(namespace ?? (await workspace(call)), call.actor, clock.now());
    const place = { about: item.about ?? null, namespace: inbox.namespace ?? null };
    const hash = sha256Hex(canonicalJson([toComparable(text), item.kind ?? null, place] as Json));
    const known = await storage.read(call, (db) => findRemembered(db, hash));
    if (known !== undefined && (await isStillThere(known.item_id, call))) {
      return { kind: known.kind, id: known.item_id, known: true as const, where: 'It was remembered before.' };
    }
    const wanted = item.kind ?? chooseKind(text, item.about);
    const isSecret = wanted !== 'fact' && (await hasSecret(text, call));
    const kind: RememberedKind = isSecret ? 'note' : wanted;
    const store = { rule: proposeRule, fact: storeFact, note: keepNoteIn(inbox) }[kind];
    const stored = await store(text, item, call, key);
    // After a power cut the text may be kept a second time, which is better than a second flush for every text.
    const quiet: Call = { ...call, audit: 'none', durability: 'soon' };
    await storage.write(quiet, (db) => saveRemembered(db, hash, { item_id: stored.id, kind }));
    return { kind, ...stored, ...(isSecret && { warning: secretWarning }) };
  }

  const keepNoteIn =
    (inbox: Inbox) =>
    (text: string, item: RememberItem, call: ToolCall, key: string): Promise<Stored> =>
      keepNote(text, item, inbox, call, key);

  return async function remember(input: RememberInput, call: ToolCall): Promise<RememberAnswer> {
    const { items, namespace, text, ...rest } = input;
    if ((items === undefined) === (text === undefined))
      throw faults.VALIDATION_ERROR({ why: 'give either text or items' }, { field: 'text' });
    const all: readonly RememberItem[] = items ?? [{ ...rest, text: text! }];
    const remembered: RememberedItem[] = [];
    const failed: NonNullable<RememberAnswer['failed']>[number][] = [];
    for (const [index, item] of all.entries()) {
      try {
        remembered.push(await keepOne(item, namespace, call, `remember-${index}`));
      } catch (error) {
        // The others are kept, and the answer says which one is not.
        if (all.length === 1 || !(error instanceof Fault)) throw error;
        failed.push({ index, code: error.code, message: error.message });
      }
    }
    return { remembered, ...(failed.length > 0 && { failed }) };
  };
}
