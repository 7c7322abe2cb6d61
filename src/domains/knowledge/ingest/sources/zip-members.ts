import type { FileHandle } from 'node:fs/promises';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';

export const damagedArchive = (why: string, cause?: unknown) =>
  faults.VALIDATION_ERROR({ why: `The archive cannot be read: ${why}` }, { field: 'source' }, { cause });

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

/** Signatures of the end records: PKWARE's APPNOTE, 4.3.14 to 4.3.16. */
const endSignature = 0x06054b50;
const locatorSignature = 0x07064b50;
const largeEndSignature = 0x06064b50;
const endHeadBytes = 22;
const locatorBytes = 20;
const largeEndBytes = 56;
/** The longest archive comment after the end record. */
const commentBytes = 65_535;

/** The value means that the real number is in a zip64 field. */
const zip64Marker = { short: 0xffff, long: 0xffffffff } as const;

/** Numbers that lose precision are larger than any archive anyway. */
const readLarge = (buffer: Buffer, at: number): number => Number(buffer.readBigUInt64LE(at));

interface MemberListLocation {
  readonly count: number;
  readonly bytes: number;
  readonly listAt: number;
}

function findEnd(tail: Buffer): number {
  for (let at = tail.length - endHeadBytes; at >= 0; at -= 1) if (tail.readUInt32LE(at) === endSignature) return at;
  throw damagedArchive('its central directory is missing');
}

/** The zip64 end record; a locator right before the normal end record gives its position. */
async function readLargeEnd(handle: FileHandle, endAt: number): Promise<MemberListLocation | undefined> {
  if (endAt < locatorBytes) return undefined;
  const locator = await readAt(handle, endAt - locatorBytes, locatorBytes);
  if (locator.readUInt32LE(0) !== locatorSignature) return undefined;
  const largeEndAt = readLarge(locator, 8);
  if (largeEndAt + largeEndBytes > endAt) throw damagedArchive('its central directory is damaged');
  const end = await readAt(handle, largeEndAt, largeEndBytes);
  if (end.readUInt32LE(0) !== largeEndSignature) throw damagedArchive('its central directory is damaged');
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

/** Central directory record: PKWARE's APPNOTE, 4.3.12. */
const memberSignature = 0x02014b50;
const memberHeadBytes = 46;
/** The extra field with zip64 numbers: 4.5.3. */
const largeNumbersId = 0x0001;

export interface ZipMember {
  readonly name: string;
  readonly isEncrypted: boolean;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly packedBytes: number;
  /** As declared. */
  readonly unpackedBytes: number;
  readonly crc: number;
  readonly headerAt: number;
}

/** Only numbers that do not fit into the record, in the order of the record. */
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
      throw damagedArchive('its central directory is damaged');
    const nameAt = at + memberHeadBytes;
    const extraAt = nameAt + list.readUInt16LE(at + 28);
    const extraEnd = extraAt + list.readUInt16LE(at + 30);
    const large = readLargeNumbers(list.subarray(extraAt, extraEnd)).values();
    const numberAt = (place: number): number => {
      const number = list.readUInt32LE(at + place);
      return number === zip64Marker.long ? (large.next().value ?? number) : number;
    };
    // In the order of the zip64 field.
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

/** Reads the central directory without unpacking anything. */
export async function readMembers(handle: FileHandle, fileBytes: number): Promise<readonly ZipMember[]> {
  if (fileBytes > knowledgeLimits.archiveBytes) {
    throw faults.RESOURCE_LIMIT({ what: 'The archive', limit: knowledgeLimits.archiveBytes, unit: 'bytes' });
  }
  const { count, bytes, listAt } = await readEnd(handle, fileBytes);
  if (count > knowledgeLimits.archiveMembersCount) {
    throw faults.RESOURCE_LIMIT({ what: 'The archive', limit: knowledgeLimits.archiveMembersCount, unit: 'files' });
  }
  if (listAt + bytes > fileBytes || bytes > knowledgeLimits.archiveListBytes)
    throw damagedArchive('its central directory is damaged');
  const members = [...parseList(await readAt(handle, listAt, bytes), count)];
  // Overlapping members would be unpacked repeatedly.
  const packedBytes = members.reduce((sum, member) => sum + member.packedBytes, 0);
  if (packedBytes > fileBytes) throw damagedArchive('its members are larger than the archive');
  return members;
}
