import { type FileKind, isImage } from '../file-kind.ts';
import { createBoundedText, type ExtractedText } from './bounded-text.ts';
import { decodeText } from './decode-text.ts';
import { extractCsv } from './extract-csv.ts';
import { extractMail } from './extract-mail.ts';
import { extractDocx, extractXlsx } from './extract-office.ts';
import { extractPdf } from './extract-pdf.ts';
import { htmlToText } from './html-to-text.ts';
import { recogniseText } from './recognise-text.ts';

function plainText(bytes: Uint8Array): ExtractedText {
  const text = createBoundedText();
  for (const line of decodeText(bytes).split(/\r\n|\n|\r/)) if (!text.add(line)) break;
  return text.end();
}

/** Runs in the process for extraction and nowhere else: parsers of others read files of strangers. */
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
