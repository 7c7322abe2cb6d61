import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of these each takes the better part of a minute or more; the longest first. */
export const longOnes = [
  'tests/program/instructions/survival/kill.test.ts',
  'tests/program/notebooks/survival/kill.test.ts',
  'tests/feathers/services.test.ts',
  'tests/program/packed.test.ts',
  'tests/program/kill.test.ts',
  'tests/program/instructions/writes.test.ts',
  'src/kernel/workers/workers.test.ts',
  'tests/feathers/v5.test.ts',
  'tests/program/instructions/transfer.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longOnes.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? longOnes.length : place;
};

/** Begins with the files that take long, so that none of them is left to run alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
