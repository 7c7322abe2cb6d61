import type { FileHandle } from 'node:fs/promises';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { ingestLimits } from '../../ingest-limits.ts';

/** Signatures of the format, read from the end: PKWARE's APPNOTE, 4.3.12 and 4.3.16. */
const memberSignature = 0x02014b50;
const endSignature = 0x06054b50;
const memberHeadBytes = 46;
const endHeadBytes = 22;
/** The longest comment behind the last record. */
const commentBytes = 65_535;
/** Stands where the number is in a larger form elsewhere. */
const elsewhere = 0xffffffff;

export interface Member {
  readonly name: string;
  readonly isEncrypted: boolean;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly packedBytes: number;
  /** As the archive says. */
  readonly unpackedBytes: number;
  readonly crc: number;
  readonly headerAt: number;
}

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

function findEnd(tail: Buffer): number {
  for (let at = tail.length - endHeadBytes; at >= 0; at -= 1) if (tail.readUInt32LE(at) === endSignature) return at;
  throw damaged('it has no list of what is in it');
}

function* parseList(list: Buffer, count: number): Generator<Member> {
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    if (at + memberHeadBytes > list.length || list.readUInt32LE(at) !== memberSignature)
      throw damaged('its list is broken');
    const nameBytes = list.readUInt16LE(at + 28);
    const nameAt = at + memberHeadBytes;
    yield {
      name: list.toString('utf8', nameAt, nameAt + nameBytes),
      isEncrypted: (list.readUInt16LE(at + 8) & 1) === 1,
      method: list.readUInt16LE(at + 10),
      crc: list.readUInt32LE(at + 16),
      packedBytes: list.readUInt32LE(at + 20),
      unpackedBytes: list.readUInt32LE(at + 24),
      headerAt: list.readUInt32LE(at + 42),
    };
    at = nameAt + nameBytes + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32);
  }
}

/** The members of an archive from the list at its end, without unpacking any. */
export async function readMembers(handle: FileHandle, fileBytes: number): Promise<readonly Member[]> {
  if (fileBytes > ingestLimits.archiveBytes) {
    throw faults.RESOURCE_LIMIT({ what: 'The archive', limit: ingestLimits.archiveBytes, unit: 'bytes' });
  }
  const tailBytes = Math.min(fileBytes, endHeadBytes + commentBytes);
  if (tailBytes < endHeadBytes) throw damaged('it is too short');
  const tail = await readAt(handle, fileBytes - tailBytes, tailBytes);
  const endAt = findEnd(tail);
  const count = tail.readUInt16LE(endAt + 10);
  const bytes = tail.readUInt32LE(endAt + 12);
  const listAt = tail.readUInt32LE(endAt + 16);
  if (listAt === elsewhere || count === 0xffff) throw damaged('it is of the form for very large archives (zip64)');
  if (count > ingestLimits.archiveMembersCount) {
    throw faults.RESOURCE_LIMIT({ what: 'The archive', limit: ingestLimits.archiveMembersCount, unit: 'files' });
  }
  if (listAt + bytes > fileBytes || bytes > ingestLimits.archiveListBytes) throw damaged('its list is broken');
  return [...parseList(await readAt(handle, listAt, bytes), count)];
}
