import { truthLimits } from '../../truth-limits.ts';
import { createBoundedText, type ExtractedText } from './bounded-text.ts';
import { decodeText } from './decode-text.ts';
import { orDamaged, orMissing } from './unreadable.ts';

export async function extractCsv(bytes: Uint8Array): Promise<ExtractedText> {
  const { default: papa } = await orMissing('papaparse', () => import('papaparse'));
  const { data } = await orDamaged('CSV file', async () =>
    papa.parse<readonly string[]>(decodeText(bytes), { preview: truthLimits.rowsCount, skipEmptyLines: true }),
  );
  const text = createBoundedText();
  for (const row of data) if (!text.add(row.map((cell) => cell.trim()).join('\t'))) break;
  return text.end();
}
