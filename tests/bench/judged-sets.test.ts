import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadBaseSections, shippedDirectory } from '#domains/knowledge/base/knowledge-base.ts';
import { silentLog } from '#kernel/log/log.ts';
import { findQuestionErrors, splitOnce } from '../../bench/judged/judged-lines.ts';
import { germanNotes, germanQuestions, japaneseNotes, japaneseQuestions } from '../../bench/judged/other-languages.ts';
import { outsideFeathersQuestions, outsidePackageQuestions } from '../../bench/judged/outside-questions.ts';
import { packageQuestions } from '../../bench/judged/package-docs-questions.ts';
import {
  recallFacts,
  recallItems,
  recallNotes,
  recallRules,
  recallTasks,
  uselessFor,
} from '../../bench/judged/recall-tasks.ts';
import { ruleQuestions, shortRules } from '../../bench/judged/rule-questions.ts';
import { heldOutFeathersQuestions, heldOutPackageQuestions } from '../../bench/judged/second-questions.ts';
import { toolRequests } from '../../bench/judged/tool-requests.ts';
import { unseenToolRequests } from '../../bench/judged/unseen-tool-requests.ts';
import { readSource, root } from '../policy/tree.ts';

const ids = (items: readonly { readonly id: string }[]): readonly string[] => items.map(({ id }) => id);

test('every German and Japanese question is answered by a note', () => {
  expect(findQuestionErrors(ids(germanNotes), germanQuestions)).toEqual([]);
  expect(findQuestionErrors(ids(japaneseNotes), japaneseQuestions)).toEqual([]);
  expect(germanQuestions).toHaveLength(25);
  expect(japaneseQuestions).toHaveLength(25);
  expect(germanNotes.length + japaneseNotes.length).toBe(120);
});

test('every question about rules is answered by a rule', () => {
  expect(findQuestionErrors(ids(shortRules), ruleQuestions)).toEqual([]);
  expect(shortRules).toHaveLength(60);
  expect(ruleQuestions).toHaveLength(40);
});

test('every task for recall names items of its store, and none is both wanted and useless', () => {
  const named = recallTasks.flatMap(({ wanted, useless = [] }) => [...wanted, ...useless]);
  expect(named.filter((name) => !recallItems.has(name))).toEqual([]);
  const both = recallTasks.flatMap((task) => task.wanted.filter((name) => uselessFor(task).has(name)));
  expect(both).toEqual([]);
  expect(recallTasks.filter(({ wanted }) => wanted.length === 0)).toEqual([]);
  expect(new Set(recallTasks.map(({ task }) => task)).size).toBeGreaterThanOrEqual(40);
  expect(recallRules.length).toBeGreaterThanOrEqual(30);
  expect(recallFacts.length).toBeGreaterThanOrEqual(30);
  expect(recallNotes.length).toBeGreaterThanOrEqual(40);
});

test('binding rules for every task are useless for none, and items of other areas are', () => {
  const [first] = recallTasks;
  const useless = uselessFor(first!);
  expect(useless.has('rule:no-secrets')).toBe(false);
  expect(useless.has('note:office-plants')).toBe(true);
  expect(useless.has('rule:api-errors')).toBe(false);
});

test('every request for a tool names tools that exist', () => {
  const names = readSource('docs/reference/tools.md')
    .text.split('\n')
    .filter((line) => line.startsWith('### '))
    .map((line) => line.slice('### '.length));
  expect(findQuestionErrors(names, toolRequests)).toEqual([]);
  expect(findQuestionErrors(names, unseenToolRequests)).toEqual([]);
  expect(toolRequests).toHaveLength(60);
  expect(unseenToolRequests).toHaveLength(60);
});

/** Places that are not in the installed package, as `library path#title`. */
const findMissingPlaces = (questions: typeof packageQuestions): readonly string[] =>
  questions.flatMap(({ library, right }) =>
    right
      .filter((place) => {
        const [path, title] = splitOnce(place, '#');
        const file = join(root, 'node_modules', library, path);
        // `Context.json` is a member of a class.
        const names = /^[\w$]+\.\w+$/.test(title) ? title.split('.') : [title];
        const text = existsSync(file) ? readFileSync(file, 'utf8').replaceAll('`', '') : undefined;
        return text === undefined || !names.every((name) => text.includes(name));
      })
      .map((place) => `${library} ${place}`),
  );

test('every question about a package names places in that package', () => {
  for (const questions of [packageQuestions, outsidePackageQuestions, heldOutPackageQuestions]) {
    expect(findMissingPlaces(questions)).toEqual([]);
    expect(questions).toHaveLength(20);
  }
});

test('every question about FeathersJS names entries of the base', async () => {
  const base = await loadBaseSections(shippedDirectory, silentLog);
  const titles = base.map(({ title }) => title);
  for (const questions of [outsideFeathersQuestions, heldOutFeathersQuestions]) {
    const right = questions.flatMap((question) => question.right);
    expect(right.filter((title) => !titles.includes(title))).toEqual([]);
  }
  expect(outsideFeathersQuestions).toHaveLength(30);
  expect(heldOutFeathersQuestions).toHaveLength(20);
});

test('finds a missing id, a repeated question and a missing place', () => {
  const question = { asks: 'why?', right: ['b'] };
  expect(findQuestionErrors(['a', 'a'], [question, question])).toEqual([
    'an id occurs twice',
    'no b for: why?',
    'asked twice: why?',
    'no b for: why?',
  ]);
  const right = ['README.md#No such heading', 'no-such-file.d.ts#x'];
  expect(findMissingPlaces([{ library: 'zod', asks: 'why?', right }])).toEqual(right.map((place) => `zod ${place}`));
});
