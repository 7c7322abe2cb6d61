const shownMatchLimits = {
  shownChars: 100,
  /** What may be seen of a secret: enough to find it, too little to use it. */
  maskedChars: 4,
} as const;

/** At most so many characters, never half of a pair. */
const cutAt = (text: string, max: number): string =>
  text
    .slice(0, max)
    .toWellFormed()
    .replace(/\ufffd$/, '');

/** `AKIA...`: the beginning only, and of a short one less than a quarter. */
export function toShownMatch(match: string, isMasked: boolean): string {
  if (isMasked) return `${cutAt(match, Math.min(shownMatchLimits.maskedChars, Math.floor(match.length / 4)))}...`;
  return match.length <= shownMatchLimits.shownChars ? match : `${cutAt(match, shownMatchLimits.shownChars)}...`;
}
