import { detectLanguage } from '../text/language.ts';
import { stemGerman } from '../text/stem-german.ts';

/** The additional term under which a word of a German text is indexed. No word of a text begins like this. */
export const germanKey = (word: string): string => `\u0001${stemGerman(word)}`;

/** Cheap to check, and in nearly every German text. */
const signs = /[äöüßÄÖÜ]|\b(?:aber|auf|das|der|die|ein|eine|für|ich|ist|mit|nicht|und|von|wir|zu)\b/;

export const isGerman = (text: string): boolean => signs.test(text) && detectLanguage(text) === 'de';

/** A query of a few nouns does not show its language: it may be German. */
export const maybeGerman = (query: string): boolean => detectLanguage(query) !== 'en';
