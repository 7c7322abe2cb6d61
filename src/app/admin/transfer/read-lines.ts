import { open } from 'node:fs/promises';
import { adminFaults } from '../admin-faults.ts';
import { exportLimits } from './export-format.ts';

export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** With its line end. */
  readonly bytes: Buffer;
  /** Where the next line begins. */
  readonly endsAt: number;
}

const readBytes = 256 * 1024;
const lineEnd = 0x0a;

/**
 * The lines of a file, one in memory at a time. A last line without its end was cut off, and is refused, unless it may be
 * `openEnded`: what people write often ends so.
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
        if (!openEnded) throw adminFaults.IMPORT_INVALID({ line: number, why: 'it is cut off' });
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
