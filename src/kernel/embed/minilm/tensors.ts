import { closeSync, openSync, readSync } from 'node:fs';

/** The sizes of all-MiniLM-L6-v2. */
export const shape = { width: 384, heads: 12, inner: 1_536, layers: 6, words: 30_522, rowsMax: 256 } as const;

export interface Tensor {
  readonly shape: readonly number[];
  /** Where its half-precision numbers are in the file. */
  readonly at: number;
  readonly bytes: number;
}

export type Tensors = ReturnType<typeof openTensors>;

interface HeaderEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/** A weights file in the safetensors format: a JSON header, then all numbers. */
export function openTensors(file: string) {
  const handle = openSync(file, 'r');

  function read(at: number, into: Uint8Array): void {
    for (let done = 0; done < into.length; ) {
      const count = readSync(handle, into, done, into.length - done, at + done);
      if (count === 0) throw new Error(`${file} is truncated`);
      done += count;
    }
  }

  const lengthBytes = Buffer.alloc(8);
  read(0, lengthBytes);
  const headerBytes = Buffer.alloc(Number(lengthBytes.readBigUInt64LE()));
  read(8, headerBytes);
  const header = JSON.parse(headerBytes.toString()) as Readonly<Record<string, HeaderEntry>>;
  const dataAt = 8 + headerBytes.length;

  return {
    find(name: string): Tensor {
      const entry = header[name];
      if (entry?.dtype !== 'F16') throw new Error(`${file} has no half-precision weights ${name}`);
      const [from, to] = entry.data_offsets;
      return { shape: entry.shape, at: dataAt + from, bytes: to - from };
    },
    read,
    close: () => closeSync(handle),
  };
}
