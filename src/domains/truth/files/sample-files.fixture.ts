import { crc32, deflateRawSync } from 'node:zlib';

export function buildZip(members: Readonly<Record<string, string | Buffer>>, flags = 0): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(members)) {
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const nameBytes = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(crc32(bytes), 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(bytes.length, 22);
    local.writeUInt16LE(nameBytes.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(crc32(bytes), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(bytes.length, 24);
    entry.writeUInt16LE(nameBytes.length, 28);
    entry.writeUInt32LE(at, 42);
    bodies.push(local, nameBytes, packed);
    entries.push(entry, nameBytes);
    at += 30 + nameBytes.length + packed.length;
  }
  const list = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(members).length, 8);
  end.writeUInt16LE(Object.keys(members).length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, list, end]);
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const package_ = 'http://schemas.openxmlformats.org/package/2006';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const relationships = (target: string, type: string): string =>
  `${xml}<Relationships xmlns="${package_}/relationships"><Relationship Id="rId1" Type="${office}/${type}" Target="${target}"/></Relationships>`;

const contentTypes = (part: string, type: string): string =>
  `${xml}<Types xmlns="${package_}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="${type}"/></Types>`;

export function buildDocx(lines: readonly string[]): Buffer {
  const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const body = lines.map((line) => `<w:p><w:r><w:t xml:space="preserve">${escapeXml(line)}</w:t></w:r></w:p>`).join('');
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  return buildZip({
    '[Content_Types].xml': contentTypes('word/document.xml', type),
    '_rels/.rels': relationships('word/document.xml', 'officeDocument'),
    'word/document.xml': `${xml}<w:document xmlns:w="${w}"><w:body>${body}</w:body></w:document>`,
  });
}

export function buildXlsx(
  rows: readonly (readonly (string | number)[])[],
  extra: Readonly<Record<string, Buffer>> = {},
): Buffer {
  const s = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const letters = 'ABCDEFGH';
  const toCell = (value: string | number, at: string): string =>
    typeof value === 'number'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${escapeXml(value)}</t></is></c>`;
  const sheetRows = rows
    .map(
      (row, r) => `<row r="${r + 1}">${row.map((value, c) => toCell(value, `${letters[c]}${r + 1}`)).join('')}</row>`,
    )
    .join('');
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
  return buildZip({
    '[Content_Types].xml': contentTypes('xl/workbook.xml', type),
    '_rels/.rels': relationships('xl/workbook.xml', 'officeDocument'),
    'xl/workbook.xml': `${xml}<workbook xmlns="${s}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships('worksheets/sheet1.xml', 'worksheet'),
    'xl/worksheets/sheet1.xml': `${xml}<worksheet xmlns="${s}"><sheetData>${sheetRows}</sheetData></worksheet>`,
    ...extra,
  });
}

const escapePdf = (text: string): string => text.replaceAll(/[\\()]/g, (char) => `\\${char}`);

export const printPdfStream = (content: string, dictionary = ''): string =>
  `<< /Length ${content.length} ${dictionary} >>\nstream\n${content}\nendstream`;

/** One page with lines of text; `trailer` may declare encryption. */
export function buildPdf(lines: readonly string[], trailer = ''): Buffer {
  const content = `BT /F1 12 Tf 14 TL 72 760 Td ${lines.map((line) => `(${escapePdf(line)}) Tj T*`).join(' ')} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    printPdfStream(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  return buildPdfOf(objects, trailer);
}

/** A catalog, its page tree and a page whose content is object 4. */
export const onePage: readonly string[] = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >> >>',
];

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** A small file in which each form shows the next one twice; the last one has text. */
export function buildDoublingPdf(depth: number): Buffer {
  const forms = Array.from({ length: depth }, (_, i) => {
    const isLast = i === depth - 1;
    return printPdfStream(
      isLast ? 'BT /F1 12 Tf (text) Tj ET' : '/X Do /X Do',
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> ${isLast ? '' : `/XObject << /X ${7 + i} 0 R >>`} >>`,
    );
  });
  return buildPdfOf([...onePage, printPdfStream('/X Do /X Do'), helvetica, ...forms]);
}

/** Of any objects; the first is the catalog. */
export function buildPdfOf(objects: readonly string[], trailer = ''): Buffer {
  let text = '%PDF-1.4\n';
  const places: number[] = [];
  for (const [i, object] of objects.entries()) {
    places.push(text.length);
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
  }
  const xref = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const place of places) text += `${String(place).padStart(10, '0')} 00000 n \n`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** Encrypted with an unknown password. */
export const buildLockedPdf = (): Buffer => {
  const key = `<${'41'.repeat(32)}>`;
  const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >> /ID [<0011> <0011>]`;
  return buildPdf(['hidden'], encrypt);
};

export const invoiceLines = [
  'Acme Tools GmbH',
  'Hafenstrasse 12, 20457 Hamburg',
  'VAT ID: DE 123 456 789',
  'INVOICE',
  'Invoice number: INV-2026-0042',
  'Invoice date: 31 May 2026',
  'Due date: 14.06.2026',
  'Bill to:',
  'Globex Corporation',
  '12 Main Street, Springfield',
  'Hammer   2   EUR 10.00   EUR 20.00',
  'Subtotal: EUR 1,214.00',
  'VAT 19%: EUR 230.66',
  'Total due: EUR 1,444.66',
] as const;

export const invoiceFields = {
  invoice_number: 'INV-2026-0042',
  date: '2026-05-31',
  due_date: '2026-06-14',
  amount: 1444.66,
  currency: 'EUR',
  tax_amount: 230.66,
  vendor_name: 'Acme Tools GmbH',
  customer_name: 'Globex Corporation',
  vendor_tax_id: 'DE123456789',
} as const;

export const mailText = [
  'From: Ada Lovelace <ada@example.com>',
  'To: Charles Babbage <charles@example.com>',
  'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe_from_the_engine?=',
  'Date: Fri, 01 May 2026 10:00:00 +0000',
  'Message-ID: <1@example.com>',
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>The <b>engine</b> runs.</p><p>See you &amp; yours.</p>',
  '',
].join('\r\n');
