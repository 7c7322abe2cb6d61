import { createInflateRaw } from 'node:zlib';
import { truthLimits } from '../../truth-limits.ts';
import { listZipMembers, type ZipMember } from '../detect/zip-members.ts';
import { createBoundedText, type ExtractedText, orDamaged, orMissing, UnreadableFile } from './extracted-text.ts';

const localHeadBytes = 30;
const inflatedChunkBytes = 256 * 1024;

const tooLarge = () => new UnreadableFile('too_large', 'it unpacks to more than the limit');
const damaged = (cause?: unknown) => new UnreadableFile('damaged', 'the archive is damaged', { cause });

function packedOf(bytes: Buffer, { headerAt, packedBytes }: ZipMember): Buffer {
  if (headerAt + localHeadBytes > bytes.length) throw damaged();
  const at = headerAt + localHeadBytes + bytes.readUInt16LE(headerAt + 26) + bytes.readUInt16LE(headerAt + 28);
  return bytes.subarray(at, at + packedBytes);
}

/** The real unpacked size; the size in the header may be wrong. Keeps nothing of what it unpacks. */
async function unpackedBytesOf(bytes: Buffer, member: ZipMember, leftBytes: number): Promise<number> {
  const packed = packedOf(bytes, member);
  if (member.method === 0) return packed.length;
  if (member.method !== 8) throw damaged();
  const inflate = createInflateRaw({ chunkSize: inflatedChunkBytes });
  inflate.end(packed);
  let unpackedBytes = 0;
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      unpackedBytes += chunk.length;
      if (unpackedBytes > leftBytes) break;
    }
  } catch (error) {
    throw damaged(error);
  }
  return unpackedBytes;
}

/**
 * Unpacks the archive once with a limit, because the libraries have none. Only XML members: embedded pictures are never
 * unpacked.
 */
export async function checkArchive(bytes: Buffer, unpackedBytes: number = truthLimits.unpackedBytes): Promise<void> {
  const members = listZipMembers(bytes, bytes.length);
  if (members === undefined) throw damaged();
  if (members.length > truthLimits.archiveMembersCount) throw tooLarge();
  if (members.some(({ isEncrypted }) => isEncrypted)) throw new UnreadableFile('encrypted', 'the archive is encrypted');
  let leftBytes = unpackedBytes;
  for (const member of members.filter(({ name }) => /\.(?:xml|rels)$/i.test(name))) {
    leftBytes -= await unpackedBytesOf(bytes, member, leftBytes);
    if (leftBytes <= 0) throw tooLarge();
  }
}

export async function extractDocx(bytes: Buffer): Promise<ExtractedText> {
  const { default: mammoth } = await orMissing('mammoth', () => import('mammoth'));
  await checkArchive(bytes);
  const { value } = await orDamaged('Word document', () => mammoth.extractRawText({ buffer: bytes }));
  const text = createBoundedText();
  for (const line of value.trimEnd().split(/\n+/)) if (!text.add(line)) break;
  return text.end();
}

const toCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

export async function extractXlsx(bytes: Buffer): Promise<ExtractedText> {
  const { default: readWorkbook } = await orMissing('read-excel-file', () => import('read-excel-file/node'));
  await checkArchive(bytes);
  const sheets = await orDamaged('Excel workbook', () => readWorkbook(bytes));
  const text = createBoundedText();
  let rowsCount = 0;
  for (const { sheet, data } of sheets) {
    if (sheets.length > 1) text.add(sheet);
    for (const row of data) {
      rowsCount += 1;
      const cells = row.map(toCell);
      if (rowsCount > truthLimits.rowsCount || !text.add(cells.join('\t').trimEnd())) return text.end();
    }
  }
  return text.end();
}
