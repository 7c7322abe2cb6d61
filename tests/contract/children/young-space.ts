/**
 * Works like a busy server, in small steps that keep a little memory each, and prints how large V8's new space became,
 * with or without the limit. Then prints whether V8 favours memory over speed, before and after the switch.
 */
import { writeSync } from 'node:fs';
import { mock } from 'node:test';
import { cachedDataVersionTag, getHeapSpaceStatistics } from 'node:v8';
import { boundYoungSpace } from '#app/young-space.ts';

const isBounded = process.argv[2] === 'bounded';
const turnsCount = 3_000;
const objectsCount = 2_000;
const keptCount = 40;

mock.timers.enable({ apis: ['setTimeout'] });
if (isBounded) boundYoungSpace();

const sizeNow = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? Number.NaN;

let most = 0;
const kept: object[][] = [];
for (let turn = 0; turn < turnsCount; turn += 1) {
  kept.push(Array.from({ length: objectsCount }, (_, i) => ({ turn, pair: [i, turn] })));
  if (kept.length > keptCount) kept.shift();
  most = Math.max(most, sizeNow());
  await new Promise((resolve) => setImmediate(resolve));
}

// V8 reveals its flags only through this number.
const before = cachedDataVersionTag();
mock.timers.tick(60_000);
writeSync(1, `${JSON.stringify({ mostBytes: most, isThrifty: cachedDataVersionTag() !== before })}\n`);
