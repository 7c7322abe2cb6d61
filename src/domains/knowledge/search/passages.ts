import { renderFence, splitFences } from '#kernel/markup/fences.ts';
import { estimateTokens } from '#kernel/text/estimate-tokens.ts';

/** Paragraphs and whole code blocks. */
const blocksOf = (text: string): readonly string[] =>
  splitFences(text).flatMap((block) =>
    block.kind === 'fence'
      ? [renderFence(block.info, block.content).trimEnd()]
      : block.text
          .split(/\n\s*\n/)
          .map((paragraph) => paragraph.replace(/^\n+/, '').trimEnd())
          .filter((paragraph) => paragraph.trim() !== ''),
  );

/** As many blocks from the beginning as fit; undefined if not even the first does. */
export function cutBlocks(text: string, tokens: number): string | undefined {
  let cut: string | undefined;
  for (const block of blocksOf(text)) {
    const longer = cut === undefined ? block : `${cut}\n\n${block}`;
    if (estimateTokens(longer) > tokens) break;
    cut = longer;
  }
  return cut;
}

export interface Passage {
  readonly text: string;
  /** Only the beginning, or one part of a long section. */
  readonly cut?: true;
}

export interface PassageSource {
  readonly text: string;
  readonly wholeText?: string | undefined;
}

/**
 * The texts of the first sections, in order, as far as they fit. Only the first one is cut: a reader that gets a single
 * section should get something of it.
 */
export function toPassages(sections: readonly PassageSource[], tokensMax: number): readonly Passage[] {
  const passages: Passage[] = [];
  let left = tokensMax;
  for (const { text, wholeText = text } of sections) {
    const tokens = estimateTokens(wholeText);
    if (tokens > left) break;
    passages.push({ text: wholeText });
    left -= tokens;
  }
  const [first] = sections;
  if (passages.length > 0 || first === undefined) return passages;
  const isPartEnough = first.wholeText !== undefined && estimateTokens(first.text) <= tokensMax;
  const cut = isPartEnough ? first.text : cutBlocks(first.text, tokensMax);
  return cut === undefined ? [] : [{ text: cut, cut: true }];
}
