import { createCursors } from '#kernel/cursor/cursor.ts';
import { createEntities } from '../entities/entities.ts';
import { createFacts } from '../facts/store-fact.ts';
import { createMerges } from '../merges/merges.ts';
import { createRelationships } from '../relationships/relationships.ts';
import { createTruthFixture, type TruthEngine } from '../truth.fixture.ts';
import { contradictionTools, entityTools, factTools, mergeTools } from '../truth-toolset.ts';
import type { Contradiction, ContradictionsAnswer } from './contradiction-model.ts';
import { createContradictions } from './contradictions.ts';

export const may = '2025-05';

/** Facts about one project, as sources state them. */
export function openContradictionsFixture(engine: TruthEngine) {
  const base = engine.base();
  const cursors = createCursors(Buffer.from('the cursors of a test'));
  const parts = {
    entities: createEntities(base),
    facts: createFacts(base),
    merges: createMerges({ ...base, cursors }),
    contradictions: createContradictions({ ...base, cursors }),
    relationships: createRelationships(base),
  };
  const tools = [...entityTools, ...factTools, ...mergeTools, ...contradictionTools];
  const truth = createTruthFixture(base, parts, tools);
  const as = (tenant = engine.newTenant()) => {
    const one = truth.as(tenant);
    const ask = one.ask as (name: string, args: object) => Promise<Readonly<Record<string, unknown>>>;
    async function say(source: string, fields: object, more: object = {}) {
      engine.clock.advance(1_000);
      const subject = 'entity_id' in more ? {} : { subject: { type: 'project', name: 'Apollo' } };
      const answer = await ask('store_fact', { ...subject, fields, source, effective_at: may, ...more });
      return answer as {
        readonly entity_id: string;
        readonly submission_id: string;
        readonly contradictions?: readonly { readonly contradiction_id: string; readonly field: string }[];
      };
    }
    const list = async (args: object = {}) =>
      ((await ask('list_contradictions', args)) as unknown as ContradictionsAnswer).contradictions;
    /** Field and values of each open contradiction. */
    const open = async (args: object = {}) => (await list(args)).map(shortOf).sort();
    return { ...one, tenant, ask, say, list, open };
  };
  return { ...truth, as };
}

const shortOf = ({ field, statements }: Contradiction): string =>
  `${field}: ${statements
    .map(({ value }) => JSON.stringify(value))
    .sort()
    .join(' / ')}`;
