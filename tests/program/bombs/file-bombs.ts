import { deflateSync } from 'node:zlib';
import {
  buildDocx,
  buildDoublingPdf,
  buildPdf,
  buildPdfOf,
  buildXlsx,
  buildZip,
  printPdfStream,
} from '#domains/truth/files/sample-files.fixture.ts';
import { type Bomb, fileBomb, long, times } from './bomb.ts';

const mb = 1024 * 1024;
/** The largest file that an upload accepts. */
const whole = 50 * mb;

const repeat = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / text.length));

const page = (resources: string, more = ''): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${resources} >> ${more} >>`;
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const onePage = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const fontResource = '/Font << /F1 5 0 R >>';

const packedStream = (content: string, layers = 1): string => {
  let packed: Buffer = Buffer.from(content, 'latin1');
  for (let i = 0; i < layers; i += 1) packed = deflateSync(packed);
  return printPdfStream(packed.toString('latin1'), `/Filter [${'/FlateDecode '.repeat(layers)}]`);
};

const pdfWith = (content: string, fontObject = font, more: readonly string[] = []): Buffer =>
  buildPdfOf([catalog, onePage, page(fontResource), content, fontObject, ...more]);

const mapOf = (ranges: string): Buffer =>
  pdfWith(
    printPdfStream('BT /F1 12 Tf <0041> Tj ET'),
    '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>',
    [
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
      packedStream(
        `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange ${ranges} endcmap end`,
      ),
    ],
  );

const pdfBombs: readonly Bomb[] = [
  long(fileBomb('a PDF whose forms double 30 times', 'forms.pdf', () => buildDoublingPdf(30))),
  fileBomb('a PDF whose forms double 12 times', 'forms-few.pdf', () => buildDoublingPdf(12)),
  fileBomb('a PDF whose form shows itself', 'self.pdf', () =>
    buildPdfOf([
      catalog,
      onePage,
      page('/XObject << /X 6 0 R >>'),
      printPdfStream('/X Do'),
      font,
      printPdfStream(
        '/X Do /X Do',
        '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>',
      ),
    ]),
  ),
  fileBomb('a PDF stream that unpacks to 400 MB', 'stream.pdf', () => pdfWith(packedStream(' '.repeat(400 * mb)))),
  fileBomb('a PDF stream of many strings', 'strings.pdf', () =>
    pdfWith(packedStream(`BT /F1 1 Tf ${'(a) Tj '.repeat(6_000_000)} ET`)),
  ),
  fileBomb('a PDF stream packed three times', 'layers.pdf', () => pdfWith(packedStream(' '.repeat(300 * mb), 3))),
  fileBomb('a PDF stream of nested lists', 'nested.pdf', () => pdfWith(packedStream('['.repeat(5_000_000)))),
  long(fileBomb('a PDF stream of saved states', 'states.pdf', () => pdfWith(packedStream('q '.repeat(10_000_000))))),
  fileBomb('a PDF stream of one long string', 'long.pdf', () =>
    pdfWith(packedStream(`BT /F1 1 Tf (${'a'.repeat(40 * mb)}) Tj ET`)),
  ),
  fileBomb('a PDF of a billion pages', 'count.pdf', () =>
    buildPdfOf([catalog, '<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>', page(''), printPdfStream(''), font]),
  ),
  fileBomb('a PDF whose page tree is a circle', 'circle.pdf', () =>
    buildPdfOf([catalog, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 4 >>', page(''), printPdfStream(''), font]),
  ),
  fileBomb('a PDF of the same page 100,000 times', 'pages.pdf', () =>
    buildPdfOf([
      catalog,
      `<< /Type /Pages /Kids [${'3 0 R '.repeat(100_000)}] /Count 100000 >>`,
      page(fontResource),
      printPdfStream(`BT /F1 1 Tf ${'(word) Tj '.repeat(200)} ET`),
      font,
    ]),
  ),
  fileBomb('a PDF that nests dictionaries deep', 'deep.pdf', () =>
    buildPdfOf([`${'<< /A '.repeat(200_000)}1${' >>'.repeat(200_000)}`, onePage]),
  ),
  fileBomb('a PDF with a map of all characters', 'map.pdf', () =>
    mapOf(times(3_000, () => '1 beginbfrange <0000> <FFFF> <0000> endbfrange').join(' ')),
  ),
  fileBomb('a PDF with a map of wide ranges', 'wide.pdf', () =>
    mapOf('1 begincidrange <00000000> <FFFFFFFF> 0 endcidrange'),
  ),
  fileBomb(
    'a PDF of 50 MB without a directory',
    'broken.pdf',
    () => `%PDF-1.4\n${repeat('1 0 obj <<>> endobj\n', whole - 100)}`,
  ),
  fileBomb('a PDF of 50 MB of comments', 'comments.pdf', () => `%PDF-1.4\n${repeat('% nothing\n', whole - 100)}`),
  fileBomb(
    'a PDF with a huge directory',
    'xref.pdf',
    () =>
      `%PDF-1.4\nxref\n0 99999999\n${repeat('0000000000 65535 f \n', 20 * mb)}trailer\n<< /Size 99999999 >>\nstartxref\n9\n%%EOF`,
  ),
  fileBomb('a PDF of 10,000 lines', 'lines.pdf', () => buildPdf(times(10_000, (i) => `line ${i} of the text`))),
];

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const docxOf = (body: string): Buffer =>
  buildZip({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': `<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
  });

