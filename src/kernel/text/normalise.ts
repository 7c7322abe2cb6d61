/** CRLF, CR and the two Unicode line ends become LF. */
export const toLf = (text: string): string => text.replace(/\r\n?|[\u2028\u2029]/g, '\n');

/** Every run of white space becomes one space; none is left at the ends. */
export const collapseBlanks = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** For comparing without regard to case. By way of upper case, where `ß` meets `SS`; `ẞ` gets there only as `ß`. */
export const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();

const lineFeed = 0x0a;
/** No blank, no control character, and nothing beyond ASCII, where other blanks are. */
const isPlain = (code: number): boolean => code > 0x20 && code < 0x7f;

/** Whether it is canonical beyond doubt, from the ends of its lines alone: so is nearly every body that was ever stored. */
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
 * The canonical body (RULINGS R3): line ends are LF, no line ends in blanks, no blank line at either end. The first
 * line keeps its indentation. Applying it twice changes nothing more, so what is stored and what is hashed agree.
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
