import { sha256Hex } from '#kernel/hash/hash.ts';
import { canBeNear, soundOf } from './compare-names.ts';
import { companyType, keySeparator, normaliseName } from './entity-name.ts';
import { foldWord, isPersonType, wordsOfName } from './fold-name.ts';

/** Shorter values would match too much. */
const fieldKeyCharsMin = 3;
const nameKeyCharsMin = 2;
/** PostgreSQL indexes no key longer than about a third of a page. */
const keyBytesMax = 512;

export const boundKey = (text: string): string =>
  // A UTF-16 code unit takes at most three bytes.
  text.length * 3 <= keyBytesMax || Buffer.byteLength(text) <= keyBytesMax ? text : `sha256=${sha256Hex(text)}`;

const bareOf = (text: string): string => normaliseName(text, false).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** The name without word order, accents, punctuation and company form; undefined if too short. */
export function matchKeyOfName(type: string, name: string): string | undefined {
  const key = wordsOfName(type, name).words.map(foldWord).sort().join(' ');
  return key.replaceAll(' ', '').length < nameKeyCharsMin ? undefined : boundKey(`name=${key}`);
}

/** Ignores the blanks and punctuation that group identifiers. */
export function matchKeyOfField(field: string, value: string | number): string | undefined {
  const bare = bareOf(String(value));
  return bare.length < fieldKeyCharsMin ? undefined : boundKey(`${field}=${bare}`);
}

export const isSameIdentifier = (a: string, b: string): boolean => bareOf(a) === bareOf(b);

/** The second form lets `get_entity_by_identifier` find companies without their suffix. */
export const identifierOf = (text: string): string => boundKey(normaliseName(text, false));
export const identifiersOf = (text: string): readonly string[] => [
  ...new Set([identifierOf(text), boundKey(normaliseName(text, true))]),
];

/** No identifier that a caller gives contains the separator, so these rows are never found by accident. */
const foldPrefix = `${keySeparator}f:`;
const nearPrefix = `${keySeparator}n:`;

/** Numbers of documents come first in their names; they are compared by their fields. */
const isNumbered = (type: string, words: readonly string[]): boolean =>
  type !== companyType && !isPersonType(type) && /\p{N}/u.test(words[0] ?? '');

const squeezed = (text: string): string => boundKey(text);

/** The letters of the name in their order, and in the order of the sorted words; empty for a name without letters. */
function foldsOf(type: string, name: string): readonly string[] {
  const { words } = wordsOfName(type, name);
  const folded = words.map(foldWord);
  const forms = isNumbered(type, words) ? [folded] : [folded, folded.toSorted()];
  return [...new Set(forms.map((form) => squeezed(form.join(''))))].filter((text) => text !== '');
}

/** [TR61] Keys of the entities whose folded name is the same. A name that is folded already needs none. */
export const foldKeysOf = (type: string, name: string): readonly string[] =>
  foldsOf(type, name).map((text) => foldPrefix + text);

export const storedFoldKeysOf = (type: string, name: string): readonly string[] =>
  foldsOf(type, name)
    .filter((text) => text !== identifierOf(name))
    .map((text) => foldPrefix + text);

/** Where the names that need no fold key are found. */
export const plainKeysOf = foldsOf;

/** Addresses differ if their punctuation does. */
export const foldKeyOfField = (value: string): string | undefined => {
  const text = squeezed(foldWord(bareOf(value)));
  const isFolded = text === identifierOf(value);
  return isFolded || /[@/]/.test(value) || text.length < fieldKeyCharsMin ? undefined : foldPrefix + text;
};

/** Halves of this many words of a name are keys. */
const halvedWordsCount = 2;
/** Longer names are sentences. */
const nearNameChars = 200;

const toNearKey = (text: string): string => nearPrefix + sha256Hex(text).slice(0, 16);

/** First names are never near, so a person has one such word. */
function nearPlacesOf(type: string, folded: readonly string[]): readonly number[] {
  const places = isPersonType(type) ? (folded.length < 2 ? [] : [folded.length - 1]) : [...folded.keys()];
  return places.filter((place) => canBeNear(folded[place]!));
}

interface NearName {
  readonly folded: readonly string[];
  /** Of the words that may be misspelled, the longest first. */
  readonly places: readonly number[];
}

function nearNameOf(type: string, name: string): NearName {
  const { words } = wordsOfName(type, name);
  if (name.length > nearNameChars || isNumbered(type, words)) return { folded: [], places: [] };
  const folded = words.map(foldWord);
  const places = nearPlacesOf(type, folded);
  return {
    folded,
    places: places.toSorted((a, b) => folded[b]!.length - folded[a]!.length || (folded[a]! < folded[b]! ? -1 : 1)),
  };
}

/** All words of the name by their sound; the sound of one would match too much. */
function soundKeysOf({ folded, places }: NearName): readonly string[] {
  const sounds = folded.map((word, place) => (places.includes(place) ? `~${soundOf(word)}` : word));
  return places.length === 0 ? [] : [toNearKey(sounds.sort().join(' '))];
}

const halfKeysOf = ({ folded, places }: NearName, halvesOf: (word: string) => readonly string[]): readonly string[] =>
  places.slice(0, halvedWordsCount).flatMap((place) => {
    const others = folded.filter((_, i) => i !== place).sort();
    return halvesOf(folded[place]!).map((half) => toNearKey([...others, half].join(' ')));
  });

const startOf = (word: string, length: number): string => `${length} ${word.slice(0, Math.floor(length / 2))}*`;
const endOf = (word: string, length: number): string => `${length} *${word.slice(-Math.floor(length / 2))}`;

const halvesOf = (word: string): readonly string[] => [startOf(word, word.length), endOf(word, word.length)];

/** A word with one edit keeps the start or the end of the other one. If the two letters in the middle are swapped it has neither. */
function probedHalvesOf(word: string): readonly string[] {
  const { length } = word;
  const half = length / 2;
  const swapped = `${word.slice(0, half - 1)}${word[half]}${word[half - 1]}${word.slice(half + 1)}`;
  const lengths = [length - 1, length, length + 1];
  return [
    ...lengths.flatMap((each) => [startOf(word, each), endOf(word, each)]),
    ...(length % 2 === 0 ? [startOf(swapped, length)] : []),
  ];
}

/** [TR61] At most five. */
export function storedNearKeysOf(type: string, name: string): readonly string[] {
  const near = nearNameOf(type, name);
  return [...new Set([...soundKeysOf(near), ...halfKeysOf(near, halvesOf)])];
}

/** [TR61] The stored keys of a near name are among these. */
export function nearKeysOf(type: string, name: string): readonly string[] {
  const near = nearNameOf(type, name);
  return [...new Set([...soundKeysOf(near), ...halfKeysOf(near, probedHalvesOf)])];
}

export const storedSoundKeysOf = (type: string, name: string): readonly string[] => soundKeysOf(nearNameOf(type, name));
