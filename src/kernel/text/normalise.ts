/** CRLF, CR and the two Unicode line ends become LF. */
export const toLf = (text: string): string => text.replace(/\r\n?|[\u2028\u2029]/g, '\n');

/** Every run of white space becomes one space; none is left at the ends. */
export const collapseBlanks = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** For comparing without regard to case. By way of upper case, where `ß` meets `SS`; `ẞ` gets there only as `ß`. */
export const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();

/**
 * The canonical body (RULINGS R3): line ends are LF, no line ends in blanks, no blank line at either end. The first
 * line keeps its indentation. Applying it twice changes nothing more, so what is stored and what is hashed agree.
 */
export function canonicalBody(text: string): string {
  const lines = toLf(text)
    .split('\n')
    .map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  if (first === -1) return '';
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(first, last + 1).join('\n');
}
