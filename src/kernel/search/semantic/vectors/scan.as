// AssemblyScript. The dot products of one query with many rows, exactly, in whole numbers.
// Compiled into scan-bytes.ts; scripts/compile-kernels.mjs says how.

@inline function sum(v: v128): i32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}

// The query has 16 bits per number, a row 8. The query was quantised so that the sum of all products cannot overflow.
@inline function step(total: v128, low: v128, high: v128, row: usize): v128 {
  const numbers = v128.load(row);
  return i32x4.add(
    total,
    i32x4.add(
      i32x4.dot_i16x8_s(low, i16x8.extend_low_i8x16_s(numbers)),
      i32x4.dot_i16x8_s(high, i16x8.extend_high_i8x16_s(numbers)),
    ),
  );
}

// `width` is a multiple of 16. Four rows at a time share what was loaded of the query.
export function scan(query: usize, rows: usize, count: i32, width: i32, out: usize): void {
  const w = <usize>width;
  let left = count;
  while (left >= 4) {
    const b = rows + w, c = b + w, d = c + w;
    let p = i32x4.splat(0), q = i32x4.splat(0), r = i32x4.splat(0), s = i32x4.splat(0);
    for (let k: usize = 0; k < w; k += 16) {
      const low = v128.load(query + (k << 1)), high = v128.load(query + (k << 1), 16);
      p = step(p, low, high, rows + k);
      q = step(q, low, high, b + k);
      r = step(r, low, high, c + k);
      s = step(s, low, high, d + k);
    }
    store<i32>(out, sum(p));
    store<i32>(out, sum(q), 4);
    store<i32>(out, sum(r), 8);
    store<i32>(out, sum(s), 12);
    out += 16;
    rows = d + w;
    left -= 4;
  }
  while (left > 0) {
    let p = i32x4.splat(0);
    for (let k: usize = 0; k < w; k += 16) {
      p = step(p, v128.load(query + (k << 1)), v128.load(query + (k << 1), 16), rows + k);
    }
    store<i32>(out, sum(p));
    out += 4;
    rows += w;
    left -= 1;
  }
}
