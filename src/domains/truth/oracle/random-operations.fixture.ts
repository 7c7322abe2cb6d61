import fc from 'fast-check';
import type { Json } from '#kernel/json/canonical.ts';
import { capabilityRules, ownSchemas } from './oracle-capabilities.fixture.ts';
import type { Fields } from './oracle-rules.fixture.ts';
import { dayMs, type When } from './oracle-time.fixture.ts';

/** Few values, so that they collide. */
const company = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom<Json>('Acme Corp', 'acme  corp.', 'ACME, Inc', 'Acme', 'Bolt Ltd', ' bolt', 'Zoë S.A.'),
  },
  { weight: 2, arbitrary: fc.constantFrom<Json>('Zoe\u0308', 'Corp', 7, null, '', ['Acme']) },
  { weight: 1, arbitrary: fc.constantFrom<Json>({ name: 'Acme GmbH', phone: '1' }, { name: 'Bolt', colour: 'red' }) },
);
const amount = fc.constantFrom<Json>(10, 20, '10.50', '1,500.00', 'ten', null);
const date = fc.constantFrom<Json>('2025-01-15', '2025-02-30', '2025-03-01T10:00:00+02:00', '2024-12', 7);
const word = fc.constantFrom<Json>('red', 'blue', 'Red ', 5);
const tags = fc.oneof(fc.subarray<Json>(['x', 'y', { z: 1, a: [2] }, null, 3]), fc.constantFrom<Json>('x', 'lone'));

const some = (fields: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<Fields> =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Fields>;

const invoice = some({
  ...{ invoice_number: fc.constantFrom<Json>('INV-1', 'inv-1 ', 'INV-2', 12), amount, date, due_date: date },
  ...{ vendor_name: company, vendor_address: word, vendor_shoe_size: amount, vendor_colour: word, vendor_tags: tags },
  ...{ customer_name: company, customer_email: word, customer_founded_date: date },
  ...{ description: word, tags, colour: word, reviewed_date: date, title: word, currency: word },
});

const bodies: Readonly<Record<string, fc.Arbitrary<Fields>>> = {
  'neotoma:store_invoice:v1': invoice,
  'acme:scan_invoice:v1': invoice,
  'neotoma:store_transaction:v1': some({
    ...{ transaction_id: fc.constantFrom<Json>('t1', 'T1', 't2'), amount, date, name: word, tags },
    ...{ merchant_name: company, merchant_country: word, counterparty: company, counterparty_phone: word },
  }),
  'neotoma:store_contract:v1': some({
    ...{ contract_number: fc.constantFrom<Json>('c1', 'c2'), start_date: date, amount, title: word, tags },
    parties: fc.oneof(fc.array(company, { maxLength: 3 }), company),
  }),
  'neotoma:store_note:v1': some({
    ...{ title: fc.constantFrom<Json>('Plan', ' plan', 'Other'), content: word, date, tags },
    tasks: fc.array(
      fc.oneof(
        word,
        fc.constantFrom<Json>({ title: 'Red', due_date: '2025-05-05' }, { name: 'blue', is_done: true }, {}),
      ),
      { maxLength: 3 },
    ),
  }),
  'acme:store_ticket:v1': some({
    ...{ number: fc.constantFrom<Json>('n1', 'n2', 3), subject: word, opened_date: date, labels: tags },
    ...{ customer_name: company, customer_shoe_size: amount },
  }),
};

/** Times of sources, statements and questions come from the same few values. */
const moment = (from: When['from'], ms: number, chars: When['chars'] = 24): When => ({ from, ms, chars });
const day = fc.constantFrom(0, 1, 2, 3);
const hourMs = 3_600_000;
const pastTime = fc.oneof(
  { weight: 4, arbitrary: day.map((n) => moment('past', n * dayMs)) },
  { weight: 1, arbitrary: day.map((n) => moment('past', n * dayMs, 10)) },
  { weight: 1, arbitrary: fc.constantFrom(moment('past', 0, 7), moment('past', 0, 4), moment('past', 31 * dayMs, 7)) },
);
/** Some of them begin or end before the next operation. */
const nearTime = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(-1000, -1, 0, 1, 2, 1000, hourMs, dayMs).map((ms) => moment('now', ms)) },
  { weight: 1, arbitrary: fc.constantFrom(moment('now', 0, 10), moment('now', dayMs, 10), moment('now', 0, 7)) },
);
const time = fc.oneof(pastTime, nearTime);
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const period = fc.record({ at: rarely(time), until: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, time) });
const extracted = fc.oneof(
  { weight: 5, arbitrary: pastTime },
  // The clock of the source may be ahead.
  { weight: 2, arbitrary: fc.constantFrom(moment('now', 0), moment('now', hourMs)) },
);
const who = fc.nat({ max: 60 });
const few = fc.nat({ max: 4 });
/** Prefers the first entities, which have the most observations. */
const near = fc.oneof({ weight: 3, arbitrary: few }, { weight: 1, arbitrary: who });
const submit = fc.constantFrom(...Object.keys(capabilityRules)).chain((capability_id) =>
  fc.record({
    kind: fc.constant('submit' as const),
    capability_id: fc.constant(capability_id),
    body: bodies[capability_id]!,
    extracted,
    period,
    refs: fc.subarray(['b', 'a'], { minLength: 0 }),
    version: fc.constantFrom('v1', 'v1', 'v2'),
    agent: fc.constantFrom(undefined, 'agent-1', 'agent-2'),
  }),
);
/** An earlier payload once more, or one that differs from it in a way that its content id ignores. */
const again = fc.record({
  kind: fc.constant('again' as const),
  which: fc.nat({ max: 15 }),
  change: fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom('agent-1', 'agent-2').map((agent) => ({ agent })) },
    { weight: 2, arbitrary: extracted.map((one) => ({ extracted: one })) },
    { weight: 2, arbitrary: period.map((one) => ({ period: one })) },
    { weight: 3, arbitrary: word.map((status) => ({ body: { status } })) },
    { weight: 1, arbitrary: fc.constant({ hasCapitals: true }) },
  ),
});
/** For any type: most fields that do not belong to it are filtered out later. */
const corrected = some({
  ...{ address: word, amount, description: word, tags, colour: word, status: word, date },
  ...{ aliases: tags, shoe_size: amount, founded_date: date, labels: tags, currency: word },
});

