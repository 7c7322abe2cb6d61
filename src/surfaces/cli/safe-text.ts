const toEscape = (char: string): string => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`;

/** What was stored is data: printed on a terminal it must not move the cursor, change colours or turn the direction of reading. */
export const toSafeText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (char) =>
    char === '\n' || char === '\t' ? char : toEscape(char),
  );

export const toSafeLine = (text: string): string => toSafeText(text).replace(/[\n\t]+/g, ' ');

/** JSON leaves the second set of control characters as they are; escaped it is the same JSON. */
export const toSafeJson = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu, toEscape);
