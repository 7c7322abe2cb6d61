import type { Settings } from '#config/settings.ts';
import type { Context, ContextDeps } from '#domains/context/context.ts';
import { contextLimits } from '#domains/context/context-limits.ts';
import { parts as allParts, type Memories, type Part } from '#domains/context/memories.ts';
import type { Instructions } from '#domains/instructions/instructions.ts';
import type { Knowledge } from '#domains/knowledge/knowledge.ts';
import type { Notebooks } from '#domains/notebooks/notebooks.ts';
import type { Truth } from '#domains/truth/truth.ts';
import type { Access } from '#kernel/access/access.ts';
import { findNewestChanges, findNewestSeq } from '#kernel/audit/item-changes.ts';
import { type Call, localOwner } from '#kernel/call.ts';
import type { FileRootsOptions } from './file-roots.ts';
import { chooseWorkspace } from './workspace.ts';

export interface ContextParts extends Pick<ContextDeps, 'storage' | 'clock' | 'ids' | 'log' | 'cursors'> {
  readonly settings: Pick<Settings, 'workspace' | 'readOnly' | 'recallReceipts'>;
  readonly folders: Omit<FileRootsOptions, 'configured'>;
  readonly instructions: () => Promise<Pick<Instructions, 'reads' | 'proposals'>>;
  readonly truth: () => Promise<Pick<Truth, 'entities' | 'contradictions'>>;
  readonly notebooks: () => Promise<Pick<Notebooks, 'search'>>;
  readonly knowledge: () => Promise<Pick<Knowledge, 'search'>>;
  readonly access: () => Pick<Access, 'listKeys'>;
}

const {
  foundCount,
  factFieldsCount,
  contradictionsCount,
  passageTokens,
  wholeNoteChars,
  docRelevanceRatio,
  noteRelevanceRatio,
} = contextLimits;

/** By rank, for memories whose scores cannot be compared with others. */
const byRank = (i: number): number => 1 / (1 + i / 4);

const isBinding = (requirement: string): boolean => requirement === 'mandatory' || requirement === 'critical';

/** A rule that was remembered a moment ago applies only when a person has approved it. */
async function hintOfProposals({ list }: Instructions['proposals'], call: Call): Promise<string | undefined> {
  const { count } = await list({ state: 'pending', limit: 1 }, call);
  if (count === 0) return undefined;
  const rules = count === 1 ? '1 proposed rule waits' : `${count} proposed rules wait`;
  return `${rules} for a person: instructions_proposals lists them.`;
}

const foundRules =
  ({ instructions }: ContextParts): Memories['rules'] =>
  async ({ task, files, namespace }, call) => {
    const { reads, proposals } = await instructions();
    const scope = namespace === undefined ? {} : { workspaceId: namespace };
    const { items, may_apply = [], others = [], count } = await reads.applicable({ task, files, ...scope }, call);
    return {
      items: [
        ...items.map(({ id, title, requirement, reasons, body }) => ({
          ...{ id, title, requirement, body, why: reasons.join('; '), applies: true },
          isBinding: isBinding(requirement),
        })),
        ...may_apply.map(({ id, title, requirement, reason, body }) => ({
          ...{ id, title, requirement, body, why: reason, applies: false, isBinding: false },
        })),
      ],
      moreCount: count - items.length + others.length,
      hint: items.length + may_apply.length === 0 ? await hintOfProposals(proposals, call) : undefined,
    };
  };

/** The fields that match the question first. */
function chooseFields(snapshot: Readonly<Record<string, unknown>> = {}, matched: readonly string[] = []) {
  const names = Object.keys(snapshot);
  const chosen = [
    ...names.filter((name) => matched.includes(name)),
    ...names.filter((name) => !matched.includes(name)),
  ];
  return Object.fromEntries(chosen.slice(0, factFieldsCount).map((name) => [name, snapshot[name]]));
}

const foundFacts =
  ({ truth }: ContextParts): Memories['facts'] =>
  async ({ task, at }, call) => {
    const { entities } = await truth();
    const found = await entities.retrieve(
      { query: task, at, limit: foundCount, offset: 0, include_snapshots: true },
      call,
    );
    return {
      items: found.entities.map(({ entity_id, entity_type, canonical_name, snapshot, matched }, i) => ({
        entityId: entity_id,
        type: entity_type,
        name: typeof snapshot?.['name'] === 'string' ? snapshot['name'] : canonical_name,
        fields: chooseFields(snapshot, matched),
        relevance: byRank(i),
      })),
      moreCount: Math.max(0, found.total - found.entities.length),
    };
  };

/** Connectors and extractors bring in texts that other people wrote. */
const isForeignAgent = (agent: string | undefined): boolean => agent?.startsWith('connector:') === true;

