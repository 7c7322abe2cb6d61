import { loadWasm, wasmPageBytes } from '../../../embed/wasm.ts';
import { faults } from '../../../fault/kernel-faults.ts';
import { searchLimits } from '../../search-limits.ts';
import { scanBytes } from './scan-bytes.ts';

/** A block of memory for rows. All blocks have one size, so that a freed block fits any collection. */
export type Block = number;

export type Arena = ReturnType<typeof createArena>;

interface ScanExports {
  scan(query: number, rows: number, count: number, width: number, out: number): void;
}

const queryAt = 1_024;
const queryBytes = searchLimits.vectorNumbersCount * 2;
const outAt = queryAt + queryBytes;
/** A row has at least 16 bytes, its product 4. */
const outBytes = searchLimits.vectorBlockBytes / 4;
const headBytes = Math.ceil((outAt + outBytes) / wasmPageBytes) * wasmPageBytes;

export const rowsPerBlock = (width: number): number => Math.floor(searchLimits.vectorBlockBytes / width);

/**
 * One WASM memory for the vectors of all tenants, because each WASM memory reserves gigabytes of address space. A
 * collection owns whole blocks.
 */
export function createArena() {
  const wasm = loadWasm<ScanExports>(scanBytes, headBytes);
  const free: Block[] = [];
  let end = headBytes;
  let bytes = new Int8Array(wasm.buffer());
  let out = new Int32Array(wasm.buffer(), outAt, outBytes / 4);

  function grow(): Block {
    if (end + searchLimits.vectorBlockBytes > searchLimits.vectorMemoryBytes) {
      const limit = searchLimits.vectorMemoryBytes;
      throw faults.RESOURCE_LIMIT({ what: 'The memory for vectors', limit, unit: 'bytes' });
    }
    wasm.grow(searchLimits.vectorBlockBytes);
    bytes = new Int8Array(wasm.buffer());
    out = new Int32Array(wasm.buffer(), outAt, outBytes / 4);
    const block = end;
    end += searchLimits.vectorBlockBytes;
    return block;
  }

  return {
    take: (): Block => free.pop() ?? grow(),
    giveBack(block: Block) {
      bytes.fill(0, block, block + searchLimits.vectorBlockBytes);
      free.push(block);
    },
    set: (block: Block, row: number, width: number, numbers: Int8Array) => bytes.set(numbers, block + row * width),
    get: (block: Block, row: number, width: number): Int8Array =>
      bytes.subarray(block + row * width, block + (row + 1) * width),
    /** Call it before `scan`; it holds until the next call. */
    setQuery: (numbers: Int16Array) => new Int16Array(wasm.buffer(), queryAt, numbers.length).set(numbers),
    /** The products of the query with the first `count` rows. The next call overwrites the result. */
    scan(block: Block, count: number, width: number): Int32Array {
      wasm.exports.scan(queryAt, block, count, width, outAt);
      return out;
    },
  };
}
