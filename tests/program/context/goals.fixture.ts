import { expect } from 'vitest';
import { type Json, md } from '../notebooks/notebook-program.ts';
import {
  companiesOf,
  type Entities,
  type Entity,
  type FoundDocs,
  type FoundTools,
  fact,
  fieldWith,
  type Goal,
  type Hits,
  type PadRead,
  pad,
  type Recalled,
  type Remembered,
  type Rules,
  readPad,
  rule,
  rulesIn,
} from './goal.fixture.ts';

const goal = <T>(one: Goal<T>): Goal<never> => one;

const rulesAndPreferences = [
  goal<Remembered>({
    words: 'Remember that we deploy on Fridays only after QA.',
    first: ['remember', { text: 'We deploy on Fridays only after QA.' }],
    right: ({ remembered }) =>
      expect(remembered).toMatchObject([{ kind: 'rule', id: expect.stringContaining('proposal:') as string }]),
    judge: async (ask) =>
      expect(JSON.stringify(await ask('instructions_proposals', {}))).toContain('We deploy on Fridays only after QA.'),
  }),
  goal<Rules>({
    words: 'Which rules apply before I touch the migrations?',
    seed: [
      rule('released-migrations', 'Released migrations', 'Never edit a released migration. Add a new one.', {
        requirement: 'mandatory',
        appliesTo: { files: ['migrations/**'] },
      }),
      rule('css-colours', 'Colours in CSS', 'Use the variables for colours.', { appliesTo: { files: ['**/*.css'] } }),
    ],
    first: ['instructions_applicable', { task: 'Change the database migrations', files: ['migrations/'] }],
    right: (rules) => {
      expect(rules.items[0]).toMatchObject({ id: 'released-migrations', requirement: 'mandatory' });
      expect(rulesIn(rules).map(({ id }) => id)).not.toContain('css-colours');
    },
  }),
  goal<Remembered>({
    words: 'Remember that I prefer short answers without bullet lists.',
    // The user said the same last week.
    seed: [['remember', { text: 'The user prefers short answers without bullet lists.' }]],
    first: ['remember', { text: 'The user prefers short answers without bullet lists.' }],
    right: (answer) => expect(answer).toMatchObject({ remembered: [{ known: true }] }),
    judge: async (ask) => {
      const found = await ask('recall', { task: 'Write an answer: does the user prefer short answers?' });
      expect(JSON.stringify(found).split('short answers without bullet lists')).toHaveLength(2);
    },
  }),
  goal<FoundTools>({
    words: 'What did the rule about code reviews say before, and who changed it?',
    seed: [
      rule('code-reviews', 'Code reviews', 'Every change needs one review.'),
      rule('code-reviews', 'Code reviews', 'Every change needs two reviews.', { overwrite: true }),
    ],
    first: ['tools_find', { query: 'history of a rule' }],
    right: ({ tools }) => expect(tools[0]!.name).toBe('instructions_history'),
    pursue: async (_, ask) => {
      const rules = rulesIn(await ask<Rules>('instructions_applicable', { task: 'code review' }));
      const { id } = rules.find(({ body }) => body.includes('reviews'))!;
      const versions = await ask('tools_call', { name: 'instructions_history', arguments: { id } });
      expect(versions).toMatchObject({ versions: [{ by: 'local', what: 'update' }, { what: 'create' }] });
      const { tools } = await ask<FoundTools>('tools_find', { query: 'compare two versions of a rule' });
      const [{ name } = { name: '' }] = tools;
      const difference = await ask('tools_call', { name, arguments: { id, from: 1, to: 2 } });
      expect(JSON.stringify(difference)).toMatch(/one review.*two reviews/);
    },
  }),
  goal<FoundTools>({
    words: 'Export all our rules so that I can commit them.',
    seed: [rule('small-functions', 'Small functions', 'A function does one thing.')],
    first: ['tools_find', { query: 'export all rules' }],
    right: ({ tools }) => expect(tools[0]!.name).toMatch(/^instructions_export/),
    pursue: async ({ tools }, ask) => {
      const text = JSON.stringify(await ask('tools_call', { name: tools[0]!.name, arguments: {} }));
      for (const part of ['A function does one thing.', 'Add a new one.']) expect(text).toContain(part);
    },
  }),
  goal<Rules>({
    words: 'We do not use tabs any more. Drop the rule about tabs.',
    seed: [
      rule('tabs', 'Tabs', 'Indent code with tabs.'),
      rule('line-length', 'Line length', 'A line has at most 120 characters.'),
    ],
    first: ['instructions_applicable', { task: 'Indent code with tabs' }],
    right: (rules) => expect(rulesIn(rules)[0]).toMatchObject({ body: 'Indent code with tabs.' }),
    pursue: async (rules, ask) => {
      const id = `rule:${rulesIn(rules)[0]!.id}`;
      // The agent may not change rules, so a person decides.
      expect(await ask('forget', { id, reason: 'We do not use tabs any more' })).toMatchObject({
        forgotten: false,
        how: expect.stringContaining('instructions approve') as string,
      });
    },
    judge: async (ask) => {
      const proposals = JSON.stringify(await ask('instructions_proposals', {}));
      expect(proposals).toContain('"tabs"');
      expect(proposals).not.toContain('line-length');
    },
  }),
];

