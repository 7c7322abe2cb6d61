import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FacetFilter } from '../../keyword/query/filter.ts';
import { createArena } from './arena.ts';
import { decodeFacets, encodeFacets, matchesFacets } from './facet-match.ts';
import { decodeRows, encodeRows, quantiseQuery, quantiseRow, toUnit } from './quantise.ts';
import { createVectorTable } from './vector-table.ts';

const vectorOf = (length: number) =>
  fc
    .array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: length, maxLength: length })
    .filter((numbers) => numbers.some((number) => number !== 0))
    .map((numbers) => Float32Array.from(numbers));

const cosine = (a: Float32Array, b: Float32Array): number => {
  const [x, y] = [toUnit(a)!, toUnit(b)!];
  return x.reduce((sum, value, i) => sum + value * y[i]!, 0);
};

describe('quantised vectors', () => {
  test('keep their direction almost, with length 1', () => {
    fc.assert(
      fc.property(vectorOf(40), (vector) => {
        const { numbers, scale } = quantiseRow(vector);
        const back = Float32Array.from(numbers, (number) => number * scale);
        expect(Math.hypot(...back)).toBeCloseTo(1, 5);
        expect(cosine(vector, back)).toBeGreaterThan(0.999);
      }),
    );
  });

  test('survive encoding, and bytes of another size are rejected', () => {
    fc.assert(
      fc.property(fc.array(vectorOf(17), { minLength: 1, maxLength: 4 }), (vectors) => {
        const rows = vectors.map(quantiseRow);
        const bytes = encodeRows(rows);
        expect(decodeRows(bytes, rows.length, 17)).toEqual(rows);
        expect(decodeRows(bytes.subarray(1), rows.length, 17)).toBeUndefined();
        expect(decodeRows(bytes, rows.length, 18)).toBeUndefined();
      }),
    );
  });

  test('never overflow the sum of products', () => {
    for (const width of [16, 384, 1_536, 8_192]) {
      const { numbers } = quantiseQuery(new Float32Array(width).fill(-1), width);
      expect(Math.abs(numbers[0]!) * 127 * width).toBeLessThan(2 ** 31);
    }
  });

  test('reject a zero vector as a bug', () => {
    expect(() => quantiseRow(new Float32Array(3))).toThrow('has no direction');
    expect(() => quantiseRow(Float32Array.of(1, Number.NaN))).toThrow('not a finite number');
    expect(toUnit(new Float32Array(3))).toBeUndefined();
  });
});

describe('facets', () => {
  test.each<[FacetFilter[], boolean]>([
    [[], true],
    [[{ key: 'tag', any: ['a', 'z'] }], true],
    [[{ key: 'tag', any: [] }], false],
    [[{ key: 'tag', all: ['a', 'b'] }], true],
    [[{ key: 'tag', all: ['a', 'c'] }], false],
    [[{ key: 'tag', none: ['b'] }], false],
    [
      [
        { key: 'space', any: ['s'] },
        { key: 'tag', none: ['c'] },
      ],
      true,
    ],
    [[{ key: 'other', any: ['s'] }], false],
    [[{ key: 'other', none: ['s'] }], true],
  ])('%j', (filters, isLetThrough) => {
    expect(matchesFacets({ tag: ['a', 'b'], space: 's' }, filters)).toBe(isLetThrough);
  });

  test('equal facets have equal texts, whatever their order', () => {
    expect(encodeFacets({ b: 'x', a: ['y'] })).toBe(encodeFacets({ a: ['y'], b: 'x' }));
    expect(decodeFacets(encodeFacets({ a: ['y'], b: 'x' }))).toEqual({ a: ['y'], b: 'x' });
    expect(decodeFacets(encodeFacets(undefined))).toEqual({});
  });
});

interface Step {
  readonly id: string;
  readonly vectors: readonly Float32Array[];
  readonly tag: string;
}

