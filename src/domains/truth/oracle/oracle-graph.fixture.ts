import { edgeIdOf, type OracleMerge, type Rules } from './oracle-rules.fixture.ts';
import { startOf } from './oracle-time.fixture.ts';

export interface OracleEntity {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly createdAt: number;
}

export interface EdgeStatement {
  readonly kind: 'state' | 'delete' | 'restore';
  readonly start: number;
  /** Exclusive. */
  readonly until: number | undefined;
  /** As stated. */
  readonly texts: EffectiveInput;
  readonly createdAt: number;
  readonly submissionId: string | undefined;
}

export interface EdgeEnds {
  readonly type: string;
  readonly source: string;
  readonly target: string;
}

export interface OracleEdge extends EdgeEnds {
  readonly id: string;
  readonly createdAt: number;
  readonly statements: EdgeStatement[];
}

export interface EffectiveInput {
  readonly effective_at?: string | undefined;
  readonly effective_until?: string | undefined;
}

export type ExpectedFault = 'CYCLE_DETECTED' | 'ENTITY_NOT_FOUND' | 'NOT_FOUND' | 'VALIDATION_ERROR' | undefined;

type EdgePeriod = Pick<EdgeStatement, 'start' | 'until' | 'texts'>;
const always: EdgeStatement = {
  ...{ kind: 'state', start: 0, until: undefined, texts: {}, createdAt: 0, submissionId: undefined },
};

/** Entities, the groups they form, and the edges between them. */
export class OracleGraph {
  readonly entities: OracleEntity[] = [];
  readonly edges: OracleEdge[] = [];
  readonly merges: OracleMerge[] = [];
  /** By submission or correction. */
  readonly retractions = new Map<string, number>();
  readonly rules: Rules;

  constructor(rules: Rules) {
    this.rules = rules;
  }

  find(id: string): OracleEntity | undefined {
    return this.entities.find((entity) => entity.id === id);
  }

  /** Now, if no time is given. */
  parentOf(id: string, knownAt = Number.MAX_SAFE_INTEGER): string | undefined {
    return this.merges.findLast((merge) => merge.source === id && this.rules.isInEffect(merge, knownAt))?.target;
  }

  rootOf(id: string, knownAt?: number): string {
    const parent = this.parentOf(id, knownAt);
    return parent === undefined ? id : this.rootOf(parent, knownAt);
  }

  groupOf(id: string, knownAt?: number): readonly string[] {
    const isBelow = (one: string): boolean => {
      const parent = this.parentOf(one, knownAt);
      return one === id || (parent !== undefined && isBelow(parent));
    };
    const ids = this.entities.map((entity) => entity.id).filter(isBelow);
    return this.rules.countedMembers(ids, id);
  }

  /** [TR22] [TR23] Between groups, for each type separately. */
  hasCycle(): boolean {
    const types = [...new Set(this.edges.map(({ type }) => type))].filter((type) => !this.rules.allowsCycle(type));
    return types.some((type) => {
      let left = this.edges
        .filter((edge) => edge.type === type && !this.isGone(edge))
        .map(({ source, target }) => [this.rootOf(source), this.rootOf(target)] as const)
        .filter(([source, target]) => source !== target);
      for (;;) {
        const next = left.filter(([, target]) => left.some(([source]) => source === target));
        if (next.length === left.length) return left.length > 0;
        left = next;
      }
    });
  }

  findEdge({ type, source, target }: EdgeEnds): OracleEdge | undefined {
    return this.edges.find((edge) => edge.type === type && edge.source === source && edge.target === target);
  }

  /** The statements that count, one per start: the last one of those that are not retracted. */
  periodsOf({ statements }: OracleEdge, knownAt = Number.MAX_SAFE_INTEGER): readonly EdgeStatement[] {
    const known = statements.filter(
      ({ kind, createdAt, submissionId }) =>
        kind === 'state' &&
        this.rules.isKnownAt(createdAt, knownAt) &&
        !this.rules.isRetractedAt(this.retractions.get(submissionId ?? ''), knownAt),
    );
    return [...new Map(known.map((one) => [one.start, one])).values()];
  }

  isDeleted({ statements }: OracleEdge, knownAt = Number.MAX_SAFE_INTEGER): boolean {
    const marks = statements.filter(({ kind, createdAt }) => kind !== 'state' && createdAt <= knownAt);
    return marks.at(-1)?.kind === 'delete';
  }

  /** Deleted, or all that was said about it is retracted. */
  isGone(edge: OracleEdge): boolean {
    return !this.rules.countsForCycle({ isDeleted: this.isDeleted(edge) || this.periodsOf(edge).length === 0 });
  }

  /** Of two periods the one that started last. */
  periodAt(edge: OracleEdge, at: number, knownAt?: number): EdgeStatement | undefined {
    const covering = this.periodsOf(edge, knownAt).filter(({ start, until }) =>
      this.rules.coversEdge(start, until, at),
    );
    return covering.sort((a, b) => b.start - a.start)[0];
  }

