import type { Storage } from '../storage/port.ts';
import { describeAnswers } from './contract/answers.fixture.ts';
import { describeDerived } from './contract/derived.fixture.ts';
import { describeFinding } from './contract/finding.fixture.ts';
import { describeMerging } from './contract/merging.fixture.ts';
import { createOffices } from './contract/office.fixture.ts';
import { describeSharing } from './contract/sharing.fixture.ts';

/** What a stored index promises, on every engine. `open` may give the same store again: each test has a tenant of its own. */
export function describeSearchContract(open: () => Promise<Storage>): void {
  const openOffice = createOffices(open);
  describeFinding(openOffice);
  describeAnswers(openOffice);
  describeSharing(openOffice);
  describeMerging(openOffice);
  describeDerived(openOffice, open);
}
