import { describe, expect, it } from 'vitest';
import { createManualClock, systemClock } from '../clock/clock.ts';
import { createCountedIds, createIds } from './ids.ts';

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('ids', () => {
  it('are UUIDs of version 7 that begin with the time', () => {
    const clock = createManualClock(Date.UTC(2026, 10, 15));
    const uuid = createIds(clock).uuid();
    expect(uuid).toMatch(uuidV7);
    expect(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(clock.now());
  });

  it('sort by creation time', () => {
    const clock = createManualClock();
    const ids = createIds(clock);
    const made = Array.from({ length: 50 }, () => {
      clock.advance(1);
      return ids.uuid();
    });
    expect(made.toSorted()).toEqual(made);
  });

  it('are unique', () => {
    const ids = createIds(systemClock);
    const made = Array.from({ length: 20_000 }, () => [ids.uuid(), ids.short()]).flat();
    expect(new Set(made).size).toBe(40_000);
  });

  it('in their short form fit into a line and can be read out', () => {
    expect(createIds(systemClock).short()).toMatch(/^[\w-]{8}$/);
  });

  it('are counted in tests', () => {
    const ids = createCountedIds();
    expect([ids.uuid(), ids.short(), ids.uuid()]).toEqual([
      '00000000-0000-7000-8000-000000000001',
      'id2',
      '00000000-0000-7000-8000-000000000003',
    ]);
    expect(ids.uuid()).toMatch(uuidV7);
  });
});
