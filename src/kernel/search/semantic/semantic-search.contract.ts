import type { Storage } from '../../storage/port.ts';
import { describeBackground } from './contract/background.fixture.ts';
import { describeOnDemand } from './contract/on-demand.fixture.ts';
import { createSemanticSearchFixtures } from './contract/semantic-search.fixture.ts';
import { describeSharing } from './contract/sharing.fixture.ts';
import { describeTokens } from './contract/tokens.fixture.ts';
import { describeUpdates } from './contract/updates.fixture.ts';

/**
 * The contract of semantic search on every engine. `open` may return the same store again: each test has its own
 * tenant.
 */
export function describeSemanticSearchContract(open: () => Promise<Storage>): void {
  const openFixture = createSemanticSearchFixtures(open);
  describeUpdates(openFixture);
  describeSharing(openFixture);
  describeBackground(openFixture);
  describeOnDemand(openFixture);
  describeTokens(openFixture);
}
