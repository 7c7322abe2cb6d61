import { contextLimits } from '#domains/context/context-limits.ts';
import type { FoundFact, Memories } from '#domains/context/memories.ts';
import { readFields } from '#domains/context/remember/read-fields.ts';
import { rememberedField } from '#domains/context/remember/remember.ts';
import type { Truth } from '#domains/truth/truth.ts';
import type { Call } from '#kernel/call.ts';
import { chooseClear } from './choose-clear.ts';
import { withFileWords } from './file-words.ts';

export interface FactParts {
  readonly truth: () => Promise<Pick<Truth, 'entities' | 'contradictions' | 'relationships'>>;
}

const { foundCount, factFieldsCount, relationsCount, contradictionsCount, datedTextsCount } = contextLimits;

/** Texts about an entity, newest first and with their date: a later one may say the opposite of an earlier one. */
async function dateTexts(
  { fieldHistory }: Truth['entities'],
  entity_id: string,
  texts: readonly unknown[],
  call: Call,
): Promise<readonly unknown[]> {
  const { history } = await fieldHistory(
    { entity_id, field: rememberedField, limit: datedTextsCount, offset: 0 },
    call,
  );
  const since = new Map<unknown, string>();
  for (const { value, effective_at } of history)
    for (const text of [value].flat()) if (!since.has(text)) since.set(text, effective_at);
  const dated = [...since].filter(([text]) => texts.includes(text)).sort(([, a], [, b]) => b.localeCompare(a));
  return [
    ...dated.map(([text, at]) => `${at.slice(0, 10)}: ${String(text)}`),
    ...texts.filter((text) => !since.has(text)),
  ];
}

/** Whether a remembered text says only what other fields show, such as `status: paid`. */
function isSaidByFields(text: unknown, fields: Readonly<Record<string, unknown>>): boolean {
  const parts = String(text).split(/[\n;]/);
  const said = parts.map((part) => Object.entries(readFields(part))[0]);
  return said.every((pair) => pair !== undefined && fields[pair[0]] === pair[1]);
}

/** The fields that match the question first. */
function chooseFields(snapshot: Readonly<Record<string, unknown>> = {}, matched: readonly string[] = []) {
  const names = Object.keys(snapshot);
  const chosen = [
    ...names.filter((name) => matched.includes(name)),
    ...names.filter((name) => !matched.includes(name)),
  ];
  return Object.fromEntries(chosen.slice(0, factFieldsCount).map((name) => [name, snapshot[name]]));
}

async function hintOfFacts({ types }: Truth['entities'], call: Call): Promise<string | undefined> {
  const { types: stored } = await types(call);
  return stored.length === 0 ? 'There are no facts yet: remember {text, about} stores one.' : undefined;
}

type FoundEntities = Awaited<ReturnType<Truth['entities']['retrieve']>>['entities'];

/** Entities that the task names come first, and are shown however little else they share with it. */
export const foundFacts =
  ({ truth }: FactParts): Memories['facts'] =>
  async ({ task, files, at }, call) => {
    const { entities } = await truth();
    const query = { query: withFileWords(task, files), at, limit: foundCount, offset: 0, include_snapshots: true };
    const [found, mentioned] = await Promise.all([entities.retrieve(query, call), entities.mentioned(task, call)]);
    const toFact = async (one: FoundEntities[number]): Promise<FoundFact> => {
      const { entity_id, entity_type, canonical_name, matched, relevance = 1 } = one;
      const { name = canonical_name, ...snapshot } = { ...one.raw_fragments, ...one.snapshot };
      const fields = { ...chooseFields(snapshot, matched) };
      const texts = [fields[rememberedField] ?? []].flat();
      if (texts.length > 1) fields[rememberedField] = await dateTexts(entities, entity_id, texts, call);
      else if (texts.length === 1 && isSaidByFields(texts[0], fields)) delete fields[rememberedField];
      return { entityId: entity_id, type: entity_type, name: String(name), fields, relevance };
    };
    const isByWords = ({ pending }: FoundEntities[number]) => found.search_mode_used === 'keyword' || pending === true;
    const isMentioned = new Set(mentioned.map(({ entity_id }) => entity_id));
    const isFound = new Set(found.entities.map(({ entity_id }) => entity_id));
    const chosen = [
      ...found.entities.filter(({ entity_id }) => isMentioned.has(entity_id)),
      // At another time it may not have existed yet, or have had other values.
      ...(at === undefined ? mentioned.filter(({ entity_id }) => !isFound.has(entity_id)) : []),
      ...chooseClear(found.entities, { isByWords }).filter(({ entity_id }) => !isMentioned.has(entity_id)),
    ];
    const isCut = chosen.length >= foundCount;
    return {
      items: await Promise.all(chosen.map(toFact)),
      moreCount: isCut ? Math.max(0, found.total - foundCount) : 0,
      hint: found.entities.length === 0 ? await hintOfFacts(entities, call) : undefined,
    };
  };

/** Connectors and extractors bring in texts that other people wrote. */
const isForeignAgent = (agent: string | undefined): boolean => agent?.startsWith('connector:') === true;

export const factSources =
  ({ truth }: FactParts): Memories['factSources'] =>
  async (entityIds, at, call) => {
    const { entities } = await truth();
    const sources = await entities.newestSources(entityIds, at, call);
    return sources.map(({ entity_id, observed_at, source_kind, agent_id, source_refs }) => ({
      entityId: entity_id,
      asOf: observed_at.slice(0, 10),
      source: source_refs[0] ?? agent_id ?? source_kind,
      isForeign: source_kind === 'record' || isForeignAgent(agent_id),
    }));
  };

type NamedRelations = Awaited<ReturnType<Truth['relationships']['brieflyOfEach']>>;

/** An edge that leads here names both ends, because its name alone would look like one that leads away. */
function describeRelation({
  type,
  isOutbound,
  name,
  since,
  until,
}: NonNullable<ReturnType<NamedRelations['get']>>[number]) {
  const times = [
    since === undefined ? '' : ` since ${since.slice(0, 10)}`,
    until === undefined ? '' : ` until ${until.slice(0, 10)}`,
  ];
  return `${isOutbound ? `${type} ${name}` : `${name} ${type} this`}${times.join('')}`;
}

export const factRelations =
  ({ truth }: FactParts): Memories['factRelations'] =>
  async (entityIds, at, call) => {
    const { relationships } = await truth();
    const found = await relationships.brieflyOfEach(entityIds, relationsCount, at, call);
    return new Map([...found].map(([id, relations]) => [id, relations.map(describeRelation)]));
  };

export const upcomingValues =
  ({ truth }: FactParts): Memories['upcoming'] =>
  async (entityIds, call) =>
    (await truth()).entities.upcoming(entityIds, call);

export const openContradictions =
  ({ truth }: FactParts): Memories['contradictions'] =>
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

export const factNames =
  ({ truth }: FactParts): Memories['factNames'] =>
  async (entityIds, call) =>
    (await truth()).entities.names(entityIds, call);
