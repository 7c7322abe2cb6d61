/**
 * Everyday tasks over the store of a small company that rents out and repairs bicycles. Written before its author read how
 * recall chooses, and never used to choose a threshold.
 */

/** What an item is about. An item of an area that a task has nothing to do with is useless for that task. */
export type Area =
  | 'api'
  | 'billing'
  | 'ci'
  | 'db'
  | 'infra'
  | 'legal'
  | 'mail'
  | 'mobile'
  | 'office'
  | 'people'
  | 'release'
  | 'sales'
  | 'search'
  | 'security'
  | 'style'
  | 'suppliers'
  | 'support'
  | 'testing'
  | 'web';

export interface RuleItem {
  readonly id: string;
  readonly areas: readonly Area[];
  readonly title: string;
  readonly body: string;
  readonly requirement: 'mandatory' | 'recommended';
  /** Absent: found by its text alone. */
  readonly appliesTo?: { readonly always: true } | { readonly files: readonly string[] };
}

export interface NoteItem {
  readonly id: string;
  readonly pad: string;
  readonly areas: readonly Area[];
  readonly text: string;
}

export interface FactItem {
  readonly id: string;
  readonly areas: readonly Area[];
  readonly type: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, string | number>>;
}

export interface DocItem {
  readonly id: string;
  readonly areas: readonly Area[];
  readonly path: string;
  readonly content: string;
}

export interface RecallTask {
  readonly task: string;
  readonly files?: readonly string[];
  readonly areas: readonly Area[];
  /** `rule:…`, `note:…`, `fact:…` and `doc:…`. */
  readonly wanted: readonly string[];
  /** Useless although they share an area with the task. */
  readonly useless?: readonly string[];
}

type Words = string;
const areasOf = (words: Words): readonly Area[] => words.split(' ') as readonly Area[];

const always = (
  id: string,
  areas: Words,
  title: string,
  body: string,
  requirement: RuleItem['requirement'] = 'recommended',
): RuleItem => ({ id, areas: areasOf(areas), title, body, requirement, appliesTo: { always: true } });

const forFiles = (
  id: string,
  areas: Words,
  files: Words,
  title: string,
  body: string,
  requirement: RuleItem['requirement'] = 'recommended',
): RuleItem => ({ id, areas: areasOf(areas), title, body, requirement, appliesTo: { files: files.split(' ') } });

const byText = (id: string, areas: Words, title: string, body: string): RuleItem => ({
  ...{ id, areas: areasOf(areas), title, body, requirement: 'recommended' },
});

