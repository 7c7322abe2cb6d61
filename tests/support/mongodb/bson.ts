/**
 * The part of BSON that the gateway needs: it reads the top level of a command and writes short answers. Nested
 * documents are passed on as bytes.
 */

export interface Element {
  readonly type: number;
  readonly name: string;
  readonly value: Buffer;
}

const double = 0x01;
const text = 0x02;
const document = 0x03;
const array = 0x04;
const binary = 0x05;
const objectId = 0x07;
const boolean = 0x08;
const date = 0x09;
const nothing = 0x0a;
const pattern = 0x0b;
const javascript = 0x0d;
const int32 = 0x10;
const timestamp = 0x11;
const int64 = 0x12;
const decimal = 0x13;

const fixedSizes: ReadonlyMap<number, number> = new Map([
  [double, 8],
  [0x06, 0],
  [objectId, 12],
  [boolean, 1],
  [date, 8],
  [nothing, 0],
  [int32, 4],
  [timestamp, 8],
  [int64, 8],
  [decimal, 16],
  [0xff, 0],
  [0x7f, 0],
]);

function sizeAt(type: number, bytes: Buffer, at: number): number {
  const fixed = fixedSizes.get(type);
  if (fixed !== undefined) return fixed;
  if (type === text || type === javascript || type === 0x0e) return 4 + bytes.readInt32LE(at);
  if (type === document || type === array) return bytes.readInt32LE(at);
  if (type === binary) return 5 + bytes.readInt32LE(at);
  if (type === pattern) return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1 - at;
  throw new Error(`a value of the BSON type 0x${type.toString(16)} is not known`);
}

/** The elements of a document, without decoding them. */
export function readElements(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  let at = 4;
  while (bytes[at] !== 0) {
    const type = bytes[at]!;
    const nameEnd = bytes.indexOf(0, at + 1);
    const valueAt = nameEnd + 1;
    const end = valueAt + sizeAt(type, bytes, valueAt);
    if (nameEnd < 0 || end >= bytes.length) throw new Error('a BSON document is cut off');
    elements.push({ type, name: bytes.toString('utf8', at + 1, nameEnd), value: bytes.subarray(valueAt, end) });
    at = end;
  }
  return elements;
}

/** Undefined for types that commands do not use at their top level. */
export function readValue({ type, value }: Element): string | bigint | number | boolean | undefined {
  if (type === text) return value.toString('utf8', 4, value.length - 1);
  if (type === int32) return value.readInt32LE(0);
  if (type === int64) return value.readBigInt64LE(0);
  if (type === double) return value.readDoubleLE(0);
  if (type === boolean) return value[0] === 1;
  return undefined;
}

/** Integers below 2^31 become int32, other numbers double; bytes are an encoded document. */
export type Writable =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Buffer
  | readonly Writable[]
  | { readonly [name: string]: Writable };

const int32Bytes = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};

const int64Bytes = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
};

function writeNumber(value: number): readonly [number, Buffer] {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) return [int32, int32Bytes(value)];
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return [double, bytes];
}

const isList = (value: Writable): value is readonly Writable[] => Array.isArray(value);

function writeValue(value: Writable): readonly [number, Buffer] {
  if (value === null) return [nothing, Buffer.alloc(0)];
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'bigint') return [int64, int64Bytes(value)];
  if (typeof value === 'boolean') return [boolean, Buffer.from([value ? 1 : 0])];
  if (typeof value === 'string') {
    const bytes = Buffer.from(`${value}\0`);
    return [text, Buffer.concat([int32Bytes(bytes.length), bytes])];
  }
  if (value instanceof Date) return [date, int64Bytes(BigInt(value.getTime()))];
  if (Buffer.isBuffer(value)) return [document, value];
  if (isList(value)) return [array, writeDocument(Object.fromEntries(value.entries()))];
  return [document, writeDocument(value)];
}

export function writeDocument(fields: Readonly<Record<string, Writable>>): Buffer {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const [type, bytes] = writeValue(value);
    return [Buffer.from([type]), Buffer.from(`${name}\0`), bytes];
  });
  const body = Buffer.concat(parts);
  return Buffer.concat([int32Bytes(body.length + 5), body, Buffer.alloc(1)]);
}