const notes = [
  goal<Hits>({
    words: 'What did I note about the cache bug?',
    seed: [
      pad(
        'debug-log',
        'Debug log',
        'Slow start: the index is read twice.',
        'Cache bug: stale entries, because the tenant is missing in the key of the cache.',
      ),
      pad('offsite', 'Ideas for the offsite', 'A day at the lake.'),
    ],
    first: ['scratch_search', { query: 'cache bug' }],
    right: ({ hits }) => expect(hits[0]).toMatchObject({ scratch_id: 'debug-log' }),
    pursue: async ({ hits }, ask) => {
      const texts = await readPad(ask, hits[0]!.scratch_id);
      expect(texts.join('\n')).toContain('the tenant is missing in the key of the cache');
    },
  }),
  goal<Remembered>({
    words: 'Undo that.',
    before: ['remember', { text: 'The office plants are watered on Mondays.' }],
    first: ({ remembered }: Remembered) => ['forget', { id: remembered[0]!.id, reason: 'The user said: undo that' }],
    right: (answer) => expect(answer).toMatchObject({ forgotten: true }),
    judge: async (ask) => {
      const found = await ask('recall', { task: 'When are the office plants watered?' });
      expect(JSON.stringify(found)).not.toContain('Mondays');
    },
  }),
  goal<Hits>({
    words: 'What is the next open step of our plan to move to Postgres?',
    seed: [
      pad('pg-plan', 'Plan: move to Postgres', 'Step 1 (done): copy the schema.', 'Step 2 (done): copy the rows.'),
      ['scratch_append_cell', { scratch_id: 'pg-plan', cell: md('Step 3 (open): switch the reads.') }],
      ['scratch_append_cell', { scratch_id: 'pg-plan', cell: md('Step 4 (open): switch the writes.') }],
    ],
    first: ['scratch_search', { query: 'plan to move to Postgres, next open step' }],
    right: ({ hits }) => expect(hits[0]).toMatchObject({ scratch_id: 'pg-plan' }),
    pursue: async ({ hits }, ask) => {
      const { scratch_id } = hits.find(({ snippet }) => snippet === 'Plan: move to Postgres')!;
      expect(await readPad(ask, scratch_id)).toContain('Step 3 (open): switch the reads.');
    },
  }),
  goal<Hits>({
    words: 'Tick off step 2 of the release plan: the dump is tested.',
    seed: [pad('release-plan', 'Release plan', '[x] Step 1: freeze', '[ ] Step 2: test the dump', '[ ] Step 3: tag')],
    first: ['scratch_search', { query: 'release plan step 2 dump' }],
    right: ({ hits }) => expect(hits[0]).toMatchObject({ scratch_id: 'release-plan' }),
    pursue: async ({ hits }, ask) => {
      const { scratch_id } = hits[0]!;
      const { scratchpad } = await ask<PadRead>('scratch_read', { scratch_id });
      const { cell_id } = scratchpad.cells.find(({ content }) => content.includes('Step 2'))!;
      const cell = md('[x] Step 2: test the dump (done: the dump is tested)');
      await ask('scratch_replace_cell', { scratch_id, cell_id, cell });
    },
    judge: async (ask) =>
      expect(await readPad(ask, 'release-plan')).toEqual([
        '[x] Step 1: freeze',
        '[x] Step 2: test the dump (done: the dump is tested)',
        '[ ] Step 3: tag',
      ]),
  }),
  goal<Hits>({
    words: 'Delete my pad about the old landing page. … Oh no, I need it back.',
    seed: [pad('old-landing', 'Old landing page', 'Hero text: hello.', 'Footer text: bye.')],
    first: ['scratch_search', { query: 'old landing page' }],
    right: ({ hits }) => expect(hits[0]).toMatchObject({ scratch_id: 'old-landing' }),
    pursue: async ({ hits }, ask) => {
      const { scratch_id } = hits[0]!;
      expect(await ask('forget', { id: `note:${scratch_id}` })).toMatchObject({ forgotten: true });
      await expect(ask('scratch_read', { scratch_id })).rejects.toThrow('NOT_FOUND');
      const { tools } = await ask<FoundTools>('tools_find', { query: 'restore a deleted scratchpad' });
      expect(tools.map(({ name }) => name)).toContain('scratch_restore');
      await ask('tools_call', { name: 'scratch_restore', arguments: { scratch_id } });
    },
    judge: async (ask) => expect(await readPad(ask, 'old-landing')).toEqual(['Hero text: hello.', 'Footer text: bye.']),
  }),
  goal<Hits>({
    words: 'Write into my debug pad for FF-12 that the retry makes the payment twice.',
    seed: [pad('ff-11', 'Debug FF-11', 'The page is empty.'), pad('ff-12', 'Debug FF-12', 'A payment fails at night.')],
    first: ['scratch_search', { query: 'debug FF-12' }],
    right: ({ hits }) => expect(hits[0]).toMatchObject({ scratch_id: 'ff-12' }),
    pursue: async ({ hits }, ask) => {
      const cell = md('The retry makes the payment twice.');
      await ask('scratch_append_cell', { scratch_id: hits[0]!.scratch_id, cell });
    },
    judge: async (ask) => {
      expect(await readPad(ask, 'ff-12')).toEqual(['A payment fails at night.', 'The retry makes the payment twice.']);
      expect(await readPad(ask, 'ff-11')).toEqual(['The page is empty.']);
    },
  }),
];