/** Entities that refer to the previous one ten times. */
const laughs = `<!DOCTYPE a [<!ENTITY l0 "lol">${times(12, (i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')}]>`;

function brokenZip(change: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(buildDocx(['words']));
  change(bytes);
  return bytes;
}

const officeBombs: readonly Bomb[] = [
  fileBomb('a Word document of 95 MB of blanks', 'blanks.docx', () => docxOf(' '.repeat(95 * mb))),
  fileBomb('a Word document that unpacks to 400 MB', 'unpacks.docx', () => docxOf(' '.repeat(400 * mb))),
  fileBomb('a Word document of a million paragraphs', 'paragraphs.docx', () => docxOf('<w:p/>'.repeat(1_000_000))),
  fileBomb('a Word document that nests deep', 'deep.docx', () =>
    docxOf(`${'<w:p>'.repeat(200_000)}${'</w:p>'.repeat(200_000)}`),
  ),
  fileBomb('a Word document with entities that explode', 'laughs.docx', () =>
    buildZip({ 'word/document.xml': `${laughs}<w:document xmlns:w="${word}"><w:body>&l12;</w:body></w:document>` }),
  ),
  fileBomb('a Word document with many attributes', 'attributes.docx', () =>
    docxOf(`<w:p ${times(300_000, (i) => `a${i}="1"`).join(' ')}/>`),
  ),
  fileBomb('a Word document of 10,000 parts', 'parts.docx', () =>
    buildZip({
      'word/document.xml': '<a/>',
      ...Object.fromEntries(times(9_999, (i) => [`word/p${i}.xml`, ' '.repeat(1_000)])),
    }),
  ),
  fileBomb('a Word document of 60,000 parts', 'too-many.docx', () =>
    buildZip({ 'word/document.xml': '<a/>', ...Object.fromEntries(times(60_000, (i) => [`p${i}.xml`, ''])) }),
  ),
  fileBomb('an archive with the sizes of zip64', 'zip64.docx', () =>
    brokenZip((bytes) => bytes.writeUInt32LE(0xffffffff, bytes.indexOf('PK\x01\x02', 0, 'latin1') + 20)),
  ),
  fileBomb('an archive with a directory far away', 'offset.docx', () =>
    brokenZip((bytes) => bytes.writeUInt32LE(0xfffffff0, bytes.length - 6)),
  ),
  fileBomb('an archive of 50 MB without a directory', 'none.docx', () =>
    Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(whole - 4)]),
  ),
  fileBomb('an archive with a long comment', 'comment.docx', () =>
    Buffer.concat([buildDocx(['words']), Buffer.alloc(40 * mb, 'PK\x05')]),
  ),
  fileBomb('a workbook of 95 MB of blanks', 'blanks.xlsx', () =>
    buildXlsx([['x']], { 'xl/sharedStrings.xml': Buffer.alloc(94 * mb, ' ') }),
  ),
  fileBomb('a workbook of 200,000 rows', 'rows.xlsx', () => buildXlsx(times(200_000, (i) => [i, i, i]))),
  fileBomb('a workbook with a cell far away', 'far.xlsx', () =>
    buildXlsx([['x']], {
      'xl/worksheets/sheet1.xml': Buffer.from(
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>',
      ),
    }),
  ),
  fileBomb('a workbook with many shared strings', 'shared.xlsx', () =>
    buildXlsx([['x']], {
      'xl/sharedStrings.xml': Buffer.from(
        `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${'<si><t>a</t></si>'.repeat(3_000_000)}</sst>`,
      ),
    }),
  ),
  fileBomb('a workbook with entities that explode', 'laughs.xlsx', () =>
    buildXlsx([['x']], { 'xl/sharedStrings.xml': Buffer.from(`${laughs}<sst><si><t>&l12;</t></si></sst>`) }),
  ),
];

const mailHead = 'From: a@example.com\r\nTo: b@example.com\r\nSubject: s\r\nMIME-Version: 1.0\r\n';

