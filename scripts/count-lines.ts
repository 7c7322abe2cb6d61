// Prints the size of the program: the lines and files below src without tests, contract suites and fixtures.
import { readProgram } from '../tests/policy/tree.ts';

const lineCounts = readProgram()
  .map(({ text }) => text.split('\n').length - 1)
  .sort((a, b) => a - b);
const sum = lineCounts.reduce((total, lines) => total + lines, 0);
const percentile = (ratio: number) => lineCounts[Math.ceil(lineCounts.length * ratio) - 1] ?? 0;
process.stdout.write(
  `${sum} lines in ${lineCounts.length} files; median ${percentile(0.5)}, 90th percentile ${percentile(0.9)}\n`,
);