  /** The periods to add, or undefined if the times make no sense. */
  #plan(edge: OracleEdge | undefined, times: EffectiveInput, now: number): readonly EdgePeriod[] | undefined {
    const periods = edge === undefined ? [] : this.periodsOf(edge);
    const { effective_at, effective_until } = times;
    const until = effective_until === undefined ? undefined : startOf(effective_until);
    if (effective_at !== undefined) {
      const start = startOf(effective_at);
      if (until !== undefined && until <= start) return undefined;
      const isKnown = periods.some((one) => one.start === start && one.until === until);
      return isKnown ? [] : [{ start, until, texts: times }];
    }
    if (until === undefined) {
      const holds = edge !== undefined && this.periodAt(edge, now) !== undefined;
      return holds ? [] : [{ start: now, until, texts: times }];
    }
    // Only an end: it closes what is open then.
    const open = periods.filter((one) => one.start < until && (one.until === undefined || one.until > until));
    if (open.length > 0)
      return open.map(({ start, texts }) => ({ start, until, texts: { ...texts, effective_until } }));
    if (periods.some((one) => one.start < until && one.until === until)) return [];
    return until <= now ? undefined : [{ start: now, until, texts: times }];
  }

  #closesCycle(edge: OracleEdge): boolean {
    if (this.rootOf(edge.source) === this.rootOf(edge.target)) return false;
    const isOther = (one: OracleEdge): boolean => one.id !== edge.id;
    const others = this.edges.filter(isOther);
    return this.#hasCycleWith([...others, { ...edge, statements: [always] }]);
  }

  #hasCycleWith(edges: readonly OracleEdge[]): boolean {
    const before = this.edges.splice(0, this.edges.length, ...edges);
    const isCycle = this.hasCycle();
    this.edges.splice(0, this.edges.length, ...before);
    return isCycle;
  }

  checkEdge(ends: EdgeEnds, times: EffectiveInput, now: number): ExpectedFault {
    const edge = this.findEdge(ends);
    if (this.#plan(edge, times, now) === undefined) return 'VALIDATION_ERROR';
    if (edge !== undefined) return this.isGone(edge) ? this.checkRestored(edge) : undefined;
    if (this.find(ends.source) === undefined || this.find(ends.target) === undefined) return 'ENTITY_NOT_FOUND';
    if (this.rootOf(ends.source) === this.rootOf(ends.target)) return 'CYCLE_DETECTED';
    return this.checkRestored({ ...ends, id: '', createdAt: now, statements: [] });
  }

  checkRestored(edge: OracleEdge): ExpectedFault {
    return this.#closesCycle(edge) ? 'CYCLE_DETECTED' : undefined;
  }

  #addEdge(ends: EdgeEnds, now: number): OracleEdge {
    const { type, source, target } = ends;
    const edge = { ...ends, id: edgeIdOf(type, source, target), createdAt: now, statements: [] };
    this.edges.push(edge);
    return edge;
  }

  relate(ends: EdgeEnds, times: EffectiveInput, now: number) {
    const known = this.findEdge(ends);
    const planned = this.#plan(known, times, now)!;
    const edge = known ?? this.#addEdge(ends, now);
    const isRestored = this.mark(edge, 'restore', now);
    for (const one of planned) {
      edge.statements.push({ ...one, kind: 'state', createdAt: now, submissionId: undefined });
    }
    return { edge, isChanged: isRestored || planned.length > 0 };
  }

  mark(edge: OracleEdge, kind: 'delete' | 'restore', now: number): boolean {
    if (this.isDeleted(edge) === (kind === 'delete')) return false;
    edge.statements.push({ ...always, kind, createdAt: now });
    return true;
  }

  /** Links a document to what it names, from its start on. A deleted link stays deleted. */
  link(ends: EdgeEnds, start: number, text: string | undefined, submissionId: string, now: number): void {
    const known = this.findEdge(ends);
    if (known !== undefined && (this.isDeleted(known) || this.periodAt(known, start) !== undefined)) return;
    if (ends.source === ends.target) return;
    const edge = known ?? this.#addEdge(ends, now);
    const texts = text === undefined ? {} : { effective_at: text };
    edge.statements.push({ kind: 'state', start, until: undefined, texts, createdAt: now, submissionId });
  }

  /** [TR20] [TR21] */
  checkMerge(source: string, target: string, now: number): ExpectedFault {
    const [from, to] = [this.find(source), this.find(target)];
    if (from === undefined || to === undefined) return 'ENTITY_NOT_FOUND';
    const isFree = this.parentOf(source) === undefined && this.rootOf(target) !== source;
    if (source === target || !isFree || from.type !== to.type) return 'VALIDATION_ERROR';
    this.merge(source, target, now);
    const isCycle = this.hasCycle();
    this.merges.pop();
    return isCycle ? 'CYCLE_DETECTED' : undefined;
  }

  merge(source: string, target: string, now: number): void {
    this.merges.push({ source, target: this.rootOf(target), mergedAt: now, unmergedAt: undefined });
  }

  #currentMerge(source: string): OracleMerge | undefined {
    return this.merges.findLast((merge) => merge.source === source && merge.unmergedAt === undefined);
  }

  checkUnmerge(source: string, target: string, now: number): ExpectedFault {
    if (this.find(source) === undefined || this.find(target) === undefined) return 'ENTITY_NOT_FOUND';
    const merge = this.#currentMerge(source);
    const isTogether = this.rootOf(source) === this.rootOf(target) && !this.groupOf(source).includes(target);
    if (merge === undefined || !isTogether) return 'VALIDATION_ERROR';
    merge.unmergedAt = now;
    const isCycle = this.hasCycle();
    merge.unmergedAt = undefined;
    return isCycle ? 'CYCLE_DETECTED' : undefined;
  }

  unmerge(source: string, now: number): void {
    this.#currentMerge(source)!.unmergedAt = now;
  }
}
