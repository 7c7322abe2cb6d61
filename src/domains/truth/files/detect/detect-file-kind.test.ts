import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildDocx, buildPdf, buildXlsx, buildZip, mailText } from '../sample-files.fixture.ts';
import { createFileKindDetector } from './detect-file-kind.ts';

function detectKind(bytes: Buffer, chunkBytes = 4_096) {
  const detector = createFileKindDetector();
  for (let at = 0; at < bytes.length; at += chunkBytes) detector.add(bytes.subarray(at, at + chunkBytes));
  return detector.end();
}

const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

const samples: readonly (readonly [string, Buffer])[] = [
  ['pdf', buildPdf(['hello'])],
  ['pdf', Buffer.concat([Buffer.from('junk before it\n'), buildPdf(['hello'])])],
  ['docx', buildDocx(['hello'])],
  ['xlsx', buildXlsx([['hello', 1]])],
  ['png', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
  ['jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
  ['gif', Buffer.from('GIF89a\x01\0\x01\0', 'latin1')],
  ['webp', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1')],
  ['tiff', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
  ['bmp', Buffer.from('BM\x46\0\0\0\0\0\0\0', 'latin1')],
  ['eml', Buffer.from(mailText)],
  ['eml', Buffer.from('From: a@b.c\nSubject: x\n\nGr\xfc\xdfe', 'latin1')],
  ['html', Buffer.from('  <!DOCTYPE html><p>x')],
  ['csv', Buffer.from('a,b,c\n1,"x, y",3\n')],
  ['csv', Buffer.from('a;b\r\n1;2\r\n')],
  ['markdown', Buffer.from('# Title\n\nSome text, and more.\n')],
  ['text', Buffer.from('Dear Ada, how are you?\nFine, thanks.\n')],
  ['text', Buffer.from('')],
  ['text', Buffer.from('x')],
  ['text', utf16('plain words')],
  ['text', Buffer.from('BMW drives')],
  ['text', Buffer.from('Note: this\nis no mail: at all\n')],
];

test('detects the kind from the bytes, not the name', () => {
  for (const [kind, bytes] of samples)
    expect(detectKind(bytes), `${kind} ${bytes.toString('latin1', 0, 30)}`).toBe(kind);
});

test('does not depend on how the bytes are split into chunks', () => {
  fc.assert(
    fc.property(fc.constantFrom(...samples), fc.integer({ min: 1, max: 700 }), ([kind, bytes], chunkBytes) => {
      expect(detectKind(bytes, chunkBytes)).toBe(kind);
    }),
  );
});

test('rejects other types with a reason: binaries, other archives, old Office files, invalid text', () => {
  const refused: readonly (readonly [Buffer, RegExp])[] = [
    [Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), /no supported type/],
    [Buffer.from('text with \0 in it'), /no supported type/],
    [Buffer.from('Gr\xfc\xdfe', 'latin1'), /no supported type/],
    [Buffer.from([0xe2, 0x82]), /no supported type/],
    [Buffer.concat([utf16('x'), Buffer.from([0])]), /no supported type/],
    [buildZip({ 'evil.exe': 'MZ' }), /Word documents/],
    [buildDocx(['x']).subarray(0, 200), /damaged/],
    [Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), /Old or encrypted/],
  ];
  for (const [bytes, why] of refused)
    expect(detectKind(bytes), String(why)).toMatchObject({ why: expect.stringMatching(why) });
});

test('rejects text that becomes invalid after the inspected beginning', () => {
  const long = Buffer.alloc(200_000, 'a line of words\n');
  expect(detectKind(long)).toBe('text');
  long[199_000] = 0xff;
  expect(detectKind(long)).toMatchObject({ why: expect.any(String) });
  expect(detectKind(long, 262_144)).toMatchObject({ why: expect.any(String) });
});
