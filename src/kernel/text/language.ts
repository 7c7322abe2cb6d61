import { scanTokens } from './tokens.ts';

export type Language = 'en' | 'de' | 'other';

/** Frequent words of each language that are not words of the others, without accents. */
const functionWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(
    `a about after all an and any are as at be because been but by can could did do does for from get had has have he her his
     how i if in into is it its me my no not of on or our out over she should so than that the their them there they this to
     up use was we were what when where which who why with would you your`.split(/\s+/),
  ),
  de: new Set(
    `aber als am auch auf aus bei beim bin bis dann das dass dem den der des deren dich die dies diese dieser dir doch du
     durch ein eine einem einen einer eines er es fur habe haben hat hatte ich ihr ihre im ist jede jeder kann kein keine
     konnen mein meine mich mir mit muss nach nicht noch nur oder ob schon sein seine seit sich sie sind soll uber um und
     uns unser unsere viel vom von vor wann warum was wegen weil welche welcher wenn wer werden wie wieder wir wird wo wurde
     zu zum zur`.split(/\s+/),
  ),
  // French, Spanish, Italian, Portuguese, Dutch, Swedish and Danish.
  other: new Set(
    `aan andra aux avec bij che comme comment como cual cuando dans das deze dei del della delle det di donde een el elle
     elles esta este est et gli het hvad hvor hvordan ikke il ils inte jag je las le les leur los maar med muy naar nao nel
     nella niet nos notre nous och ou para pas perche pero por porque pour pourquoi qual quale quand quando que quel quelle
     quelles quels qui quien sao ses siamo sono sont sta su suis sur una une uno unos vad varfor vem voor vos votre vous
     waar waarom wanneer wat wij zijn`.split(/\s+/),
  ),
};

/** Frequent words that say nothing about the topic of a German text, without accents. */
export const isGermanFunctionWord = (word: string): boolean => functionWords.de.has(word);

/** Letters that German has and English lacks. */
const germanLetters = /[äöüÄÖÜß]/;
const latin = /\p{Script=Latin}/gu;
const letters = /\p{L}/gu;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Of how much of a text the language is detected. */
const readChars = 2_000;

/** Undefined if the text does not show it, as a few nouns or a piece of code do not. */
export function detectLanguage(text: string): Language | undefined {
  const read = text.slice(0, readChars);
  const letterCount = countOf(read, letters);
  if (letterCount === 0) return undefined;
  if (countOf(read, latin) * 2 < letterCount) return 'other';
  const counts = { en: 0, de: 0 };
  const others = new Set<string>();
  scanTokens(read, (word, _position, _start, _end, isWhole) => {
    if (isWhole) return;
    if (functionWords.en.has(word)) counts.en += 1;
    if (functionWords.de.has(word)) counts.de += 1;
    if (functionWords.other.has(word)) others.add(word);
  });
  // A German name in an English sentence does not make it German.
  const german = counts.de + (germanLetters.test(read) ? 1 : 0);
  if (german > counts.en) return 'de';
  // One such word may be part of a name: `Los Angeles`.
  if (others.size > Math.max(1, counts.en)) return 'other';
  return german === counts.en ? undefined : 'en';
}

/** Whether a text is clearly in another language. */
export function isOtherThanEnglish(text: string): boolean {
  const language = detectLanguage(text);
  return language !== undefined && language !== 'en';
}
