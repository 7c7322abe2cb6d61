import { crc32, deflateRawSync } from 'node:zlib';

export interface PlantedMember {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** What the list says instead of the truth. */
  readonly saysBytes?: number;
  readonly saysCrc?: number;
  readonly isEncrypted?: boolean;
  readonly isStored?: boolean;
}

interface Packed {
  readonly member: PlantedMember;
  readonly name: Buffer;
  readonly packed: Buffer;
  readonly bytes: number;
  readonly crc: number;
}

function pack(member: PlantedMember): Packed {
  const content = Buffer.from(member.content);
  const packed = member.isStored === true ? content : deflateRawSync(content);
  const bytes = member.saysBytes ?? content.length;
  return { member, name: Buffer.from(member.name), packed, bytes, crc: member.saysCrc ?? crc32(content) };
}

/** Method, flags, sizes and the length of the name: both records have them in this order. */
function head({ member, name, packed, bytes, crc }: Packed): Buffer {
  const part = Buffer.alloc(26);
  part.writeUInt16LE(20, 0);
  part.writeUInt16LE(member.isEncrypted === true ? 1 : 0, 2);
  part.writeUInt16LE(member.isStored === true ? 0 : 8, 4);
  part.writeUInt32LE(crc, 10);
  part.writeUInt32LE(packed.length, 14);
  part.writeUInt32LE(bytes, 18);
  part.writeUInt16LE(name.length, 22);
  return part;
}

const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** An archive, honest or not. */
export function plantZip(members: readonly PlantedMember[]): Buffer {
  const locals: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const one of members.map(pack)) {
    const local = Buffer.concat([signature(0x04034b50), head(one), one.name, one.packed]);
    const behind = Buffer.alloc(14);
    behind.writeUInt32LE(at, 10);
    list.push(Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), head(one), behind, one.name]));
    locals.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, entries, end]);
}
