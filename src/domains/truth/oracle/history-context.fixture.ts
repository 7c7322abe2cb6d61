import { expect } from 'vitest';
import { createCursors } from '#kernel/cursor/cursor.ts';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { createEntities } from '../entities/entities.ts';
import { createFacts } from '../facts/store-fact.ts';
import { createMerges } from '../merges/merges.ts';
import { createRelationships } from '../relationships/relationships.ts';
import { createTimeline } from '../timeline/timeline.ts';
import { codeOf, createTruthFixture, type TruthEngine } from '../truth.fixture.ts';
import { entityTools, factTools, mergeTools, relationshipTools, timelineTools } from '../truth-toolset.ts';
import { Oracle } from './oracle.fixture.ts';
import { relationshipsOf, snapshotOf, upcomingOf } from './oracle-answers.fixture.ts';
import type { ExpectedFault } from './oracle-graph.fixture.ts';
import type { Rules } from './oracle-rules.fixture.ts';
import { firstNow, lastOf, startOf, textOf, type When } from './oracle-time.fixture.ts';
import type { OperationOf } from './random-operations.fixture.ts';

export type HistoryContext = ReturnType<ReturnType<typeof createHistories>>;

/** Texts as in a request. */
export interface AskedTimes {
  readonly at?: string;
  readonly as_known_at?: string;
}

/** The program and the oracle, side by side. Each history has a new tenant of one store. */
export function createHistories(engine: TruthEngine) {
  const base = engine.base();
  const { clock } = engine;
  const truth = createTruthFixture(
    base,
    {
      entities: createEntities(base),
      facts: createFacts(base),
      merges: createMerges({ ...base, cursors: createCursors(Buffer.from('the cursors of a test')) }),
      relationships: createRelationships(base),
      timeline: createTimeline(base),
    },
    [...entityTools, ...factTools, ...mergeTools, ...relationshipTools, ...timelineTools],
  );

  return function begin(rules: Rules) {
    const mine = truth.as(engine.newTenant());
    const oracle = new Oracle(rules);
    /** The times of the operations. */
    const moments: number[] = [];
    /** Questions whose answers must never change. */
    const settled: { readonly tool: string; readonly input: object; readonly answer: ToolAnswer }[] = [];
    const { ask } = mine;
    clock.advance(firstNow - clock.now());
    let lastWrite = 0;
    let lastAsked = 0;
    /** Recording times never run backwards, and a write never changes what a question about the past answered. */
    const recording = (): number => Math.max(clock.now(), lastWrite, lastAsked + 1);
    /** For relationships: that of the whole tenant. */
    const present = (): number => Math.max(clock.now(), lastWrite);
    const wrote = (): number => {
      lastWrite = recording();
      return lastWrite;
    };

    const pick = (n: number): string =>
      n % 20 === 19 ? 'ent_unknown' : (oracle.entities[n % oracle.entities.length]?.id ?? 'ent_unknown');
    /** Usually one of the same type. */
    const pickLike = (id: string, n: number): string => {
      const type = oracle.entities.find((one) => one.id === id)?.type;
      const alike = oracle.entities.filter((one) => one.type === type);
      return n % 7 === 6 ? pick(n) : (alike[n % alike.length]?.id ?? pick(n));
    };

    function expectFault(answer: ToolAnswer, verdict: ExpectedFault): boolean {
      expect(codeOf(answer), JSON.stringify(answer)).toBe(verdict);
      return verdict === undefined;
    }

    /** Undefined if the question must be refused. */
    function toMoment({ at, as_known_at: known }: AskedTimes) {
      if (known !== undefined && startOf(known) > clock.now()) return undefined;
      return {
        at: at === undefined ? undefined : lastOf(at),
        knownAt: known === undefined ? undefined : Math.min(lastOf(known), clock.now()),
      };
    }

    function settle(tool: string, input: AskedTimes, answer: ToolAnswer): void {
      const knownAt = toMoment(input)?.knownAt;
      lastAsked = Math.max(lastAsked, knownAt ?? 0);
      // A day that is not over means now.
      const isOver = input.as_known_at !== undefined && lastOf(input.as_known_at) === knownAt;
      if (input.at !== undefined && isOver) settled.push({ tool, input, answer });
    }

    async function checkSnapshot(entity_id: string, asked: AskedTimes = {}): Promise<void> {
      const input = { entity_id, ...asked };
      const answer = await ask('get_entity_snapshot', input);
      const moment = toMoment(asked);
      if (moment === undefined) return void expectFault(answer, 'VALIDATION_ERROR');
      const expected = snapshotOf(oracle, entity_id, clock.now(), moment);
      settle('get_entity_snapshot', input, answer);
      if (expected !== undefined) {
        const isNow = asked.at === undefined && asked.as_known_at === undefined;
        const upcoming = isNow ? upcomingOf(oracle, entity_id, clock.now()) : [];
        return expect(answer).toEqual(upcoming.length === 0 ? expected : { ...expected, upcoming });
      }
      expectFault(answer, 'ENTITY_NOT_FOUND');
    }

    async function checkRelationships(entity_id: string, direction: string, asked: AskedTimes = {}, withEnded = false) {
      const input = { entity_id, direction, ...asked, ...(withEnded ? { include_ended: true } : {}) };
      const answer = await ask('list_relationships', input);
      const moment = toMoment(asked);
      if (moment === undefined) return void expectFault(answer, 'VALIDATION_ERROR');
      settle('list_relationships', input, answer);
      if (!expectFault(answer, oracle.find(entity_id) === undefined ? 'ENTITY_NOT_FOUND' : undefined)) return;
      const expected = relationshipsOf(oracle, entity_id, direction, present(), moment, withEnded);
      const shown = answer['relationships'] as readonly Readonly<Record<string, unknown>>[];
      // Their source and all periods are not compared.
      expect(shown.map(({ source: _source, periods: _periods, ...edge }) => edge)).toEqual(expected);
      expect(answer['total']).toBe(expected.length);
    }

    const toText = (when: When): string => textOf(when, clock.now());
    const toPeriod = ({ at, until }: OperationOf<'submit'>['period']) => ({
      ...(at === undefined ? {} : { effective_at: toText(at) }),
      ...(until === undefined ? {} : { effective_until: toText(until) }),
    });

    return {
      ...{ base, clock, oracle, moments, settled, ask, recording, present, wrote, pick, pickLike },
      ...{ expectFault, checkSnapshot, checkRelationships, toText, toPeriod },
      call: mine.call,
    };
  };
}
