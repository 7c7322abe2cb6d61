import { truthLimits } from '../../truth-limits.ts';
import { createBoundedText, type ExtractedText } from './bounded-text.ts';
import { checkArchive } from './check-archive.ts';
import { orDamaged, orMissing } from './unreadable.ts';

export async function extractDocx(bytes: Buffer): Promise<ExtractedText> {
  const { default: mammoth } = await orMissing('mammoth', () => import('mammoth'));
  checkArchive(bytes);
  const { value } = await orDamaged('Word document', () => mammoth.extractRawText({ buffer: bytes }));
  const text = createBoundedText();
  for (const line of value.trimEnd().split(/\n+/)) if (!text.add(line)) break;
  return text.end();
}

const toCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

export async function extractXlsx(bytes: Buffer): Promise<ExtractedText> {
  const { default: readWorkbook } = await orMissing('read-excel-file', () => import('read-excel-file/node'));
  checkArchive(bytes);
  const sheets = await orDamaged('Excel workbook', () => readWorkbook(bytes));
  const text = createBoundedText();
  let rowsCount = 0;
  for (const { sheet, data } of sheets) {
    if (sheets.length > 1) text.add(sheet);
    for (const row of data) {
      rowsCount += 1;
      const cells = row.map(toCell);
      if (rowsCount > truthLimits.rowsCount || !text.add(cells.join('\t').trimEnd())) return text.end();
    }
  }
  return text.end();
}
