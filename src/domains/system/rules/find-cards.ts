import { isStopWord } from '#kernel/search/stop-words.ts';
import { stem } from '#kernel/text/stem.ts';
import { scanTokens } from '#kernel/text/tokens.ts';
import type { Card } from '#kernel/tool/card.ts';

/** A word in the name counts more than one in the texts. */
const fieldWeights = [
  { weight: 6, text: (card: Card) => `${card.name} ${card.listedName}` },
  { weight: 4, text: (card: Card) => card.title },
  { weight: 2, text: (card: Card) => card.summary },
  { weight: 1, text: (card: Card) => [...card.guide.when, ...Object.keys(propertiesOf(card))].join(' ') },
] as const;

const propertiesOf = (card: Card): object => (card.inputSchema['properties'] as object | undefined) ?? {};

function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  scanTokens(text, (word) => {
    if (!isStopWord(word)) words.add(stem(word));
  });
  return words;
}

/** Each word of a card with the weight of its best field. */
function weighWords(card: Card): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { weight, text } of fieldWeights) {
    for (const word of wordsOf(text(card))) if (!weights.has(word)) weights.set(word, weight);
  }
  return weights;
}

const toFound = (card: Card) => ({
  name: card.listedName,
  title: card.title,
  summary: card.summary,
  toolset: card.toolset,
  effect: card.effect,
  inputSchema: card.inputSchema,
});

/** Ranks tools by the query words; frequent words count little. With few tools a full scan is fast enough. */
export function findCards(cards: readonly Card[], query: string, limit: number) {
  const weighed = cards.map((card) => ({ card, weights: weighWords(card) }));
  const wanted = [...wordsOf(query)].map((word) => {
    const holders = weighed.filter(({ weights }) => weights.has(word)).length;
    return { word, rarity: Math.log(1 + cards.length / (holders + 1)) };
  });
  return weighed
    .map(({ card, weights }) => ({
      card,
      score: wanted.reduce((sum, { word, rarity }) => sum + (weights.get(word) ?? 0) * rarity, 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.card.name < b.card.name ? -1 : 1))
    .slice(0, limit)
    .map(({ card }) => toFound(card));
}