const factSources =
  ({ truth }: ContextParts): Memories['factSources'] =>
  async (entityIds, call) => {
    const { entities } = await truth();
    const sources = await entities.newestSources(entityIds, call);
    return sources.map(({ entity_id, observed_at, source_kind, agent_id, source_refs }) => ({
      entityId: entity_id,
      asOf: observed_at.slice(0, 10),
      source: source_refs[0] ?? agent_id ?? source_kind,
      isForeign: source_kind === 'record' || isForeignAgent(agent_id),
    }));
  };

const openContradictions =
  ({ truth }: ContextParts): Memories['contradictions'] =>
  async (entityIds, call) => {
    const { contradictions } = await truth();
    const found = [];
    const disputed = await contradictions.disputed(entityIds, call);
    for (const entity_id of entityIds.filter((id) => disputed.has(id))) {
      const listed = await contradictions.list({ entity_id, status: 'open', limit: contradictionsCount }, call);
      found.push(...listed.contradictions);
      if (found.length >= contradictionsCount) break;
    }
    return found.map(({ contradiction_id, entity_id, field, statements }) => ({
      contradictionId: contradiction_id,
      entityId: entity_id,
      field,
      values: statements.map(({ value }) => value),
    }));
  };

/** Which of these actors are trusted: the caller, the owner of the data folder, and keys of administrators. */
async function findTrusted({ access }: ContextParts, actors: readonly (string | undefined)[], call: Call) {
  const trusted = new Set<string | undefined>([undefined, call.actor, localOwner.actor]);
  if (actors.every((actor) => trusted.has(actor))) return trusted;
  for (const { id, scopes, revokedAt } of await access().listKeys(call.tenant))
    if (scopes.includes('admin') && revokedAt === undefined) trusted.add(keyActor(id));
  return trusted;
}

const foundNotes =
  (parts: ContextParts): Memories['notes'] =>
  async ({ task, namespace }, call) => {
    const { search } = await parts.notebooks();
    const namespaces = namespace === undefined ? undefined : [namespace];
    const wanted = { query: task, namespaces, limit: foundCount, context: 1, wholeChars: wholeNoteChars };
    const answer = await search.find(wanted, call);
    const clear = answer.hits.filter(({ relevance }) => relevance >= noteRelevanceRatio);
    const keys = clear.map(({ scratch_id, cell_id }) => ({ scratchId: scratch_id, cellId: cell_id ?? undefined }));
    const authors = keys.length === 0 ? [] : await search.authors(keys, call);
    const trusted = await findTrusted(parts, authors, call);
    return {
      items: clear.map(({ scratch_id, cell_id, namespace: of, snippet, relevance, before = [], after = [] }, i) => ({
        author: authors[i],
        isForeign: !trusted.has(authors[i]),
        scratchId: scratch_id,
        cellId: cell_id ?? undefined,
        namespace: of ?? undefined,
        text: snippet,
        before: before.map((cell) => cell.snippet),
        after: after.map((cell) => cell.snippet),
        relevance,
      })),
      moreCount: 0,
      hint: 'hint' in answer ? answer.hint : undefined,
    };
  };

const foundDocs =
  ({ knowledge }: ContextParts): Memories['docs'] =>
  async ({ task }, call) => {
    const { search } = await knowledge();
    const { results } = await search.find({ query: task, limit: foundCount, maxTokens: passageTokens }, call);
    // A user who asks the docs wants the nearest section in any case; a task is often about something else.
    const clear = results.filter(({ relevance }) => relevance >= docRelevanceRatio);
    return {
      items: clear.map(({ id, title, library, version, snippet, text, relevance }) => ({
        id,
        title,
        library: library === undefined ? `feathers ${version}` : `${library}@${version}`,
        text: text ?? snippet,
        relevance,
        isForeign: library !== undefined,
      })),
      moreCount: 0,
    };
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

const factNames =
  ({ truth }: ContextParts): Memories['factNames'] =>
  async (entityIds, call) =>
    (await truth()).entities.names(entityIds, call);

export async function composeContext(parts: ContextParts): Promise<Context> {
  const { createContext } = await import('#domains/context/context.ts');
  const memories = {
    rules: foundRules(parts),
    facts: foundFacts(parts),
    factSources: factSources(parts),
    contradictions: openContradictions(parts),
    notes: foundNotes(parts),
    docs: foundDocs(parts),
    writes: itemWrites(parts),
    factNames: factNames(parts),
    actorNames: actorNames(parts),
  };
  const { settings, folders } = parts;
  return createContext({
    ...parts,
    memories,
    keepCount: settings.readOnly ? 0 : settings.recallReceipts,
    workspace: async (call) =>
      settings.workspace ?? (await chooseWorkspace({ configured: undefined, ...folders }, call)),
  });
}
