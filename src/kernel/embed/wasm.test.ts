import { expect, test } from 'vitest';
import { scanBytes } from '../search/semantic/vectors/scan-bytes.ts';
import { loadWasm, wasmPageBytes } from './wasm.ts';

test('a memory grows and keeps its contents', () => {
  const wasm = loadWasm<{ scan: unknown }>(scanBytes, 1);
  expect(wasm.exports.scan).toBeTypeOf('function');
  new Uint8Array(wasm.buffer())[7] = 42;
  wasm.grow(wasmPageBytes + 1);
  expect(wasm.buffer().byteLength).toBe(3 * wasmPageBytes);
  expect(new Uint8Array(wasm.buffer())[7]).toBe(42);
});
