// AssemblyScript. The steps of one pass through the network, row by row: the result of a row never depends on other rows.
// Compiled into network-bytes.ts; scripts/compile-kernels.mjs says how. Addresses and layout are the caller's.

@inline function sumInts(v: v128): i32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}

@inline function sumFloats(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}

@inline function largest(v: v128): f32 {
  return max(
    max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}

// Four half-precision numbers, each in the low half of a lane. A multiplication moves the exponent to that of single
// precision and makes numbers of the subnormal ones. Weights hold neither infinity nor NaN.
@inline function fromHalf(v: v128): v128 {
  const sign = i32x4.shl(v128.and(v, i32x4.splat(0x8000)), 16);
  const magnitude = i32x4.shl(v128.and(v, i32x4.splat(0x7fff)), 13);
  return v128.or(f32x4.mul(magnitude, f32x4.splat(5.192296858534828e33)), sign);
}

// `count` is a multiple of 8.
export function widen(from: usize, to: usize, count: i32): void {
  for (let i = 0; i < count; i += 8) {
    const halves = v128.load(from);
    v128.store(to, fromHalf(i32x4.extend_low_i16x8_u(halves)));
    v128.store(to, fromHalf(i32x4.extend_high_i16x8_u(halves)), 16);
    from += 16;
    to += 32;
  }
}

@inline function largestOf(row: usize, width: i32): f32 {
  let most = f32x4.splat(0);
  for (let k = 0; k < width; k += 4) most = f32x4.max(most, f32x4.abs(v128.load(row + (<usize>k << 2))));
  return largest(most);
}

@inline function rounded(from: usize, factor: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(from), factor)));
}

// Rows of single precision become whole numbers up to 127 with a scale a row. `width` is a multiple of 16.
export function quantiseWeights(from: usize, to: usize, scales: usize, rows: i32, width: i32): void {
  for (let m = 0; m < rows; m++) {
    const most = largestOf(from, width);
    const factor = f32x4.splat(most == 0 ? 0 : 127 / most);
    store<f32>(scales, most / 127);
    for (let k = 0; k < width; k += 16) {
      const low = i16x8.narrow_i32x4_s(rounded(from, factor), rounded(from + 16, factor));
      const high = i16x8.narrow_i32x4_s(rounded(from + 32, factor), rounded(from + 48, factor));
      v128.store(to, i8x16.narrow_i16x8_s(low, high));
      from += 64;
      to += 16;
    }
    scales += 4;
  }
}

// What flows through the network keeps 14 bits: 127 * 8191 * 1536 still fits into the sums of `multiply`.
const finest: f32 = 8191;

export function quantise(from: usize, to: usize, scales: usize, rows: i32, width: i32): void {
  for (let m = 0; m < rows; m++) {
    const most = largestOf(from, width);
    const factor = f32x4.splat(most == 0 ? 0 : finest / most);
    store<f32>(scales, most / finest);
    for (let k = 0; k < width; k += 8) {
      v128.store(to, i16x8.narrow_i32x4_s(rounded(from, factor), rounded(from + 16, factor)));
      from += 32;
      to += 16;
    }
    scales += 4;
  }
}

@inline function both(total: v128, low: v128, high: v128, at: usize): v128 {
  return i32x4.add(
    total,
    i32x4.add(i32x4.dot_i16x8_s(low, v128.load(at)), i32x4.dot_i16x8_s(high, v128.load(at, 16))),
  );
}

@inline function put(at: usize, total: v128, scale: f32, bias: f32, isAdded: i32): void {
  const value = <f32>sumInts(total) * scale + bias;
  store<f32>(at, isAdded ? load<f32>(at) + value : value);
}

