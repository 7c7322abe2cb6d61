import type { Settings } from '#config/settings.ts';
import type { Context, ContextDeps } from '#domains/context/context.ts';
import { contextLimits } from '#domains/context/context-limits.ts';
import {
  parts as allParts,
  type FoundPassage,
  type FoundRule,
  type Memories,
  type Part,
} from '#domains/context/memories.ts';
import { isInbox } from '#domains/context/remember/workspace.ts';
import type { Instructions } from '#domains/instructions/instructions.ts';
import { isBinding, isGeneralReason } from '#domains/instructions/rules/applicability.ts';
import type { Knowledge } from '#domains/knowledge/knowledge.ts';
import type { Notebooks } from '#domains/notebooks/notebooks.ts';
import { nothingFound } from '#domains/notebooks/search/notebook-search.ts';
import type { Access } from '#kernel/access/access.ts';
import { findNewestChanges, findNewestSeq } from '#kernel/audit/item-changes.ts';
import { type Call, localOwner } from '#kernel/call.ts';
import { chooseClear, isQuestion } from './choose-clear.ts';
import {
  type FactParts,
  factNames,
  factRelations,
  factSources,
  foundFacts,
  openContradictions,
  upcomingValues,
} from './context-facts.ts';
import type { FileRootsOptions } from './file-roots.ts';
import { withFileWords } from './file-words.ts';
import { chooseWorkspace } from './workspace.ts';

export interface ContextParts extends FactParts, Pick<ContextDeps, 'storage' | 'clock' | 'ids' | 'log' | 'cursors'> {
  readonly settings: Pick<Settings, 'workspace' | 'readOnly' | 'recallReceipts'>;
  readonly folders: Omit<FileRootsOptions, 'configured'>;
  readonly instructions: () => Promise<Pick<Instructions, 'reads' | 'proposals' | 'review'>>;
  readonly notebooks: () => Promise<Pick<Notebooks, 'search' | 'pads'>>;
  readonly knowledge: () => Promise<Pick<Knowledge, 'search' | 'usesFeathers'>>;
  readonly access: () => Pick<Access, 'listKeys'>;
}

/** With what follows from the settings. */
type ComposedParts = ContextParts & Pick<ContextDeps, 'workspace'>;

const { foundCount, rulesCount, passageTokens, docRelevanceRatio, wordsDocRelevanceRatio, shippedDocsCount } =
  contextLimits;
const { notesCount, wholeNoteChars, longNoteChars, wholeNotesCount, padRelevanceRatio, neighbourScoreRatio } =
  contextLimits;

/** A rule that was remembered a moment ago applies only when a person has approved it. */
async function hintOfRules(
  { proposals, reads }: Pick<Instructions, 'proposals' | 'reads'>,
  call: Call,
): Promise<string | undefined> {
  const { count, nextCursor } = await proposals.list({ state: 'pending', limit: 1 }, call);
  if (count === 0) {
    const all = await reads.list({ limit: 1, brief: true }, call);
    return all.count === 0 ? 'There are no rules yet: remember {text, kind: "rule"} proposes one.' : undefined;
  }
  const rules = nextCursor === undefined ? '1 proposed rule waits' : 'Several proposed rules wait';
  return `${rules} for a person: instructions_proposals lists them.`;
}

/** What applies always needs no reason. */
const reasonOf = (reasons: readonly string[]): string =>
  reasons.filter((reason) => !isGeneralReason(reason)).join('; ');

const foundRules =
  ({ instructions, workspace }: ComposedParts): Memories['rules'] =>
  async ({ task, files, namespace }, call) => {
    const { reads, proposals } = await instructions();
    const workspaceId = namespace ?? (await workspace(call));
    const scope = workspaceId === undefined ? {} : { workspaceId };
    const { items, may_apply = [], count } = await reads.applicable({ task, files, limit: rulesCount, ...scope }, call);
    const applying = items.map(({ id, title, requirement, reasons, body }) => ({
      ...{ id, title, requirement, body, why: reasonOf(reasons), applies: true },
      isBinding: isBinding({ requirement }),
      isAboutTask: !reasons.every(isGeneralReason),
    }));
    const related = may_apply.map(({ id, title, requirement, reason, body }) => ({
      ...{ id, title, requirement, body, why: reason, applies: false, isBinding: false, isAboutTask: true },
    }));
    const isFirst = (rule: FoundRule) => rule.isBinding || rule.isAboutTask;
    return {
      items: [...applying.filter(isFirst), ...related, ...applying.filter((rule) => !isFirst(rule))],
      moreCount: count - items.length,
      hint: items.length + may_apply.length === 0 ? await hintOfRules({ proposals, reads }, call) : undefined,
    };
  };

const proposedRules =
  ({ instructions }: ContextParts): Memories['proposals'] =>
  async ({ task }, call) => {
    const { proposals } = await instructions();
    const found = await proposals.about(task, call);
    return found.map(({ proposal_id, by, text }) => ({ id: `proposal:${proposal_id}`, by, text }));
  };

