import { describe, expect, it } from 'vitest';
import { hashRequests, requestGroups } from './everyday-requests.ts';
import { nearRequests } from './near-requests.ts';
import { requestVectors } from './request-vectors.ts';

describe('[SY3] vectors of everyday requests', () => {
  it('are those of the requests: otherwise run scripts/embed-requests.ts', () => {
    expect(requestVectors.vectors).toHaveLength(requestGroups.length);
    expect(requestVectors.hash).toBe(hashRequests(requestGroups));
  });

  it('negative control: another word or order has another hash', () => {
    const [first, second, ...rest] = requestGroups;
    expect(hashRequests([second!, first!, ...rest])).not.toBe(requestVectors.hash);
    expect(hashRequests([[...first!, 'x'], second!, ...rest])).not.toBe(requestVectors.hash);
  });

  it('have no tool near a vector without direction', () => {
    const near = nearRequests(new Float32Array(384));
    expect([near.tools.size, near.absent]).toEqual([0, undefined]);
  });
});