// out[m][n] = input[m] · weights[n] + bias[n], or that added to what is there. `rows` is a multiple of 4, `outputs` of 2,
// `width` of 16. Four rows by two outputs stay in registers.
export function multiply(
  input: usize, inputScales: usize, weights: usize, weightScales: usize, bias: usize, out: usize,
  rows: i32, outputs: i32, width: i32, isAdded: i32,
): void {
  const inStride = <usize>width << 1;
  const outStride = <usize>outputs << 2;
  for (let m = 0; m < rows; m += 4) {
    const a = input + <usize>m * inStride, b = a + inStride, c = b + inStride, d = c + inStride;
    const s = inputScales + (<usize>m << 2);
    const sa = load<f32>(s), sb = load<f32>(s, 4), sc = load<f32>(s, 8), sd = load<f32>(s, 12);
    let w = weights;
    let o = out + <usize>m * outStride;
    for (let n = 0; n < outputs; n += 2) {
      const x = w + <usize>width;
      let a0 = i32x4.splat(0), b0 = a0, c0 = a0, d0 = a0, a1 = a0, b1 = a0, c1 = a0, d1 = a0;
      for (let k: usize = 0; k < <usize>width; k += 16) {
        const at = k << 1;
        const first = v128.load(w + k);
        const low0 = i16x8.extend_low_i8x16_s(first), high0 = i16x8.extend_high_i8x16_s(first);
        const second = v128.load(x + k);
        const low1 = i16x8.extend_low_i8x16_s(second), high1 = i16x8.extend_high_i8x16_s(second);
        a0 = both(a0, low0, high0, a + at);
        a1 = both(a1, low1, high1, a + at);
        b0 = both(b0, low0, high0, b + at);
        b1 = both(b1, low1, high1, b + at);
        c0 = both(c0, low0, high0, c + at);
        c1 = both(c1, low1, high1, c + at);
        d0 = both(d0, low0, high0, d + at);
        d1 = both(d1, low1, high1, d + at);
      }
      const i = <usize>n << 2;
      const s0 = load<f32>(weightScales + i), s1 = load<f32>(weightScales + i, 4);
      const bias0 = load<f32>(bias + i), bias1 = load<f32>(bias + i, 4);
      put(o, a0, sa * s0, bias0, isAdded);
      put(o + 4, a1, sa * s1, bias1, isAdded);
      put(o + outStride, b0, sb * s0, bias0, isAdded);
      put(o + outStride + 4, b1, sb * s1, bias1, isAdded);
      put(o + 2 * outStride, c0, sc * s0, bias0, isAdded);
      put(o + 2 * outStride + 4, c1, sc * s1, bias1, isAdded);
      put(o + 3 * outStride, d0, sd * s0, bias0, isAdded);
      put(o + 3 * outStride + 4, d1, sd * s1, bias1, isAdded);
      w = x + <usize>width;
      o += 8;
    }
  }
}

// row = word * scale + position.
export function lookUp(word: usize, scale: f32, position: usize, row: usize, width: i32): void {
  const factor = f32x4.splat(scale);
  for (let k = 0; k < width; k += 8) {
    const numbers = v128.load8x8_s(word);
    const low = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(numbers));
    const high = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(numbers));
    v128.store(row, f32x4.add(f32x4.mul(low, factor), v128.load(position)));
    v128.store(row, f32x4.add(f32x4.mul(high, factor), v128.load(position, 16)), 16);
    word += 8;
    row += 32;
    position += 32;
  }
}

export function normalise(row: usize, gain: usize, bias: usize, rows: i32, width: i32): void {
  const share: f32 = 1 / <f32>width;
  const end = <usize>width << 2;
  for (let m = 0; m < rows; m++) {
    let total = f32x4.splat(0);
    for (let k: usize = 0; k < end; k += 16) total = f32x4.add(total, v128.load(row + k));
    const mean = f32x4.splat(sumFloats(total) * share);
    let squares = f32x4.splat(0);
    for (let k: usize = 0; k < end; k += 16) {
      const apart = f32x4.sub(v128.load(row + k), mean);
      squares = f32x4.add(squares, f32x4.mul(apart, apart));
    }
    const factor = f32x4.splat(1 / Mathf.sqrt(sumFloats(squares) * share + <f32>1e-12));
    for (let k: usize = 0; k < end; k += 16) {
      const value = f32x4.mul(f32x4.sub(v128.load(row + k), mean), factor);
      v128.store(row + k, f32x4.add(f32x4.mul(value, v128.load(gain + k)), v128.load(bias + k)));
    }
    row += end;
  }
}

// e to the x: two to the whole part by its exponent bits, the rest by the Cephes polynomial.
@inline function exponential(x: v128): v128 {
  const bounded = f32x4.max(f32x4.min(x, f32x4.splat(88)), f32x4.splat(-87));
  const whole = f32x4.nearest(f32x4.mul(bounded, f32x4.splat(1.44269504)));
  let rest = f32x4.sub(bounded, f32x4.mul(whole, f32x4.splat(0.693359375)));
  rest = f32x4.add(rest, f32x4.mul(whole, f32x4.splat(2.1219444e-4)));
  let p = f32x4.splat(1.98756915e-4);
  p = f32x4.add(f32x4.mul(p, rest), f32x4.splat(1.3981999507e-3));
  p = f32x4.add(f32x4.mul(p, rest), f32x4.splat(8.3334519073e-3));
  p = f32x4.add(f32x4.mul(p, rest), f32x4.splat(4.1665795894e-2));
  p = f32x4.add(f32x4.mul(p, rest), f32x4.splat(1.6666665459e-1));
  p = f32x4.add(f32x4.mul(p, rest), f32x4.splat(0.5));
  p = f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(p, rest), rest), rest), f32x4.splat(1));
  return f32x4.mul(p, i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(whole), i32x4.splat(127)), 23));
}

// x/2 * (1 + erf(x/√2)); erf by Abramowitz and Stegun 7.1.26.
export function activate(row: usize, count: i32): void {
  const one = f32x4.splat(1);
  for (let i = 0; i < count; i += 4) {
    const x = v128.load(row);
    const z = f32x4.mul(x, f32x4.splat(0.70710678));
    const size = f32x4.abs(z);
    const t = f32x4.div(one, f32x4.add(one, f32x4.mul(size, f32x4.splat(0.3275911))));
    let p = f32x4.splat(1.061405429);
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-1.453152027));
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(1.421413741));
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-0.284496736));
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(0.254829592));
    const tail = f32x4.mul(f32x4.mul(p, t), exponential(f32x4.neg(f32x4.mul(size, size))));
    const erf = v128.or(f32x4.sub(one, tail), v128.and(z, i32x4.splat(<i32>0x80000000)));
    v128.store(row, f32x4.mul(f32x4.mul(x, f32x4.splat(0.5)), f32x4.add(one, erf)));
    row += 16;
  }
}

