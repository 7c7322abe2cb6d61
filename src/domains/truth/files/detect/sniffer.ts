import { truthLimits } from '../../truth-limits.ts';
import type { FileKind } from '../file-kind.ts';
import { textKind } from './text-kind.ts';
import { listZipMembers } from './zip-names.ts';

/** Why a file is not taken, in words for whoever sent it. */
interface Unsupported {
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
function binaryKind(head: Buffer, tail: Buffer, totalBytes: number): FileKind | Unsupported | undefined {
  const start = head.toString('latin1', 0, 16);
  if (head.subarray(0, pdfHeadBytes).includes('%PDF-')) return 'pdf';
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return archiveKind(tail, totalBytes);
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'))
    return { why: 'Old or encrypted Office files cannot be read: save it as DOCX, XLSX or PDF without a password' };
  return imageKind(start);
}

/** Watches a file pass by and says what it is. */
export interface Sniffer {
  see(chunk: Buffer): void;
  end(): FileKind | Unsupported;
}

const notText: Unsupported = {
  why: 'It is none of the types that can be stored, and no text in UTF-8 (or UTF-16 with a byte order mark) either',
};

const encodingOf = (head: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
};

/** Whether all that passes is well-formed text without NUL; a character may lie across two chunks. */
function createTextWatch() {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let isText = true;
  const decode = (chunk: Buffer | undefined): void => {
    if (!isText || decoder === undefined) return;
    try {
      if (decoder.decode(chunk, { stream: chunk !== undefined }).includes('\0')) isText = false;
    } catch {
      isText = false;
    }
  };
  return {
    see(chunk: Buffer) {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
      decode(chunk);
    },
    end() {
      decode(undefined);
      return isText;
    },
  };
}

const isArchive = (head: Buffer): boolean => head[0] === 0x50 && head[1] === 0x4b;

export function createSniffer(): Sniffer {
  const watch = createTextWatch();
  const { headBytes, tailBytes } = truthLimits;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let totalBytes = 0;

  return {
    see(chunk) {
      // A byte order mark is two bytes: the watch begins when both are there.
      const fresh = head.length === 1 ? Buffer.concat([head, chunk]) : chunk;
      totalBytes += chunk.length;
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      if (totalBytes < 2) return;
      watch.see(fresh);
      if (isArchive(head)) tail = Buffer.concat([tail, fresh]).subarray(-tailBytes);
    },
    end() {
      const binary = binaryKind(head, tail, totalBytes);
      if (binary !== undefined) return binary;
      if (totalBytes < 2) watch.see(head);
      const isText = watch.end();
      const kind = textKind(new TextDecoder(encodingOf(head)).decode(head), totalBytes <= headBytes);
      if (isText) return kind;
      // Mail may carry parts in any encoding; its header says which.
      return kind === 'eml' && !head.includes(0) ? kind : notText;
    },
  };
}