const facts = [
  goal<Entities>({
    words: 'When did the amount of invoice I-7 change, and why?',
    seed: [
      fact('invoice', 'I-7', { amount: 1200 }, { effective_at: '2026-10-02', source: 'mail of 2 October' }),
      fact('invoice', 'I-7', { amount: 1350 }, { effective_at: '2026-10-20', source: 'mail: freight was added' }),
    ],
    first: ['retrieve_entities', { query: 'invoice I-7' }],
    right: ({ entities }) => expect(entities[0]).toMatchObject({ snapshot: { amount: 1350 } }),
    pursue: async ({ entities }, ask) => {
      const question = { entity_id: entities[0]!.entity_id, field: 'amount' };
      expect(await ask('get_field_history', question)).toMatchObject({
        history: [
          { value: 1350, effective_at: '2026-10-20' },
          { value: 1200, effective_at: '2026-10-02' },
        ],
      });
      const { source_refs } = await ask('get_field_provenance', question);
      expect(source_refs).toMatchObject([{ ref: 'mail: freight was added' }]);
    },
  }),
  goal<Entity>({
    words: 'Ana Ruiz left Northwind in June. She is CTO at Contoso now.',
    seed: [
      [
        'store_fact',
        {
          subject: { type: 'person', name: 'Ana Ruiz' },
          fields: { job_title: 'engineer' },
          relations: [{ type: 'WORKS_AT', to: { type: 'company', name: 'Northwind' } }],
          effective_at: '2024-01',
        },
      ],
    ],
    first: [
      'store_fact',
      {
        subject: { type: 'person', name: 'Ana Ruiz' },
        fields: { job_title: 'CTO' },
        relations: [
          { type: 'WORKS_AT', to: { type: 'company', name: 'Contoso' } },
          { type: 'WORKS_AT', to: { type: 'company', name: 'Northwind' }, effective_until: '2026-06' },
        ],
        effective_at: '2026-06',
        source: 'user',
      },
    ],
    right: (answer) => expect(answer).toMatchObject({ changes: [{ before: 'engineer', after: 'CTO' }] }),
    pursue: async ({ entity_id }, ask) => {
      const now = await ask<Entity>('get_entity_snapshot', { entity_id, include_relations: true });
      expect([now.snapshot['job_title'], ...companiesOf(now)]).toEqual(['CTO', 'contoso']);
      const then = await ask<Entity>('get_entity_snapshot', { entity_id, at: '2025-03', include_relations: true });
      expect([then.snapshot['job_title'], ...companiesOf(then)]).toEqual(['engineer', 'northwind']);
    },
  }),
  goal<Entities>({
    words: 'Where did Ben Okafor live in spring 2025?',
    seed: [
      fact('person', 'Ben Okafor', { city: 'Oslo' }, { effective_at: '2023' }),
      fact('person', 'Ben Okafor', { city: 'Porto' }, { effective_at: '2025-09' }),
    ],
    first: ['retrieve_entities', { query: 'Ben Okafor', at: '2025-04' }],
    right: ({ entities }) => expect(entities[0]).toMatchObject({ snapshot: { city: 'Oslo' } }),
  }),
  goal<Entities>({
    words: "No, Fabrikam's office is in Lyon, not in Paris. Correct it.",
    seed: [fact('company', 'Fabrikam', { office_city: 'Paris' }, { source: 'old web page' })],
    first: ['retrieve_entities', { query: 'Fabrikam office' }],
    right: ({ entities }) => expect(entities[0]).toMatchObject({ canonical_name: 'fabrikam' }),
    pursue: async ({ entities }, ask) => {
      const { entity_id } = entities[0]!;
      const fields = { [fieldWith(entities[0]!, 'Paris')!]: 'Lyon' };
      const { changes } = await ask('store_fact', { entity_id, fields, source: 'user correction' });
      expect(changes).toEqual([{ field: 'office_city', before: 'Paris', after: 'Lyon' }]);
    },
    judge: async (ask) => {
      const { entities } = await ask<Entities>('retrieve_entities', { query: 'Fabrikam', entity_type: 'company' });
      const found = entities.filter(({ canonical_name }) => canonical_name.includes('fabrikam'));
      expect(found).toMatchObject([{ snapshot: { office_city: 'Lyon' } }]);
    },
  }),
  goal<FoundTools>({
    words: "'Acme Inc.' and 'Acme Trading Company' are the same company. Put them together.",
    seed: [
      fact('company', 'Acme Inc.', { phone: '+1 555 0100' }),
      fact('company', 'Acme Trading Company', { website: 'acme.example' }),
    ],
    first: ['tools_find', { query: 'merge duplicate entities' }],
    right: ({ tools }) => expect(tools.map(({ name }) => name)).toContain('merge_entities'),
    pursue: async (_, ask) => {
      const { entities } = await ask<Entities>('retrieve_entities', { query: 'Acme', entity_type: 'company' });
      const [target_entity_id, source_entity_id] = entities.map(({ entity_id }) => entity_id);
      await ask('tools_call', { name: 'merge_entities', arguments: { source_entity_id, target_entity_id } });
    },
    judge: async (ask) => {
      const { entities } = await ask<Entities>('retrieve_entities', { query: 'Acme', entity_type: 'company' });
      expect(entities).toMatchObject([{ snapshot: { phone: '+1 555 0100', website: 'acme.example' } }]);
    },
  }),
  goal<Entities>({
    words: 'Two mails name different due dates for invoice I-9. Which one do we use, and who says the other?',
    seed: [
      fact('invoice', 'I-9', { due_date: '2026-12-01' }, { source: 'mail of the accountant' }),
      fact('invoice', 'I-9', { due_date: '2026-12-15' }, { source: 'mail of the supplier' }),
    ],
    first: ['retrieve_entities', { query: 'invoice I-9' }],
    right: ({ entities }) => expect(entities[0]).toMatchObject({ snapshot: { due_date: '2026-12-15' } }),
    pursue: async ({ entities }, ask) => {
      const question = { entity_id: entities[0]!.entity_id, field: 'due_date' };
      const { history } = await ask<{ readonly history: readonly Json[] }>('get_field_history', question);
      expect(history).toMatchObject([
        { value: '2026-12-15', wins: true },
        { value: '2026-12-01', wins: false },
      ]);
      const used = await ask('get_field_provenance', question);
      expect(used['source_refs']).toMatchObject([{ ref: 'mail of the supplier' }]);
      const other = await ask('get_field_provenance', { ...question, as_known_at: history[1]!['created_at'] });
      expect(other['source_refs']).toMatchObject([{ ref: 'mail of the accountant' }]);
    },
  }),
  goal<Entities>({
    words: 'How do you know that the Pro plan costs 49 euros?',
    seed: [fact('product', 'Pro plan', { price: 49, currency: 'EUR' }, { source: 'price list of March' })],
    first: ['retrieve_entities', { query: 'Pro plan price' }],
    right: ({ entities }) => expect(entities[0]).toMatchObject({ canonical_name: 'pro plan' }),
    pursue: async ({ entities }, ask) => {
      const question = { entity_id: entities[0]!.entity_id, field: fieldWith(entities[0]!, 49) };
      const { source_refs } = await ask('get_field_provenance', question);
      expect(source_refs).toMatchObject([{ ref: 'price list of March' }]);
    },
  }),
  goal<Entities>({
    words: 'Which tasks are still open?',
    seed: [
      fact('task', 'Renew the domain', { status: 'open' }),
      fact('task', 'Send the offer', { status: 'open' }),
      fact('task', 'Book the room', { status: 'done' }),
    ],
    first: ['retrieve_entities', { entity_type: 'task', fields: { status: 'open' } }],
    right: ({ entities }) => {
      const names = entities.map(({ canonical_name }) => canonical_name);
      expect(names.toSorted()).toEqual(['renew the domain', 'send the offer']);
    },
  }),
  goal<FoundTools>({
    words: 'Connect my bank so that payments come in by themselves.',
    first: ['tools_find', { query: 'connect a bank' }],
    right: ({ tools }) => expect(tools[0]!.name).toBe('plaid_create_link_token'),
    // No bank service is configured: the error names all settings that a person has to make.
    pursue: async ({ tools }, ask) =>
      expect(ask('tools_call', { name: tools[0]!.name, arguments: {} })).rejects.toThrow(/plaidClientId.*plaidSecret/),
  }),
];

