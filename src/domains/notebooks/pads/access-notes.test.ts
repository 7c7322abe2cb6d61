import { expect, test } from 'vitest';
import { toTenantId } from '#kernel/call.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { createAccessNotes } from './last-access.ts';

const one = toTenantId('one');
const two = toTenantId('two');

test('[NB21] notes the last read of each pad per tenant, sorted by id', () => {
  const notes = createAccessNotes();
  notes.note(one, 'b', 20);
  notes.note(one, 'a', 10);
  notes.note(one, 'a', 30);
  notes.note(two, 'a', 5);
  expect(notes.pending(one)).toEqual([
    { scratchId: 'a', at: 30 },
    { scratchId: 'b', at: 20 },
  ]);
  expect(notes.pending(two)).toEqual([{ scratchId: 'a', at: 5 }]);
  expect(notes.tenants()).toEqual([one, two]);
});

test('[NB21] keeps notes that arrive while others are written', () => {
  const notes = createAccessNotes();
  notes.note(one, 'a', 10);
  notes.note(one, 'b', 10);
  const written = notes.pending(one);
  notes.note(one, 'a', 11);
  notes.forget(one, written);
  expect(notes.pending(one)).toEqual([{ scratchId: 'a', at: 11 }]);
  notes.forget(one, notes.pending(one));
  expect(notes.tenants()).toEqual([]);
});

test('[NB21] asks for a flush when a tenant has the maximum number of notes', () => {
  const full: string[] = [];
  const notes = createAccessNotes((tenant) => void full.push(tenant));
  for (let i = 1; i < notebookLimits.accessNotesCount; i += 1) notes.note(one, `p${i}`, i);
  expect(full).toEqual([]);
  notes.note(one, 'last', 1);
  expect(full).toEqual([one]);
  notes.note(one, 'last', 2);
  expect(full).toEqual([one]);
});

test('[NB21] limits the number of notes that are not written', () => {
  const notes = createAccessNotes();
  for (let i = 0; i < 3 * notebookLimits.accessNotesCount; i += 1) notes.note(one, `p${i}`, i);
  const kept = notes.pending(one).map(({ scratchId }) => scratchId);
  expect(kept).toHaveLength(2 * notebookLimits.accessNotesCount);
  expect(kept).not.toContain('p0');
  expect(kept).toContain(`p${3 * notebookLimits.accessNotesCount - 1}`);
});
