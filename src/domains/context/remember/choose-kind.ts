import { rulePatterns } from './rule-patterns.ts';

export const rememberedKinds = ['rule', 'fact', 'note'] as const;
export type RememberedKind = (typeof rememberedKinds)[number];

/** `Remember that we …` → `we …`. In German, the verb of a clause with `dass` is at its end, so that clause stays whole. */
const openings = [
  /^\s*(?:please\s+)?(?:remember|note|keep in mind|don'?t forget)(?:\s+that)?[\s:,]+(?=\S)/i,
  /^\s*(?:bitte\s+)?(?:merke?|notiere?|denke?|speichere?)(?:\s+(?:dir|daran|dies|das|bitte)){0,2}\s*:\s*(?=\S)/i,
];

/** The text as it is stored. Nothing but the opening and the blanks around it is removed. */
export const withoutOpening = (text: string): string =>
  openings.reduce((rest, opening) => rest.replace(opening, ''), text).trim();

/** `In packages/api, never …`: the folder, file or pattern where a rule holds. */
const place =
  /^(?:in|for|under|within|inside)\s+[`"']?([\w@.*-]{0,100}[/*][\w@.*/-]{0,200}|[\w-]{1,100}\.[a-z]{1,5})[`"']?,\s+(?=\S)/i;

/** The pattern of the files that a rule is about, if it begins with them. */
export function filesOf(text: string): string | undefined {
  const path = place.exec(text)?.[1]?.replace(/\/$/, '');
  if (path === undefined) return undefined;
  return /\*|\.[a-z]{1,5}$/i.test(path) ? path : `${path}/**`;
}

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
  const sentences = sentencesOf(text.replace(place, ''));
  return sentences.some((sentence) => isRule(sentence, sentences.length <= commandSentencesCount));
}

/** Without a model: what is said about a subject is a fact, what sounds like a rule is one, the rest is a note. */
export function chooseKind(text: string, about: unknown): RememberedKind {
  if (about !== undefined) return 'fact';
  return soundsLikeRule(text) ? 'rule' : 'note';
}