const docs = [
  goal<FoundDocs>({
    words: 'How do I run a hook for all methods of a Feathers service?',
    first: ['search_docs', { query: 'run a hook for all methods of a service' }],
    right: ({ results }) => expect(results[0]!.id).toContain('v5/hooks'),
    pursue: async ({ results }, ask) => {
      const { id } = results.find(({ snippet }) => snippet.includes('all: ['))!;
      const { text } = await ask('knowledge_read', { id });
      expect(text).toMatch(/(?:around|before): \{ all: \[/);
    },
  }),
  goal<FoundDocs>({
    words: 'What changed for authentication between Feathers 4 and 5?',
    first: ['search_docs', { query: 'authentication changes migrating from v4 to v5', version: 'both' }],
    right: ({ results }) => expect(results[0]).toMatchObject({ version: 'v5' }),
    pursue: async ({ results }, ask) => {
      const texts = [];
      for (const { id } of results.slice(0, 2)) texts.push((await ask('knowledge_read', { id }))['text']);
      expect(texts.join('\n')).toMatch(/v4.*v5/s);
      expect(texts.join('\n')).toContain('@feathersjs/authentication-local');
    },
  }),
];

const unrelated = Array.from({ length: 15 }, (_, i) => [
  pad(`meeting-${i}`, `Meeting ${i}`, `Meeting ${i}: we talked about the budget of quarter ${i}.`),
  fact('customer', `Customer ${i}`, { city: `City ${i}` }),
]).flat();

const severalMemories = [
  goal<Remembered>({
    words:
      "Remember three things: Bob Lindqvist's phone is 555-0199, always squash commits, and I still have to look at the flaky login test.",
    first: [
      'remember',
      {
        items: [
          {
            text: "Bob Lindqvist's phone is 555-0199.",
            kind: 'fact',
            about: { type: 'person', name: 'Bob Lindqvist' },
          },
          { text: 'Always squash commits.', kind: 'rule' },
          { text: 'Still to do: look at the flaky login test.', kind: 'note' },
        ],
      },
    ],
    right: ({ remembered, failed }) => {
      expect(failed).toBeUndefined();
      expect(remembered.map(({ kind }) => kind)).toEqual(['fact', 'rule', 'note']);
    },
    judge: async (ask) => {
      const bob = await ask('retrieve_entities', { query: 'phone of Bob Lindqvist' });
      expect(JSON.stringify(bob)).toContain('555-0199');
      expect(JSON.stringify(await ask('instructions_proposals', {}))).toContain('Always squash commits.');
      expect(JSON.stringify(await ask('scratch_search', { query: 'flaky login test' }))).toContain('Still to do');
    },
  }),
  goal<Readonly<Record<'rules' | 'facts' | 'notes', readonly Json[]>>>({
    words: 'I am going to fix the login form in src/auth/login.ts. What should I know?',
    seed: [
      rule('no-passwords-in-logs', 'No passwords in logs', 'Never log a password.', {
        requirement: 'mandatory',
        appliesTo: { files: ['src/auth/**'] },
      }),
      fact('service', 'login form', { owner: 'Mira' }),
      pad('login-notes', 'Login', 'The login form submits twice when Enter is pressed.'),
      ...unrelated,
    ],
    first: ['recall', { task: 'Fix the login form', files: ['src/auth/login.ts'] }],
    right: (answer) => {
      expect(answer.rules[0]).toMatchObject({ requirement: 'mandatory', body: 'Never log a password.' });
      expect(answer.facts[0]).toMatchObject({ fields: { owner: 'Mira' } });
      expect(answer.notes[0]).toMatchObject({ text: 'The login form submits twice when Enter is pressed.' });
      expect(JSON.stringify(answer)).not.toContain('budget of quarter');
    },
  }),
];

const runbook = 'Check the replica, then switch the reads. Write down what you did.\n'.repeat(150);

const remembered = [
  goal<Recalled>({
    words: 'Why is the test machine full every weekend?',
    seed: [['remember', { text: 'The staging server runs out of disk space on Sundays: nightly backups.' }]],
    first: ['recall', { task: 'why is the test machine full every weekend?' }],
    right: ({ notes: found = [] }) => expect(found[0]!.text).toContain('nightly backups'),
  }),
  goal<Recalled>({
    words: 'Wie möchte Herr Müller seine Rechnungen bekommen?',
    seed: [['remember', { text: 'Kunde Müller will die Rechnung künftig per E-Mail erhalten.' }]],
    first: ['recall', { task: 'Wie möchte Herr Müller seine Rechnungen bekommen?' }],
    right: ({ notes: found = [] }) => expect(found[0]!.text).toContain('per E-Mail'),
  }),
  goal<Recalled>({
    words: '田中さんとの会議はいつですか',
    seed: [['remember', { text: '来週の火曜日に田中さんと打ち合わせがあります。' }]],
    first: ['recall', { task: '田中さんとの会議はいつですか' }],
    right: ({ notes: found = [] }) => expect(found[0]!.text).toContain('火曜日'),
  }),
  goal<Recalled>({
    words: 'What is the emergency number of the recovery team?',
    seed: [['remember', { text: `${runbook}The emergency number of the recovery team is 0800-1234.` }]],
    first: ['recall', { task: 'What is the emergency number of the recovery team?' }],
    right: ({ notes: found = [] }) => expect(found[0]!.text).toContain('0800-1234'),
  }),
  goal<Recalled>({
    words: 'How fast does Wayne Tools deliver?',
    // The second statement replaces the first, although both are kept.
    seed: [
      ['remember', { text: 'Wayne Tools delivers within 30 days', about: 'Wayne Tools', effective_at: '2026-03' }],
      ['remember', { text: 'Wayne Tools delivers within 5 days', about: 'Wayne Tools', source: 'new contract' }],
    ],
    first: ['recall', { task: 'How fast does Wayne Tools deliver?' }],
    right: ({ facts: found = [] }) => {
      expect(found[0]).toMatchObject({ source: 'new contract' });
      expect((found[0]!.fields['remembered'] as readonly string[])[0]).toContain('5 days');
    },
  }),
  goal<Recalled>({
    words: 'And in spring?',
    first: ['recall', { task: 'How fast did Wayne Tools deliver?', at: '2026-04', memories: ['truth'] }],
    right: ({ facts: found = [] }) => {
      expect(found[0]).toMatchObject({
        source: 'local',
        fields: { remembered: ['Wayne Tools delivers within 30 days'] },
      });
    },
  }),
  goal<Json>({
    words: 'Remember that the password of the guest network is blue-Fish-77.',
    first: ['remember', { text: 'The password of the guest network is blue-Fish-77', about: 'guest network' }],
    right: ({ remembered: kept }) => {
      const warning = expect.stringContaining('secret manager') as string;
      expect(kept).toMatchObject([{ kind: 'fact', warning }]);
    },
  }),
  goal<Json>({
    words: 'I have just overwritten my packing list. Bring the old one back!',
    seed: [pad('packing-list', 'Packing list', 'tent', 'stove')],
    before: ['scratch_create', { scratch_id: 'packing-list', cells: [md('nothing yet')] }],
    first: ({ restore }: Json) => {
      const { tool, arguments: args } = restore as { readonly tool: string; readonly arguments: Json };
      return ['tools_call', { name: tool, arguments: args }];
    },
    right: (answer) => expect(answer).toMatchObject({ ok: true }),
    judge: async (ask) => expect(await readPad(ask, 'packing-list')).toEqual(['tent', 'stove']),
  }),
  goal<{ readonly rows: readonly Json[] }>({
    words: 'What changed since yesterday?',
    first: () => {
      const yesterday = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);
      return ['tools_call', { name: 'audit_list', arguments: { from: yesterday } }];
    },
    right: ({ rows }) => expect(rows[0]).toMatchObject({ memory: expect.any(String) as string, actorName: 'local' }),
  }),
];

const aDayOfWork = [
  goal<Remembered>({
    words: 'In packages/billing, never round before the end of the calculation.',
    first: ['remember', { text: 'In packages/billing, never round before the end of the calculation.' }],
    right: ({ remembered: kept }) => expect(kept).toMatchObject([{ kind: 'rule' }]),
    judge: async (ask) => {
      const { items } = await ask<{ items: readonly Json[] }>('instructions_proposals', { query: 'calculation' });
      expect(items).toMatchObject([{ changes: { appliesTo: { after: { files: ['packages/billing/**'] } } } }]);
    },
  }),
  goal<Remembered>({
    words: 'Merke dir: Rechnungen an die Stadtwerke gehen per Post.',
    first: ['remember', { text: 'Merke dir: Rechnungen an die Stadtwerke gehen per Post.' }],
    right: ({ remembered: kept }) => expect(kept).toMatchObject([{ kind: 'note' }]),
    judge: async (ask) => {
      const { notes: found = [] } = await ask<Recalled>('recall', { task: 'Wie gehen Rechnungen an die Stadtwerke?' });
      expect(found[0]).toMatchObject({ text: 'Rechnungen an die Stadtwerke gehen per Post.' });
    },
  }),
  goal<Recalled>({
    words: 'Renew the certificate of the mail gateway.',
    seed: [
      fact('certificate', 'mail gateway', { expires: '2026-12-01', issuer: 'Internal CA' }),
      ...['Ann', 'Ben', 'Cid', 'Dee'].map((name) =>
        fact('person', `${name} Miller`, { mail_address: `${name}@x.example` }),
      ),
    ],
    first: ['recall', { task: 'renew the certificate of the mail gateway', memories: ['truth'] }],
    right: ({ facts: found = [] }) => {
      expect(found[0]).toMatchObject({ name: 'mail gateway', fields: { issuer: 'Internal CA' } });
      // A word of a field's name alone is not what the task is about.
      expect(JSON.stringify(found)).not.toContain('x.example');
    },
  }),
];

export const goals: readonly Goal<never>[] = [
  ...rulesAndPreferences,
  ...notes,
  ...facts,
  ...docs,
  ...severalMemories,
  ...remembered,
  ...aDayOfWork,
];
