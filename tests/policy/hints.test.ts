import { expect, test } from 'vitest';
import { toAnnotations } from '#kernel/tool/card.ts';
import { cardFixture } from './card.fixture.ts';
import { findHintViolations, unaudited } from './hints.ts';
import { loadCards } from './toolsets.ts';

test('the hints, audit and scope of every tool follow from its effect', async () => {
  expect(findHintViolations(await loadCards())).toEqual([]);
});

test('every exception for writing without an audit row belongs to a tool', async () => {
  const names = new Set((await loadCards()).map(({ name }) => name));
  expect(Object.keys(unaudited).filter((name) => !names.has(name))).toEqual([]);
});

test('accepts a consistent card', () => {
  const read = { effect: 'read', audit: 'none', scope: 'read', idempotent: true } as const;
  expect(findHintViolations([cardFixture(), cardFixture(read), cardFixture({ ...read, scope: 'admin' })])).toEqual([]);
});

test.for([
  ['readOnlyHint is true and its effect is create', { readOnlyHint: true }],
  ['destructiveHint is true and its effect is create', { destructiveHint: true }],
] as const)('finds a wrong hint: %s', ([violation, lie]) => {
  expect(findHintViolations([cardFixture()], (card) => ({ ...toAnnotations(card), ...lie }))).toEqual([
    `pads/keepOne: ${violation}`,
  ]);
});

test.for([
  ['a read that is not idempotent', { effect: 'read', audit: 'none', scope: 'read', idempotent: false }],
  ['a read that claims an audit row', { effect: 'read', audit: 'row', scope: 'read', idempotent: true }],
  ['a read behind the mutation gate', { effect: 'read', audit: 'none', scope: 'read', idempotent: true, gated: true }],
  ['a read that needs the scope write', { effect: 'read', audit: 'none', scope: 'write', idempotent: true }],
  ['writes without an audit row, and no reason is given', { audit: 'none' }],
  ['writes with the scope read', { scope: 'read' }],
] as const)('finds a card that contradicts itself: %s', ([violation, wrong]) => {
  expect(findHintViolations([cardFixture(wrong)])).toEqual([`pads/keepOne: ${violation}`]);
});
