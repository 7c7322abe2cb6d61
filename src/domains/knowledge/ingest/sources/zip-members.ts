import type { FileHandle } from 'node:fs/promises';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';

export const damagedArchive = (why: string, cause?: unknown) =>
  faults.VALIDATION_ERROR({ why: `The archive cannot be read: ${why}` }, { field: 'source' }, { cause });

/** Bytes of the file; fewer are damage. */
export async function readAt(handle: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await handle.read(buffer, filled, bytes - filled, at + filled);
    if (bytesRead === 0) throw damagedArchive('it ends too early');
    filled += bytesRead;
  }
  return buffer;
}

/** Signatures of the format, read from the end: PKWARE's APPNOTE, 4.3.14 to 4.3.16. */
const endSignature = 0x06054b50;
const locatorSignature = 0x07064b50;
const largeEndSignature = 0x06064b50;
const endHeadBytes = 22;
const locatorBytes = 20;
const largeEndBytes = 56;
/** The longest comment behind the last record. */
const commentBytes = 65_535;

/** Stands where the number is in a larger form elsewhere (zip64). */
const zip64Marker = { short: 0xffff, long: 0xffffffff } as const;

/** A number too large to be told exactly is larger than every archive, too. */
const readLarge = (buffer: Buffer, at: number): number => Number(buffer.readBigUInt64LE(at));

/** Where the list of the members is. */
interface MemberListLocation {
  readonly count: number;
  readonly bytes: number;
  readonly listAt: number;
}

function findEnd(tail: Buffer): number {
  for (let at = tail.length - endHeadBytes; at >= 0; at -= 1) if (tail.readUInt32LE(at) === endSignature) return at;
  throw damagedArchive('it has no list of what is in it');
}

/** The larger form: a record right before the last one tells where it stands. */
async function readLargeEnd(handle: FileHandle, endAt: number): Promise<MemberListLocation | undefined> {
  if (endAt < locatorBytes) return undefined;
  const locator = await readAt(handle, endAt - locatorBytes, locatorBytes);
  if (locator.readUInt32LE(0) !== locatorSignature) return undefined;
  const largeEndAt = readLarge(locator, 8);
  if (largeEndAt + largeEndBytes > endAt) throw damagedArchive('its list is broken');
  const end = await readAt(handle, largeEndAt, largeEndBytes);
  if (end.readUInt32LE(0) !== largeEndSignature) throw damagedArchive('its list is broken');
  return { count: readLarge(end, 32), bytes: readLarge(end, 40), listAt: readLarge(end, 48) };
}

async function readEnd(handle: FileHandle, fileBytes: number): Promise<MemberListLocation> {
  const tailBytes = Math.min(fileBytes, endHeadBytes + commentBytes);
  if (tailBytes < endHeadBytes) throw damagedArchive('it is too short');
  const tail = await readAt(handle, fileBytes - tailBytes, tailBytes);
  const at = findEnd(tail);
  const small = {
    count: tail.readUInt16LE(at + 10),
    bytes: tail.readUInt32LE(at + 12),
    listAt: tail.readUInt32LE(at + 16),
  };
  const { short, long } = zip64Marker;
  const isElsewhere = small.count === short || small.bytes === long || small.listAt === long;
  return (isElsewhere ? await readLargeEnd(handle, fileBytes - tailBytes + at) : undefined) ?? small;
}

/** Of a record in the list: PKWARE's APPNOTE, 4.3.12. */
const memberSignature = 0x02014b50;
const memberHeadBytes = 46;
/** Of what holds numbers that have no room in the record (zip64): 4.5.3. */
const largeNumbersId = 0x0001;

export interface ZipMember {
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

/** Only those that have no room where they belong, in their order. */
function readLargeNumbers(extra: Buffer): readonly number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === largeNumbersId) {
      const numbers: number[] = [];
      for (let i = at + 4; i + 8 <= Math.min(end, extra.length); i += 8) numbers.push(readLarge(extra, i));
      return numbers;
    }
    at = end;
  }
  return [];
}

function* parseList(list: Buffer, count: number): Generator<ZipMember> {
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    if (at + memberHeadBytes > list.length || list.readUInt32LE(at) !== memberSignature)
      throw damagedArchive('its list is broken');
    const nameAt = at + memberHeadBytes;
    const extraAt = nameAt + list.readUInt16LE(at + 28);
    const extraEnd = extraAt + list.readUInt16LE(at + 30);
    const large = readLargeNumbers(list.subarray(extraAt, extraEnd)).values();
    const numberAt = (place: number): number => {
      const number = list.readUInt32LE(at + place);
      return number === zip64Marker.long ? (large.next().value ?? number) : number;
    };
    // In the order in which the larger ones come.
    const unpackedBytes = numberAt(24);
    const packedBytes = numberAt(20);
    yield {
      name: list.toString('utf8', nameAt, extraAt),
      isEncrypted: (list.readUInt16LE(at + 8) & 1) === 1,
      method: list.readUInt16LE(at + 10),
      crc: list.readUInt32LE(at + 16),
      ...{ packedBytes, unpackedBytes, headerAt: numberAt(42) },
    };
    at = extraEnd + list.readUInt16LE(at + 32);
  }
}

/** The members of an archive from the list at its end, without unpacking any. */
export async function readMembers(handle: FileHandle, fileBytes: number): Promise<readonly ZipMember[]> {
  if (fileBytes > knowledgeLimits.archiveBytes) {
    throw faults.RESOURCE_LIMIT({ what: 'The archive', limit: knowledgeLimits.archiveBytes, unit: 'bytes' });
  }
  const { count, bytes, listAt } = await readEnd(handle, fileBytes);
  if (count > knowledgeLimits.archiveMembersCount) {
    throw faults.RESOURCE_LIMIT({ what: 'The archive', limit: knowledgeLimits.archiveMembersCount, unit: 'files' });
  }
  if (listAt + bytes > fileBytes || bytes > knowledgeLimits.archiveListBytes)
    throw damagedArchive('its list is broken');
  const members = [...parseList(await readAt(handle, listAt, bytes), count)];
  // Those that lie over one another would be read again and again.
  const packedBytes = members.reduce((sum, member) => sum + member.packedBytes, 0);
  if (packedBytes > fileBytes) throw damagedArchive('its files are larger than itself');
  return members;
}
