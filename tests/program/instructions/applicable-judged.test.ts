import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findModelFiles } from '#kernel/embed/minilm/open-minilm.ts';
import { type CatalogProgram, openCatalog, untilEmbedded } from './catalog-program.fixture.ts';
import { importJudgedRules, measure, readSituations } from './judged-rules.fixture.ts';

const situations = readSituations('situations.json');
const hasModel = (await findModelFiles()) !== undefined;

describe.skipIf(!hasModel)('[IN50] judged rules and situations, with the bundled model', () => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openCatalog();
    await importJudgedRules(program);
    await untilEmbedded(program);
  }, 180_000);
  afterAll(() => program?.close());

  it('dump', async () => {
    const files = (process.env['JUDGED'] ?? 'situations.json').split(',');
    for (const f of files) console.log(f, JSON.stringify(await measure(program, readSituations(f)), null, 1));
    expect(situations.length).toBeGreaterThan(60);
  }, 180_000);
});
