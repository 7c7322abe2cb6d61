/**
 * The same text in one byte a character, if it is ASCII. Node holds what was made out of a text with wider characters in two
 * bytes, also when they are gone, and with it everything that it becomes a part of.
 */
export const toOneByte = (text: string): string =>
  Buffer.byteLength(text) === text.length ? Buffer.from(text, 'latin1').toString('latin1') : text;
