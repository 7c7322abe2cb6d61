import { judgeTask, type RecallTask } from './recall-tasks.ts';

/**
 * Other tasks over the same store, most of them about items that the first ones do not ask for. Written before any of
 * them was asked, after the thresholds of recall were chosen with the first ones; no threshold was chosen with these.
 */
export const freshRecallTasks: readonly RecallTask[] = [
  judgeTask('offer Apple Pay in the checkout', 'web billing', 'note:checkout-apple-pay rule:web-accessibility', {
    files: ['packages/web/src/checkout/apple-pay.tsx'],
    useless: 'fact:tax-office note:pdf-fonts note:sales-discount rule:invoice-numbers',
  }),
  judgeTask('should we go back to the long form of the checkout?', 'web sales', 'note:checkout-abtest', {
    useless: 'note:sales-trade-fair note:checkout-apple-pay note:sales-kassel',
  }),
  judgeTask('do not find belts when somebody searches for a bell', 'search', 'note:search-typos', {
    useless: 'note:search-reindex',
  }),
  judgeTask('some bookings are shown twice in October', 'db api', 'note:db-timezone rule:times-in-utc', {
    useless: 'note:db-pool note:db-backup-test doc:lock-protocol fact:lock-gateway fact:price-service',
  }),
  judgeTask(
    'show a message when the map service cannot be reached',
    'web infra',
    'note:outage-maps rule:web-accessibility rule:web-state',
    { files: ['packages/web/src/stations/map.tsx'], useless: 'note:outage-april note:ci-arm note:db-pool' },
  ),
  judgeTask('customers get no mails since this morning', 'mail infra support', 'note:outage-queue fact:mail-service', {
    useless: 'note:pdf-fonts note:support-flat-tyre note:search-reindex note:ci-arm note:db-backup-test',
  }),
  judgeTask('a customer asks on Sunday for a copy of an invoice', 'support billing', 'note:support-hours', {
    useless: 'note:pdf-fonts note:support-flat-tyre fact:bank note:sales-discount note:checkout-vouchers',
  }),
  judgeTask('rewrite the macros of the support', 'support', 'note:support-macros rule:answer-in-their-language', {
    useless: 'note:support-flat-tyre fact:camping-waldhof fact:insurance',
  }),
  judgeTask('get rid of old batteries', 'suppliers', 'note:supplier-batteries fact:ampera', {
    useless: 'note:supplier-brakes note:supplier-delay fact:corvo fact:velotech',
  }),
  judgeTask('advertise the position of a backend developer', 'people', 'note:hiring-backend rule:interviews', {
    useless: 'fact:mira fact:elif note:onboarding-laptop',
  }),
  judgeTask('who waters the plants while Mira is on holiday?', 'office people', 'note:office-plants fact:mira', {
    useless: 'note:office-printer note:office-alarm note:hiring-mechanic',
  }),
  judgeTask('I want to come to the office at five tomorrow', 'office', 'note:office-alarm', {
    useless: 'note:office-printer note:office-plants',
  }),
  judgeTask('move the builds to ARM runners', 'ci infra', 'note:ci-arm rule:ci-under-ten-minutes fact:pipeline', {
    files: ['.github/workflows/build.yml'],
    useless: 'note:outage-april note:search-reindex note:db-backup-test',
  }),
  judgeTask('pack for the trade fair', 'sales', 'note:sales-trade-fair', {
    useless: 'note:sales-kassel note:sales-discount fact:city-of-kassel',
  }),
  judgeTask('add a link to unsubscribe to the newsletter', 'mail legal', 'note:mail-unsubscribe rule:mail-templates', {
    files: ['packages/mail/src/newsletter.tsx'],
    useless: 'note:outage-queue note:pdf-fonts fact:insurance note:gdpr-export',
  }),
  judgeTask('tell customers about the new terms', 'legal sales mail', 'note:terms-change', {
    useless: 'note:sales-trade-fair note:pdf-fonts fact:insurance note:gdpr-export rule:supplier-contracts',
  }),
  judgeTask('when does the season of the camping site begin?', 'sales support', 'fact:camping-waldhof', {
    useless: 'note:sales-trade-fair note:support-macros note:sales-discount',
  }),
  judgeTask('create the file for the direct debits', 'billing', 'fact:bank rule:money-in-cents', {
    useless: 'fact:tax-office note:pdf-fonts note:checkout-apple-pay',
  }),
  judgeTask('the prices in the shop are old for some minutes after a change', 'api billing', 'fact:price-service', {
    useless: 'note:pdf-fonts fact:bank fact:tax-office doc:lock-protocol',
  }),
  judgeTask('the bundle of the web shop has become too large', 'web', 'fact:web-shop', {
    useless: 'note:checkout-apple-pay note:outage-maps',
  }),
  judgeTask('an alert wakes me every night, silence it', 'infra', 'doc:on-call fact:piotr', {
    useless: 'note:search-reindex note:ci-arm note:db-backup-test',
  }),
  judgeTask('allow customers to change the time of a booking', 'api db', 'doc:bookings-model rule:api-validation', {
    files: ['packages/api/src/routes/change-booking.ts'],
    useless: 'note:db-pool note:db-backup-test doc:lock-protocol fact:lock-gateway',
  }),
  judgeTask('save the search filters of the app on the phone', 'mobile', 'rule:mobile-offline', {
    files: ['packages/mobile/src/filters/store.ts'],
    useless: 'note:mobile-store-review note:mobile-login-loop',
  }),
  judgeTask('take two weeks off in October', 'people', 'rule:holiday-requests', {
    useless: 'note:hiring-backend note:hiring-mechanic fact:elif',
  }),
  judgeTask('sign the contract with Lockwise', 'suppliers legal', 'rule:supplier-contracts fact:lockwise fact:ines', {
    useless: 'note:terms-change note:gdpr-export fact:insurance fact:corvo note:supplier-brakes',
  }),
  judgeTask('how long do you need for the dark theme?', 'web office', 'rule:estimates doc:design-tokens', {
    useless: 'note:office-printer note:office-plants note:office-alarm',
  }),
];
