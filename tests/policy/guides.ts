import { z } from 'zod';
import type { Card } from '#kernel/tool/card.ts';
import type { ListedTool } from '#surfaces/mcp/listing.ts';

const guideLimits = { titleChars: 60, summaryChars: 200, whenChars: 160, descriptionChars: 1_000 } as const;

const isSentence = (text: string): boolean => text.endsWith('.') && text[0] === text[0]?.toUpperCase();

/** `when` and `not` become parts of a sentence. */
const isClause = (text: string): boolean => text !== '' && !text.endsWith('.') && text.length <= guideLimits.whenChars;

function findInCard(card: Card): readonly string[] {
  const { title, summary, guide } = card;
  const clauses = [...guide.when, ...(guide.not ?? [])];
  return [
    ...(title === '' || title.length > guideLimits.titleChars || title.endsWith('.')
      ? [`its title is not valid: ${title}`]
      : []),
    ...(isSentence(summary) && summary.length <= guideLimits.summaryChars
      ? []
      : [`its summary is not a short sentence: ${summary}`]),
    ...(guide.when.length > 0 ? [] : ['its guide does not say when']),
    ...clauses.filter((clause) => !isClause(clause)).map((clause) => `its guide has an invalid clause: ${clause}`),
    ...(guide.example === undefined ? ['it has no example'] : []),
  ];
}

function findInTitles(cards: readonly Card[]): readonly string[] {
  const seen = new Map<string, string>();
  return cards.flatMap(({ name, title }) => {
    const other = seen.get(title);
    seen.set(title, name);
    return other === undefined ? [] : [`${name}: has the title of ${other}`];
  });
}

/** What people and models read before a call. */
export const findGuideViolations = (cards: readonly Card[]): readonly string[] => [
  ...cards.flatMap((card) => findInCard(card).map((violation) => `${card.name}: ${violation}`)),
  ...findInTitles(cards),
];

/** A description of the maximum length was truncated. */
export const findDescriptionViolations = (tools: readonly ListedTool[]): readonly string[] =>
  tools
    .filter(({ description }) => description.length >= guideLimits.descriptionChars)
    .map(({ name, description }) => `${name}: its description has ${description.length} characters or more`);

export interface Exampled {
  readonly name: string;
  readonly guide: Card['guide'];
  readonly input: z.ZodType;
}

/** Examples are copied unchanged, so they must be valid. */
export const findExampleViolations = (tools: readonly Exampled[]): readonly string[] =>
  tools.flatMap(({ name, guide, input }) => {
    const { error } = input.safeParse(guide.example ?? {});
    return error === undefined ? [] : [`${name}: its example is rejected: ${z.prettifyError(error)}`];
  });
