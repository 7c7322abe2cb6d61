import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileKind } from '../file-kind.ts';
import { buildDocx, buildLockedPdf, buildPdf, buildXlsx, buildZip, mailText } from '../sample-files.fixture.ts';
import { checkArchive } from './extract-office.ts';
import { extractText } from './extract-text.ts';
import { createBoundedText, orMissing, UnreadableFile } from './extracted-text.ts';
import { htmlToText } from './html-to-text.ts';
import { recogniseText } from './recognise-text.ts';

const textOf = async (kind: FileKind, bytes: Buffer) => (await extractText(kind, bytes)).text;
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'read',
    (error: unknown) => (error instanceof UnreadableFile ? error.reason : String(error)),
  );

test('extracts the text of a PDF line by line', async () => {
  expect((await textOf('pdf', buildPdf(['First (1)', 'Second line']))).trim().split('\n')).toEqual([
    'First (1)',
    'Second line',
  ]);
});

test('distinguishes an encrypted or damaged PDF from an empty one', async () => {
  expect(await reasonOf(extractText('pdf', buildLockedPdf()))).toBe('encrypted');
  expect(await reasonOf(extractText('pdf', Buffer.from('%PDF-1.4\nnothing')))).toBe('damaged');
  expect((await textOf('pdf', buildPdf([]))).trim()).toBe('');
});

test('turns paragraphs of a Word document and rows of a workbook into lines', async () => {
  expect(await textOf('docx', buildDocx(['One & two', 'Three']))).toBe('One & two\nThree');
  const rows = [
    ['Invoice number', 'INV-1'],
    ['Total', 12.5],
  ];
  expect(await textOf('xlsx', buildXlsx(rows))).toBe('Invoice number\tINV-1\nTotal\t12.5');
});

test('reports a file that only looks like a Word document or workbook as damaged', async () => {
  const hollow = { 'word/document.xml': '<no', 'xl/workbook.xml': 'none' };
  expect(await reasonOf(extractText('docx', buildZip(hollow)))).toBe('damaged');
  expect(await reasonOf(extractText('xlsx', buildZip(hollow)))).toBe('damaged');
  expect(await reasonOf(extractText('docx', buildZip(hollow, 1)))).toBe('encrypted');
});

test('rejects an archive that unpacks to too much before a library reads it, whatever its headers say', async () => {
  const bomb = buildZip({ 'word/document.xml': Buffer.alloc(2_000_000, ' ') });
  expect(bomb.length).toBeLessThan(4_000);
  const lying = Buffer.from(bomb);
  // The unpacked size in the directory and in the local header: ten bytes.
  lying.writeUInt32LE(10, lying.indexOf('PK\x01\x02', 0, 'latin1') + 24);
  lying.writeUInt32LE(10, 22);
  for (const bytes of [bomb, lying]) await expect(checkArchive(bytes, 1_000_000)).rejects.toThrow(/unpacks to more/);
  await expect(checkArchive(bomb)).resolves.toBeUndefined();
});

test('extracts sender, recipient and text of a mail', async () => {
  const { text, title } = await extractText('eml', Buffer.from(mailText));
  expect(title).toBe('Grüße from the engine');
  expect(text.split('\n')).toEqual([
    'From: "Ada Lovelace" <ada@example.com>',
    'To: "Charles Babbage" <charles@example.com>',
    'Date: 2026-05-01T10:00:00.000Z',
    'Subject: Grüße from the engine',
    '',
    'The engine runs.',
    'See you & yours.',
  ]);
});

test('extracts one line per CSV row, without quotes', async () => {
  expect(await textOf('csv', Buffer.from('a;b\r\n"x; y";2\r\n'))).toBe('a\tb\nx; y\t2');
});

test('decodes text according to its byte order mark', async () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße\r\nx', 'utf16le')]);
  expect(await textOf('text', utf16)).toBe('Grüße\nx');
  expect(await textOf('markdown', Buffer.from('\uFEFF# T'))).toBe('# T');
});

describe('HTML', () => {
  test('becomes what a reader sees: blocks are lines, cells are columns, scripts are left out', () => {
    const html = `<html><head><title>A &lt;b&gt;</title><style>p { x: "</p>" }</style></head>
      <body><h1>Hello&nbsp;&amp; &#x1F600;</h1><script>if (a < b) alert("no")</script><!-- <p>no</p> -->
      <table><tr><td>Total</td><td title="a > b">5</td></tr></table>1 < 2<p>end`;
    expect(htmlToText(html)).toEqual({
      text: 'Hello & 😀\nTotal\t5\n1 < 2\nend',
      isCut: false,
      title: 'A <b>',
    });
  });

  test('may be deeply nested and malformed', () => {
    expect(htmlToText(`${'<div>'.repeat(300_000)}deep`).text).toBe('deep');
    expect(htmlToText(`a${'<b'.repeat(200_000)}`).text.startsWith('a')).toBe(true);
    expect(htmlToText(`${'<script>'.repeat(100_000)}x`).text).toBe('');
    expect(htmlToText('<p title="never closed>x').text).toContain('never closed');
    expect(htmlToText('İİ<SCRIPT>x</SCRIPT>y').text).toBe('İİy');
  });

  test('always gives well-formed text that is not longer than the input', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '</',
      '<p',
      '"',
      "'",
      '=',
      '<!--',
      '-->',
      '&',
      '#x',
      ';',
      '<title>',
      '<script>',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
        const html = pieces.join('');
        expect(htmlToText(html).text.length).toBeLessThanOrEqual(html.length);
      }),
    );
  });
});

test('cuts text at its limit between characters and reports it', () => {
  const text = createBoundedText(5);
  expect(text.add('ab')).toBe(true);
  expect(text.add('x\ud83d\ude00')).toBe(false);
  expect(text.add('more')).toBe(false);
  expect(text.end()).toEqual({ text: 'ab\nx', isCut: true });
});

test('names an optional package that is not installed', async () => {
  const name: string = 'not-installed-anywhere';
  const missing = orMissing('unpdf', () => import(name));
  await expect(missing).rejects.toMatchObject({ reason: 'missing_package', message: expect.stringContaining('unpdf') });
  await expect(orMissing('unpdf', () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
});

describe('images', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ocr-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function installProgram(script: string): Promise<void> {
    await writeFile(join(folder, 'tesseract'), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, 'tesseract'), 0o755);
  }

  test('are unreadable without a text recognition program', async () => {
    expect(await reasonOf(recogniseText(Buffer.from('x'), [join(folder, 'nothing')]))).toBe('no_text_recognition');
  });

  test('are piped to the program, with limits enforced by the system', async () => {
    await installProgram('echo "$1 $2"; /bin/cat; echo; ulimit -v; ulimit -t');
    expect((await recogniseText(Buffer.from('PICTURE'), [folder])).text.trim().split('\n')).toEqual([
      'stdin stdout',
      'PICTURE',
      '393216',
      '16',
    ]);
  });

  test('are reported as damaged if the program fails or writes without end', async () => {
    await installProgram('exit 1');
    expect(await reasonOf(recogniseText(Buffer.alloc(1_000_000), [folder]))).toBe('damaged');
    await installProgram(
      'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done',
    );
    expect(await reasonOf(recogniseText(Buffer.from('x'), [folder]))).toBe('damaged');
  });
});
