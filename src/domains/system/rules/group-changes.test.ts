import { expect, test } from 'vitest';
import { groupChanges } from './group-changes.ts';

const row = (seq: number, part: object = {}) => ({
  seq,
  at: `2026-05-04T10:00:0${seq}.000Z`,
  actor: 'key:1',
  actorName: 'laptop',
  tool: 'store_fact',
  memory: 'truth' as const,
  topic: 'entity',
  id: `e${seq}`,
  what: 'update' as const,
  ...part,
});

test('joins what one actor changed with one tool, by kind and by what happened', () => {
  const rows = [
    row(4, { name: 'Apollo' }),
    row(3, { topic: 'payload', id: 'p3', what: 'create' }),
    row(2, { id: 'e4' }),
    row(1),
  ];
  expect(groupChanges(rows, 10)).toEqual([
    {
      seq: 4,
      at: '2026-05-04T10:00:04.000Z',
      since: '2026-05-04T10:00:01.000Z',
      actor: 'key:1',
      actorName: 'laptop',
      tool: 'store_fact',
      memory: 'truth',
      parts: [
        { topic: 'entity', what: 'update', count: 2, items: [{ id: 'e4', name: 'Apollo' }, { id: 'e1' }] },
        { topic: 'payload', what: 'create', count: 1, items: [{ id: 'p3' }] },
      ],
    },
  ]);
});

test('names an item that was created and then changed once, as created', () => {
  const rows = [row(3, { id: 'e1' }), row(2, { id: 'e2' }), row(1, { id: 'e1', what: 'create' })];
  expect(groupChanges(rows, 10)[0]?.parts).toEqual([
    { topic: 'entity', what: 'create', count: 1, items: [{ id: 'e1' }] },
    { topic: 'entity', what: 'update', count: 1, items: [{ id: 'e2' }] },
  ]);
});

test.each([
  ['another actor', { actor: 'key:2' }],
  ['another tool', { tool: 'correct_entity' }],
  ['another memory', { memory: 'notebooks' }],
  ['another hour', { at: '2026-05-04T09:59:59.000Z' }],
])('starts a new line for %s', (_title, part) => {
  expect(groupChanges([row(2), row(1, part)], 10)).toHaveLength(2);
});

test('shows a limited number of lines and of ids per kind', () => {
  const rows = Array.from({ length: 9 }, (_, i) => row(9 - i));
  expect(groupChanges(rows, 1)[0]?.parts).toEqual([
    { topic: 'entity', what: 'update', count: 9, items: ['e9', 'e8', 'e7', 'e6', 'e5'].map((id) => ({ id })) },
  ]);
  const others = rows.map((one, i) => ({ ...one, actor: `key:${i}` }));
  expect(groupChanges(others, 3).map(({ seq }) => seq)).toEqual([9, 8, 7]);
  expect(groupChanges([], 3)).toEqual([]);
});
