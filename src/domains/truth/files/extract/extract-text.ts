import { readFile } from 'node:fs/promises';
import { truthLimits } from '../../truth-limits.ts';
import { analyseText } from '../analyse/analyse-text.ts';
import { type FileKind, isImage } from '../file-kind.ts';
import { extractDocx, extractXlsx } from './extract-office.ts';
import type { ExtractInput, ExtractOutput } from './extract-task.ts';
import {
  createBoundedText,
  cutText,
  type ExtractedText,
  orDamaged,
  orMissing,
  UnreadableFile,
} from './extracted-text.ts';
import { htmlToText } from './html-to-text.ts';
import { recogniseText } from './recognise-text.ts';

interface Addresses {
  readonly text: string;
}

const toAddressLine = (name: string, value: Addresses | readonly Addresses[] | undefined): readonly string[] =>
  value === undefined
    ? []
    : [
        `${name}: ${[value]
          .flat()
          .map(({ text }) => text)
          .join(', ')}`,
      ];

async function extractMail(bytes: Buffer): Promise<ExtractedText> {
  const { simpleParser } = await orMissing('mailparser', () => import('mailparser'));
  const mail = await orDamaged('message', () =>
    simpleParser(bytes, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true }),
  );
  const body = mail.text || (mail.html === false ? '' : htmlToText(mail.html).text);
  const date =
    mail.date !== undefined && !Number.isNaN(mail.date.getTime()) ? [`Date: ${mail.date.toISOString()}`] : [];
  const attached = mail.attachments.flatMap(({ filename }) =>
    filename === undefined ? [] : [`Attachment: ${filename}`],
  );
  const text = createBoundedText();
  const lines = [
    ...toAddressLine('From', mail.from),
    ...toAddressLine('To', mail.to),
    ...date,
    ...(mail.subject === undefined ? [] : [`Subject: ${mail.subject}`]),
    ...attached,
    '',
    ...body.slice(0, 4 * truthLimits.textChars).split(/\r?\n/),
  ];
  for (const line of lines) if (!text.add(line)) break;
  const { subject } = mail;
  return { ...text.end(), ...(subject === undefined ? {} : { title: subject }) };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

const toUnreadable = (error: unknown): UnreadableFile =>
  nameOf(error) === 'PasswordException'
    ? new UnreadableFile('encrypted', 'the PDF is encrypted', { cause: error })
    : new UnreadableFile('damaged', 'the PDF is damaged', { cause: error });

async function extractPdf(bytes: Uint8Array): Promise<ExtractedText> {
  const { getDocumentProxy } = await orMissing('unpdf', () => import('unpdf'));
  const text = createBoundedText();
  try {
    // Silences warnings about damaged files.
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, useSystemFonts: false });
    const pagesCount = Math.min(pdf.numPages, truthLimits.pagesCount);
    for (let number = 1; number <= pagesCount; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      let line = '';
      for (const item of items) {
        if (!('str' in item)) continue;
        line += item.str;
        if (!item.hasEOL) continue;
        if (!text.add(line)) return text.end();
        line = '';
      }
      if (!text.add(line)) return text.end();
      page.cleanup();
    }
  } catch (error) {
    throw toUnreadable(error);
  }
  return text.end();
}

/** UTF-16 if it starts with its byte order mark, otherwise UTF-8. Removes the mark. */
function decodeText(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/**
 * Only the part that can reach the text limit: each line or cell takes memory, and a file may have fifty million. Blanks
 * and separators do not count in the text, so more characters are read than it may have.
 */
function decodeBounded(bytes: Uint8Array): { readonly read: string; readonly isCut: boolean } {
  const readChars = 4 * truthLimits.textChars;
  // A character has at most four bytes; one that is cut in half is dropped with the rest.
  const some = decodeText(bytes.subarray(0, 4 * readChars + 4));
  const read = cutText(some, readChars);
  return { read, isCut: read.length < some.length };
}

const withCut = (extracted: ExtractedText, isCut: boolean): ExtractedText => ({
  ...extracted,
  isCut: isCut || extracted.isCut,
});

async function extractCsv(bytes: Uint8Array): Promise<ExtractedText> {
  const { default: papa } = await orMissing('papaparse', () => import('papaparse'));
  const { read, isCut } = decodeBounded(bytes);
  const { data } = await orDamaged('CSV file', async () =>
    papa.parse<readonly string[]>(read, { preview: truthLimits.rowsCount, skipEmptyLines: true }),
  );
  const text = createBoundedText();
  for (const row of data) if (!text.add(row.map((cell) => cell.trim()).join('\t'))) break;
  return withCut(text.end(), isCut);
}

function plainText(bytes: Uint8Array): ExtractedText {
  const text = createBoundedText();
  const { read, isCut } = decodeBounded(bytes);
  for (const line of read.split(/\r\n|\n|\r/)) if (!text.add(line)) break;
  return withCut(text.end(), isCut);
}

/** Runs only in an extraction process: third-party parsers read untrusted files here. */
export async function extractText(kind: FileKind, bytes: Buffer): Promise<ExtractedText> {
  if (isImage(kind)) return recogniseText(bytes);
  switch (kind) {
    case 'pdf':
      return extractPdf(bytes);
    case 'docx':
      return extractDocx(bytes);
    case 'xlsx':
      return extractXlsx(bytes);
    case 'csv':
      return extractCsv(bytes);
    case 'eml':
      return extractMail(bytes);
    case 'html':
      return htmlToText(decodeText(bytes));
    default:
      return plainText(bytes);
  }
}

/** Extracts and analyses in the process, so that the result is small even for a large file. */
export async function extractFile({ path, kind, fileName }: ExtractInput): Promise<ExtractOutput> {
  const bytes = await readFile(path);
  try {
    return { ok: true, analysis: analyseText(await extractText(kind, bytes), fileName) };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { ok: false, reason: error.reason, why: error.message };
  }
}
