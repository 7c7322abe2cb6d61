import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDice } from '#tests/support/survival/dice.ts';
import type { Bomb } from './bomb.ts';
import { fileBombs } from './file-bombs.ts';
import { type MeasuredProgram, openMeasured } from './measured-program.ts';
import { messageBombs } from './message-bombs.ts';
import { notebookBombs } from './notebook-bombs.ts';
import { textBombs } from './text-bombs.ts';
import { truthBombs } from './truth-bombs.ts';

/** `npm run test:campaign` sends all of them and checks the turns of the event loop; the ordinary run a small sample. */
const isCampaign = process.env['FOURFOLD_TEST_CAMPAIGN'] === '1';
const sampleCount = 4;
const extractionMb = 512;
const turnMs = 100;

const families: Readonly<Record<string, readonly Bomb[]>> = {
  files: fileBombs,
  messages: messageBombs,
  notebooks: notebookBombs,
  'docs and rules': textBombs,
  truth: truthBombs,
};

describe.each(Object.entries(families))('bombs in %s', (_family, bombs) => {
  let program: MeasuredProgram;
  beforeAll(async () => {
    program = await openMeasured();
    // The first use of a memory loads its code, which is not what is measured.
    for (const tool of ['retrieve_records', 'scratch_list', 'instructions_list', 'search_docs'])
      await program.call(tool, tool === 'search_docs' ? { query: 'x' } : {});
  });
  afterAll(() => program?.close());

  const sent = isCampaign ? bombs : createDice(20_261_116).pickSome(bombs, sampleCount);

  it.each(sent.map((bomb) => [bomb.name, bomb] as const))('answers %s', { timeout: 600_000 }, async (_name, bomb) => {
    let peakMb = 0;
    const timer = setInterval(() => {
      peakMb = Math.max(peakMb, program.childrenMb());
    }, 20);
    const { value, longestMs } = await program.measure(() => bomb.send(program)).finally(() => clearInterval(timer));
    expect('result' in value || 'error' in value).toBe(true);
    expect(peakMb).toBeLessThan(extractionMb);
    if (isCampaign) expect(longestMs).toBeLessThan(turnMs);
    expect(await program.call('health_check', {})).toHaveProperty('result');
  });
});
