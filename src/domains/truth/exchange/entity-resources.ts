import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ask, ResourceFamily, ResourceItem } from '#kernel/tool/resource.ts';
import { toUri } from '#kernel/tool/resource.ts';
import { truthLimits } from '../truth-limits.ts';
import { entityIdPattern, entityTopic } from '../truth-vocabulary.ts';

interface ListedEntity {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly canonical_name: string;
}

interface EntityPage {
  readonly entities: readonly ListedEntity[];
  readonly nextOffset?: number;
}

const entityTemplate = 'entity://{entity_id}';
const idBeginning = 'ent_';

async function askPage(ask: Ask, offset: number, limit: number): Promise<EntityPage> {
  const answer = await ask('retrieve_entities', { limit, offset, include_snapshots: false });
  const { entities, total } = answer as { readonly entities: readonly ListedEntity[]; readonly total: number };
  const nextOffset = offset + entities.length;
  // Entities after the maximum offset can still be found by name and read by URI.
  const isMore = entities.length > 0 && nextOffset < total && nextOffset <= truthLimits.offsetCount;
  return isMore ? { entities, nextOffset } : { entities };
}

function toOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const offset = /^\d{1,6}$/.test(cursor) ? Number(cursor) : Number.POSITIVE_INFINITY;
  if (offset > truthLimits.offsetCount) throw faults.INVALID_PARAMS({ why: 'invalid cursor' });
  return offset;
}

const toItem = ({ entity_id, entity_type, canonical_name }: ListedEntity): ResourceItem => ({
  uri: toUri(entityTemplate, { entity_id }),
  name: entity_id,
  title: canonical_name,
  description: entity_type,
  mimeType: 'application/json',
});

/** Undefined if the entity does not exist. */
async function askSnapshot(ask: Ask, entity_id: string): Promise<object | undefined> {
  try {
    return await ask('get_entity_snapshot', { entity_id });
  } catch (error) {
    if (error instanceof Fault && error.code === 'ENTITY_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Searches the newest entities only: ids are hashes, and no list is ordered by them. */
async function completeIds(typed: string, ask: Ask): Promise<readonly string[]> {
  const { completionPageCount, completionPagesCount, completedCount } = truthLimits;
  const found: string[] = [];
  let offset: number | undefined = 0;
  for (let page = 0; page < completionPagesCount && offset !== undefined && found.length < completedCount; page += 1) {
    const { entities, nextOffset }: EntityPage = await askPage(ask, offset, completionPageCount);
    for (const { entity_id } of entities) if (entity_id.startsWith(typed)) found.push(entity_id);
    offset = nextOffset;
  }
  return found;
}

async function completeNames(typed: string, ask: Ask): Promise<readonly string[]> {
  if (typed.trim() === '' || typed.length > truthLimits.nameChars) return [];
  const { entities } = (await ask('get_entity_by_identifier', { identifier: typed })) as EntityPage;
  return entities.map(({ entity_id }) => entity_id);
}

async function completeEntity(typed: string, ask: Ask): Promise<readonly string[]> {
  const isId = typed.startsWith(idBeginning) || idBeginning.startsWith(typed);
  const found = [...(await completeNames(typed, ask)), ...(isId ? await completeIds(typed, ask) : [])];
  return [...new Set(found)].slice(0, truthLimits.completedCount);
}

/** The answer of `get_entity_snapshot` for each entity. */
export const entityResources: ResourceFamily = {
  uriTemplate: entityTemplate,
  name: 'entity',
  title: 'An entity',
  description: 'The current snapshot of one entity with the source of each field, as JSON.',
  mimeType: 'application/json',
  async list(ask, cursor) {
    const { entities, nextOffset } = await askPage(ask, toOffset(cursor), truthLimits.listPageCount);
    const next = nextOffset === undefined ? {} : { nextCursor: String(nextOffset) };
    return { items: entities.map(toItem), ...next };
  },
  async read({ entity_id }, ask) {
    if (entity_id === undefined || !entityIdPattern.test(entity_id)) return undefined;
    const snapshot = await askSnapshot(ask, entity_id);
    return snapshot === undefined ? undefined : { mimeType: 'application/json', text: JSON.stringify(snapshot) };
  },
  complete: async (variable, typed, ask) => (variable === 'entity_id' ? completeEntity(typed, ask) : []),
  changes: { topic: entityTopic, variables: (entity_id) => ({ entity_id }) },
};

export const truthResources: readonly ResourceFamily[] = [entityResources];