/** Which of these actors are trusted: the caller, the owner of the data folder, and keys of administrators. */
async function findTrusted({ access }: ContextParts, actors: readonly (string | undefined)[], call: Call) {
  const trusted = new Set<string | undefined>([undefined, call.actor, localOwner.actor]);
  if (actors.every((actor) => trusted.has(actor))) return trusted;
  for (const { id, scopes, revokedAt } of await access().listKeys(call.tenant))
    if (scopes.includes('admin') && revokedAt === undefined) trusted.add(keyActor(id));
  return trusted;
}

type NoteHits = Awaited<ReturnType<Notebooks['search']['find']>>;

type NoteHit = NoteHits['hits'][number];

const isCell = ({ cell_id }: NoteHit): boolean => cell_id !== null;

/** Clearly about the task. A pad is found by its title, which its cells show. The pad of an inbox says nothing itself. */
function chooseNotes({ hits, mode }: Pick<NoteHits, 'hits' | 'mode'>, task: string): readonly NoteHit[] {
  const notes = hits.filter((hit) => isCell(hit) || !isInbox(hit.scratch_id));
  const isByWords = ({ pending }: NoteHit) => mode === 'words' || pending === true;
  const compared = notes.filter(isCell);
  const clear = chooseClear(notes, { isByWords, compared, isAnswer: isQuestion(task) });
  const withCells = new Set(clear.filter(isCell).map(({ scratch_id }) => scratch_id));
  return clear.filter(
    (hit) =>
      isCell(hit) || (!withCells.has(hit.scratch_id) && (isByWords(hit) || (hit.relevance ?? 1) >= padRelevanceRatio)),
  );
}

const keyOf = (scratchId: string, cellId: string | null): string => `${scratchId}/${cellId}`;

/**
 * The cells around each note, each of them once. For a task, only those that it has found too: of the others, one in a
 * hundred is of use. For a question, all of them, because each may be the answer.
 */
function createNeighbours(chosen: readonly NoteHit[], found: readonly NoteHit[], isAnswer: boolean) {
  const shown = new Set(chosen.map(({ scratch_id, cell_id }) => keyOf(scratch_id, cell_id)));
  const least = Math.max(0, ...chosen.map(({ score }) => score)) * neighbourScoreRatio;
  const foundToo = new Set(
    found.filter(({ score }) => score >= least).map(({ scratch_id, cell_id }) => keyOf(scratch_id, cell_id)),
  );
  return ({ scratch_id }: NoteHit, cells: NoteHit['before'] = []) => {
    // The texts of an inbox came one after the other, and have nothing else in common.
    if (isInbox(scratch_id)) return [];
    const keys = cells.map((cell) => ({ ...cell, key: keyOf(scratch_id, cell.cell_id) }));
    const unseen = keys.filter(({ key }) => (isAnswer || foundToo.has(key)) && !shown.has(key));
    for (const { key } of unseen) shown.add(key);
    return unseen.map(({ snippet }) => snippet);
  };
}

/** Of the pad of each note, where it says something that the answer does not have yet. */
function toTitles(hits: readonly NoteHit[]): readonly (string | undefined)[] {
  const named = new Set<string>();
  return hits.map(({ scratch_id, title }) => {
    if (isInbox(scratch_id) || title === scratch_id || named.has(scratch_id)) return undefined;
    named.add(scratch_id);
    return title;
  });
}

/** What was remembered in other workspaces comes last. */
const ownFirst = (hits: readonly NoteHit[], own: string | undefined): readonly NoteHit[] => {
  const isOther = ({ scratch_id, namespace }: NoteHits['hits'][number]) =>
    own !== undefined && namespace !== own && isInbox(scratch_id);
  return [...hits.filter((hit) => !isOther(hit)), ...hits.filter(isOther)];
};

const foundNotes =
  (parts: ComposedParts): Memories['notes'] =>
  async ({ task, files, namespace }, call) => {
    const { search } = await parts.notebooks();
    const namespaces = namespace === undefined ? undefined : [namespace];
    const sizes = { wholeChars: wholeNoteChars, wholeCount: wholeNotesCount, snippetChars: longNoteChars };
    const question = {
      query: withFileWords(task, files),
      namespaces,
      limit: foundCount,
      context: 1,
      wordsIfOff: true,
      ...sizes,
    };
    const answer = await search.find(question, call);
    const own = namespace ?? (await parts.workspace(call));
    const allClear = ownFirst(chooseNotes(answer, task), own);
    const isAnswer = isQuestion(task);
    const clear = isAnswer ? allClear : allClear.slice(0, notesCount);
    const keys = clear.map(({ scratch_id, cell_id }) => ({ scratchId: scratch_id, cellId: cell_id ?? undefined }));
    const authors = keys.length === 0 ? [] : await search.authors(keys, call);
    const trusted = await findTrusted(parts, authors, call);
    const neighboursOf = createNeighbours(clear, answer.hits, isAnswer);
    const titles = toTitles(clear);
    return {
      items: clear.map((hit, i) => ({
        author: authors[i],
        isForeign: !trusted.has(authors[i]),
        scratchId: hit.scratch_id,
        cellId: hit.cell_id ?? undefined,
        namespace: hit.namespace ?? undefined,
        title: titles[i],
        text: hit.snippet,
        before: neighboursOf(hit, hit.before),
        after: neighboursOf(hit, hit.after),
        relevance: hit.relevance,
      })),
      moreCount: allClear.length - clear.length,
      hint: answer.hint?.startsWith(nothingFound) === true ? undefined : answer.hint,
    };
  };

