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

/** A text with more sentences that tell what to do is a document, such as a list of steps. */
const commandSentencesCount = 3;

function isRule(sentence: string, isShort: boolean): boolean {
  return rulePatterns.some(({ always, usually, commands, once, habits }) => {
    if (matchesAny(always, sentence)) return true;
    const tells = matchesAny(usually, sentence) || (isShort && matchesAny(commands, sentence));
    return tells && !once.test(sentence) && !matchesAny(habits, sentence);
  });
}

function soundsLikeRule(text: string): boolean {
  const sentences = sentencesOf(text);
  return sentences.some((sentence) => isRule(sentence, sentences.length <= commandSentencesCount));
}

/** Without a model: what is said about a subject is a fact, what sounds like a rule is one, the rest is a note. */
export function chooseKind(text: string, about: unknown): RememberedKind {
  if (about !== undefined) return 'fact';
  return soundsLikeRule(text) ? 'rule' : 'note';
}