export const recallRules: readonly RuleItem[] = [
  always(
    'no-secrets',
    'security',
    'No secrets in code, tickets or notes',
    'Never put a password, token or key into code, a ticket or a note. Store it in the vault under team/bikes and name only the path.',
    'mandatory',
  ),
  always(
    'no-personal-data',
    'legal',
    'No personal data in logs and fixtures',
    'Names, addresses, telephone numbers and e-mail addresses of customers must not appear in logs, tickets or test data. Use the generated people from fixtures/people.',
    'mandatory',
  ),
  always(
    'ask-before-deleting',
    'db',
    'Ask before deleting production data',
    'Before anything in production is deleted or overwritten, a person of the platform team agrees in the channel #platform, and a backup younger than one hour exists.',
    'mandatory',
  ),
  always(
    'one-approval',
    'ci',
    'One approval for main',
    'A change reaches main only by a pull request with one approval of somebody who did not write it.',
    'mandatory',
  ),
  always(
    'commit-style',
    'style',
    'Commit messages',
    'Write the subject in the imperative, at most 60 characters, without a full stop. The body says why.',
  ),
  always(
    'small-pull-requests',
    'style',
    'Small pull requests',
    'Keep a pull request below 400 changed lines. Move renames and formatting into their own.',
  ),
  always(
    'changelog',
    'release style',
    'Changelog',
    'Add a line to CHANGELOG.md for everything that a customer notices.',
  ),
  always('todo-with-ticket', 'style', 'TODO comments', 'A TODO names its ticket: TODO(BIKE-123). Others are removed.'),
  always(
    'named-exports',
    'style',
    'Named exports only',
    'Export by name. Default exports make renames unsafe and searches incomplete.',
  ),
  always(
    'comments-say-why',
    'style',
    'Comments say why',
    'A comment gives the reason, the surprise or the source of a number. It never repeats the code.',
  ),
  always(
    'times-in-utc',
    'style',
    'Times in UTC',
    'Store and compare times in UTC, as ISO 8601 with a zone. Convert to the time zone of the shop only for display.',
  ),
  always(
    'money-in-cents',
    'billing style',
    'Amounts in cents',
    'Amounts are whole cents with a currency code, never floating-point numbers.',
  ),
  always(
    'answer-in-their-language',
    'support',
    'Answer customers in their language',
    'Write to a customer in the language in which the customer wrote, and address them formally in German.',
  ),
  always('plain-words', 'style', 'Plain words', 'Use short sentences and ordinary words in docs and interface texts.'),
  always(
    'meeting-notes',
    'office',
    'Notes of meetings',
    'Notes of a meeting begin with the date and the participants, then the decisions, then who does what by when.',
  ),
  always('estimates', 'office', 'Estimates', 'Give estimates as a range in days and name the largest uncertainty.'),
  forFiles(
    'api-errors',
    'api',
    'packages/api/**',
    'Errors of the API',
    'An error of the API has code, message and hint. Never return a stack trace or the text of a database error.',
  ),
  forFiles(
    'api-pagination',
    'api',
    'packages/api/src/routes/**',
    'Pagination',
    'Every list is paginated with a cursor, 50 items by default and 200 at most. Offsets are not accepted.',
  ),
  forFiles(
    'api-validation',
    'api',
    'packages/api/src/routes/**',
    'Validation',
    'Validate the body of each request with the zod schema next to the route, before anything else.',
  ),
  forFiles(
    'web-accessibility',
    'web',
    'packages/web/**',
    'Accessibility',
    'Every control can be reached with the keyboard and has a label. Colour alone never carries a meaning.',
  ),
  forFiles(
    'web-state',
    'web',
    'packages/web/src/**',
    'State of the web application',
    'Server data lives in the query cache. Do not copy it into local state or a global store.',
  ),
  forFiles(
    'mobile-offline',
    'mobile',
    'packages/mobile/**',
    'Offline first',
    'Every screen of the mobile application must work without a connection: read from the local store and queue writes.',
  ),
  forFiles(
    'migrations-forward',
    'db',
    'db/migrations/**',
    'Migrations go forward',
    'Never edit a migration that was deployed. Add columns as nullable, fill them in a job, and make them required in a later release.',
    'mandatory',
  ),
  forFiles(
    'terraform-plan',
    'infra',
    'infra/**',
    'Terraform',
    'Attach the output of terraform plan to the pull request. Apply runs only in the pipeline.',
  ),
  forFiles(
    'pinned-images',
    'infra ci',
    '**/Dockerfile Dockerfile*',
    'Pinned images',
    'Base images are pinned by digest and updated by the weekly bot.',
  ),
  forFiles(
    'ci-under-ten-minutes',
    'ci',
    '.github/workflows/**',
    'Fast pipelines',
    'A pipeline answers within ten minutes. Cache the package store by the lock file, and split slow suites.',
  ),
  forFiles(
    'mail-templates',
    'mail',
    'packages/mail/**',
    'Templates of mails',
    'Each mail has a text part and a preview of at most 90 characters. Links carry no personal data.',
  ),
  forFiles(
    'tests-without-sleep',
    'testing',
    '**/*.test.ts',
    'Tests do not sleep',
    'A test waits for a condition, never for a time. Clocks and ids are injected.',
  ),
  byText(
    'refund-approval',
    'billing support',
    'Refunds above 200 euros',
    'A refund of more than 200 euros needs a second person from finance. Pay it back by the way the customer paid.',
  ),
  byText(
    'incident-process',
    'infra support',
    'Incidents',
    'Open a channel for each outage, name one leader, post an update every 30 minutes, and write the report within three working days.',
  ),
  byText(
    'deploy-days',
    'release infra',
    'Days of deployments',
    'Deploy from Monday to Thursday before three in the afternoon. On the day before a public holiday only fixes go out.',
  ),
  byText(
    'feature-flags',
    'release',
    'Feature flags',
    'New features start behind a flag that is off. Remove the flag two releases after it is on for all shops.',
  ),
  byText(
    'new-dependencies',
    'security',
    'New dependencies',
    'A new dependency needs a licence check, more than one maintainer and a reason in the pull request.',
  ),
  byText(
    'invoice-numbers',
    'billing legal',
    'Invoice numbers',
    'Invoice numbers are consecutive without gaps for each shop and year. A wrong invoice is cancelled by a credit note, never changed.',
  ),
  byText(
    'data-requests',
    'legal support',
    'Requests for personal data',
    'A request for access to or erasure of personal data is answered within 30 days. Check the identity first and keep a record of the answer.',
  ),
  byText(
    'interviews',
    'people',
    'Interviews',
    'Two people interview each candidate with the same list of questions, and write down their opinion before they talk to each other.',
  ),
  byText(
    'price-changes',
    'sales',
    'Changes of prices',
    'Announce a new price to existing customers 60 days before it applies. Offers that were sent stay valid for their term.',
  ),
  byText(
    'holiday-requests',
    'people',
    'Holidays',
    'Enter holidays in the calendar four weeks before, and agree with the person who stands in for you.',
  ),
  byText(
    'translations',
    'web mobile mail',
    'Translations',
    'Texts of the interface come from the catalogue. Send new keys to the translators on Wednesday; until then English is shown.',
  ),
  byText(
    'supplier-contracts',
    'suppliers legal',
    'Contracts with suppliers',
    'A contract with a supplier runs for at most 24 months and is signed by Ines. Put the date of notice into the calendar.',
  ),
];

