import { expect, it } from 'vitest';
import { decodePage } from './page-format.ts';

const wide = (text: string, isSwapped: boolean): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isSwapped ? bytes.swap16() : bytes;
};

it.each([
  ['UTF-8', Buffer.from('# Añ\n')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeff# Añ\n')],
  ['UTF-8 with Windows line ends', Buffer.from('# Añ\r\n')],
  ['UTF-16', wide('# Añ\n', false)],
  ['big-endian UTF-16', wide('# Añ\n', true)],
])('decodes %s', (_what, bytes) => {
  expect(decodePage(bytes)).toBe('# Añ\n');
});

it.each([
  ['invalid UTF-8', Buffer.from([0x23, 0xff, 0x41])],
  ['truncated UTF-16', wide('a', false).subarray(0, 3)],
  ['text with a NUL', Buffer.from('a\0b')],
])('gives a reason for not decoding %s', (_what, bytes) => {
  expect(decodePage(bytes)).toEqual({ reason: expect.stringMatching(/^it is /) });
});
