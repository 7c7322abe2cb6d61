import { linesOf, parseQuestions, splitOnce } from './judged-lines.ts';

export interface ShortRule {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

const ruleLines = `
branch-names | Branch names | Start with the ticket number and use lower case with hyphens: 1423-fix-login. No personal prefixes.
commit-messages | Commit messages | Imperative mood, at most 72 characters, and a body that gives the reason. Reference the ticket in the last line.
small-pull-requests | Keep pull requests small | Aim for fewer than 400 changed lines. Split refactoring and behaviour into separate pull requests.
review-time | Answer reviews within a day | A colleague who waits for feedback cannot continue. Look at open reviews before you begin your own work.
two-approvals | Two approvals for billing code | Anything below billing/ needs a second pair of eyes from the payments team.
no-friday-deploys | No deployments on Friday afternoon | After 14:00 on Fridays and on the day before a holiday only hotfixes go out.
feature-flags | Ship behind a flag | New user-facing behaviour starts disabled. Remove the flag within two sprints after full rollout.
rollback-first | Roll back before you investigate | If a release raises the error rate, return to the previous version first and look for the cause afterwards.
on-call-handover | On-call handover | On Monday at 10:00 the outgoing engineer explains open alerts to the incoming one in person or by video.
incident-channel | Open an incident channel | For severity one and two, create a channel, name a lead, and post a status every 30 minutes.
postmortem | Write a postmortem without blame | Within five working days. Describe the timeline, the contributing causes and at most five actions with owners.
secrets | Never commit secrets | Keys, tokens and passwords live in the vault. If one was pushed, rotate it immediately; deleting the commit is not enough.
env-files | Environment files | .env is ignored by git. Add every new variable to .env.example with a harmless value.
dependency-updates | Update dependencies weekly | Renovate opens the changes on Mondays. Merge patch versions when the tests pass; majors need a ticket.
new-dependency | Ask before adding a library | Check licence, maintenance and size. Less than 50 lines of our own are better than another package.
license-check | Allowed licences | MIT, BSD, ISC and Apache-2.0. Ask legal before anything under GPL or AGPL gets in.
sql-migrations | Database migrations are additive | Add columns as nullable, backfill in batches, then add the constraint. Drop nothing in the release that stops using it.
no-raw-sql | Parameterised queries only | Never build SQL from strings. Use placeholders, even in scripts and tests.
index-new-queries | Check the query plan | Every new query on a table with more than 100,000 rows needs an EXPLAIN in the description.
transactions-short | Keep transactions short | No network calls and no waiting for users while a transaction is open.
time-utc | Store times in UTC | Convert to the zone of the user only when displaying. Use ISO 8601 in APIs.
money-integers | Money as integers | Store amounts in cents together with the currency code. Never use floating point for prices.
personal-data | Personal data in logs | Names, addresses, emails and card numbers must not appear in logs or error reports. Log the account id instead.
data-retention | Retention | Raw events are deleted after 90 days, invoices after ten years. Nothing is kept just in case.
gdpr-deletion | Requests for erasure | Answer within 30 days. Run the erase job, then confirm to the customer through support.
error-messages | Error messages for users | Say what happened and what to do next. No stack traces, codes in small print, no blame.
http-status | Status codes | 400 for malformed input, 401 without a login, 403 without permission, 404 if it is missing, 409 for conflicts. Never 200 with an error inside.
api-versioning | Do not break clients | Fields may be added at any time. Renaming or removing one requires a new version and six months of notice.
pagination | Page every list | Use cursors, 50 items by default, at most 200. Offsets are not allowed on large tables.
idempotency | Retries must be safe | Every POST that creates or charges something accepts an idempotency key and answers a repeated call with the first result.
timeouts | Every outbound call has a timeout | Two seconds by default. Retry at most twice with jitter, and only if the call is safe to repeat.
caching | Cache with an expiry | Every cache entry needs a time to live and an owner. Do not cache responses that depend on the user at the edge.
rate-limits | Rate limits | Public endpoints allow 60 calls per minute and client. Answer 429 with Retry-After.
logging-levels | Log levels | error wakes somebody up, warn is looked at tomorrow, info describes normal operation. Debug is off in production.
structured-logs | Structured logs | Write JSON with a message, a request id and fields. No string concatenation.
metrics-naming | Names of metrics | service_subject_unit, for example checkout_payment_seconds. No customer ids as labels.
alerts-actionable | Alerts need an action | An alert without a runbook is deleted. Page only for symptoms that customers notice.
unit-tests | Test behaviour, not implementation | A test should survive a refactoring. Avoid checking private functions or the order of calls.
no-sleep-tests | No sleeping in tests | Wait for a condition with a limit instead. A test that fails now and then is quarantined the same day and fixed within a week.
test-data | No production data in tests | Use the factories. Copies of customer records, even anonymised ones, stay out of the repository.
coverage | Coverage is a hint | We do not require a percentage. New branches in payment and permission code need tests, though.
typescript-strict | Strict types | No any, no non-null assertions, no ts-ignore without a linked issue.
naming | Names in code | Whole words, no abbreviations except id, url and db. Booleans start with is, has or can.
comments | Comments say why | Delete comments that repeat the code. Explain surprising decisions and link the source.
dead-code | Remove dead code | Unused functions, flags and commented-out blocks go. Git remembers them.
formatting | Formatting is automatic | Run the formatter on save. Style is never discussed in a review.
accessibility | Accessibility | Everything works with the keyboard. Text has a contrast of at least 4.5 to 1, images have a description, inputs have labels.
translations | Texts are translated | No literal strings in components. Use keys, and never build sentences from fragments, because word order differs.
mobile-first | Design for small screens first | Start at 360 pixels. Touch targets are at least 44 pixels high.
image-sizes | Pictures | Serve AVIF or WebP with width and height set. Nothing above 200 kB on the start page.
bundle-size | Bundle budget | The first load may not exceed 170 kB of compressed JavaScript. The pipeline fails above it.
docs-with-code | Docs change with the code | If behaviour changes, the same pull request changes the guide. Screenshots are updated at each release.
decision-records | Record decisions | Write a short page when you choose between serious alternatives: context, options, choice, consequences.
readme | What a README contains | Purpose, how to run it, how to test it, how to deploy it, and who to ask. Nothing else.
meetings | Meetings | No agenda, no meeting. Wednesdays are free of meetings. Write down decisions before leaving.
working-hours | Core hours | Be reachable between 10:00 and 15:00 Berlin time. Outside of that, answers can wait until the next day.
pairing | Pair on risky changes | Two people at one screen for authentication, billing and migrations. Swap the keyboard every half hour.
onboarding | First week of a new colleague | A buddy, a working laptop on day one, and a first change in production by Friday.
laptop-security | Laptops | Encrypt the disk, lock the screen after five minutes, and report a lost device within one hour.
ai-assistants | Code assistants | Read and understand generated code before you commit it. Never paste customer data or keys into a prompt.
`;

export const shortRules: readonly ShortRule[] = linesOf(ruleLines).map((line) => {
  const [id, rest] = splitOnce(line, ' | ');
  const [title, body] = splitOnce(rest, ' | ');
  return { id, title, body };
});

/** As people ask before they do something; most use other words than the rule. */
export const ruleQuestions = parseQuestions(`
can I push this to production on the afternoon before Easter | no-friday-deploys
what do I call my branch | branch-names
the new version causes errors, should I debug it or go back | rollback-first
I accidentally pushed an API key | secrets
how should I save prices in the database | money-integers
which time zone for created_at | time-utc
may I log the email address of the user | personal-data
how long do we keep click data | data-retention
a customer wants all of their information deleted | gdpr-deletion
how many lines may a change have | small-pull-requests
who has to approve changes to invoices | two-approvals pairing
is it OK to use a GPL package | license-check
should I install left-pad or write it myself | new-dependency
removing a column that is still in use | sql-migrations api-versioning
flaky test in the pipeline | no-sleep-tests
can I copy real users into a fixture | test-data
what percentage of lines must be covered | coverage
my endpoint returns thousands of rows | pagination
customer was charged twice because the client retried | idempotency
the partner's server hangs and we wait forever | timeouts
what should the server answer when somebody calls too often | rate-limits
which code do I return for a missing permission | http-status
rename a field in the response of the public API | api-versioning
when may an alarm wake somebody at night | alerts-actionable logging-levels
text colour is light grey on white | accessibility
joining translated pieces into one sentence | translations
how big may the javascript of the home page be | bundle-size
hero photo is 3 MB | image-sizes
do we argue about tabs and spaces | formatting
old function that nothing calls | dead-code
what to write after an outage | postmortem
the site is down, how do we communicate | incident-channel
when do I have to be online | working-hours
somebody invited me without saying what it is about | meetings
my computer was stolen on the train | laptop-security
may I put client records into a chatbot | ai-assistants
string concatenation in a where clause | no-raw-sql
calling another service while holding a database lock | transactions-short
a toggle for the new checkout that nobody sees yet | feature-flags
why did we choose Postgres, where is that written down | decision-records
`);