const note = (id: string, pad: string, areas: Words, text: string): NoteItem => ({
  ...{ id, pad, areas: areasOf(areas), text },
});

export const recallNotes: readonly NoteItem[] = [
  note(
    'checkout-timeout',
    'checkout',
    'web billing',
    'The payment page times out after 15 minutes because the session of the payment provider ends then. Extending it needs their support, ticket 8841.',
  ),
  note(
    'checkout-vouchers',
    'checkout',
    'web billing',
    'Vouchers cannot be combined with a membership; the total was negative in June when both were accepted.',
  ),
  note(
    'checkout-apple-pay',
    'checkout',
    'web billing',
    'Apple Pay needs the verification file at /.well-known; it was lost with the move to the new host.',
  ),
  note(
    'checkout-abtest',
    'checkout',
    'web sales',
    'The short form of the checkout sold 6 % more in the test of March. Decision: keep it for all shops.',
  ),
  note(
    'search-synonyms',
    'search-rework',
    'search',
    'Customers type "ebike", "e-bike" and "pedelec" for the same thing. The synonym list is in packages/search/synonyms.json.',
  ),
  note(
    'search-ranking',
    'search-rework',
    'search',
    'Bikes that are rented out are ranked below free ones, otherwise people click on what they cannot book.',
  ),
  note(
    'search-reindex',
    'search-rework',
    'search infra',
    'A complete reindex takes 40 minutes and blocks updates of prices. Run it at night.',
  ),
  note(
    'search-typos',
    'search-rework',
    'search',
    'Typo tolerance is off for words below five letters: "bell" found "belt".',
  ),
  note(
    'mobile-login-loop',
    'mobile',
    'mobile security',
    'The login loop on Android 14 came from a cookie with SameSite=Strict. Fixed in 5.2.1 with Lax.',
  ),
  note(
    'mobile-battery',
    'mobile',
    'mobile',
    'The map drains the battery because the position is requested each second; 10 seconds are enough.',
  ),
  note(
    'mobile-store-review',
    'mobile',
    'mobile release',
    'Apple rejected 5.3 because the reason for the camera permission was missing in German. Reviews take two days now.',
  ),
  note(
    'mobile-push',
    'mobile',
    'mobile',
    'Push tokens change after a restore from backup, so register them at every start.',
  ),
  note(
    'db-slow-bookings',
    'database',
    'db api',
    'The list of bookings was slow for big shops because of a missing index on (shop_id, starts_at). Added in migration 118.',
  ),
  note(
    'db-pool',
    'database',
    'db infra',
    'With 40 connections the pool was exhausted on Saturdays at ten. It has 80 now, and the database allows 200.',
  ),
  note(
    'db-timezone',
    'database',
    'db',
    'Bookings of the night of the time change appeared twice, because the column had no zone. All are timestamptz since migration 112.',
  ),
  note(
    'db-backup-test',
    'database',
    'db infra',
    'Restore of the backup was tried on 4 May: 52 minutes for 310 GB. The password of the replica was missing in the vault.',
  ),
  note(
    'outage-april',
    'incidents',
    'infra',
    'Outage of 17 April, 50 minutes: the certificate of the load balancer had expired. Renewal runs weekly now and warns 21 days before.',
  ),
  note(
    'outage-queue',
    'incidents',
    'infra mail',
    'The mail queue stopped on 2 June because one attachment of 30 MB failed again and again. Such mails go to the dead letters after five tries.',
  ),
  note(
    'outage-maps',
    'incidents',
    'infra web',
    'When the map service is down, the shop page must not fail: show the list of stations without a map.',
  ),
  note(
    'refund-double',
    'support',
    'billing support',
    'In May 14 customers were refunded twice, as the button could be clicked again while the first request ran.',
  ),
  note(
    'support-macros',
    'support',
    'support',
    'The macro "lost helmet" still names the old telephone number; use the one on the contact page.',
  ),
  note(
    'support-hours',
    'support',
    'support',
    'On Sundays the hotline is served by the agency in Leipzig, which cannot see invoices.',
  ),
  note(
    'support-flat-tyre',
    'support',
    'support',
    'For a flat tyre on tour we pay a taxi up to 40 euros to the nearest station; the driver gives a receipt.',
  ),
  note(
    'supplier-delay',
    'suppliers',
    'suppliers',
    'Velotech delivers the cargo frames six weeks late. Tom agreed on a discount of 8 % for the batch of July.',
  ),
  note(
    'supplier-brakes',
    'suppliers',
    'suppliers',
    'The brake pads of Corvo squeal in the rain. Workshop orders the ones of Haldane again.',
  ),
  note(
    'supplier-batteries',
    'suppliers',
    'suppliers',
    'Batteries older than four years go back to Ampera, which pays 30 euros each and fetches them on the first Monday.',
  ),
  note(
    'supplier-locks',
    'suppliers',
    'suppliers security',
    'The firmware 2.4 of the smart locks opens them after three wrong codes. Do not roll it out; 2.5 is announced.',
  ),
  note(
    'hiring-mechanic',
    'hiring',
    'people',
    'Second talk with the mechanic Jonas on 12 June; he wants four days a week and can start in August.',
  ),
  note(
    'hiring-backend',
    'hiring',
    'people',
    'The advertisement for the backend position brought 60 applications and three good ones; the agency brought none.',
  ),
  note(
    'onboarding-laptop',
    'hiring',
    'people office',
    'New colleagues wait a week for a laptop; order it when the contract is signed.',
  ),
  note(
    'office-printer',
    'office',
    'office',
    'The printer on the second floor needs the driver from the network share, not the one of Windows.',
  ),
  note(
    'office-plants',
    'office',
    'office',
    'Mira waters the plants; in her holidays it is the turn of the support team.',
  ),
  note(
    'office-alarm',
    'office',
    'office security',
    'The alarm goes off if the back door is opened before six; call the guard service first.',
  ),
  note(
    'ci-flaky-map',
    'pipeline',
    'ci testing',
    'The map test fails about once in 30 runs because tiles are loaded from outside. It should use the recorded tiles.',
  ),
  note(
    'ci-cache-miss',
    'pipeline',
    'ci',
    'The cache of the package store was missed on each run, as the key contained the branch name.',
  ),
  note(
    'ci-arm',
    'pipeline',
    'ci infra',
    'Builds on the ARM runners are 30 % cheaper, but the PDF library has no ARM binary yet.',
  ),
  note(
    'release-notes-tone',
    'releases',
    'release',
    'Shops complained that the release notes are too technical. Anna reads them before they go out.',
  ),
  note(
    'release-rollback',
    'releases',
    'release infra',
    'Rolling back 7.4 took an hour because the migration had dropped a column. Drop columns one release later.',
  ),
  note(
    'sales-kassel',
    'sales',
    'sales',
    'The city of Kassel wants 120 bikes for its staff. Decision by the council on 20 September; contact is Frau Brandt.',
  ),
  note(
    'sales-discount',
    'sales',
    'sales billing',
    'Yearly customers got 15 % in spring. Leave it out of the new offers; finance allows 10 %.',
  ),
  note(
    'sales-trade-fair',
    'sales',
    'sales',
    'Stand 4.12 at the fair is booked. Bring the cargo bike with the rain cover and 300 flyers.',
  ),
  note(
    'mail-spam',
    'mailing',
    'mail',
    'Confirmation mails were put into spam by one provider until DKIM was set for the subdomain.',
  ),
  note(
    'mail-unsubscribe',
    'mailing',
    'mail legal',
    'The link to unsubscribe must work without a login; two complaints in May.',
  ),
  note(
    'pdf-fonts',
    'mailing',
    'billing mail',
    'Invoices in PDF lost the umlauts since the font was subset. Embed it whole.',
  ),
  note(
    'gdpr-export',
    'legal',
    'legal',
    'The export of personal data lacks the history of the locks; Ines wants it in there before the audit in October.',
  ),
  note(
    'terms-change',
    'legal',
    'legal sales',
    'The new terms apply from 1 January. Customers must be told by 1 November, with a right to object.',
  ),
];

