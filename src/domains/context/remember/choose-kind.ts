import { rulePatterns } from './rule-patterns.ts';

export const rememberedKinds = ['rule', 'fact', 'note'] as const;
export type RememberedKind = (typeof rememberedKinds)[number];

/** `Remember that we …` → `we …`. */
const opening = /^\s*(?:please\s+)?(?:remember|note|keep in mind|don'?t forget)(?:\s+that)?[\s:,]+(?=\S)/i;

/** The text as it is stored. Nothing but the opening and the blanks around it is removed. */
export const withoutOpening = (text: string): string => text.replace(opening, '').trim();

/** A dot inside a version or a date does not end a sentence. */
const sentencesOf = (text: string): readonly string[] =>
  text
    .split(/[.!?;](?=\s|$)|[。！？\n]/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

const matchesAny = (patterns: readonly RegExp[], sentence: string): boolean =>
  patterns.some((pattern) => pattern.test(sentence));

const isRule = (sentence: string): boolean =>
  rulePatterns.some(
    ({ always, usually, once, habits }) =>
      matchesAny(always, sentence) ||
      (matchesAny(usually, sentence) && !once.test(sentence) && !matchesAny(habits, sentence)),
  );

const soundsLikeRule = (text: string): boolean => sentencesOf(text).some(isRule);

/** Without a model: what is said about a subject is a fact, what sounds like a rule is one, the rest is a note. */
export function chooseKind(text: string, about: unknown): RememberedKind {
  if (about !== undefined) return 'fact';
  return soundsLikeRule(text) ? 'rule' : 'note';
}
