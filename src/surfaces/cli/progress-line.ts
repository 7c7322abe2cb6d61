import type { Printer } from './printer.ts';
import { toSafeLine } from './safe-text.ts';

const clearLine = '\r\u001B[K';
const lineColumns = 79;

export interface ProgressLine {
  show(done: number, total?: number, message?: string): void;
  /** Takes the line away, so that what follows begins at the left. */
  clear(): void;
}

/** One line on stderr that is written over; nothing where no person looks. */
export function createProgressLine(printer: Printer): ProgressLine {
  let isShown = false;
  return {
    show(done, total, message) {
      if (!printer.isTerminal.stderr) return;
      const share = total === undefined || total === 0 ? String(done) : `${Math.floor((100 * done) / total)} %`;
      printer.err(
        `${clearLine}${toSafeLine(`${share} ${message ?? ''}`)
          .trimEnd()
          .slice(0, lineColumns)}`,
      );
      isShown = true;
    },
    clear() {
      if (isShown) printer.err(clearLine);
      isShown = false;
    },
  };
}