const fact = (
  id: string,
  areas: Words,
  type: string,
  name: string,
  fields: Readonly<Record<string, string | number>>,
): FactItem => ({ id, areas: areasOf(areas), type, name, fields });

export const recallFacts: readonly FactItem[] = [
  fact('velotech', 'suppliers', 'company', 'Velotech', {
    supplies: 'cargo frames',
    payment_terms: '30 days',
    contact: 'Lars Holm',
  }),
  fact('corvo', 'suppliers', 'company', 'Corvo', { supplies: 'brake pads', rating: 'poor' }),
  fact('haldane', 'suppliers', 'company', 'Haldane', {
    supplies: 'brake pads and chains',
    payment_terms: '14 days',
    discount: '5 %',
  }),
  fact('ampera', 'suppliers', 'company', 'Ampera', {
    supplies: 'batteries',
    contract_until: '2027-03-31',
    notice_period: '3 months',
  }),
  fact('lockwise', 'suppliers security', 'company', 'Lockwise', {
    supplies: 'smart locks',
    support_phone: '030 5550 110',
  }),
  fact('city-of-kassel', 'sales', 'customer', 'City of Kassel', {
    bikes_wanted: 120,
    contact: 'Frau Brandt',
    offer: 'A-2041',
  }),
  fact('hotel-seeblick', 'sales billing', 'customer', 'Hotel Seeblick', {
    bikes: 24,
    plan: 'yearly',
    billing_day: 15,
    discount: '10 %',
  }),
  fact('uni-marburg', 'sales billing', 'customer', 'University of Marburg', {
    bikes: 310,
    plan: 'monthly',
    invoice_email: 'by e-invoice only',
    cost_centre: 'required',
  }),
  fact('camping-waldhof', 'sales support', 'customer', 'Camping Waldhof', {
    bikes: 40,
    season: 'April to October',
    station_code: 'WH-7',
  }),
  fact('messe-express', 'sales billing', 'customer', 'Messe Express', {
    plan: 'cancelled',
    cancelled_at: '2026-02-28',
    open_amount: '0',
  }),
  fact('payone', 'billing web', 'service', 'PayNova', {
    used_for: 'card payments',
    session_minutes: 15,
    support: 'ticket system only',
  }),
  fact('bank', 'billing', 'company', 'Kreissparkasse', {
    used_for: 'direct debits',
    cut_off: '14:00',
    file_format: 'pain.008',
  }),
  fact('tax-office', 'billing legal', 'company', 'Tax office Kassel', { vat_return_due: 'the 10th of each month' }),
  fact('booking-service', 'api db', 'system', 'booking service', {
    owner: 'Nadia',
    language: 'TypeScript',
    database: 'bookings',
    runs_on: 'cluster blue',
  }),
  fact('price-service', 'api billing', 'system', 'price service', {
    owner: 'Tariq',
    cache_minutes: 5,
    runs_on: 'cluster blue',
  }),
  fact('search-service', 'search infra', 'system', 'search service', {
    owner: 'Mei',
    engine: 'OpenSearch 2.13',
    nodes: 3,
  }),
  fact('lock-gateway', 'api security', 'system', 'lock gateway', { owner: 'Nadia', protocol: 'MQTT', firmware: '2.3' }),
  fact('mail-service', 'mail infra', 'system', 'mail service', {
    owner: 'Piotr',
    provider: 'Mailpost',
    daily_limit: 50000,
  }),
  fact('mobile-app', 'mobile', 'system', 'mobile application', {
    owner: 'Sofia',
    version: '5.3.2',
    min_android: 9,
    min_ios: 15,
  }),
  fact('web-shop', 'web', 'system', 'web shop', { owner: 'Elif', framework: 'React 19', bundle_limit: '250 kB' }),
  fact('main-database', 'db infra', 'system', 'bookings database', {
    engine: 'PostgreSQL 16',
    size: '310 GB',
    replicas: 2,
    maintenance_window: 'Tuesday 03:00',
  }),
  fact('pipeline', 'ci', 'system', 'build pipeline', { owner: 'Piotr', runners: 8, average_minutes: 9 }),
  fact('nadia', 'api people', 'person', 'Nadia Haddad', {
    role: 'backend lead',
    works: 'Monday to Thursday',
    stand_in: 'Tariq',
  }),
  fact('tariq', 'billing people', 'person', 'Tariq Aziz', {
    role: 'engineer for prices and invoices',
    on_holiday_until: '2026-08-14',
  }),
  fact('sofia', 'mobile people', 'person', 'Sofia Lindqvist', {
    role: 'mobile developer',
    time_zone: 'Europe/Stockholm',
  }),
  fact('ines', 'legal people', 'person', 'Ines Keller', {
    role: 'managing director and data protection officer',
    signs: 'all contracts',
  }),
  fact('piotr', 'infra ci people', 'person', 'Piotr Nowak', { role: 'platform engineer', on_call: 'odd weeks' }),
  fact('mira', 'office people', 'person', 'Mira Schulz', { role: 'office manager', orders: 'laptops and furniture' }),
  fact('elif', 'web people', 'person', 'Elif Demir', { role: 'frontend developer', birthday: '9 May' }),
  fact('shop-kassel', 'support', 'shop', 'Shop Kassel', {
    opening_hours: '9 to 19',
    phone: '0561 5550 20',
    manager: 'Tom',
  }),
  fact('shop-goettingen', 'support', 'shop', 'Shop Göttingen', {
    opening_hours: '10 to 18',
    phone: '0551 5550 31',
    workshop: 'closed on Wednesdays',
  }),
  fact('insurance', 'legal support', 'company', 'Rheinland Insurance', {
    covers: 'theft with a closed lock',
    excess: '150 euros',
    claim_within: '7 days',
  }),
  fact('release-7-5', 'release', 'release', 'Release 7.5', {
    planned_for: '2026-09-03',
    manager: 'Anna',
    freeze: '2026-08-31',
  }),
];

