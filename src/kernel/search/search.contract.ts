import type { Storage } from '../storage/port.ts';
import { describeAnswers } from './contract/answers.fixture.ts';
import { describeDerived } from './contract/derived.fixture.ts';
import { describeMerging } from './contract/merging.fixture.ts';
import { describeQueries } from './contract/queries.fixture.ts';
import { createSearchIndexFixtures } from './contract/search-index.fixture.ts';
import { describeSharing } from './contract/sharing.fixture.ts';

/**
 * The contract of the keyword index on every engine. `open` may return the same store again: each test has its own
 * tenant.
 */
export function describeSearchContract(open: () => Promise<Storage>): void {
  const openFixture = createSearchIndexFixtures(open);
  describeQueries(openFixture);
  describeAnswers(openFixture);
  describeSharing(openFixture);
  describeMerging(openFixture);
  describeDerived(openFixture, open);
}
