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
    const { recall, named, precisionOfFirst, precisionOfBoth } = await measure(program, situations);
    expect(situations.length).toBeGreaterThanOrEqual(60);
    expect(precisionOfFirst).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.83);
    expect(precisionOfBoth).toBeGreaterThanOrEqual(0.6);
    expect(named).toBeGreaterThanOrEqual(0.98);
  });

  it('at least names most rules for indirect tasks that were not used for tuning', async () => {
    const figures = await measure(program, readSituations('held-out.json'));
    expect(figures.precisionOfFirst).toBeGreaterThanOrEqual(0.95);
    expect(figures.recall).toBeGreaterThanOrEqual(0.42);
    expect(figures.precisionOfBoth).toBeGreaterThanOrEqual(0.5);
    expect(figures.named).toBeGreaterThanOrEqual(0.9);
  });

  it('negative control: the judgements of other situations fail', async () => {
    const mixed = situations.map((situation, i) => ({
      ...situation,
      relevant: situations[(i + 7) % situations.length]!.relevant,
    }));
    const { recall, named, precisionOfBoth } = await measure(program, mixed);
    expect(named).toBeLessThan(0.7);
    expect(recall).toBeLessThan(0.2);
    expect(precisionOfBoth).toBeLessThan(0.2);
  });
});

describe('[IN50] judged rules and situations, without a model', () => {
  it('finds about two thirds of them by topics and words alone', async () => {
    const program = await openCatalog({ ...mutationOn, FOURFOLD_SEMANTIC_SEARCH: '0' });
    await importJudgedRules(program);
    const { recall, precisionOfFirst, precisionOfBoth } = await measure(program, situations);
    await program.close();
    expect(precisionOfFirst).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.63);
    expect(precisionOfBoth).toBeGreaterThanOrEqual(0.6);
  });
});
