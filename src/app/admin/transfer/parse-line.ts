import { isUtf8 } from 'node:buffer';
import { scanJson } from '#kernel/json/scan.ts';
import { adminFaults } from '../admin-faults.ts';
import { exportLimits } from './export-format.ts';
import type { Line } from './read-lines.ts';

/** The object on a line of an export. */
export function parseLine({ number, bytes }: Line): object {
  const refuse = (why: string) => adminFaults.IMPORT_INVALID({ line: number, why });
  if (!isUtf8(bytes)) throw refuse('it is not UTF-8');
  if (scanJson(bytes, exportLimits.lineDepth) === 'too-deep') throw refuse('it is nested too deep');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw refuse('it is not JSON');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw refuse('it is no JSON object');
  return value;
}
