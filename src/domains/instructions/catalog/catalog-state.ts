import { createHash, type Hash } from 'node:crypto';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { CatalogEntry, CatalogProblem, CatalogState, CategoryCount } from './catalog.ts';
import {
  type Chunks,
  type Edits,
  editChunks,
  findEntry,
  laterMoment,
  toCategoryKey,
  toChunks,
} from './entry-chunks.ts';

const { hashStrideCount } = instructionLimits;

/**
 * An immutable state of the catalog. Everything is computed on first use, per chunk, and shared with the next state
 * where no entry changed.
 */
export class ChunkedCatalogState implements CatalogState {
  readonly problems: readonly CatalogProblem[];
  readonly #chunks: Chunks;
  /** The hash state before every n-th chunk, as far as it was computed. */
  readonly #checkpoints: Hash[];
  #hash: string | undefined;
  #count: number | undefined;
  #entries: readonly InstructionEntry[] | undefined;
  #categories: readonly CategoryCount[] | undefined;

  private constructor(chunks: Chunks, problems: readonly CatalogProblem[], checkpoints: Hash[]) {
    this.#chunks = chunks;
    this.#checkpoints = checkpoints;
    this.problems = problems;
  }

  static of(entries: Iterable<CatalogEntry>, problems: readonly CatalogProblem[]): ChunkedCatalogState {
    return new ChunkedCatalogState(toChunks(entries), problems, []);
  }

  with(edits: Edits, problems: readonly CatalogProblem[]): ChunkedCatalogState {
    const chunks = editChunks(this.#chunks, edits);
    const same = chunks.findIndex((chunk, at) => chunk !== this.#chunks[at]);
    const sameCount = same === -1 ? Math.min(chunks.length, this.#chunks.length) : same;
    return new ChunkedCatalogState(
      chunks,
      problems,
      this.#checkpoints.slice(0, Math.floor(sameCount / hashStrideCount) + 1),
    );
  }

  get hash(): string {
    this.#hash ??= this.#digest();
    return this.#hash;
  }

  get count(): number {
    this.#count ??= this.#chunks.reduce((sum, { rows }) => sum + rows.length, 0);
    return this.#count;
  }

  get entries(): readonly InstructionEntry[] {
    this.#entries ??= this.#chunks.flatMap(({ rows }) => rows.map(({ entry }) => entry));
    return this.#entries;
  }

  get categories(): readonly CategoryCount[] {
    this.#categories ??= this.#countCategories();
    return this.#categories;
  }

  *categorySteps(): Generator {
    if (this.#categories === undefined) for (const chunk of this.#chunks) yield chunk.categories;
  }

  get lastModified(): string | undefined {
    const last = this.#chunks.reduce((latest, chunk) => laterMoment(latest, chunk.lastModified), '');
    return last === '' ? undefined : last;
  }

  find(id: string): CatalogEntry | undefined {
    return findEntry(this.#chunks, id);
  }

  inCategory(category: string): readonly InstructionEntry[] {
    const key = toCategoryKey(category);
    return this.#chunks.flatMap(({ categories }) => categories.get(key)?.entries ?? []);
  }

  /** All entries with their etags, in the order of `entries`. */
  *rows(): Generator<CatalogEntry> {
    for (const chunk of this.#chunks) yield* chunk.rows;
  }

  #digest(): string {
    const checkpoints = this.#checkpoints;
    const known = Math.max(0, checkpoints.length - 1);
    const hash = checkpoints[known]?.copy() ?? createHash('sha256');
    for (let at = known * hashStrideCount; at < this.#chunks.length; at += 1) {
      if (at % hashStrideCount === 0) checkpoints[at / hashStrideCount] ??= hash.copy();
      if (at > 0) hash.update('|');
      hash.update(this.#chunks[at]!.line);
    }
    return hash.digest('hex');
  }

  #countCategories(): readonly CategoryCount[] {
    const counts = new Map<string, { name: string; count: number; lastUpdated: string }>();
    for (const { categories } of this.#chunks) {
      for (const [name, { entries, lastUpdated }] of categories) {
        const sum = counts.get(name);
        if (sum === undefined) counts.set(name, { name, count: entries.length, lastUpdated });
        else {
          sum.count += entries.length;
          sum.lastUpdated = laterMoment(sum.lastUpdated, lastUpdated);
        }
      }
    }
    return [...counts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
