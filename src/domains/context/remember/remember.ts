import type { Alongside, Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { Fault, withFix } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { toAlongside } from '#kernel/storage/alongside.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { cutBeginning } from '#kernel/text/budget.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import { contextLimits } from '../context-limits.ts';
import { chooseKind, filesOf, type RememberedKind, withoutOpening } from './choose-kind.ts';
import { type Answer, askTool, findPresentId } from './find-present-id.ts';
import { readFields } from './read-fields.ts';
import { findRemembered, type RememberedRow, saveRemembered } from './remembered-store.ts';
import type { RememberAnswer, RememberedItem, RememberInput, RememberItem } from './tools/remember.ts';
import { type Inbox, inboxOf } from './workspace.ts';

export interface RememberDeps {
  readonly storage: Pick<Storage, 'read' | 'write'>;
  readonly clock: Clock;
  /** Of calls that name none; undefined if there is none. */
  workspace(call: Call): Promise<string | undefined>;
  /** True if the text contains a password or a key, by criteria that are fast to check. */
  hasSecret(text: string): Promise<boolean>;
}

/** What was stored. */
type Stored = Omit<RememberedItem, 'kind' | 'undo'>;

/** How a text is stored: in a write of its own, with the row by which it is found again. */
interface Write {
  readonly call: ToolCall;
  /** Each write of a call needs its own key. */
  readonly keySuffix: string;
  /** Stores the row in the transaction of the item, whose id follows from the result of its write. */
  alongside(idOf: (result: unknown) => string | undefined): Alongside;
}

/** The example in the fix of another tool would mislead. */
function withOwnFix(error: unknown): unknown {
  if (!(error instanceof Fault) || error.details['field'] !== 'effective_at') return error;
  return withFix(error, 'Send effective_at as 2026-05-03, 2026-05 or 2026, or leave it out.');
}

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

async function proposeRule(text: string, { source }: RememberItem, write: Write): Promise<Stored> {
  const id = ruleIdOf(text);
  const title = cutBeginning(text, contextLimits.titleChars);
  // Without files agents get it with every task; the person who approves it can narrow it down.
  const files = filesOf(text);
  const appliesTo = files === undefined ? { always: true } : { files: [files] };
  const entry = { id, title, body: text, requirement: 'recommended', appliesTo };
  const reason = source === undefined ? 'Remembered' : `Remembered from ${source}`;
  const { call, keySuffix } = write;
  const alongside = write.alongside((ids) => (Array.isArray(ids) ? `proposal:${String(ids[0])}` : undefined));
  const answer = await askTool(call, 'instructions/propose', { entry, reason }, { keySuffix, alongside });
  const proposalId = answer['proposal_id'];
  if (typeof proposalId !== 'string') return { id: `rule:${id}`, known: true, where: 'The catalog says this already.' };
  return {
    id: `proposal:${proposalId}`,
    where: `Proposed as the rule ${id}${files === undefined ? '' : ` for ${files}`}. It applies when a person approves it: fourfold instructions approve ${proposalId}`,
  };
}

const entityId = /^ent_[a-z0-9]+$/;
const { rememberedChars } = contextLimits;

interface FoundEntity {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly snapshot?: Answer;
  readonly match?: string;
}

/** With a few values, which tell entities of the same name apart. */
const toCandidate = ({ entity_id, entity_type, snapshot = {} }: FoundEntity) => ({
  entity_id,
  entity_type,
  fields: Object.fromEntries(
    Object.entries(snapshot)
      .filter(([, value]) => value === null || typeof value !== 'object')
      .slice(0, contextLimits.candidateFieldsCount),
  ),
});

/** An entity that is known by this name, or a new topic. */
async function toSubject(about: NonNullable<RememberItem['about']>, call: ToolCall) {
  if (typeof about !== 'string') return { subject: about };
  if (entityId.test(about)) return { entity_id: about };
  const { entities } = await askTool(call, 'get_entity_by_identifier', { identifier: about });
  const exact = (entities as readonly FoundEntity[]).filter(({ match }) => match === undefined || match === 'alias');
  if (exact.length > 1) {
    const candidates = exact.slice(0, contextLimits.candidatesCount).map(toCandidate);
    const fix = `Send about: "${candidates[0]!.entity_id}" or the entity_id of another candidate.`;
    throw faults.VALIDATION_ERROR(
      { why: `"${about}" fits ${exact.length} entities` },
      { field: 'about', candidates, fix },
    );
  }
  return exact.length === 1 ? { entity_id: exact[0]!.entity_id } : { subject: { type: 'topic', name: about } };
}

/** The field of an entity with the texts about it. */
export const rememberedField = 'remembered';

/** Of a fact whose changes say everything. */
const plainMessage = 'Recorded';

const submissionOf = (result: unknown): string | undefined =>
  isObject(result) && typeof result['submission_id'] === 'string' ? `fact:${result['submission_id']}` : undefined;

async function storeFact(text: string, item: RememberItem, write: Write): Promise<Stored> {
  const { about, source, effective_at } = item;
  if (about === undefined) {
    const fix = 'Say what it is about: {"text": "pays within 14 days", "about": "Globex"}, or leave kind out.';
    throw faults.VALIDATION_ERROR({ why: 'a fact needs about' }, { field: 'about', fix });
  }
  const { call, keySuffix } = write;
  const subject = await toSubject(about, call);
  const fields = { ...readFields(text), [rememberedField]: [text] };
  const given = { ...subject, fields, ...(source && { source }), ...(effective_at && { effective_at }) };
  const options = { keySuffix, alongside: write.alongside(submissionOf) };
  const answer = await askTool(call, 'store_fact', given, options).catch((error: unknown) => {
    throw withOwnFix(error);
  });
  const name = typeof about === 'string' && !entityId.test(about) ? about : String(answer['name']);
  return {
    id: `fact:${String(answer['submission_id'])}`,
    where: `Stored as a fact about ${name} (${String(answer['entity_id'])})`,
    changes: answer['changes'] as NonNullable<Stored['changes']>,
    ...(typeof answer['changes_at'] === 'string' && { changes_at: answer['changes_at'] }),
    ...(answer['message'] !== plainMessage && { note: String(answer['message']) }),
  };
}

const isTaken = (error: unknown, cellId: string): boolean =>
  error instanceof Fault && error.code === 'CONFLICT' && error.details['cell_id'] === cellId;

/** The next pad of the month if one is full. */
async function appendNote(inbox: Inbox, cell: Readonly<{ cell_id: string }>, { call, keySuffix, alongside }: Write) {
  for (let number = 1; ; number += 1) {
    const scratchId = number === 1 ? inbox.scratchId : `${inbox.scratchId}-${number}`;
    const id = `note:${scratchId}/${cell.cell_id}`;
    try {
      const metadata = { title: 'Inbox', ...(inbox.namespace && { namespace: inbox.namespace }) };
      const pad = { scratch_id: scratchId, metadata, cells: [cell], if_exists: 'append' };
      await askTool(call, 'scratch_create', pad, { keySuffix, alongside: alongside(() => id) });
      return { id, scratchId };
    } catch (error) {
      // The id of a cell follows from its text.
      if (isTaken(error, cell.cell_id)) return { id, scratchId, known: true as const };
      const isFull = error instanceof Fault && error.code === 'CAPACITY_LIMIT_REACHED';
      if (!isFull || number >= contextLimits.inboxPadsCount) throw error;
    }
  }
}

const keepNoteIn =
  (inbox: Inbox) =>
  async (text: string, { source, effective_at }: RememberItem, write: Write): Promise<Stored> => {
    const { actor } = write.call;
    const cell_id = `m-${sha256Hex(canonicalJson([text, actor])).slice(0, 16)}`;
    const metadata = { ...(source && { source }), ...(effective_at && { effective_at }), by: actor };
    const cell = { cell_id, language: 'md', content: text, tags: ['remembered'], metadata };
    const { scratchId, ...kept } = await appendNote(inbox, cell, write);
    return { ...kept, where: `${kept.known === true ? 'It is' : 'Stored'} in the pad ${scratchId}` };
  };

const toKnown = ({ kind, item_id }: RememberedRow): RememberedItem => ({
  ...{ kind, id: item_id, known: true, where: 'It was remembered before.' },
  undo: { tool: 'forget', arguments: { id: item_id } },
});

const toItem = (item: RememberItem | string): RememberItem => (typeof item === 'string' ? { text: item } : item);

/** Rules are read by every agent, so the criteria of this catalog decide too. */
async function isForbiddenInRules(text: string, call: ToolCall): Promise<boolean> {
  for (let at = 0; at < text.length; at += contextLimits.reviewStepChars) {
    const prompt = text.slice(at, at + contextLimits.reviewChars);
    const { issues } = await askTool(call, 'prompt/review', { prompt });
    const found = issues as readonly { readonly category: string; readonly severity: string }[];
    if (found.some(({ category, severity }) => category === 'security' && severity !== 'low')) return true;
  }
  return false;
}

const secretWarning = (kind: RememberedKind): string =>
  `This looks like a password or key. It is stored as a ${kind} and not as a rule. A secret manager is a better place: forget with permanently: true deletes it for good.`;

/** The call of another process has stored the same text since this one looked for it. */
const keptMeanwhile = () =>
  faults.CONFLICT(
    { why: 'the same text was stored at the same time' },
    { fix: 'Call remember again: it answers known: true.' },
  );

const textOrItemsFix = 'Send text for one thing, or items: ["…", {"text": "…", "about": "…"}] for several, not both.';
const emptyTextFix = 'Write what to keep behind "remember": {"text": "the staging database is reset on Mondays"}.';
const longTextFix =
  'Split it into several items, or keep it whole in a scratchpad with scratch_create, or as docs with knowledge_add.';

export function createRemember({ storage, clock, workspace, hasSecret }: RememberDeps) {
  const find = (hash: string, call: Call) => storage.read(call, (db) => findRemembered(db, hash));

  async function keepOne(item: RememberItem, namespace: string | undefined, call: ToolCall, keySuffix: string) {
    const text = withoutOpening(item.text);
    if (text === '') throw faults.VALIDATION_ERROR({ why: 'the text is empty' }, { field: 'text', fix: emptyTextFix });
    if (text.length > rememberedChars)
      throw faults.VALIDATION_ERROR(
        { why: `the text has more than ${rememberedChars} characters` },
        { field: 'text', fix: longTextFix },
      );
    const inbox = inboxOf(namespace ?? (await workspace(call)), call.actor, clock.now());
    const wanted = item.kind ?? chooseKind(text, item.about);
    const place = {
      about: item.about ?? null,
      namespace: inbox.namespace ?? null,
      // Without a workspace, the notes of each caller are in an inbox of their own.
      ...(wanted === 'note' && inbox.owner !== inbox.namespace && { owner: inbox.owner }),
    };
    const hash = sha256Hex(canonicalJson([toComparable(text), wanted, place] as Json));
    const before = await find(hash, call);
    const presentId = before && (await findPresentId(before.item_id, call));
    if (before !== undefined && presentId !== undefined) return toKnown({ ...before, item_id: presentId });
    const isSecret =
      (await hasSecret([text, item.source ?? '', JSON.stringify(item.about ?? '')].join('\n'))) ||
      (wanted === 'rule' && (await isForbiddenInRules(text, call)));
    const kind: RememberedKind = isSecret && wanted === 'rule' ? 'note' : wanted;
    let isFound = false;
    let isKeptMeanwhile = false;
    const write: Write = {
      call,
      keySuffix,
      alongside: (idOf) =>
        toAlongside(function* (db, result) {
          const item_id = idOf(result);
          if (item_id === undefined) return;
          isFound = true;
          isKeptMeanwhile = (yield* saveRemembered(db, hash, { item_id, kind }, before?.item_id)) === 0;
          if (isKeptMeanwhile) throw keptMeanwhile();
        }),
    };
    try {
      const stored = await { rule: proposeRule, fact: storeFact, note: keepNoteIn(inbox) }[kind](text, item, write);
      // Nothing was written: another way has brought the same rule here.
      if (!isFound) {
        const row = { item_id: stored.id, kind };
        await storage.write({ ...call, audit: 'none' }, (db) => saveRemembered(db, hash, row, before?.item_id));
      }
      const undo = { tool: 'forget', arguments: { id: stored.id } };
      return {
        kind,
        ...stored,
        ...(!isFound && { known: true as const }),
        undo,
        ...(isSecret && { warning: secretWarning(kind) }),
      };
    } catch (error) {
      const now = isKeptMeanwhile ? await find(hash, call) : undefined;
      if (now === undefined) throw error;
      return toKnown(now);
    }
  }

  return async function remember(input: RememberInput, call: ToolCall): Promise<RememberAnswer> {
    const { items, namespace, text, ...rest } = input;
    if ((items === undefined) === (text === undefined))
      throw faults.VALIDATION_ERROR({ why: 'give either text or items' }, { field: 'text', fix: textOrItemsFix });
    const all = items?.map(toItem) ?? [{ ...rest, text: text! }];
    const remembered: RememberedItem[] = [];
    const failed: NonNullable<RememberAnswer['failed']>[number][] = [];
    for (const [index, item] of all.entries()) {
      try {
        remembered.push(await keepOne(item, namespace, call, `remember-${index}`));
      } catch (error) {
        // The others are kept, and the answer says which one is not.
        if (all.length === 1 || !(error instanceof Fault)) throw error;
        failed.push({ index, code: error.code, message: error.message, fix: error.fix });
      }
    }
    return { remembered, ...(failed.length > 0 && { failed }) };
  };
}
