import { faults } from '#kernel/fault/kernel-faults.ts';
import { truthLimits } from '../truth-limits.ts';

const refuse = (why: string) => faults.VALIDATION_ERROR({ why }, { field: 'content_base64' });

/** Quotes nothing: the content may be personal. */
function whyNotBase64(text: string, startsAt: number): string {
  const at = text.search(/[^A-Za-z0-9+/=]/);
  if (at !== -1)
    return `content_base64 is not base64: the character at position ${startsAt + at} is not in its alphabet (A-Z a-z 0-9 + /, without a data: prefix)`;
  return text.length % 4 === 0
    ? 'content_base64 is not base64: its padding (=) is wrong or inside the text'
    : 'content_base64 is cut off, or lacks its padding (=): its length is not a multiple of 4';
}

/** The bytes of a base64 text. Lines may be wrapped. */
export const sizeOfContent = (text: string): number => {
  const trimmed = text.trimEnd();
  return Math.floor((trimmed.length * 3) / 4) - (trimmed.endsWith('==') ? 2 : trimmed.endsWith('=') ? 1 : 0);
};

/** Decodes in slices, so that a long text holds neither the event loop nor twice its memory. */
export async function* decodeContent(given: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const text = given.trim();
  const { contentSliceChars } = truthLimits;
  let rest = '';
  for (let at = 0; at < text.length; at += contentSliceChars) {
    signal.throwIfAborted();
    const some = rest + text.slice(at, at + contentSliceChars).replaceAll(/[\r\n]/g, '');
    const isLast = at + contentSliceChars >= text.length;
    const whole = isLast ? some : some.slice(0, some.length - (some.length % 4));
    const bytes = Buffer.from(whole, 'base64');
    // Decoding skips what is not base64, so the text is compared with the only text of these bytes.
    if (bytes.toString('base64') !== whole || (!isLast && whole.endsWith('=')))
      throw refuse(whyNotBase64(whole, at - rest.length));
    rest = some.slice(whole.length);
    if (bytes.length > 0) yield bytes;
  }
}
