import type { FileKind } from '../file-kind.ts';

const mailFields: ReadonlySet<string> = new Set([
  'from',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'received',
  'return-path',
  'delivered-to',
  'mime-version',
  'reply-to',
]);

const fieldName = /^([A-Za-z][A-Za-z0-9-]{0,60}):/;

/** A message begins with its header: fields only, two of them known ones, `From` or `Received` among them. */
function isMail(lines: readonly string[]): boolean {
  const known = new Set<string>();
  for (const [i, line] of lines.entries()) {
    if (line === '' || (i > 0 && /^[ \t]/.test(line))) {
      if (line === '') break;
      continue;
    }
    const name = fieldName.exec(line)?.[1]?.toLowerCase();
    // A mailbox file puts a line of its own before the first message.
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

/** How many fields the line has; what stands in quotes separates nothing. */
function countFields(line: string, separator: string): number {
  let count = 1;
  let isQuoted = false;
  for (const char of line) {
    if (char === '"') isQuoted = !isQuoted;
    else if (char === separator && !isQuoted) count += 1;
  }
  return count;
}

/** Sentences and what Markdown marks are no rows. */
const isProse = (line: string): boolean => /^[#|]|[.!?]$/.test(line);

/** At least two lines, all with the same number of fields. Prose has commas too, but seldom the same number on every line. */
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

/** What kind of text begins like this. The last line may be cut short. */
export function textKind(head: string, isWhole: boolean): FileKind {
  const lines = head.split(/\r\n|\n|\r/);
  const whole = isWhole || lines.length === 1 ? lines : lines.slice(0, -1);
  if (isMail(whole)) return 'eml';
  if (isHtml(head)) return 'html';
  if (isCsv(whole)) return 'csv';
  return whole.some(isMarkdownLine) ? 'markdown' : 'text';
}
