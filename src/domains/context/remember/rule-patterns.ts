/**
 * How people say what the reader or the team has to do. A statement about a habit, a story, or something to do once says
 * nothing about the future of others, so each language also says what is not a rule.
 */
export interface RulePatterns {
  /** A rule whatever else the sentence says. */
  readonly always: readonly RegExp[];
  /** A rule unless it is about one occasion or the past. */
  readonly usually: readonly RegExp[];
  /** The same in a text of a few sentences; a longer one is a document with steps. */
  readonly commands: readonly RegExp[];
  /** One occasion, or the past. */
  readonly once: RegExp;
  /** What its subject does, not what it has to do. */
  readonly habits: readonly RegExp[];
}

const weekdays = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
const months = 'january|february|march|april|june|july|august|september|october|november|december';

/** Verbs that begin an instruction about how to work; some are nouns too, so a verb must not follow soon. */
const englishVerbs =
  'answer|reply|respond|write|use|keep|put|add|include|name|document|format|mention|prefix|round|show|store|wrap';
/** Verbs that begin an instruction or an errand. */
const errandVerbs = 'ask|check|run|test|start|deploy|commit|update|review|verify|link';
const finiteVerbs = 'is|are|was|were|has|have|had|will|came|can|could|went';

const english: RulePatterns = {
  always: [
    /^(?:please )?(?:always|never|from now on|avoid|prefer|make sure|ensure)\b/i,
    /^(?:please )?use\s.{1,80}?(?:,? not\s|\binstead\b|\brather than\b|\bonly\b)/i,
    /^i\s+(?:(?:always|never)\s+)?(?:prefer|want you to|need you to|expect you to)\b/i,
    /^i\s+(?:always|never)\s+(?:want|need|expect|like)\b/i,
  ],
  usually: [
    /^(?:please )?(?:do not|don['’]t)\b/i,
    /^no\s(?:[\w-]{1,40}\s){1,4}(?:before|after|without|unless)\b/i,
    // Who asks politely speaks to the reader. An errand is done once.
    /^please (?!note\b|find\b|see\b|remember\b|remind\b|be aware\b|call\b|phone\b|e?-?mail\b|send\b|book\b|buy\b|order\b|pay\b)[a-z]/i,
    /\b(?:we|you|agents?|everyone|developers?|nobody|no one)\s+(?:always|never|must(?:\s+not)?|should(?:\s+not)?|shall|prefer|may\s+only|only\s+ever)\b/i,
    /\bthey\s+(?:must|should|shall|may\s+only)\b/i,
    /\bonly\s+(?:after|when|if|with|by)\b/i,
    /\b(?:is|are)\s+(?:not\s+allowed|forbidden|mandatory|required)\b/i,
    /\b(?:all|every|each|no|any)\s(?:[\w-]{1,40}\s){1,5}(?:must(?:\s+not)?|needs?|requires?|ha(?:s|ve) to)\s+(?!have\s+been\b)[a-z]/i,
    /\bmust(?:\s+not)?\s+be\b/i,
    // About things in general: a person or one thing has a name or an article.
    /^(?!(?:i|he|she|it|this|that|there|the|my|our)\b)(?:[\w-]{1,40}\s){1,4}(?:must|may)\s+not\s+[a-z]/i,
  ],
  commands: [
    new RegExp(`^(?:${englishVerbs})\\s(?!(?:[\\w-]{1,40}\\s){0,3}(?:${finiteVerbs})\\b)`, 'i'),
    new RegExp(`^(?:${errandVerbs})\\s.{0,80}?\\b(?:before|after|whenever|each|every|first)\\b`, 'i'),
  ],
  once: new RegExp(
    [
      '\\b(?:today|tonight|tomorrow|yesterday|ago)\\b',
      `\\b(?:this|next|last) (?:morning|afternoon|evening|week|weekend|month|quarter|year|spring|summer|autumn|winter|${weekdays})\\b`,
      `\\b(?:on|by|until|before) (?:(?:${weekdays}|${months})\\b|\\d{4}-\\d{2}|\\d{1,2}(?:st|nd|rd|th)\\b)`,
      `\\b(?:in|of) (?:${months}|\\d{4})\\b`,
      '\\b(?:had|did|was|were)\\b',
    ].join('|'),
    'i',
  ),
  habits: [
    /\b(?:we|you|everyone|nobody|no one)\s+(?:always|never)\s+(?:\w{2,}ed|came|did|felt|found|gave|got|heard|kept|knew|left|lost|made|met|paid|said|sat|saw|sent|spoke|thought|told|took|went|won)\b/i,
    // A schedule says what happens every week, not what to do, unless it has a condition.
    new RegExp(
      `^(?!.*\\bonly\\s+(?:after|when|if|with)\\b).*\\balways\\s+\\w+(?:\\s\\w+){0,3}?\\s(?:on (?:${weekdays})s|at (?:noon|\\d))`,
      'i',
    ),
  ],
};

const wochentage = 'montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag';
const monate = 'januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember';
const deutscheVerben =
  'schreibe?|verwende|benutze|nutze|prüfe|teste|antworte|lösche|frage?|halte|ändere|mach|lass|nenne|dokumentiere|formatiere';

/** `\b` knows no umlauts, so blanks and the ends of the sentence delimit words. */
const german: RulePatterns = {
  always: [
    /^(?:bitte )?(?:immer|nie|niemals|ab jetzt|ab sofort|von nun an|vermeide|verwende (?:immer|nie|nur|kein))\s/i,
    /^ich\s(?:bevorzuge|(?:möchte|will)\s(?:immer|nie|kein))/i,
  ],
  usually: [
    /^bitte (?!beacht|merk|erinner|ruf|schick|bestell|kauf|buch)\S/i,
    /\sbitte\s(?:nur|immer|nie|nicht|auf|in|ohne|mit|keine?n?)\s/i,
    new RegExp(`^(?:${deutscheVerben})\\s.{0,80}?\\s?(?:immer|nie|niemals|nicht|nur|keine?n?)(?:[\\s.!,]|$)`, 'i'),
    /(?:^|\s)(?:wir|ihr|du|agenten|alle)\s(?:\S{1,40}\s){0,2}(?:immer|nie|niemals|müssen|dürfen)\s/i,
    /(?:^|\s)(?:darf|dürfen|soll|sollen)\s(?:\S{1,40}\s){0,3}(?:nie|niemals|nicht|nur|erst|keine?[nrm]?)\s/i,
    /(?:^|\s)(?:jede[rsmn]?|alle|keine?[rsmn]?)\s.{0,80}?\s?(?:muss|müssen|darf|dürfen|soll|sollen|braucht|brauchen)(?:\s|$)/i,
    /(?:^|\s)(?:ist|sind)\s(?:nicht erlaubt|verboten|pflicht)(?:[\s.!,]|$)/i,
  ],
  commands: [
    /^(?:antworte|verwende|benutze|nutze|prüfe|schreibe|nenne|dokumentiere|formatiere)\s(?!(?:ich|er|sie|es)\s)/i,
  ],
  once: new RegExp(
    [
      '(?:^|\\s)(?:heute|übermorgen|gestern|vorgestern|damals)(?:[\\s.,]|$)',
      '(?:^|\\s)morgen(?!\\s(?:immer|nie))(?:[\\s.,]|$)',
      `(?:^|\\s)(?:diese[nrms]?|nächste[nrms]?|letzte[nrms]?|kommende[nrms]?) (?:woche|monat|quartal|jahr|${wochentage})`,
      `(?:^|\\s)(?:am|bis|bis zum) (?:(?:${wochentage})(?:[\\s.,]|$)|\\d{1,2}\\.)`,
      `(?:^|\\s)im (?:${monate})(?:[\\s.,]|$)`,
      '(?:^|\\s)(?:war|waren|hatte|hatten|wurde|wurden)(?:[\\s.,]|$)',
    ].join('|'),
    'i',
  ),
  habits: [
    /^ich\s(?!(?:möchte|will|bevorzuge)\s)/i,
    new RegExp(`\\simmer\\s(?:(?:${wochentage})s(?:[\\s.,]|$)|um \\d|am ${wochentage})`, 'i'),
  ],
};

const japanese: RulePatterns = {
  always: [/今後は|これからは|禁止/],
  usually: [
    /必ず|絶対に|決して/,
    /ては(?:いけ|なら|だめ|ダメ|駄目)/,
    /(?:て|で)(?:ください|下さい)/,
    /(?:[うくぐすつぬぶむる]|ない)こと\s*$/,
  ],
  commands: [],
  once: /今日|明日|明後日|昨日|(?:今|来|先)(?:週|月|年)|[0-9０-９]{1,2}月[0-9０-９]{1,2}日|(?<!毎週)[月火水木金土日]曜日/,
  habits: [/(?:さん|くん|君|様|彼|彼女|私|僕)(?:は|が).*(?:ます|ました|です|でした)\s*$/],
};

export const rulePatterns: readonly RulePatterns[] = [english, german, japanese];
