export const rememberedKinds = ['rule', 'fact', 'note'] as const;
export type RememberedKind = (typeof rememberedKinds)[number];

/** `Remember that we …` → `we …`. */
const opening = /^\s*(?:please\s+)?(?:remember|note|keep in mind|don'?t forget)(?:\s+that)?[\s:,]+(?=\S)/i;

/** The text as it is stored. Nothing but the opening and the blanks around it is removed. */
export const withoutOpening = (text: string): string => text.replace(opening, '').trim();

/**
 * How people state a rule: at the beginning of a sentence, or behind "we", "you", "I" or "agents". A word in the middle of
 * a story ("I had never seen it") does not make a rule, and what somebody must do once ("I must call Anna") is a note.
 */
const english: readonly RegExp[] = [
  /(?:^|[.!?;\n])[ \t]{0,5}(?:please )?(?:always|never|from now on|do not|don['’]t|make sure|ensure|avoid|prefer)\b/i,
  /(?:^|[.!?;\n])[ \t]{0,5}(?:please )?use\s[^.!?\n]{1,80}?(?:,? not\s|\binstead\b|\brather than\b|\bonly\b)/i,
  /\b(?:we|you|they|agents?|everyone|developers?)\s+(?:always|never|must(?:\s+not)?|should(?:\s+not)?|shall|prefer|may\s+only|only\s+ever)\b/i,
  /\bi\s+(?:always|never|prefer)\b/i,
  /\bonly\s+(?:after|when|if|with|by)\b/i,
  /\b(?:is|are)\s+(?:not\s+allowed|forbidden|mandatory|required)\b/i,
  /\b(?:all|every|each|no|any)\s(?:[\w-]{1,40}\s){1,4}must(?:\s+not)?\s+(?!have\s+been\b)[a-z]/i,
  /\bmust(?:\s+not)?\s+be\b/i,
];

/** `\b` knows no umlauts, so blanks and sentences delimit words. */
const german: readonly RegExp[] = [
  /(?:^|[.!?;\n])[ \t]{0,5}(?:bitte )?(?:immer|nie|niemals|ab jetzt|ab sofort|von nun an|vermeide|verwende (?:immer|nie|nur|kein))\s/i,
  /(?:^|[.!?;\n])[ \t]{0,5}(?:bitte )?(?:schreibe?|verwende|benutze|nutze|prüfe|teste|antworte|lösche|frage?|halte|ändere|mach|lass)\s[^.!?\n]{0,80}?\s?(?:immer|nie|niemals|nicht|keine?n?)(?:[\s.!,]|$)/i,
  /(?:^|\s)(?:wir|ihr|du|agenten|alle)\s(?:\S{1,40}\s){0,2}(?:immer|nie|niemals|müssen|dürfen)\s/i,
  /(?:^|\s)ich\s(?:bevorzuge|möchte\s(?:immer|nie|kein))/i,
  /(?:^|\s)(?:ist|sind)\s(?:nicht erlaubt|verboten|pflicht)(?:[\s.!,]|$)/i,
];

const japanese: readonly RegExp[] = [
  /必ず|絶対に|決して|今後は|これからは|してはいけ|しないで(?:ください|下さい)|禁止/,
  /(?:する|しない|書く|使う)こと[。.]?\s*$/m,
];

const rulePatterns: readonly RegExp[] = [...english, ...german, ...japanese];

const soundsLikeRule = (text: string): boolean => rulePatterns.some((pattern) => pattern.test(text));

/** Without a model: what is said about a subject is a fact, what sounds like a rule is one, the rest is a note. */
export function chooseKind(text: string, about: unknown): RememberedKind {
  if (about !== undefined) return 'fact';
  return soundsLikeRule(text) ? 'rule' : 'note';
}