// One text: `rows` rows of query, key and value side by side; each head is 32 wide. `weights` can hold one row of
// attention, rounded up to 4.
export function attend(mixed: usize, out: usize, weights: usize, rows: i32, heads: i32): void {
  const width = <usize>heads << 7;
  const stride = width * 3;
  const padded = (rows + 3) & ~3;
  for (let h = 0; h < heads; h++) {
    const offset = <usize>h << 7;
    for (let i = 0; i < rows; i++) {
      const q = mixed + stride * <usize>i + offset;
      const q0 = v128.load(q), q1 = v128.load(q, 16), q2 = v128.load(q, 32), q3 = v128.load(q, 48);
      const q4 = v128.load(q, 64), q5 = v128.load(q, 80), q6 = v128.load(q, 96), q7 = v128.load(q, 112);
      let most: f32 = -1e30;
      let k = mixed + offset + width;
      for (let j = 0; j < rows; j++) {
        let even = f32x4.add(f32x4.mul(q0, v128.load(k)), f32x4.mul(q2, v128.load(k, 32)));
        let odd = f32x4.add(f32x4.mul(q1, v128.load(k, 16)), f32x4.mul(q3, v128.load(k, 48)));
        even = f32x4.add(even, f32x4.add(f32x4.mul(q4, v128.load(k, 64)), f32x4.mul(q6, v128.load(k, 96))));
        odd = f32x4.add(odd, f32x4.add(f32x4.mul(q5, v128.load(k, 80)), f32x4.mul(q7, v128.load(k, 112))));
        const score: f32 = sumFloats(f32x4.add(even, odd)) * <f32>0.17677669529663687;
        store<f32>(weights + (<usize>j << 2), score);
        most = max(most, score);
        k += stride;
      }
      for (let j = rows; j < padded; j++) store<f32>(weights + (<usize>j << 2), -1e30);
      let total: f32 = 0;
      for (let j = 0; j < padded; j += 4) {
        const at = weights + (<usize>j << 2);
        const e = exponential(f32x4.sub(v128.load(at), f32x4.splat(most)));
        v128.store(at, e);
        total += sumFloats(e);
      }
      let o0 = f32x4.splat(0), o1 = o0, o2 = o0, o3 = o0, o4 = o0, o5 = o0, o6 = o0, o7 = o0;
      let v = mixed + offset + 2 * width;
      for (let j = 0; j < rows; j++) {
        const p = v128.load32_splat(weights + (<usize>j << 2));
        o0 = f32x4.add(o0, f32x4.mul(p, v128.load(v)));
        o1 = f32x4.add(o1, f32x4.mul(p, v128.load(v, 16)));
        o2 = f32x4.add(o2, f32x4.mul(p, v128.load(v, 32)));
        o3 = f32x4.add(o3, f32x4.mul(p, v128.load(v, 48)));
        o4 = f32x4.add(o4, f32x4.mul(p, v128.load(v, 64)));
        o5 = f32x4.add(o5, f32x4.mul(p, v128.load(v, 80)));
        o6 = f32x4.add(o6, f32x4.mul(p, v128.load(v, 96)));
        o7 = f32x4.add(o7, f32x4.mul(p, v128.load(v, 112)));
        v += stride;
      }
      const share = f32x4.splat(1 / total);
      const c = out + width * <usize>i + offset;
      v128.store(c, f32x4.mul(o0, share));
      v128.store(c, f32x4.mul(o1, share), 16);
      v128.store(c, f32x4.mul(o2, share), 32);
      v128.store(c, f32x4.mul(o3, share), 48);
      v128.store(c, f32x4.mul(o4, share), 64);
      v128.store(c, f32x4.mul(o5, share), 80);
      v128.store(c, f32x4.mul(o6, share), 96);
      v128.store(c, f32x4.mul(o7, share), 112);
    }
  }
}

// The mean of a text's rows, of length 1.
export function pool(from: usize, out: usize, rows: i32, width: i32): void {
  const end = <usize>width << 2;
  let squares = f32x4.splat(0);
  for (let k: usize = 0; k < end; k += 16) {
    let total = f32x4.splat(0);
    for (let m = 0; m < rows; m++) total = f32x4.add(total, v128.load(from + <usize>m * end + k));
    v128.store(out + k, total);
    squares = f32x4.add(squares, f32x4.mul(total, total));
  }
  const factor = f32x4.splat(1 / Mathf.sqrt(sumFloats(squares)));
  for (let k: usize = 0; k < end; k += 16) v128.store(out + k, f32x4.mul(v128.load(out + k), factor));
}
