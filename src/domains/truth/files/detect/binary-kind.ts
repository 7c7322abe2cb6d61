import type { FileKind } from '../file-kind.ts';
import { listZipMembers } from './zip-names.ts';

/** Why a file is not taken, in words for whoever sent it. */
export interface Unsupported {
  readonly why: string;
}

/** Readers of the format look for its beginning here (ISO 32000, annex H). */
const pdfHeadBytes = 1_024;

const imageMagic: readonly (readonly [FileKind, string])[] = [
  ['png', '\x89PNG\r\n\x1a\n'],
  ['jpeg', '\xff\xd8\xff'],
  ['gif', 'GIF87a'],
  ['gif', 'GIF89a'],
  ['tiff', 'II*\0'],
  ['tiff', 'MM\0*'],
];

function imageKind(start: string): FileKind | undefined {
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'webp';
  // `BM` is how words begin too: the header's reserved bytes are nought, and no text holds NUL.
  if (start.startsWith('BM') && start.slice(6, 10) === '\0\0\0\0') return 'bmp';
  return imageMagic.find(([, magic]) => start.startsWith(magic))?.[0];
}

function archiveKind(tail: Buffer, totalBytes: number): FileKind | Unsupported {
  const members = listZipMembers(tail, totalBytes);
  if (members === undefined) return { why: 'The archive is damaged: the list of its members cannot be read' };
  const names = new Set(members.map(({ name }) => name));
  if (names.has('word/document.xml')) return 'docx';
  if (names.has('xl/workbook.xml')) return 'xlsx';
  return { why: 'Of archives, Word documents (DOCX) and Excel workbooks (XLSX) can be stored' };
}

/** What the bytes say that no text begins with; undefined when it may be text. */
export function binaryKind(head: Buffer, tail: Buffer, totalBytes: number): FileKind | Unsupported | undefined {
  const start = head.toString('latin1', 0, 16);
  if (head.subarray(0, pdfHeadBytes).includes('%PDF-')) return 'pdf';
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return archiveKind(tail, totalBytes);
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'))
    return { why: 'Old or encrypted Office files cannot be read: save it as DOCX, XLSX or PDF without a password' };
  return imageKind(start);
}