const page = (id: string, areas: Words, title: string, ...paragraphs: readonly string[]): DocItem => ({
  ...{ id, areas: areasOf(areas), path: `${id}.md`, content: `# ${title}\n\n${paragraphs.join('\n\n')}\n` },
});

export const recallDocs: readonly DocItem[] = [
  page(
    'deploying',
    'release infra',
    'How to deploy',
    'Merge to main builds an image. Start the workflow "deploy" with the tag of the image; it goes to staging, runs the smoke tests and waits for an approval.',
    'To roll back, start the same workflow with the former tag. Migrations are not undone.',
  ),
  page(
    'on-call',
    'infra',
    'On call',
    'The person on call answers within 15 minutes. Escalate to the platform lead after 30 minutes.',
    'Dashboards are under Grafana, folder Bikes. Silence an alert for two hours at most.',
  ),
  page(
    'api-authentication',
    'api security',
    'Authentication of the API',
    'Clients send a bearer token of the identity service. Tokens live for 20 minutes; refresh tokens for 30 days and are rotated at each use.',
    'Machines use client credentials with the scope bikes.machine.',
  ),
  page(
    'mobile-builds',
    'mobile release',
    'Builds of the mobile application',
    'Raise the version in app.json, run the workflow "mobile-release", and upload the symbols. The build for testers is ready after 25 minutes.',
  ),
  page(
    'bookings-model',
    'db api',
    'The model of bookings',
    'A booking has a shop, a bike, a customer, a start and an end. States: requested, confirmed, running, returned, cancelled.',
    'A cancelled booking keeps its row; a new one is created when the customer books again.',
  ),
  page(
    'design-tokens',
    'web',
    'Design tokens',
    'Colours, distances and fonts are tokens in packages/web/tokens.json. Use tokens, never literal values. The dark theme overrides them.',
  ),
  page(
    'lock-protocol',
    'api security',
    'Protocol of the locks',
    'A lock publishes its state every 60 seconds to locks/<id>/state. To open it, publish a signed command to locks/<id>/cmd; it expires after 20 seconds.',
  ),
  page(
    'test-data',
    'testing',
    'Test data',
    'fixtures/people generates names and addresses that do not exist. fixtures/shops has three shops: small, large and closed.',
  ),
];