describe('the vector table', () => {
  const dimension = 20;
  const steps = fc.array(
    fc.record({
      id: fc.constantFrom(...Array.from({ length: 30 }, (_, i) => `d${i}`)),
      vectors: fc.array(vectorOf(dimension), { maxLength: 3 }),
      tag: fc.constantFrom('x', 'y'),
    }),
    { maxLength: 60 },
  );

  /** No vectors: the document is removed. */
  function build(arena: ReturnType<typeof createArena>, all: readonly Step[]) {
    const table = createVectorTable(arena, dimension);
    const present = new Map<string, Step>();
    for (const step of all) {
      if (step.vectors.length === 0) {
        table.remove(step.id);
        present.delete(step.id);
      } else {
        table.put(step.id, encodeFacets({ tag: step.tag }), step.vectors.map(quantiseRow));
        present.set(step.id, step);
      }
    }
    return { table, present };
  }

  test('finds exactly what a full comparison finds after any changes, with and without a filter', () => {
    const arena = createArena();
    fc.assert(
      fc.property(
        steps,
        vectorOf(dimension),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        (all, query, limit, isFiltered) => {
          const { table, present } = build(arena, all);
          const vector = toUnit(query)!;
          const filters = isFiltered ? [{ key: 'tag', any: ['x'] }] : [];
          const hits = table.nearest({ vector, limit, filters });
          const exact = [...present.values()]
            .filter(({ tag }) => !isFiltered || tag === 'x')
            .map(({ id, vectors }) => {
              const similarities = vectors.map((each) => {
                const { numbers, scale } = quantiseRow(each);
                return Math.min(1, numbers.reduce((sum, number, i) => sum + number * vector[i]!, 0) * scale);
              });
              return { id, similarity: Math.max(...similarities) };
            })
            .toSorted((a, b) => b.similarity - a.similarity);
          expect(table.documentCount).toBe(present.size);
          expect(hits).toHaveLength(Math.min(limit, exact.length));
          hits.forEach((hit, place) => {
            expect(hit.similarity).toBeCloseTo(exact[place]!.similarity, 6);
            expect(hit.similarity).toBeCloseTo(exact.find(({ id }) => id === hit.id)!.similarity, 6);
          });
          table.clear();
        },
      ),
    );
  });

  test('many rows of one document do not displace others', () => {
    const table = createVectorTable(createArena(), 2);
    table.put(
      'greedy',
      '[]',
      Array.from({ length: 200 }, () => quantiseRow(Float32Array.of(1, 0.001))),
    );
    for (let i = 0; i < 5; i += 1) table.put(`d${i}`, '[]', [quantiseRow(Float32Array.of(1, 0.5 + i / 10))]);
    const hits = table.nearest({ vector: Float32Array.of(1, 0), limit: 3 });
    expect(hits.map(({ id }) => id)).toEqual(['greedy', 'd0', 'd1']);
  });

  test('applies the minimum similarity, and finds nothing for a vector of another length', () => {
    const table = createVectorTable(createArena(), 2);
    table.put('east', '[]', [quantiseRow(Float32Array.of(1, 0))]);
    table.put('north', '[]', [quantiseRow(Float32Array.of(0, 1))]);
    const vector = Float32Array.of(1, 0);
    expect(table.nearest({ vector, limit: 9, similarityMin: 0.5 }).map(({ id }) => id)).toEqual(['east']);
    expect(table.nearest({ vector, limit: 9, similarityMin: 0.9999 }).map(({ id }) => id)).toEqual(['east']);
    expect(table.nearest({ vector: Float32Array.of(1, 0, 0), limit: 9 })).toEqual([]);
    expect(table.nearest({ vector, limit: 0 })).toEqual([]);
  });

  test('reuses freed memory without leftovers', () => {
    const arena = createArena();
    const first = arena.take();
    arena.set(first, 0, 16, new Int8Array(16).fill(7));
    arena.giveBack(first);
    const again = arena.take();
    expect(again).toBe(first);
    expect(arena.get(again, 0, 16)).toEqual(new Int8Array(16));
  });
});
