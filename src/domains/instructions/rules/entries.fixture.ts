import fc from 'fast-check';
import { audiences, classifications, type InstructionInput, requirements, statuses } from '../entry-model.ts';
import type { RuleActivity } from './activity-filter.ts';

export const fixtureNow = '2026-01-01T00:00:00.000Z';

const moment = fc
  .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
  .map((date) => date.toISOString());
const version = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)).map((parts) => parts.join('.'));
export const anyVersion = version;
export const anyBody = fc.oneof(
  fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('a', ' ', '\t', '\n', '\r\n', '\r', '\u2028', '\u2029', 'é'), { minLength: 1 })
    .map((parts) => parts.join('')),
);

const optionalOf = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });

/** Any valid input. */
export const anyInput: fc.Arbitrary<InstructionInput> = fc.record({
  id: fc.constantFrom('alpha', 'beta', 'c-3'),
  body: anyBody,
  title: optionalOf(fc.string({ maxLength: 50 })),
  priority: optionalOf(fc.integer({ min: 1, max: 100 })),
  requirement: optionalOf(fc.constantFrom(...requirements)),
  audience: optionalOf(fc.constantFrom(...audiences)),
  status: optionalOf(fc.constantFrom(...statuses)),
  classification: optionalOf(fc.constantFrom(...classifications)),
  categories: optionalOf(
    fc.array(fc.constantFrom('B', 'a', ' a ', 'scope:user:Ann', 'scope:team:t1', 'scope:workspace:W')),
  ),
  teamIds: optionalOf(fc.array(fc.constantFrom('t1', 't2'))),
  version: optionalOf(version),
  owner: optionalOf(fc.constantFrom('unowned', 'team')),
  reviewIntervalDays: optionalOf(fc.integer({ min: 1, max: 3_650 })),
  lastReviewedAt: optionalOf(moment),
  nextReviewDue: optionalOf(moment),
  createdAt: optionalOf(moment),
  updatedAt: optionalOf(moment),
  semanticSummary: optionalOf(fc.string({ maxLength: 20 })),
  supersedes: optionalOf(fc.constant('gamma')),
  schemaVersion: optionalOf(fc.constantFrom('1', '2', '3')),
  changeLog: optionalOf(fc.array(fc.record({ version, changedAt: moment, summary: fc.string() }), { maxLength: 3 })),
});

/** Nothing was recorded about any rule. */
export const noActivity: RuleActivity = {
  now: Date.parse(fixtureNow),
  lastActiveAt: () => undefined,
  openSignalsCount: () => 0,
};
