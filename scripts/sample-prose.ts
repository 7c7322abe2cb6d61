// Prints a random sample of comments, test titles and log lines for a review: node scripts/run.mjs sample:prose [seed]
import { commentsOf, isProgramFile, logLinesOf, type Prose, parseCode, titlesOf } from '../tests/policy/prose.ts';

/** mulberry32: the same seed draws the same sample. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function draw(all: readonly Prose[], count: number, random: () => number): readonly Prose[] {
  const left = [...all];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [drawn] = left.splice(Math.floor(random() * left.length), 1);
    return drawn!;
  });
}

const seed = Number(process.argv[2] ?? Date.now() % 100_000);
const random = createRandom(seed);
const code = parseCode();
const samples: readonly (readonly [string, readonly Prose[], number])[] = [
  ['comments', code.flatMap(commentsOf), 100],
  ['test titles', code.flatMap(titlesOf), 40],
  ['log lines', code.filter(isProgramFile).flatMap(logLinesOf), 20],
];
process.stdout.write(`seed ${seed}\n`);
for (const [name, all, count] of samples) {
  process.stdout.write(`\n${count} of ${all.length} ${name}\n`);
  for (const { at, text } of draw(all, count, random)) process.stdout.write(`${at}  ${text}\n`);
}
