import type { OracleMerge, Rules } from './oracle-rules.fixture.ts';

export interface OracleEntity {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly createdAt: number;
}

export interface OracleEdge {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly target: string;
  readonly createdAt: number;
}

export type ExpectedFault = 'CYCLE_DETECTED' | 'ENTITY_NOT_FOUND' | 'NOT_FOUND' | 'VALIDATION_ERROR' | undefined;

/** Entities, the groups they form, and the edges between them. */
export class OracleGraph {
  readonly entities: OracleEntity[] = [];
  readonly edges: OracleEdge[] = [];
  readonly merges: OracleMerge[] = [];
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
        .filter((edge) => edge.type === type)
        .map(({ source, target }) => [this.rootOf(source), this.rootOf(target)] as const)
        .filter(([source, target]) => source !== target);
      for (;;) {
        const next = left.filter(([, target]) => left.some(([source]) => source === target));
        if (next.length === left.length) return left.length > 0;
        left = next;
      }
    });
  }

  findEdge(type: string, source: string, target: string): OracleEdge | undefined {
    return this.edges.find((edge) => edge.type === type && edge.source === source && edge.target === target);
  }

  checkEdge(type: string, source: string, target: string): ExpectedFault {
    if (this.findEdge(type, source, target) !== undefined) return undefined;
    if (this.find(source) === undefined || this.find(target) === undefined) return 'ENTITY_NOT_FOUND';
    if (this.rootOf(source) === this.rootOf(target)) return 'CYCLE_DETECTED';
    this.edges.push({ id: '', type, source, target, createdAt: 0 });
    const isCycle = this.hasCycle();
    this.edges.pop();
    return isCycle ? 'CYCLE_DETECTED' : undefined;
  }

  relate(edge: OracleEdge): void {
    if (this.findEdge(edge.type, edge.source, edge.target) === undefined) this.edges.push(edge);
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