type DocHits = Awaited<ReturnType<Knowledge['search']['find']>>['results'];

/** In a project that does not use FeathersJS, the shipped docs are only pointed at, unless its own docs say something. */
function toPassages(hits: DocHits, isFeathers: boolean): readonly FoundPassage[] {
  const own = hits.filter(({ library }) => library !== undefined);
  const pointed = isFeathers ? [] : hits.filter(({ library }) => library === undefined);
  const dropped = new Set(own.length > 0 ? pointed : pointed.slice(shippedDocsCount));
  return hits
    .filter((hit) => !dropped.has(hit))
    .map((hit) => ({
      id: hit.id,
      title: hit.title,
      library: hit.library === undefined ? `feathers ${hit.version}` : `${hit.library}@${hit.version}`,
      text: pointed.includes(hit) ? hit.snippet : (hit.text ?? hit.snippet),
      isSnippet: pointed.includes(hit) || hit.text === undefined,
      relevance: hit.relevance,
      isForeign: hit.library !== undefined,
    }));
}

const foundDocs =
  ({ knowledge }: ContextParts): Memories['docs'] =>
  async ({ task }, call) => {
    const { search, usesFeathers } = await knowledge();
    const { results, mode } = await search.find({ query: task, limit: foundCount, maxTokens: passageTokens }, call);
    // A user who asks the docs wants the nearest section in any case; a task is often about something else.
    const leastOf = ({ library }: DocHits[number]): number =>
      mode === 'words' && library !== undefined ? wordsDocRelevanceRatio : docRelevanceRatio;
    const clear = results.filter((hit) => hit.relevance >= leastOf(hit));
    const isFeathers = /feathers/i.test(task) || (await usesFeathers());
    return { items: toPassages(clear, isFeathers), moreCount: 0 };
  };

/** How the change log names the items. */
const topicOf: Readonly<Record<Part, string>> = {
  rules: 'instruction',
  facts: 'entity',
  notes: 'scratchpad-cell',
  docs: 'library',
};

const itemWrites =
  ({ storage }: ContextParts): Memories['writes'] =>
  (items, call, range = { after: 0, upTo: Number.MAX_SAFE_INTEGER }) =>
    storage.read(call, function* (db) {
      const seq = (yield* findNewestSeq(db))?.seq ?? 0;
      const refs = items.map(({ part, id }) => ({ topic: topicOf[part], id }));
      const changes = refs.length === 0 ? [] : yield* findNewestChanges(db, refs, range);
      const writes = changes.map(({ topic, ...change }) => ({
        ...change,
        part: allParts.find((part) => topicOf[part] === topic)!,
      }));
      return { seq, writes };
    });

const keyActor = (id: string): string => `key:${id}`;

const actorNames =
  ({ access }: ContextParts): Memories['actorNames'] =>
  async (actors, call) => {
    if (!actors.some((actor) => actor.startsWith(keyActor('')))) return new Map();
    const keys = await access().listKeys(call.tenant);
    return new Map(keys.map(({ id, name }) => [keyActor(id), name]));
  };

const padTitles =
  ({ notebooks }: ContextParts): Memories['padTitles'] =>
  async (scratchIds, call) =>
    (await notebooks()).pads.titles(scratchIds, call);

export async function composeContext(given: ContextParts): Promise<Context> {
  const { createContext } = await import('#domains/context/context.ts');
  const { settings, folders } = given;
  const parts: ComposedParts = {
    ...given,
    workspace: async (call) =>
      settings.workspace ?? (await chooseWorkspace({ configured: undefined, ...folders }, call)),
  };
  const memories = {
    rules: foundRules(parts),
    proposals: proposedRules(parts),
    facts: foundFacts(parts),
    factSources: factSources(parts),
    contradictions: openContradictions(parts),
    factRelations: factRelations(parts),
    upcoming: upcomingValues(parts),
    notes: foundNotes(parts),
    docs: foundDocs(parts),
    writes: itemWrites(parts),
    factNames: factNames(parts),
    padTitles: padTitles(parts),
    actorNames: actorNames(parts),
  };
  return createContext({
    ...parts,
    memories,
    hasSecret: async (text) => (await given.instructions()).review.hasSecret(text),
    keepCount: settings.readOnly ? 0 : settings.recallReceipts,
  });
}
