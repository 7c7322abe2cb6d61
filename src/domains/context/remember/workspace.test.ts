import { expect, it } from 'vitest';
import { inboxOf } from './workspace.ts';

const now = Date.parse('2026-11-18T12:00:00Z');

it('[CX13] gives each workspace its own inbox for each month', () => {
  const web = inboxOf('team/web', 'local', now);
  expect(web.namespace).toBe('team/web');
  expect(web.scratchId).toMatch(/^inbox-team-web-[0-9a-f]{6}-2026-11$/);
  expect(inboxOf('team-web', 'local', now).scratchId).not.toBe(web.scratchId);
  expect(inboxOf('team/web', 'key:anna', now)).toEqual(web);
});

it('[CX13] gives callers without a workspace an inbox of their own', () => {
  expect(inboxOf(undefined, 'local', now)).toEqual({ scratchId: 'inbox-2026-11', namespace: undefined });
  expect(inboxOf(undefined, 'key:anna', now).scratchId).not.toBe(inboxOf(undefined, 'key:ben', now).scratchId);
});

it('[CX13] makes valid ids of any name', () => {
  for (const name of ['日本', '../..', 'x'.repeat(500), '   ', 'A'])
    expect(inboxOf(name, 'local', now).scratchId).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
});
