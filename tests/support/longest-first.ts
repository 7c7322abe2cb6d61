import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes half a minute or more; the longest first. */
export const slowFiles = [
  'tests/program/packed.test.ts',
  'tests/feathers/services.test.ts',
  'tests/program/instructions/survival/kill.test.ts',
  'tests/program/integrations/connectors.test.ts',
  'tests/program/integrations/mail.test.ts',
  'tests/program/notebooks/survival/kill.test.ts',
  'tests/program/bombs/bombs.test.ts',
  'tests/program/error-fixes-of-all-tools.test.ts',
  'src/kernel/workers/workers.test.ts',
  'tests/program/integrations/mail-login.test.ts',
  'tests/program/instructions/sync.test.ts',
  'tests/program/truth/commands.test.ts',
  'tests/feathers/v5.test.ts',
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
