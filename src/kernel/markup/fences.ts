/** A fenced block, or the text between two of them. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'fence'; readonly info: string; readonly content: string };

export interface FenceOpening {
  readonly char: '`' | '~';
  readonly length: number;
  readonly info: string;
}

/** At most three blanks before it (CommonMark 0.31, 4.5); deeper ones belong to a list or are indented code. */
export function readFenceOpening(line: string): FenceOpening | undefined {
  const bare = line.trimStart();
  const char = bare[0];
  if (char !== '`' && char !== '~') return undefined;
  const indent = line.slice(0, line.length - bare.length);
  if (indent.length > 3 || indent.includes('\t')) return undefined;
  let length = 0;
  while (bare[length] === char) length += 1;
  const info = bare.slice(length);
  // An inline span of three backticks is not a fence.
  if (length < 3 || (char === '`' && info.includes('`'))) return undefined;
  return { char, length, info: info.trim() };
}

export function isFenceClosing(line: string, { char, length }: FenceOpening): boolean {
  const bare = line.trimEnd();
  const marks = bare.trimStart();
  return bare.length - marks.length <= 3 && marks.length >= length && marks === char.repeat(marks.length);
}

/** Whether the text ends inside a fence. */
export function hasOpenFence(text: string): boolean {
  let opening: FenceOpening | undefined;
  for (const line of text.split('\n')) {
    if (opening === undefined) opening = readFenceOpening(line);
    else if (isFenceClosing(line, opening)) opening = undefined;
  }
  return opening !== undefined;
}

/** Splits a text at its fences. An unclosed fence extends to the end, as in Markdown. */
export function splitFences(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let opening: FenceOpening | undefined;
  let lines: string[] = [];
  const close = () => {
    if (opening !== undefined) blocks.push({ kind: 'fence', info: opening.info, content: lines.join('\n') });
    else if (lines.some((line) => line.trim() !== '')) blocks.push({ kind: 'text', text: lines.join('\n') });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const next = opening === undefined ? readFenceOpening(line) : undefined;
    if (next !== undefined) {
      close();
      opening = next;
    } else if (opening !== undefined && isFenceClosing(line, opening)) {
      close();
      opening = undefined;
    } else lines.push(line);
  }
  close();
  return blocks;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const { 0: run } of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** A block for any content: its fence is longer than every run of backticks inside. */
export function renderFence(info: string, content: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}${info}\n${content}\n${fence}\n`;
}
