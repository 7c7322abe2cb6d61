import { truthLimits } from '../../truth-limits.ts';
import { createBoundedText, type ExtractedText } from './bounded-text.ts';
import { orMissing, Unreadable } from './unreadable.ts';

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

const toUnreadable = (error: unknown): Unreadable =>
  nameOf(error) === 'PasswordException'
    ? new Unreadable('encrypted', 'the PDF is encrypted', { cause: error })
    : new Unreadable('damaged', 'the PDF is damaged', { cause: error });

export async function extractPdf(bytes: Uint8Array): Promise<ExtractedText> {
  const { getDocumentProxy } = await orMissing('unpdf', () => import('unpdf'));
  const text = createBoundedText();
  try {
    // Silent: what it says about a broken file is for nobody.
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, useSystemFonts: false });
    const pagesCount = Math.min(pdf.numPages, truthLimits.pagesCount);
    for (let number = 1; number <= pagesCount; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      let line = '';
      for (const item of items) {
        if (!('str' in item)) continue;
        line += item.str;
        if (!item.hasEOL) continue;
        if (!text.add(line)) return text.end();
        line = '';
      }
      if (!text.add(line)) return text.end();
      page.cleanup();
    }
  } catch (error) {
    throw toUnreadable(error);
  }
  return text.end();
}
