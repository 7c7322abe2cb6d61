import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalBody, collapseBlanks, foldCase, toLf } from './normalise.ts';

const messyText = fc
  .array(fc.constantFrom(' ', '\t', '\n', '\r', '\r\n', '\u2028', '\u2029', '\u00a0', 'a', 'ß', '# head', '\u{1f600}'))
  .map((parts) => parts.join(''));

describe('line ends', () => {
  it('become LF, and CRLF counts as one', () => {
    expect(toLf('a\r\nb\rc\u2028d\u2029e\nf\n\r')).toBe('a\nb\nc\nd\ne\nf\n\n');
  });
});

describe('the canonical body', () => {
  it('drops trailing blanks and outer blank lines, and keeps the indentation of the first line', () => {
    expect(canonicalBody(' \n\t\r\n  first \t\r\n\r\n\u2028last\u00a0\n \n\n')).toBe('  first\n\n\nlast');
  });

  it('of blanks only is empty', () => {
    expect(canonicalBody(' \r\n\t\u2029 ')).toBe('');
  });

  it('of a canonical body is the same body', () => {
    fc.assert(fc.property(messyText, (text) => canonicalBody(canonicalBody(text)) === canonicalBody(text)));
  });

  it('has no trailing blank, blank end or other line end, and keeps all other characters in order', () => {
    fc.assert(
      fc.property(messyText, (text) => {
        const body = canonicalBody(text);
        expect(/[\r\u2028\u2029]/.test(body)).toBe(false);
        expect(body.split('\n').every((line) => line === line.trimEnd())).toBe(true);
        expect(body.startsWith('\n') || body.endsWith('\n')).toBe(false);
        expect(body.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
    );
  });

  it('takes linear time, also where a regular expression would take quadratic time', () => {
    // The square of this length is 10^12: quadratic code would run into the test timeout.
    const text = `a${' '.repeat(1_000_000)}b\n`.repeat(4);
    expect(canonicalBody(text).length).toBe(4 * 1_000_003 - 1);
    expect(collapseBlanks(text)).toBe('a b a b a b a b');
  });
});

describe('blanks', () => {
  it('of every kind collapse to one space and disappear at the ends', () => {
    expect(collapseBlanks('\u00a0 Acme \t\r\n Inc\u2028')).toBe('Acme Inc');
    expect(collapseBlanks(' \t ')).toBe('');
  });
});

describe('case folding', () => {
  it('maps spellings that differ only in case to the same text', () => {
    expect(foldCase('STRASSE')).toBe(foldCase('straße'));
    expect(foldCase('STRAẞE')).toBe(foldCase('straße'));
    expect(foldCase('ΣΊΣΥΦΟΣ')).toBe(foldCase('σίσυφος'));
    expect(foldCase('Acme')).not.toBe(foldCase('Acne'));
  });

  it('is idempotent for any character that has a case', () => {
    const every = Array.from({ length: 0x2_0000 }, (_, code) => String.fromCodePoint(code));
    expect(every.filter((text) => foldCase(foldCase(text)) !== foldCase(text))).toEqual([]);
  });
});
