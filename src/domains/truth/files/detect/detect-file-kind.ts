import { truthLimits } from '../../truth-limits.ts';
import type { FileKind } from '../file-kind.ts';
import { listZipMembers } from './zip-members.ts';

const mailFields: ReadonlySet<string> = new Set([
  ...['from', 'to', 'cc', 'subject', 'date', 'message-id'],
  ...['received', 'return-path', 'delivered-to', 'mime-version', 'reply-to'],
]);

const fieldName = /^([A-Za-z][A-Za-z0-9-]{0,60}):/;

/** A mail starts with header fields only, at least two of them known, including `From` or `Received`. */
function isMail(lines: readonly string[]): boolean {
  const known = new Set<string>();
  for (const [i, line] of lines.entries()) {
    if (line === '' || (i > 0 && /^[ \t]/.test(line))) {
      if (line === '') break;
      continue;
    }
    const name = fieldName.exec(line)?.[1]?.toLowerCase();
    // An mbox file starts with a line before the first message.
    if (name === undefined && !(i === 0 && line.startsWith('From '))) return false;
    if (name !== undefined && mailFields.has(name)) known.add(name);
  }
  return known.size >= 2 && (known.has('from') || known.has('received'));
}

const isHtml = (text: string): boolean => {
  const start = text.trimStart().slice(0, 2_000).toLowerCase();
  if (!start.startsWith('<')) return false;
  return start.startsWith('<!doctype html') || /<(?:html|head|body|table|div|p)[\s>]/.test(start);
};

const separators = [',', ';', '\t', '|'] as const;

/** Number of fields in the line; separators in quotes do not count. */
function countFields(line: string, separator: string): number {
  let count = 1;
  let isQuoted = false;
  for (const char of line) {
    if (char === '"') isQuoted = !isQuoted;
    else if (char === separator && !isQuoted) count += 1;
  }
  return count;
}

/** Sentences and Markdown are not rows. */
const isProse = (line: string): boolean => /^[#|]|[.!?]$/.test(line);

/** At least two lines with the same number of fields. Prose has commas too, but rarely the same number per line. */
function isCsv(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line !== '').slice(0, 50);
  if (filled.length < 2 || filled.some(isProse)) return false;
  return separators.some((separator) => {
    const count = countFields(filled[0]!, separator);
    return count >= 2 && filled.every((line) => countFields(line, separator) === count);
  });
}

const isMarkdownLine = (line: string): boolean =>
  /^#{1,6} \S/.test(line) || line.startsWith('```') || /^[-*] \[[ x]\] /.test(line) || /\]\(https?:/.test(line);

/** The last line may be incomplete. */
function textKind(head: string, isWhole: boolean): FileKind {
  const lines = head.split(/\r\n|\n|\r/);
  const whole = isWhole || lines.length === 1 ? lines : lines.slice(0, -1);
  if (isMail(whole)) return 'eml';
  if (isHtml(head)) return 'html';
  if (isCsv(whole)) return 'csv';
  return whole.some(isMarkdownLine) ? 'markdown' : 'text';
}

/** The reason is shown to the caller. */
interface UnsupportedType {
  readonly why: string;
}

/** PDF readers look for the header here (ISO 32000, annex H). */
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
  // Text can start with `BM` too, but the reserved header bytes are zero, and text contains no NUL.
  if (start.startsWith('BM') && start.slice(6, 10) === '\0\0\0\0') return 'bmp';
  return imageMagic.find(([, magic]) => start.startsWith(magic))?.[0];
}

function archiveKind(tail: Buffer, totalBytes: number): FileKind | UnsupportedType {
  const members = listZipMembers(tail, totalBytes);
  if (members === undefined) return { why: 'The archive is damaged: its directory cannot be read' };
  const names = new Set(members.map(({ name }) => name));
  if (names.has('word/document.xml')) return 'docx';
  if (names.has('xl/workbook.xml')) return 'xlsx';
  return { why: 'The only supported archives are Word documents (DOCX) and Excel workbooks (XLSX)' };
}

/** Undefined if it may be text. */
function binaryKind(head: Buffer, tail: Buffer, totalBytes: number): FileKind | UnsupportedType | undefined {
  const start = head.toString('latin1', 0, 16);
  if (head.subarray(0, pdfHeadBytes).includes('%PDF-')) return 'pdf';
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return archiveKind(tail, totalBytes);
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'))
    return {
      why: 'Old or encrypted Office files are not supported: save the file as DOCX, XLSX or PDF without a password',
    };
  return imageKind(start);
}

/** Detects the kind of a file while its chunks pass through. */
export interface FileKindDetector {
  add(chunk: Buffer): void;
  end(): FileKind | UnsupportedType;
}

const notText: UnsupportedType = {
  why: 'The file has no supported type and is not UTF-8 text (or UTF-16 with a byte order mark)',
};

const encodingOf = (head: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
};

/** Checks that all chunks are valid text without NUL; a character may span two chunks. */
function createTextCheck() {
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

export function createFileKindDetector(): FileKindDetector {
  const watch = createTextCheck();
  const { headBytes, tailBytes } = truthLimits;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let totalBytes = 0;

  return {
    add(chunk) {
      // A byte order mark has two bytes: start decoding when both are there.
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
      // Mail may contain parts in any encoding.
      return kind === 'eml' && !head.includes(0) ? kind : notText;
    },
  };
}
