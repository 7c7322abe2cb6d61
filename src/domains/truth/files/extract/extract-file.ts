import { readFile } from 'node:fs/promises';
import { analyseText } from '../analyse/analyse-text.ts';
import { extractText } from './extract-text.ts';
import type { ExtractInput, ExtractOutput } from './task.ts';
import { Unreadable } from './unreadable.ts';

/** Text and rules in one go: what comes back to the program is small, however large the file. */
export async function extractFile({ path, kind, fileName }: ExtractInput): Promise<ExtractOutput> {
  const bytes = await readFile(path);
  try {
    return { ok: true, analysis: analyseText(await extractText(kind, bytes), fileName) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ok: false, reason: error.reason, why: error.message };
  }
}
