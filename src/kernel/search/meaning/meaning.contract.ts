import type { Storage } from '../../storage/port.ts';
import { describeBackground } from './contract/planted-background.ts';
import { describeFollowing } from './contract/planted-following.ts';
import { describeOnDemand } from './contract/planted-on-demand.ts';
import { describeSharing } from './contract/planted-sharing.ts';
import { createStudies } from './contract/planted-study.ts';

/** What search by meaning promises, on every engine. `open` may give the same store again: each test has its own tenant. */
export function describeMeaningContract(open: () => Promise<Storage>): void {
  const openStudy = createStudies(open);
  describeFollowing(openStudy);
  describeSharing(openStudy);
  describeBackground(openStudy);
  describeOnDemand(openStudy);
}
