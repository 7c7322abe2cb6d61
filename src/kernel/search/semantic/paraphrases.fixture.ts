import { judgedDocuments } from '../judged-queries.fixture.ts';

/** More documents than the keyword index is judged by, some of which are similar in meaning only. */
export const paraphrasedDocuments = [
  ...judgedDocuments,
  ...(
    [
      [
        'note-heating',
        'Boiler in the east wing',
        'The radiators stay cold in the morning. The plumber comes on Thursday.',
      ],
      [
        'note-interview',
        'Candidate talks',
        'Three people applied for the backend role. Ask each about a failure they learned from.',
      ],
      ['rule-vacation', 'Time off', 'Hand in leave two weeks before. Write into the calendar who covers for you.'],
      [
        'receipt-lunch',
        'Receipt of the Italian restaurant',
        'Pasta and water for six guests, 94.20 EUR, client meeting.',
      ],
    ] as const
  ).map(([id, title, body]) => ({ id, fields: { title, body } })),
];

/** Questions as people ask them, mostly in other words than the answer. */
export const paraphrasedQueries: readonly { readonly query: string; readonly wanted: readonly string[] }[] = [
  { query: 'sign in using a third-party account', wanted: ['auth-oauth'] },
  { query: 'what to do when credentials were exposed publicly', wanted: ['rule-secrets'] },
  { query: 'undo a bad release', wanted: ['rule-deploy'] },
  { query: 'first week of a new colleague', wanted: ['note-onboarding'] },
  { query: 'split a long list of results into smaller chunks', wanted: ['pagination'] },
  { query: 'push live updates to browsers', wanted: ['channels', 'sockets'] },
  { query: 'changing the table structure safely', wanted: ['rule-migrations', 'knex'] },
  { query: 'money transfers were blocked', wanted: ['note-incident'] },
  { query: 'how should I call my variables and modules', wanted: ['rule-names'] },
  { query: 'cost of our machines in the data centre', wanted: ['invoice-1043', 'contract-hosting'] },
  { query: 'stationery purchase', wanted: ['invoice-1042'] },
  { query: 'railway journey expense', wanted: ['receipt-train'] },
  { query: 'it is freezing in the office', wanted: ['note-heating'] },
  { query: 'hiring an engineer', wanted: ['note-interview'] },
  { query: 'going on holiday', wanted: ['rule-vacation'] },
  { query: 'dinner bill with customers', wanted: ['receipt-lunch'] },
  { query: 'check user input for correctness before saving', wanted: ['schema', 'hooks-before'] },
  { query: 'run something ahead of every method', wanted: ['hooks-before', 'hooks-overview'] },
  { query: 'document database that is not relational', wanted: ['mongodb'] },
  { query: 'someone else should look at my code before it is merged', wanted: ['rule-review'] },
  { query: 'what went wrong and how to respond to exceptions', wanted: ['rule-errors', 'hooks-error', 'errors'] },
  { query: 'performance problem of lookups', wanted: ['note-latency'] },
  { query: 'scramble the passphrase of a person before it is stored', wanted: ['auth-local', 'resolvers'] },
  { query: 'terminate the agreement with the provider', wanted: ['contract-hosting'] },
];

/** nDCG@10, the first wanted document weighing most. */
export function judge(found: readonly string[], wanted: readonly string[]): number {
  const gain = (id: string) => (wanted.includes(id) ? 2 ** (wanted[0] === id ? 3 : 2) - 1 : 0);
  const sum = (ids: readonly string[]) =>
    ids.slice(0, 10).reduce((total, id, i) => total + gain(id) / Math.log2(i + 2), 0);
  return sum(found) / sum(wanted);
}
