import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEntry } from '../catalog/memory-catalog.fixture.ts';
import { type ApplicableRule, toApplicableRule, toMatchContext } from './applicability.ts';
import { createRuleIndex } from './rule-index.ts';

const languages = fc.uniqueArray(fc.constantFrom('ts', 'go', 'rust', 'php'), { maxLength: 2 });
const tasks = fc.uniqueArray(fc.constantFrom('deploy', 'review', 'test'), { maxLength: 2 });
const conditions = fc.record({ languages, tasks });
const appliesTo = fc.tuple(conditions, fc.array(conditions, { maxLength: 3 }), fc.boolean());

describe('[IN50] rules by their conditions', () => {
  it('finds exactly the rules that evaluating each of them finds', () => {
    const situation = fc.record({ languages, task: tasks.map((words) => words.join(' ')) });
    fc.assert(
      fc.property(fc.array(appliesTo, { maxLength: 12 }), situation, (given, asked) => {
        const compiled = given
          .map(([any, all, always], i) =>
            toApplicableRule(createEntry({ id: `r${i}`, appliesTo: { ...any, all, always } })),
          )
          .filter((rule): rule is ApplicableRule => rule !== undefined);
        const context = toMatchContext(asked);
        const applies = (rule: ApplicableRule) => rule.matchReasons(context).length > 0;
        const { rules, general, conditions: known } = createRuleIndex(compiled);
        const candidates = new Set([
          ...general,
          ...known.filter(({ match }) => match(context) !== undefined).flatMap(({ rules: positions }) => positions),
        ]);
        const found = rules.filter((rule, at) => candidates.has(at) && applies(rule));
        expect(found).toEqual(rules.filter(applies));
        expect(rules).toHaveLength(compiled.length);
      }),
    );
  });

  it('finds a rule with several groups by the rarest one', () => {
    const all = (part: string) => ({ all: [{ languages: ['ts'] }, { files: [part] }] });
    const rules = ['a', 'b', 'c'].map((id) => toApplicableRule(createEntry({ id, appliesTo: all(id) }))!);
    expect(createRuleIndex(rules).conditions.map(({ key }) => key)).toEqual(['files a', 'files b', 'files c']);
  });
});
