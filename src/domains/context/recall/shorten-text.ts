import { estimateTokens } from '#kernel/text/estimate-tokens.ts';

const ellipsis = '…';
const boundaries = ['\n\n', '\n', '. ', ' '] as const;

/** The last boundary in the second half, so that not too much is lost. */
function cutAt(text: string, chars: number): number {
  for (const boundary of boundaries) {
    const at = text.lastIndexOf(boundary, chars);
    if (at > chars / 2) return boundary === '. ' ? at + 1 : at;
  }
  return chars;
}

/** The beginning of a text within a number of tokens, cut at a paragraph, line, sentence or word. */
export function shortenText(text: string, tokens: number): string {
  const needed = estimateTokens(text);
  if (needed <= tokens) return text;
  let chars = Math.floor((text.length * tokens) / needed);
  for (;;) {
    const short = text.slice(0, cutAt(text, chars)).trimEnd().toWellFormed() + ellipsis;
    if (chars <= 1 || estimateTokens(short) <= tokens) return short;
    chars = Math.floor(chars * 0.8);
  }
}
