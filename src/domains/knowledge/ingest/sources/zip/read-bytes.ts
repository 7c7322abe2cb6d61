import type { FileHandle } from 'node:fs/promises';
import { faults } from '#kernel/fault/kernel-faults.ts';

export const damaged = (why: string, cause?: unknown) =>
  faults.VALIDATION_ERROR({ why: `The archive cannot be read: ${why}` }, { field: 'source' }, { cause });

/** Bytes of the file; fewer are damage. */
export async function readAt(handle: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await handle.read(buffer, filled, bytes - filled, at + filled);
    if (bytesRead === 0) throw damaged('it ends too early');
    filled += bytesRead;
  }
  return buffer;
}
