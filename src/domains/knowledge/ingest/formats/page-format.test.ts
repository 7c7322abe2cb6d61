import { expect, it } from 'vitest';
import { decodePage } from './page-format.ts';

const wide = (text: string, isSwapped: boolean): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isSwapped ? bytes.swap16() : bytes;
};

it.each([
  ['UTF-8', Buffer.from('# Añ\n')],
  ['UTF-8 with a mark', Buffer.from('\ufeff# Añ\n')],
  ['UTF-8 of Windows', Buffer.from('# Añ\r\n')],
  ['UTF-16', wide('# Añ\n', false)],
  ['UTF-16, the other way round', wide('# Añ\n', true)],
])('decodes %s', (_what, bytes) => {
  expect(decodePage(bytes)).toBe('# Añ\n');
});

it.each([
  ['bytes that are no text', Buffer.from([0x23, 0xff, 0x41])],
  ['half a character of UTF-16', wide('a', false).subarray(0, 3)],
  ['a text with a null', Buffer.from('a\0b')],
])('gives a reason for not decoding %s', (_what, bytes) => {
  expect(decodePage(bytes)).toEqual({ reason: expect.stringMatching(/^it is /) });
});
