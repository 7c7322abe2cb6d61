import type { Json } from './catalog-program.fixture.ts';

const topics = ['Git', 'Testing', 'Security', 'Docs', 'Release', 'Api', 'Review'];
const audiences = ['developers', 'agents', 'all', 'reviewers', 'Everyone', ['developers', 'agents'], 'individual'];
const requirements = ['MUST', 'SHOULD', 'MAY', 'mandatory', 'recommended', 'Required for releases', 'MUST NOT'];
const tiers = ['P0', 'P1', 'P2', 'P3', 'P4', 'P0', 'P2'];
const statuses = ['approved', 'active', 'draft', 'approved', 'review'];

const pick = <T>(list: readonly T[], i: number): T => list[i % list.length] as T;

/** In the way that people write ids elsewhere: with dots, with capitals, and some as we do. */
function idOf(topic: string, i: number): string {
  const word = topic.toLowerCase();
  return [`${topic}.Rule${i}`, `${word}.rule-${i}`, `${word}-rule-${i}`, `${topic}-Rule_${i}`][i % 4]!;
}

/** 97 entries of a schema that is newer than ours. Few of them have an owner. */
export const newerCatalog: readonly (Json & { readonly id: string })[] = Array.from({ length: 97 }, (_, i) => {
  const topic = pick(topics, i);
  return {
    id: idOf(topic, i),
    title: `${topic} rule ${i}`,
    body: `Rule ${i} about ${topic.toLowerCase()}.\n\nFollow it.`,
    schemaVersion: i % 3 === 0 ? 3 : '3',
    audience: pick(audiences, i),
    requirement: pick(requirements, i),
    priorityTier: pick(tiers, i),
    primaryCategory: topic,
    ...(i % 2 === 0 ? { categories: ['Team', 'quality'] } : {}),
    ...(i % 5 === 0 ? { priority: 1 + (i % 100) } : {}),
    ...(i % 4 === 0 ? { owner: 'platform', status: pick(statuses, i) } : {}),
    ...(i % 6 === 0 ? { lastReviewedAt: '2026-03-04', classification: 'Confidential' } : {}),
    ...(i > 0 && i % 8 === 0 ? { dependencies: [idOf(pick(topics, i - 1), i - 1)] } : {}),
    contentType: 'policy',
    reviewers: ['ann', 'bob'],
    workflow: { stage: 'live', approvals: i },
  };
});
