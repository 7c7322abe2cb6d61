import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes most of a minute or more; the longest first. */
export const slowFiles = [
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

const positionOf = ({ moduleId }: TestSpecification): number => {
  const place = slowFiles.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? slowFiles.length : place;
};

/** Starts with the slowest files, so that none of them runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => positionOf(a) - positionOf(b));
  }
}
