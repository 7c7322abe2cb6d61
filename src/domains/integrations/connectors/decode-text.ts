import { integrationFaults } from '../integration-faults.ts';

const asciiChars = 256;

/** RFC 7303: a byte order mark first, then the header, then the XML declaration, else UTF-8. */
function findCharset(bytes: Uint8Array, contentType: string | undefined): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  const named = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
  if (named !== undefined) return named;
  const start = Buffer.from(bytes.subarray(0, asciiChars)).toString('latin1');
  return /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(start)?.[1] ?? 'utf-8';
}

/** The text of a document from outside, in its character set. */
export function decodeText(bytes: Uint8Array, contentType?: string): string {
  const charset = findCharset(bytes, contentType);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    throw integrationFaults.SYNC_FAILED({ why: `its character set ${charset.slice(0, 40)} is unknown` });
  }
}
