/** CRLF, CR and the two Unicode line ends become LF. */
export const toLf = (text: string): string => text.replace(/\r\n?|[\u2028\u2029]/g, '\n');

/** Collapses every run of white space to one space and trims. */
export const collapseBlanks = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** For comparing without regard to case. Through upper case, where `ß` equals `SS`; `ẞ` gets there only as `ß`. */
export const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();

const lineFeed = 0x0a;
/** No blank, no control character, and ASCII only, because other blanks are beyond it. */
const isPlain = (code: number): boolean => code > 0x20 && code < 0x7f;

/** A quick check of the line ends alone, which accepts nearly every stored body. */
function isPlainlyCanonical(text: string): boolean {
  if (text.startsWith('\n') || !isPlain(text.charCodeAt(text.length - 1))) return false;
  if (text.includes('\r') || text.includes('\u2028') || text.includes('\u2029')) return false;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before !== lineFeed && !isPlain(before)) return false;
  }
  return true;
}

/**
 * The canonical body (RULINGS R3): LF line ends, no trailing blanks, no blank line at either end. The first line keeps
 * its indentation. Idempotent, so that the stored and the hashed text agree.
 */
export function canonicalBody(text: string): string {
  if (isPlainlyCanonical(text)) return text;
  const lines = toLf(text)
    .split('\n')
    .map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  if (first === -1) return '';
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(first, last + 1).join('\n');
}
