import type { DoctorCheck } from './admin.ts';
import { toSafeLine } from './safe-text.ts';

const marks: Readonly<Record<DoctorCheck['status'], string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

function summary(checks: readonly DoctorCheck[]): string {
  const failed = checks.filter((check) => check.status === 'fail').length;
  const warned = checks.filter((check) => check.status === 'warn').length;
  if (failed === 0 && warned === 0) return 'Everything is in order.';
  return [failed > 0 ? count(failed, 'failure') : '', warned > 0 ? count(warned, 'warning') : '']
    .filter((part) => part !== '')
    .join(', ');
}

/** One line a check, its fix below, the verdict last. */
export function renderDoctor(checks: readonly DoctorCheck[]): string {
  const width = Math.max(0, ...checks.map((check) => check.name.length));
  const lines = checks.flatMap(({ name, status, detail, fix }) => [
    `${marks[status]}  ${name.padEnd(width)}  ${toSafeLine(detail)}`,
    ...(fix === undefined || status === 'ok' ? [] : [`${' '.repeat(width + 8)}→ ${toSafeLine(fix)}`]),
  ]);
  return `${[...lines, '', summary(checks)].join('\n')}\n`;
}
