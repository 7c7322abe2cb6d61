export const rememberedKinds = ['rule', 'fact', 'note'] as const;
export type RememberedKind = (typeof rememberedKinds)[number];

/** `Remember that we …` → `we …`. */
const opening = /^\s*(?:please\s+)?(?:remember|note|keep in mind|don'?t forget)(?:\s+that)?[\s:,]+(?=\S)/i;

/** The text as it is stored. Nothing but the opening and the blanks around it is removed. */
export const withoutOpening = (text: string): string => text.replace(opening, '').trim();

/**
 * How people state a rule in English: at the beginning of a sentence, or behind "we", "you", "I" or "agents". A word in
 * the middle of a story ("I had never seen it") does not make a rule.
 */
const rulePatterns: readonly RegExp[] = [
  /(?:^|[.!?;\n])[ \t]{0,5}(?:please )?(?:always|never|from now on|do not|don['’]t|make sure|ensure|avoid|prefer)\b/i,
  /\b(?:we|you|they|i|agents?|everyone|developers?)\s+(?:always|never|must(?:\s+not)?|should(?:\s+not)?|shall|prefer|may\s+only|only\s+ever)\b/i,
  /\bonly\s+(?:after|when|if|with|by)\b/i,
  /\b(?:is|are)\s+(?:not\s+allowed|forbidden|mandatory|required)\b/i,
  /\bmust(?:\s+not)?\s+be\b/i,
];

const soundsLikeRule = (text: string): boolean => rulePatterns.some((pattern) => pattern.test(text));

/** Without a model: what is said about a subject is a fact, what sounds like a rule is one, the rest is a note. */
export function chooseKind(text: string, about: unknown): RememberedKind {
  if (about !== undefined) return 'fact';
  return soundsLikeRule(text) ? 'rule' : 'note';
}
