import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipMemberFixture {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Declared instead of the real values. */
  readonly saysBytes?: number;
  readonly saysPackedBytes?: number;
  readonly saysCrc?: number;
  readonly isEncrypted?: boolean;
  readonly isStored?: boolean;
}

interface Packed {
  readonly member: ZipMemberFixture;
  readonly name: Buffer;
  readonly packed: Buffer;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly crc: number;
}

function pack(member: ZipMemberFixture): Packed {
  const content = Buffer.from(member.content);
  const packed = member.isStored === true ? content : deflateRawSync(content);
  const bytes = member.saysBytes ?? content.length;
  const packedBytes = member.saysPackedBytes ?? packed.length;
  return { member, name: Buffer.from(member.name), packed, packedBytes, bytes, crc: member.saysCrc ?? crc32(content) };
}

/** Both record types share these fields in this order. */
function head({ member, name, packedBytes, bytes, crc }: Packed): Buffer {
  const part = Buffer.alloc(26);
  part.writeUInt16LE(20, 0);
  part.writeUInt16LE(member.isEncrypted === true ? 1 : 0, 2);
  part.writeUInt16LE(member.isStored === true ? 0 : 8, 4);
  part.writeUInt32LE(crc, 10);
  part.writeUInt32LE(Math.min(packedBytes, 0xffffffff), 14);
  part.writeUInt32LE(Math.min(bytes, 0xffffffff), 18);
  part.writeUInt16LE(name.length, 22);
  return part;
}

const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** 64-bit numbers. */
function large(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 8);
  for (const [i, number] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(number), i * 8);
  return bytes;
}

/** A central directory record; with zip64 the numbers follow the name. */
function listed(one: Packed, at: number, isLarge: boolean): Buffer {
  const behind = Buffer.alloc(14);
  behind.writeUInt32LE(isLarge ? 0xffffffff : at, 10);
  const front = head(isLarge ? { ...one, packedBytes: Infinity, bytes: Infinity } : one);
  const numbers = large(one.bytes, one.packedBytes, at);
  // After an extra field of another type, as Unix archives have.
  const extra = isLarge
    ? Buffer.concat([Buffer.from([0x55, 0x58, 1, 0, 7, 1, 0, numbers.length, 0]), numbers])
    : numbers.subarray(0, 0);
  front.writeUInt16LE(extra.length, 24);
  return Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), front, behind, one.name, extra]);
}

export interface ZipFixtureOptions {
  /** Zip64: every number in its 64-bit field. */
  readonly isLarge?: boolean;
  /** Declared instead of the real values. */
  readonly saysCount?: number;
  readonly saysListAt?: number;
  readonly saysEndAt?: number;
}

export function createZip(members: readonly ZipMemberFixture[], form: ZipFixtureOptions = {}): Buffer {
  const { isLarge = false } = form;
  const locals: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const one of members.map(pack)) {
    const local = Buffer.concat([signature(0x04034b50), head(one), one.name, one.packed]);
    list.push(listed(one, at, isLarge));
    locals.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(list);
  const count = form.saysCount ?? members.length;
  const listAt = form.saysListAt ?? at;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  if (isLarge) {
    end.fill(0xff, 4, 20);
    const largeEnd = Buffer.concat([
      ...[signature(0x06064b50), large(44), Buffer.alloc(12), large(count, count, entries.length, listAt)],
      ...[signature(0x07064b50), Buffer.alloc(4), large(form.saysEndAt ?? at + entries.length), Buffer.alloc(4)],
    ]);
    return Buffer.concat([...locals, entries, largeEnd, end]);
  }
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(listAt, 16);
  return Buffer.concat([...locals, entries, end]);
}
