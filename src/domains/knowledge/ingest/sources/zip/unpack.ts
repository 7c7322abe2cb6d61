import type { FileHandle } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { knowledgeLimits } from '../../../knowledge-limits.ts';
import { damaged, readAt } from './read-bytes.ts';
import type { Member } from './read-members.ts';

const localHeadBytes = 30;
const localSignature = 0x04034b50;

const bomb = (member: Pick<Member, 'name'>) =>
  faults.VALIDATION_ERROR(
    { why: `The archive is refused: ${JSON.stringify(member.name)} unpacks to far more than docs do` },
    { field: 'source' },
  );

/** What a member says of itself. Text packs to a tenth; what packs to a thousandth was made to fill memory. */
export function checkDeclared(member: Member): void {
  const { packedBytes, unpackedBytes } = member;
  const isSmall = unpackedBytes <= knowledgeLimits.smallMemberBytes;
  if (!isSmall && unpackedBytes > packedBytes * knowledgeLimits.unpackedRatio) throw bomb(member);
}

/** A member's bytes, never more than it says: one that unpacks to more is refused, and the archive with it. */
export async function unpack(handle: FileHandle, member: Member): Promise<Buffer> {
  const head = await readAt(handle, member.headerAt, localHeadBytes);
  if (head.readUInt32LE(0) !== localSignature)
    throw damaged(`${JSON.stringify(member.name)} is not where it should be`);
  const at = member.headerAt + localHeadBytes + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = await readAt(handle, at, member.packedBytes);
  const bytes = member.method === 0 ? packed : inflate(packed, member);
  if (bytes.length > member.unpackedBytes) throw bomb(member);
  if (bytes.length !== member.unpackedBytes || crc32(bytes) !== member.crc) {
    throw damaged(`${JSON.stringify(member.name)} is damaged`);
  }
  return bytes;
}

function inflate(packed: Buffer, member: Member): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(member.unpackedBytes, 1) });
  } catch (error) {
    if (error instanceof RangeError) throw bomb(member);
    throw damaged(`${JSON.stringify(member.name)} is damaged`, error);
  }
}
