import { type Rules, rules } from './oracle-rules.fixture.ts';
import type { Operation } from './random-operations.fixture.ts';

/**
 * Rules that differ from SPEC.md in one point, and the seed of random histories of which one of the first 25 detects it.
 * After a change of the random operations other seeds may be needed.
 */
export const wrongRules: readonly (readonly [string, Partial<Rules>, number])[] = [
  [
    'the time of extraction is part of the content',
    { contentIdOf: (content, at) => rules.contentIdOf({ ...content, extractor_version: at }, at) },
    1,
  ],
  ['a company keeps its suffix', { normaliseName: (text) => rules.normaliseName(text, false) }, 1],
  [
    'of two alike the larger id wins',
    {
      byRank: (field, a, b) => {
        const apart = rules.byRank(field, { ...a, id: 'x' }, { ...b, id: 'x' });
        return apart === 1 ? (a.id > b.id ? -1 : 1) : apart;
      },
    },
    1,
  ],
  ['a correction is a source like others', { isCorrection: () => false }, 1],
  ['of two corrections the one that begins later wins', { byRecency: (a, b) => b.effectiveAt - a.effectiveAt }, 18],
  ['no correction gives way', { givesWay: () => false }, 5],
  ['a correction gives way to all that is recorded later', { givesWay: (one, to) => to.createdAt > one.createdAt }, 4],
  ['a correction gives way to all that begins later', { givesWay: (one, to) => to.effectiveAt > one.effectiveAt }, 1],
  ['a payload is submitted once', { isSameSubmission: (a, b) => a.contentId === b.contentId }, 1],
  [
    'the agent makes no difference',
    { isSameSubmission: (a, b) => rules.isSameSubmission(a, { ...b, agent: a.agent }) },
    2,
  ],
  [
    'the effective times make no difference',
    { isSameSubmission: (a, b) => rules.isSameSubmission(a, { ...b, effective: a.effective }) },
    1,
  ],
  ['every submission is another one', { isSameSubmission: () => false }, 1],
  [
    'the newest observation wins',
    { byRank: (field, a, b) => b.observedAt - a.observedAt || rules.byRank(field, a, b) },
    2,
  ],
  ['a statement holds since it was observed', { startOf: (observedAt) => observedAt }, 1],
  ['a statement holds since it was recorded', { startOf: (_observedAt, createdAt) => createdAt }, 1],
  [
    'a statement holds before its start',
    { holdsAt: (one, moment) => rules.holdsAt({ ...one, effectiveAt: 0 }, moment) },
    1,
  ],
  ['a new schema changes what was known', { wasActive: () => true }, 7],
  ['a type has only the fields of its schema', { fieldOf: ({ fields }, name) => fields[name] }, 1],
  ['a document has any field', { fieldOf: (schema, name) => rules.fieldOf({ ...schema, open: true }, name) }, 1],
  [
    'raw fragments make a statement more specific',
    { specificityOf: (fields, raw, schema) => rules.specificityOf({ ...fields, ...raw }, {}, schema) },
    1,
  ],
  ['a moment does not belong to what was before it', { isKnownAt: (time, moment) => time < moment }, 1],
  ['what was merged was always merged', { isInEffect: ({ unmergedAt }) => unmergedAt === undefined }, 4],
  ['the newest array is the array', { isUnion: () => false }, 1],
  ['a reference may not be mutual', { allowsCycle: () => false }, 1],
  ['nothing may be part of itself, but all else', { allowsCycle: (type) => type !== 'PART_OF' }, 3],
  ['a group is its root', { countedMembers: (_group, root) => [root] }, 4],
  [
    'a statement never ends',
    { holdsAt: (one, moment) => rules.holdsAt({ ...one, effectiveUntil: undefined }, moment) },
    1,
  ],
  [
    'the end of a statement belongs to it',
    { holdsAt: (one, moment) => rules.holdsAt(one, moment) || one.effectiveUntil === moment },
    1,
  ],
  ['an ended field keeps its value', { ends: () => false }, 17],
  ['a retraction changes nothing', { isRetractedAt: () => false }, 1],
  ['what is retracted was never known', { isRetractedAt: (retractedAt) => retractedAt !== undefined }, 1],
  ['an amount with a separator stays a text', { readValue: (_field, value) => value }, 1],
  [
    'an edge holds before its start',
    { coversEdge: (_start, until, moment) => until === undefined || moment < until },
    1,
  ],
  ['an edge never ends', { coversEdge: (start, _until, moment) => start <= moment }, 1],
];

const openPeriod = { at: undefined, until: undefined };
const factOf = (name: 'Ann' | 'Bob'): Operation['what'] => ({
  ...{ kind: 'fact', who: undefined, type: 'person', name, key: undefined, fields: {}, ended: [] },
  ...{ period: openPeriod, source: undefined },
});
const partOf = (from: number, to: number): Operation['what'] => ({
  ...{ kind: 'relate', type: 'PART_OF', edges: [[from, to, openPeriod]] },
});

/** Too rare in random histories: the edge back is allowed because the first one is deleted. */
export const deletedEdge: readonly Operation[] = [
  factOf('Ann'),
  factOf('Bob'),
  partOf(0, 1),
  { kind: 'mark', which: 0, does: 'delete' } as const,
  partOf(1, 0),
].map((what) => ({ waitedMs: 1, what }));