const fact = fc.record({
  kind: fc.constant('fact' as const),
  /** Undefined: the subject is named. */
  who: fc.option(near, { nil: undefined, freq: 3 }),
  type: fc.constantFrom('person', 'Person', 'persons'),
  name: fc.constantFrom('Ann', ' ann', 'Bob'),
  key: fc.constantFrom(undefined, undefined, 'ann@x.org', 'k-2'),
  fields: corrected,
  /** `z` occurs only inside other values. */
  ended: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.subarray(['address', 'tags', 'colour', 'status', 'amount', 'z'], { maxLength: 2 }) },
  ),
  period,
  source: fc.constantFrom(undefined, 'e-mail'),
});

export const operation = fc.record({
  /** Time before the operation. */
  waitedMs: fc.constantFrom(0, 0, 0, 1, 1, 1000, hourMs, dayMs + 1),
  what: fc.oneof(
    { weight: 10, arbitrary: submit },
    { weight: 5, arbitrary: again },
    { weight: 6, arbitrary: fact },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('retract' as const), which: fc.nat({ max: 20 }) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('correct' as const),
        who,
        fields: corrected,
        period,
        untilNewer: fc.boolean(),
        reason: fc.option(fc.constant('wrong'), { nil: undefined }),
      }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('merge' as const), who: near, whom: near }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('unmerge' as const), who: near, whom: near }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('relate' as const),
        type: fc.constantFrom('PART_OF', 'SETTLES', 'REFERS_TO'),
        /** Several edges between few entities, so that cycles occur. */
        edges: fc.array(fc.tuple(few, few, period), { minLength: 1, maxLength: 5 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        ...{ kind: fc.constant('mark' as const), which: fc.nat({ max: 10 }) },
        does: fc.constantFrom('delete', 'delete', 'restore'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        ...{ kind: fc.constant('schema' as const), which: fc.nat({ max: ownSchemas.length - 1 }) },
        does: fc.constantFrom('register', 'activate', 'both'),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        ...{ kind: fc.constant('look' as const), who },
        /** Index of a time at which a statement begins or ends, or a time. */
        at: fc.option(fc.oneof({ weight: 2, arbitrary: fc.nat({ max: 30 }) }, { weight: 1, arbitrary: time }), {
          nil: undefined,
        }),
        /** Index of the time of an earlier operation, or a time. */
        knownAt: fc.option(
          fc.oneof({ weight: 5, arbitrary: fc.nat({ max: 30 }) }, { weight: 1, arbitrary: nearTime }),
          { nil: undefined },
        ),
      }),
    },
  ),
});
export type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

export type OperationOf<Kind> = Extract<Operation['what'], { readonly kind: Kind }>;

export const history = fc.array(operation, { minLength: 3, maxLength: 16 });
