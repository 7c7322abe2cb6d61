import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import { createDocumentMatcher } from '#kernel/search/match-documents.ts';
import type { Card } from '#kernel/tool/card.ts';
import { everydayWords, familyWords } from './everyday-words.ts';

/** Measured with the requests in bench/judged: long texts are as good as short ones, and everyday words help most. */
const toolDocuments = defineCollection({
  name: 'tools',
  fields: { title: 3, words: 3, family: 2, summary: 1, guide: 1, parameters: 0.3 },
  title: 'title',
  k1: 2,
  b: 0,
});

const propertiesOf = (card: Card): object => (card.inputSchema['properties'] as object | undefined) ?? {};

const familyOf = ({ listedName }: Card): string =>
  Object.entries(familyWords).find(([beginning]) => listedName.startsWith(beginning))?.[1] ?? '';

const toDocument = (card: Card): SearchDocument => ({
  id: card.listedName,
  fields: {
    title: card.title,
    family: familyOf(card),
    summary: card.summary,
    words: everydayWords[card.name] ?? '',
    guide: card.guide.when.join(' '),
    parameters: Object.keys(propertiesOf(card)).join(' '),
  },
});

/** Why a tool cannot be called now, or undefined. */
export type WhyDisabled = (card: Card) => string | undefined;

/** A tool that cannot be called must fit better to come first. */
const disabledFactor = 0.9;

const toLine = (card: Card, disabled: string | undefined) => ({
  name: card.listedName,
  summary: card.summary,
  effect: card.effect,
  ...(disabled !== undefined && { disabled }),
});

/** The best hit with everything that a call needs, each of the others in one line. */
const toFull = (card: Card, disabled: string | undefined) => ({
  ...toLine(card, disabled),
  title: card.title,
  toolset: card.toolset,
  inputSchema: card.inputSchema,
});

/** Ranks tools by the words of a request. There are few tools, so their index is built for each request. */
export function createToolFinder(cards: readonly Card[]) {
  const matcher = createDocumentMatcher();
  const documents = cards.map(toDocument);
  const byName = new Map(cards.map((card) => [card.listedName, card]));
  return async (query: string, limit: number, whyDisabled: WhyDisabled, signal: AbortSignal) => {
    const hits = await matcher.search(toolDocuments, documents, query, signal);
    return hits
      .map(({ id, score }) => {
        const card = byName.get(id)!;
        const disabled = whyDisabled(card);
        return { card, disabled, score: disabled === undefined ? score : score * disabledFactor };
      })
      .sort((a, b) => b.score - a.score || (a.card.name < b.card.name ? -1 : 1))
      .slice(0, limit)
      .map(({ card, disabled }, i) => (i === 0 ? toFull(card, disabled) : toLine(card, disabled)));
  };
}
