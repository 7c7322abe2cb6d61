import { isStopWord } from '#kernel/search/stop-words.ts';
import { stem } from '#kernel/text/stem.ts';
import { toStems } from './applicability.ts';

/**
 * Ordinary words of software engineering that stand for the same thing. A task and a rule often use different ones, and
 * without an embedder nothing else connects them. Each line is one topic, separated by commas.
 */
const topics = [
  'deploy, deployment, release, rollout, roll out, ship, go live, launch, prod, production',
  'rollback, roll back, revert, undo',
  'incident, outage, downtime, on call, pager, postmortem, down',
  'bug, defect, regression, broken, fix',
  'error, exception, failure, crash, stack trace',
  'login, log in, sign in, sign up, auth, authentication, password, session',
  'permission, authorization, authorisation, access, role, privilege',
  'secret, credential, token, api key, password, private key, vault',
  'security, vulnerability, cve, exploit, injection, xss, csrf, attack',
  'privacy, personal data, gdpr, pii, consent, customer data',
  'database, db, postgres, postgresql, mysql, sqlite',
  'migration, migrate, schema, column, table',
  'query, sql, select, index, join',
  'transaction, commit, isolation, rollback',
  'endpoint, api, route, rest, handler, http',
  'test, spec, assertion, coverage, tested',
  'mock, stub, fake',
  'end to end, e2e, browser test, playwright, cypress, selenium',
  'flaky, intermittent, unstable, retry',
  'performance, slow, speed, latency, fast, optimise, optimize, profile',
  'bundle, load time, lazy, web vitals',
  'cache, caching, redis, memoize, ttl',
  'log, logging, logger, print',
  'monitoring, metric, dashboard, alert, observability, tracing, telemetry',
  'docs, documentation, document, readme, guide, manual',
  'changelog, release notes, version, semver',
  'translation, translate, i18n, l10n, localisation, localization, internationalisation, internationalization, locale, wording',
  'accessibility, a11y, screen reader, aria, contrast, keyboard',
  'style, css, styling, stylesheet, scss, colour, color, spacing, theme, layout',
  'component, widget, button, dialog, modal, react, vue',
  'state, store, redux, zustand',
  'form, field, input, submit',
  'validation, validate, sanitise, sanitize, schema',
  'dependency, dependencies, package, library, third party, upgrade, bump, npm',
  'container, docker, dockerfile, image',
  'kubernetes, k8s, helm, pod, cluster, manifest',
  'terraform, infrastructure, iac, cloud, aws, bucket, provision',
  'ci, pipeline, continuous integration, workflow, github actions, build',
  'review, pull request, pr, merge request, reviewer',
  'commit, commit message, squash, rebase, git',
  'branch, merge, trunk',
  'refactor, restructure, clean up, cleanup, tidy, simplify',
  'rename, naming, name, identifier',
  'format, formatter, lint, linter, prettier, eslint, code style',
  'queue, job, worker, background, async, asynchronous, cron, scheduled',
  'retry, backoff, timeout, idempotent',
  'rate limit, throttle, throttling, quota, 429',
  'concurrency, parallel, thread, goroutine, race, deadlock, lock',
  'memory, leak, heap, out of memory',
  'email, mail, newsletter, notification',
  'money, price, payment, amount, currency, invoice, billing, checkout, refund, charge, discount, tax',
  'flag, feature flag, toggle, experiment, a/b test',
  'config, configuration, setting, environment variable, env',
  'date, time, timezone, time zone, timestamp, utc, clock',
  'upload, attachment, file upload',
  'pagination, paging, paginate, cursor, offset, page',
  'webhook, callback, subscription',
  'analytics, tracking, event',
  'backup, restore, recovery, disaster',
  'mobile, ios, android, swift, kotlin, app',
  'data, dataset, etl, warehouse, dbt, spark',
  'machine learning, ml, model, training, notebook',
  'prompt, llm, ai, agent',
  'architecture, design, decision, adr',
  'license, licence, copyright, legal',
  'delete, remove, drop, erase, purge',
  'ask, clarify, unclear, ambiguous, question',
  'estimate, plan, scope',
  'install, setup, set up, onboarding',
  'generated, codegen, generator',
  'script, shell, bash, command line, cli',
  'type, typing, types, any, annotation',
] as const;

interface Phrase {
  /** As in the result of `toStems`. */
  readonly stems: string;
  /** The words of its topic. */
  readonly words: readonly string[];
}

/** By the stem of the first word that a query keeps. */
const phrases = new Map<string, Phrase[]>();
for (const topic of topics) {
  const members = topic.split(', ');
  const words = members.filter((member) => /^[a-z0-9]+$/.test(member));
  for (const member of members) {
    const first = stem(member.split(/[ /]/).find((word) => !isStopWord(word)) ?? member);
    const known = phrases.get(first) ?? [];
    known.push({ stems: toStems(member), words });
    phrases.set(first, known);
  }
}

/** For each word of the task, the words of the topics that it names there. */
export function relatedWordsIn(task: string): (word: string) => readonly string[] {
  const stems = toStems(task);
  return (word) =>
    (phrases.get(stem(word)) ?? []).flatMap((phrase) => (stems.includes(phrase.stems) ? phrase.words : []));
}