interface TaskParts {
  readonly files?: readonly string[];
  readonly useless?: Words;
}

export const judgeTask = (
  words: string,
  areas: Words,
  wanted: Words,
  { files, useless }: TaskParts = {},
): RecallTask => ({
  task: words,
  // How code is written concerns everybody who changes a file.
  areas: [...areasOf(areas), ...(files ? (['style'] as const) : [])],
  wanted: wanted === '' ? [] : wanted.split(' '),
  ...(files && { files }),
  ...(useless !== undefined && { useless: useless.split(' ') }),
});

export const recallTasks: readonly RecallTask[] = [
  // Code
  judgeTask(
    'add an endpoint that lists the bookings of a shop',
    'api db',
    'rule:api-errors rule:api-pagination rule:api-validation note:db-slow-bookings fact:booking-service doc:bookings-model',
    { files: ['packages/api/src/routes/bookings.ts'], useless: 'doc:lock-protocol note:db-pool' },
  ),
  judgeTask('return a clear error when a bike is already booked', 'api', 'rule:api-errors rule:api-validation', {
    files: ['packages/api/src/routes/reserve.ts'],
    useless: 'doc:lock-protocol fact:lock-gateway',
  }),
  judgeTask('add a column for the colour of a bike', 'db', 'rule:migrations-forward', {
    files: ['db/migrations/131-bike-colour.sql'],
    useless: 'note:db-backup-test note:db-pool',
  }),
  judgeTask(
    'drop the unused column old_price from the bookings table',
    'db release',
    'rule:migrations-forward rule:ask-before-deleting note:release-rollback',
    { files: ['db/migrations/132-drop-old-price.sql'], useless: 'note:db-timezone note:release-notes-tone' },
  ),
  judgeTask(
    'build the dialog in which a customer redeems a voucher',
    'web billing',
    'rule:web-accessibility rule:web-state note:checkout-vouchers',
    { files: ['packages/web/src/checkout/voucher.tsx'], useless: 'fact:bank fact:tax-office note:pdf-fonts' },
  ),
  judgeTask('change the colours of the buttons in the dark theme', 'web', 'rule:web-accessibility doc:design-tokens', {
    files: ['packages/web/src/theme.css'],
    useless: 'note:checkout-apple-pay note:outage-maps',
  }),
  judgeTask(
    'the payment page says "session expired" although the customer just came back',
    'web billing',
    'note:checkout-timeout fact:payone',
    { useless: 'fact:bank fact:tax-office rule:invoice-numbers note:sales-discount' },
  ),
  judgeTask('show the nearest stations on a map in the app', 'mobile web', 'rule:mobile-offline note:mobile-battery', {
    files: ['packages/mobile/src/map/stations.tsx'],
    useless: 'note:mobile-store-review note:checkout-abtest',
  }),
  judgeTask(
    'users on Android are thrown back to the login screen',
    'mobile security',
    'note:mobile-login-loop fact:mobile-app',
    { useless: 'note:office-alarm note:supplier-locks fact:lockwise' },
  ),
  judgeTask('register for push notifications', 'mobile', 'rule:mobile-offline note:mobile-push', {
    files: ['packages/mobile/src/push.ts'],
    useless: 'note:mobile-store-review',
  }),
  judgeTask(
    'write a test for the refund button',
    'testing billing support',
    'rule:tests-without-sleep note:refund-double',
    {
      files: ['packages/web/src/refund.test.ts'],
      useless: 'fact:bank fact:tax-office note:support-hours note:support-flat-tyre fact:shop-kassel',
    },
  ),
  judgeTask(
    'create test customers with addresses for the integration tests',
    'testing legal',
    'rule:no-personal-data doc:test-data',
    { useless: 'note:terms-change fact:insurance fact:ines rule:supplier-contracts' },
  ),
  judgeTask('make the search find "pedelec" when somebody types "e-bike"', 'search', 'note:search-synonyms', {
    files: ['packages/search/synonyms.json'],
    useless: 'note:search-reindex',
  }),
  judgeTask('tune which bikes come first in the search results', 'search', 'note:search-ranking', {
    useless: 'note:search-reindex',
  }),
  judgeTask(
    'rebuild the search index after the mapping changed',
    'search infra',
    'note:search-reindex fact:search-service',
    { useless: 'note:search-typos note:outage-april note:outage-queue' },
  ),
  judgeTask('add the Stripe SDK as a dependency of the api', 'api security billing', 'rule:new-dependencies', {
    files: ['packages/api/package.json'],
    useless: 'fact:bank fact:tax-office note:office-alarm note:supplier-locks note:pdf-fonts',
  }),
  judgeTask('write the mail that confirms a booking', 'mail', 'rule:mail-templates rule:translations', {
    files: ['packages/mail/src/confirmation.tsx'],
    useless: 'note:outage-queue',
  }),
  judgeTask('our confirmation mails end up in the spam folder', 'mail', 'note:mail-spam fact:mail-service', {
    useless: 'note:pdf-fonts',
  }),
  judgeTask('update the base image of the worker', 'infra ci', 'rule:pinned-images', {
    files: ['services/worker/Dockerfile'],
    useless: 'note:outage-april note:db-backup-test note:search-reindex',
  }),
  judgeTask(
    'the pipeline takes 20 minutes, make it faster',
    'ci',
    'rule:ci-under-ten-minutes note:ci-cache-miss fact:pipeline',
    { files: ['.github/workflows/build.yml'] },
  ),
  judgeTask('a test of the map fails now and then', 'ci testing', 'note:ci-flaky-map', {
    useless: 'note:ci-arm note:ci-cache-miss',
  }),
  judgeTask('give the bookings database another replica', 'infra db', 'rule:terraform-plan fact:main-database', {
    files: ['infra/database.tf'],
    useless: 'note:outage-queue note:search-reindex note:db-timezone',
  }),
  judgeTask('open a lock from the backend', 'api security', 'doc:lock-protocol fact:lock-gateway', {
    useless: 'note:office-alarm',
  }),
  judgeTask(
    'update the firmware of the smart locks',
    'security suppliers',
    'note:supplier-locks fact:lockwise fact:lock-gateway',
    { useless: 'note:supplier-delay note:supplier-brakes note:supplier-batteries fact:corvo fact:velotech' },
  ),
  judgeTask('how long is an access token valid?', 'api security', 'doc:api-authentication', {
    useless: 'fact:price-service note:office-alarm note:supplier-locks',
  }),
  // Release and operation
  judgeTask('deploy the new version tomorrow, which is Friday', 'release infra', 'rule:deploy-days doc:deploying', {
    useless: 'note:outage-queue note:search-reindex note:db-backup-test',
  }),
  judgeTask(
    'the last release is broken, go back to the one before',
    'release infra',
    'doc:deploying note:release-rollback',
    { useless: 'note:db-backup-test note:outage-queue' },
  ),
  judgeTask('write the release notes for 7.5', 'release', 'rule:changelog note:release-notes-tone fact:release-7-5', {
    useless: 'note:mobile-store-review',
  }),
  judgeTask('ship the booking of trailers for two shops only', 'release', 'rule:feature-flags', {
    useless: 'note:mobile-store-review',
  }),
  judgeTask(
    'publish version 5.4 of the app to the stores',
    'mobile release',
    'doc:mobile-builds note:mobile-store-review fact:mobile-app',
    { useless: 'note:mobile-push note:mobile-battery' },
  ),
  judgeTask('the shop is down, what do I have to do?', 'infra support', 'rule:incident-process doc:on-call', {
    useless: 'note:support-macros note:support-flat-tyre note:search-reindex note:ci-arm',
  }),
  judgeTask('the certificate of the load balancer runs out next week', 'infra', 'note:outage-april', {
    useless: 'note:search-reindex note:ci-arm note:outage-queue',
  }),
  judgeTask(
    'on Saturday morning requests fail because there are no database connections left',
    'db infra',
    'note:db-pool fact:main-database',
    { useless: 'note:outage-queue note:search-reindex' },
  ),
  judgeTask('practise restoring the backup', 'db infra', 'note:db-backup-test fact:main-database', {
    useless: 'note:search-reindex note:outage-queue note:ci-arm',
  }),
  // Customers and money
  judgeTask(
    'refund 260 euros to a customer whose tour was rained off',
    'billing support',
    'rule:refund-approval note:refund-double',
    { useless: 'note:pdf-fonts fact:tax-office note:support-macros note:sales-discount' },
  ),
  judgeTask(
    'the amount on the invoice of Hotel Seeblick is wrong, correct it',
    'billing legal',
    'rule:invoice-numbers fact:hotel-seeblick',
    { useless: 'fact:messe-express fact:insurance note:terms-change rule:supplier-contracts' },
  ),
  judgeTask(
    'prepare the invoice for the University of Marburg',
    'billing sales',
    'fact:uni-marburg rule:invoice-numbers',
    {
      useless: 'fact:messe-express fact:city-of-kassel note:sales-trade-fair note:sales-kassel',
    },
  ),
  judgeTask('umlauts are missing in the PDF of the invoice', 'billing mail', 'note:pdf-fonts', {
    useless: 'fact:bank fact:tax-office note:sales-discount',
  }),
  judgeTask(
    'write an offer for the City of Kassel',
    'sales',
    'fact:city-of-kassel note:sales-kassel note:sales-discount',
    {
      useless: 'note:sales-trade-fair fact:messe-express fact:camping-waldhof',
    },
  ),
  judgeTask('raise the monthly price by 4 % from January', 'sales billing', 'rule:price-changes', {
    useless: 'note:sales-trade-fair fact:bank note:pdf-fonts note:sales-kassel',
  }),
  judgeTask(
    'a customer wants to know which data we have about her',
    'legal support',
    'rule:data-requests note:gdpr-export',
    { useless: 'note:support-macros note:support-flat-tyre fact:shop-goettingen rule:supplier-contracts' },
  ),
  judgeTask(
    'answer a guest with a flat tyre who writes in Dutch',
    'support',
    'rule:answer-in-their-language note:support-flat-tyre',
    { useless: 'note:support-macros' },
  ),
  judgeTask('a bike was stolen, report it to the insurance', 'legal support', 'fact:insurance', {
    useless: 'note:gdpr-export note:terms-change note:support-macros rule:supplier-contracts',
  }),
  judgeTask(
    'when is the shop in Göttingen open, and can they repair a bike on Wednesday?',
    'support',
    'fact:shop-goettingen',
    { useless: 'note:support-macros fact:camping-waldhof' },
  ),
  // Suppliers, people, office
  judgeTask('order brake pads for the workshop', 'suppliers', 'note:supplier-brakes fact:haldane', {
    useless: 'note:supplier-batteries note:supplier-locks fact:ampera fact:velotech',
  }),
  judgeTask('cancel the contract with Ampera in time', 'suppliers legal', 'fact:ampera rule:supplier-contracts', {
    useless: 'note:terms-change note:gdpr-export fact:insurance fact:corvo',
  }),
  judgeTask(
    'what did we agree with Velotech about the late frames?',
    'suppliers',
    'note:supplier-delay fact:velotech',
    {
      useless: 'note:supplier-brakes note:supplier-locks fact:corvo',
    },
  ),
  judgeTask('prepare the talk with the mechanic who applied', 'people', 'rule:interviews note:hiring-mechanic', {
    useless: 'fact:elif fact:sofia note:onboarding-laptop',
  }),
  judgeTask(
    'a new developer starts in September, get everything ready',
    'people office',
    'note:onboarding-laptop fact:mira',
    { useless: 'note:office-plants note:office-printer note:office-alarm' },
  ),
  judgeTask(
    'who can review a change of the price calculation while Tariq is away?',
    'billing people api',
    'fact:tariq fact:nadia',
    { useless: 'fact:tax-office fact:bank note:pdf-fonts note:hiring-mechanic note:hiring-backend' },
  ),
  judgeTask('write down what we decided in the planning today', 'office', 'rule:meeting-notes', {
    useless: 'note:office-printer note:office-plants note:office-alarm',
  }),
  judgeTask('the printer does not work', 'office', 'note:office-printer', {
    useless: 'note:office-plants note:office-alarm rule:estimates',
  }),
];

export type RecallMemory = 'rule' | 'fact' | 'note' | 'doc';

/** Every item by its name in the tasks. */
export const recallItems: ReadonlyMap<string, { readonly areas: readonly Area[] }> = new Map(
  (
    [
      ['rule', recallRules],
      ['note', recallNotes],
      ['fact', recallFacts],
      ['doc', recallDocs],
    ] as const
  ).flatMap(([memory, items]) => items.map((item) => [`${memory}:${item.id}`, item] as const)),
);

/** Binding rules without conditions are part of every answer, so they are never called useless. */
const isForEveryTask = (name: string): boolean =>
  recallRules.some(
    ({ id, requirement, appliesTo }) =>
      `rule:${id}` === name && requirement === 'mandatory' && appliesTo !== undefined && 'always' in appliesTo,
  );

/** The items that are clearly useless for a task: of other areas, or named by the task. */
export const uselessFor = ({ areas, wanted, useless = [] }: RecallTask): ReadonlySet<string> =>
  new Set(
    [...recallItems]
      .filter(
        ([name, item]) =>
          !isForEveryTask(name) && !wanted.includes(name) && !item.areas.some((one) => areas.includes(one)),
      )
      .map(([name]) => name)
      .concat(useless),
  );
