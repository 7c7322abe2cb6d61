import type { Storage } from '../../storage/port.ts';
import { describeBackground } from './contract/background.fixture.ts';
import { describeFollowing } from './contract/following.fixture.ts';
import { describeOnDemand } from './contract/on-demand.fixture.ts';
import { describeSharing } from './contract/sharing.fixture.ts';
import { createStudies } from './contract/study.fixture.ts';

/** What search by meaning promises, on every engine. `open` may give the same store again: each test has its own tenant. */
export function describeMeaningContract(open: () => Promise<Storage>): void {
  const openStudy = createStudies(open);
  describeFollowing(openStudy);
  describeSharing(openStudy);
  describeBackground(openStudy);
  describeOnDemand(openStudy);
}
