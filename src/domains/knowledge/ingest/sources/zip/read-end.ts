import type { FileHandle } from 'node:fs/promises';
import { damaged, readAt } from './read-bytes.ts';

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
export const elsewhere = { short: 0xffff, long: 0xffffffff } as const;

/** A number too large to be told exactly is larger than every archive, too. */
export const readLarge = (buffer: Buffer, at: number): number => Number(buffer.readBigUInt64LE(at));

/** Where the list of the members is. */
export interface ListPlace {
  readonly count: number;
  readonly bytes: number;
  readonly listAt: number;
}

function findEnd(tail: Buffer): number {
  for (let at = tail.length - endHeadBytes; at >= 0; at -= 1) if (tail.readUInt32LE(at) === endSignature) return at;
  throw damaged('it has no list of what is in it');
}

/** The larger form: a record right before the last one tells where it stands. */
async function readLargeEnd(handle: FileHandle, endAt: number): Promise<ListPlace | undefined> {
  if (endAt < locatorBytes) return undefined;
  const locator = await readAt(handle, endAt - locatorBytes, locatorBytes);
  if (locator.readUInt32LE(0) !== locatorSignature) return undefined;
  const largeEndAt = readLarge(locator, 8);
  if (largeEndAt + largeEndBytes > endAt) throw damaged('its list is broken');
  const end = await readAt(handle, largeEndAt, largeEndBytes);
  if (end.readUInt32LE(0) !== largeEndSignature) throw damaged('its list is broken');
  return { count: readLarge(end, 32), bytes: readLarge(end, 40), listAt: readLarge(end, 48) };
}

export async function readEnd(handle: FileHandle, fileBytes: number): Promise<ListPlace> {
  const tailBytes = Math.min(fileBytes, endHeadBytes + commentBytes);
  if (tailBytes < endHeadBytes) throw damaged('it is too short');
  const tail = await readAt(handle, fileBytes - tailBytes, tailBytes);
  const at = findEnd(tail);
  const small = {
    count: tail.readUInt16LE(at + 10),
    bytes: tail.readUInt32LE(at + 12),
    listAt: tail.readUInt32LE(at + 16),
  };
  const { short, long } = elsewhere;
  const isElsewhere = small.count === short || small.bytes === long || small.listAt === long;
  return (isElsewhere ? await readLargeEnd(handle, fileBytes - tailBytes + at) : undefined) ?? small;
}
