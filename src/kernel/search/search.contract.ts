import type { Storage } from '../storage/port.ts';
import { describeAnswers } from './contract/planted-answers.ts';
import { describeDerived } from './contract/planted-derived.ts';
import { describeFinding } from './contract/planted-finding.ts';
import { describeMerging } from './contract/planted-merging.ts';
import { createOffices } from './contract/planted-office.ts';
import { describeSharing } from './contract/planted-sharing.ts';

/** What a stored index promises, on every engine. `open` may give the same store again: each test has a tenant of its own. */
export function describeSearchContract(open: () => Promise<Storage>): void {
  const openOffice = createOffices(open);
  describeFinding(openOffice);
  describeAnswers(openOffice);
  describeSharing(openOffice);
  describeMerging(openOffice);
  describeDerived(openOffice, open);
}
