import { expect, test } from 'vitest';
import { findInconsistencies, parseConversation, readConversations, turnsOf } from '../../bench/judged/dialogue.ts';

const conversations = readConversations();
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

test('the dialogue set has at least 3,000 turns and 300 questions', () => {
  expect(conversations.length).toBeGreaterThanOrEqual(10);
  expect(sum(conversations.map((conversation) => turnsOf(conversation).length))).toBeGreaterThanOrEqual(3_000);
  expect(sum(conversations.map(({ questions }) => questions.length))).toBeGreaterThanOrEqual(300);
});

test('every question refers to turns that exist, and every session is dated and in order', () => {
  expect(conversations.flatMap(findInconsistencies)).toEqual([]);
});

const header = '# 2026-03-04 A walk';
const turns = Array.from({ length: 12 }, (_, index) => `${index % 2 === 0 ? 'Ada' : 'Ben'}: line ${index}`);

test('parses speakers, titles, dates and ids', () => {
  const text = [header, ...turns, '', '# 2026-03-05 Rain', 'Ben: It rains: a lot.'].join('\n');
  const parsed = parseConversation('ada-ben', text, 'Is it dry? | ada-ben/2/1 ada-ben/1/12\n');
  expect(parsed.sessions[1]).toEqual({
    date: '2026-03-05',
    title: 'Rain',
    turns: [{ id: 'ada-ben/2/1', speaker: 'Ben', text: 'It rains: a lot.' }],
  });
  expect(parsed.questions).toEqual([{ asks: 'Is it dry?', right: ['ada-ben/2/1', 'ada-ben/1/12'] }]);
});

test('finds a question without a turn, a repeated question and a bad session', () => {
  const text = [header, ...turns, 'Cleo: Hello.', '# 2026-02-30 '].join('\n');
  const parsed = parseConversation('ada-ben', text, 'Why? | ada-ben/1/1\nWhy? | ada-ben/9/9\n');
  expect(findInconsistencies(parsed)).toEqual([
    'ada-ben has a session with an invalid date: 2026-02-30',
    'ada-ben has a session without a title: 2026-02-30',
    'ada-ben has a session out of order: 2026-02-30',
    'ada-ben has a session of 0 turns: 2026-02-30',
    'ada-ben has other than two speakers: Ada, Ben, Cleo',
    'asked twice: Why?',
    'no ada-ben/9/9 for: Why?',
  ]);
});

test('rejects a line that is neither a session nor a turn', () => {
  expect(() => parseConversation('ada-ben', `${header}\nno speaker`, '')).toThrow('expected ": " in: no speaker');
  expect(() => parseConversation('ada-ben', 'Ada: Hello.', '')).toThrow('before its first session');
  expect(() => parseConversation('ada-ben', '', 'no ids')).toThrow('expected " | " in: no ids');
});
