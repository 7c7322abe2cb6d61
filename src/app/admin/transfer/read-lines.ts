import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { scanJson } from '#kernel/json/scan.ts';
import { adminFaults } from '../admin-faults.ts';
import { exportLimits } from './export-format.ts';

export interface Line {
  readonly number: number;
  readonly bytes: Buffer;
  readonly endsAt: number;
}

const readBytes = 256 * 1024;
const lineEnd = 0x0a;

/**
 * The lines of a file, one in memory at a time. A last line without a line end counts as truncated and is rejected,
 * unless `openEnded` is set for files written by people.
 */
export async function* readLines(
  file: string,
  lineBytes: number = exportLimits.lineBytes,
  openEnded = false,
): AsyncGenerator<Line> {
  const handle = await open(file, 'r');
  try {
    let number = 1;
    let endsAt = 0;
    let pending: Buffer[] = [];
    let pendingBytes = 0;
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(readBytes), 0, readBytes, null);
      let at = 0;
      for (let end = buffer.indexOf(lineEnd); end !== -1 && end < bytesRead; end = buffer.indexOf(lineEnd, at)) {
        const bytes = Buffer.concat([...pending, buffer.subarray(at, end + 1)]);
        endsAt += bytes.length;
        yield { number, bytes, endsAt };
        number += 1;
        at = end + 1;
        pending = [];
        pendingBytes = 0;
      }
      if (bytesRead === 0) {
        if (pendingBytes === 0) return;
        if (!openEnded) throw adminFaults.IMPORT_INVALID({ line: number, why: 'it is truncated' });
        yield { number, bytes: Buffer.concat(pending), endsAt: endsAt + pendingBytes };
        return;
      }
      pending.push(buffer.subarray(at, bytesRead));
      pendingBytes += bytesRead - at;
      if (pendingBytes > lineBytes) {
        throw adminFaults.IMPORT_INVALID({ line: number, why: `it is longer than ${lineBytes} bytes` });
      }
    }
  } finally {
    await handle.close();
  }
}

export function parseLine({ number, bytes }: Line): object {
  const refuse = (why: string) => adminFaults.IMPORT_INVALID({ line: number, why });
  if (!isUtf8(bytes)) throw refuse('it is not UTF-8');
  if (scanJson(bytes, exportLimits.lineDepth) === 'too-deep') throw refuse('it is nested too deep');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw refuse('it is not JSON');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw refuse('it is not a JSON object');
  return value;
}
