// Prints a random sample of comments, test titles and log lines for a review: node scripts/run.mjs sample:prose [seed]
import { commentsOf, isProgramFile, logLinesOf, type Prose, parseCode, titlesOf } from '../tests/policy/prose.ts';
import { createDice } from '../tests/support/survival/dice.ts';

const seed = Number(process.argv[2] ?? Date.now() % 100_000);
const dice = createDice(seed);
const code = parseCode();
const samples: readonly (readonly [string, readonly Prose[], number])[] = [
  ['comments', code.flatMap(commentsOf), 100],
  ['test titles', code.flatMap(titlesOf), 40],
  ['log lines', code.filter(isProgramFile).flatMap(logLinesOf), 20],
];
const sections = samples.map(([name, all, count]) =>
  [`${count} of ${all.length} ${name}`, ...dice.pickSome(all, count).map(({ at, text }) => `${at}  ${text}`)].join(
    '\n',
  ),
);
process.stdout.write(`${[`seed ${seed}`, ...sections].join('\n\n')}\n`);
