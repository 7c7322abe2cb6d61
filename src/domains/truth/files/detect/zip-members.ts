/** Signatures from PKWARE's APPNOTE, 4.3.12 and 4.3.16. */
const memberSignature = 0x02014b50;
const endSignature = 0x06054b50;
const memberHeadBytes = 46;
const endHeadBytes = 22;

export interface ZipMember {
  readonly name: string;
  readonly isEncrypted: boolean;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly packedBytes: number;
  readonly headerAt: number;
}

/** The end record is last except for a comment. */
function findEnd(tail: Buffer): number {
  for (let at = tail.length - endHeadBytes; at >= 0; at -= 1) if (tail.readUInt32LE(at) === endSignature) return at;
  return -1;
}

/**
 * Reads the central directory. `tail` is the end of the archive, `totalBytes` its size. Undefined if the directory is
 * missing or does not fit into the tail.
 */
export function listZipMembers(tail: Buffer, totalBytes: number): readonly ZipMember[] | undefined {
  const endAt = findEnd(tail);
  if (endAt === -1) return undefined;
  const count = tail.readUInt16LE(endAt + 10);
  let at = tail.readUInt32LE(endAt + 16) - (totalBytes - tail.length);
  const members: ZipMember[] = [];
  while (members.length < count) {
    if (at < 0 || at + memberHeadBytes > endAt || tail.readUInt32LE(at) !== memberSignature) return undefined;
    const nameBytes = tail.readUInt16LE(at + 28);
    const nameAt = at + memberHeadBytes;
    members.push({
      name: tail.toString('utf8', nameAt, nameAt + nameBytes),
      isEncrypted: (tail.readUInt16LE(at + 8) & 1) === 1,
      method: tail.readUInt16LE(at + 10),
      packedBytes: tail.readUInt32LE(at + 20),
      headerAt: tail.readUInt32LE(at + 42),
    });
    at = nameAt + nameBytes + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32);
  }
  return members;
}
