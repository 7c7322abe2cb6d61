import type { Stretch } from './block.ts';

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Where to end a piece that may go up to `to`: behind a line, a sentence or a word, if one ends in its second half. */
function endBefore(text: string, from: number, to: number): number {
  const half = from + Math.floor((to - from) / 2);
  // In a piece of its own: a search in the text would go on to its beginning.
  const secondHalf = text.slice(half, to);
  for (const mark of ['\n', '. ', ' ']) {
    const at = secondHalf.lastIndexOf(mark);
    if (at !== -1) return half + at + mark.length;
  }
  return isHighSurrogate(text.charCodeAt(to - 1)) && to - from > 1 ? to - 1 : to;
}

/** A text in pieces of at most so many characters; together they are the text. */
export function cutText(text: string, chars: number): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = text.length - from <= chars ? text.length : endBefore(text, from, from + chars);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

const gap = '\n\n';

/**
 * The text of one section in pieces of at most so many characters, cut between its stretches. Only a stretch that does not
 * fit by itself is cut inside.
 */
export function packStretches(stretches: readonly Stretch[], chars: number): readonly string[] {
  const pieces: string[] = [];
  let open = '';
  function close(): void {
    if (open !== '') pieces.push(open);
    open = '';
  }
  for (const { text } of stretches) {
    if (open.length + gap.length + text.length <= chars && open !== '') open += gap + text;
    else {
      close();
      if (text.length <= chars) open = text;
      else {
        const parts = cutText(text, chars);
        pieces.push(...parts.slice(0, -1));
        open = parts.at(-1) ?? '';
      }
    }
  }
  close();
  return pieces;
}
