import type { InstructionEntry, InstructionInput } from '../../entry-model.ts';
import { renderMark } from './to-input.ts';

/** As an entry's file is written: two blanks a level, so that a change is a small diff. */
export const renderEntryFile = (entry: InstructionEntry | InstructionInput): string =>
  `${JSON.stringify(entry, null, 2)}\n`;

export interface BackupFacts {
  readonly exportedAt: string;
  readonly hash: string;
}

/** One JSON file that `fourfold instructions import` and the older servers both read. */
export const renderBackup = (entries: readonly InstructionEntry[], { exportedAt, hash }: BackupFacts): string =>
  `${JSON.stringify({ format: 'fourfold-instructions', exportedAt, hash, count: entries.length, entries }, null, 2)}\n`;

const weights = ['mandatory', 'critical', 'recommended', 'optional', 'deprecated'];

const byWeight = (a: InstructionEntry, b: InstructionEntry): number =>
  weights.indexOf(a.requirement) - weights.indexOf(b.requirement) ||
  a.priority - b.priority ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Headings of a body go two levels down, so that they stay inside its section; fences are left alone. */
function sink(body: string): string {
  let fence: string | undefined;
  return body
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence !== undefined) {
        if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
        return line;
      }
      fence = mark;
      const heading = /^ {0,3}(#{1,6})(?= )/.exec(line);
      return heading === null
        ? line
        : `${'#'.repeat(Math.min(6, heading[1]!.length + 2))}${line.slice(heading[0].length)}`;
    })
    .join('\n');
}

const toLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function renderSection(entry: InstructionEntry): string {
  const files = entry.appliesTo?.files ?? [];
  const weight = entry.requirement === 'recommended' ? [] : [`**${entry.requirement}**`];
  const scope = files.length === 0 ? [] : [`for ${files.map((glob) => `\`${glob}\``).join(', ')}`];
  const note = [...weight, ...scope].join(' ');
  return [
    `## ${toLine(entry.title)}`,
    `${renderMark(entry.id)}${note === '' ? '' : ` ${toLine(note)}`}`,
    sink(entry.body),
  ].join('\n\n');
}

/** Approved rules as one page for an agent that reads files, the heaviest first. */
export const renderAgents = (entries: readonly InstructionEntry[]): string =>
  `${[
    '# Instructions',
    ...entries
      .filter(({ status }) => status === 'approved')
      .toSorted(byWeight)
      .map(renderSection),
  ].join('\n\n')}\n`;