const textBombs: readonly Bomb[] = [
  fileBomb('50 MB of line ends', 'lines.txt', () => `a${'\n'.repeat(whole - 1)}`),
  fileBomb('50 MB in one line', 'line.txt', () => 'a'.repeat(whole)),
  fileBomb('50 MB of wide characters', 'wide.txt', () => repeat('語', Math.floor(whole / 3))),
  fileBomb('50 MB of marks on one letter', 'marks.txt', () => `a${'\u0301'.repeat(whole / 2 - 1)}`),
  fileBomb('50 MB of UTF-16', 'utf16.txt', () =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(whole - 2, 'a\0')]),
  ),
  fileBomb('50 MB of digits', 'digits.txt', () => `Total: ${'9'.repeat(whole - 8)}`),
  fileBomb('50 MB of amounts', 'amounts.txt', () => repeat('Total 1,234.56 EUR\n', whole)),
  fileBomb('50 MB of labels', 'labels.txt', () => repeat('Invoice number: \n', whole)),
  fileBomb('50 MB of Markdown tasks', 'tasks.md', () => repeat('- [ ] task\n', whole)),
  fileBomb('50 MB of Markdown quotes', 'quotes.md', () => `# A\n${'> '.repeat(whole / 2 - 4)}`),
  fileBomb('50 MB of CSV rows', 'rows.csv', () => repeat('a,b,c\n', whole)),
  fileBomb('a CSV row of 50 MB', 'row.csv', () => `a,b\n1,2\n${','.repeat(whole - 100)}`),
  fileBomb('a CSV quote that never ends', 'quote.csv', () => `a,b\n1,2\n"${'x,\n'.repeat(whole / 3 - 10)}`),
  fileBomb('a CSV of quotes', 'quotes.csv', () => `a,b\n1,2\n${'"'.repeat(whole - 100)}`),
  fileBomb('50 MB of open HTML tags', 'open.html', () => `<!doctype html>${repeat('<div>', whole - 100)}`),
  fileBomb('50 MB of HTML cells', 'cells.html', () => `<!doctype html>${repeat('<td>x', whole - 100)}`),
  fileBomb('50 MB of HTML references', 'references.html', () => `<!doctype html>${repeat('&#x41;', whole - 100)}`),
  fileBomb(
    '50 MB of HTML without an end of a tag',
    'unclosed.html',
    () => `<!doctype html>${repeat('<a "', whole - 100)}`,
  ),
  fileBomb('50 MB of HTML scripts', 'scripts.html', () => `<!doctype html>${repeat('<script></scrip', whole - 100)}`),
  fileBomb('50 MB of HTML comments', 'comments.html', () => `<!doctype html>${repeat('<!-- ', whole - 100)}`),
  fileBomb('50 MB of HTML text', 'text.html', () => `<!doctype html>${repeat('word ', whole - 100)}`),
  fileBomb(
    'a mail of nested parts',
    'nested.eml',
    () =>
      `${mailHead}${times(2_000, (i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`).join('')}`,
  ),
  fileBomb(
    'a mail of 100,000 parts',
    'parts.eml',
    () => `${mailHead}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(100_000)}--b--\r\n`,
  ),
  fileBomb(
    'a mail of a million header lines',
    'headers.eml',
    () => `${mailHead}${'X-A: b\r\n'.repeat(1_000_000)}\r\nbody`,
  ),
  fileBomb(
    'a mail with 100,000 addresses',
    'addresses.eml',
    () =>
      `From: a@example.com\r\nTo: ${times(100_000, (i) => `a${i}@example.com`).join(',\r\n ')}\r\nSubject: s\r\n\r\nbody`,
  ),
  fileBomb(
    'a mail with nested comments in its address',
    'comments.eml',
    () => `From: a@example.com\r\nTo: ${'('.repeat(100_000)}\r\nSubject: s\r\n\r\nbody`,
  ),
  fileBomb(
    'a mail with an attachment of 35 MB',
    'attachment.eml',
    () =>
      `${mailHead}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=a.bin\r\n\r\n${repeat(`${'A'.repeat(76)}\r\n`, 45 * mb)}\r\n--b--\r\n`,
  ),
  fileBomb(
    'a mail of one encoded line',
    'encoded.eml',
    () => `${mailHead}Content-Transfer-Encoding: quoted-printable\r\n\r\n${repeat('=41', 30 * mb)}`,
  ),
  fileBomb(
    'a mail in HTML of 30 MB',
    'html.eml',
    () => `${mailHead}Content-Type: text/html\r\n\r\n${repeat('<p>a', 30 * mb)}`,
  ),
  fileBomb('a picture of a billion points', 'picture.png', () => {
    const head = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\x08\x06\0\0\0\0\0\0\0', 'latin1');
    head.writeUInt32BE(60_000, 16);
    head.writeUInt32BE(60_000, 20);
    return head;
  }),
  fileBomb('50 MB that are no text', 'binary.txt', () => Buffer.alloc(whole, 0xfe)),
];

export const fileBombs: readonly Bomb[] = [...pdfBombs, ...officeBombs, ...textBombs];
