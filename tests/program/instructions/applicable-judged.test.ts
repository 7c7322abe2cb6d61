import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findModelFiles } from '#kernel/embed/minilm/open-minilm.ts';
import { type CatalogProgram, mutationOn, openCatalog, untilEmbedded } from './catalog-program.fixture.ts';
import { importJudgedRules, measure, readSituations } from './judged-rules.fixture.ts';

const situations = readSituations('situations.json');
const hasModel = (await findModelFiles()) !== undefined;

describe.skipIf(!hasModel)('[IN50] judged rules and situations, with the bundled model', () => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openCatalog(mutationOn);
    await importJudgedRules(program);
    await untilEmbedded(program);
  }, 180_000);
  afterAll(() => program?.close());

  it('finds what a person would give for the task, and little else', async () => {
    const { recall, precisionOfFirst, precisionOfBoth } = await measure(program, situations);
    expect(situations.length).toBeGreaterThanOrEqual(60);
    expect(precisionOfFirst).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.7);
    expect(precisionOfBoth).toBeGreaterThanOrEqual(0.54);
  });

  it('negative control: the judgements of other situations fail', async () => {
    const mixed = situations.map((situation, i) => ({
      ...situation,
      relevant: situations[(i + 7) % situations.length]!.relevant,
    }));
    const { recall, precisionOfBoth } = await measure(program, mixed);
    expect(recall).toBeLessThan(0.2);
    expect(precisionOfBoth).toBeLessThan(0.2);
  });
});

describe('[IN50] judged rules and situations, without a model', () => {
  it('finds about half of them by words alone', async () => {
    const program = await openCatalog({ ...mutationOn, FOURFOLD_SEMANTIC_SEARCH: '0' });
    await importJudgedRules(program);
    const { recall, precisionOfFirst, precisionOfBoth } = await measure(program, situations);
    await program.close();
    expect(precisionOfFirst).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.5);
    expect(precisionOfBoth).toBeGreaterThanOrEqual(0.38);
  });
});
