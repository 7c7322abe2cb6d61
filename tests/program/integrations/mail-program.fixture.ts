import { describe, onTestFinished } from 'vitest';
import { startCuttingProxy } from '#tests/support/cutting-proxy.ts';
import { type DovecotOptions, dovecotPackage, startDovecot, type TestDovecot } from '#tests/support/dovecot.ts';
import type { EngineName } from '../notebooks/notebook-program.ts';
import { type Connected, openConnected } from './connected-program.fixture.ts';

export const password = 'S3cret-of-the-mailbox';

const { reason } = dovecotPackage;
/** Needs the mail server; the title says why it is skipped. */
export const describeMail = reason === undefined ? describe : describe.skip;
export const withReason = (title: string): string => (reason === undefined ? title : `${title} (${reason})`);

interface MailParts {
  readonly id?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly headers?: readonly string[];
}

/** A message as a server stores it. */
export const mail = ({ id, subject = 'Hello', text = 'A few words.', headers = [] }: MailParts = {}): string =>
  [
    'From: Ada <ada@example.org>',
    'To: Grace <grace@example.org>, team@example.org',
    `Subject: ${subject}`,
    'Date: Fri, 02 Jan 2026 10:00:00 +0100',
    ...(id === undefined ? [] : [`Message-ID: <${id}>`]),
    ...headers,
    '',
    text,
    '',
  ].join('\r\n');

export const manyMails = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => mail({ id: `${n}@example.org`, subject: `Mail ${n}`, text: `Text ${n}` }));

export interface MailServer extends TestDovecot {
  /** Without TLS, through the proxy. */
  readonly address: string;
  readonly proxy: Awaited<ReturnType<typeof startCuttingProxy>>;
}

/** A mail server with these messages for Ada. */
export async function startMailServer(
  messages: readonly (string | Uint8Array)[] = [],
  options: Partial<DovecotOptions> = {},
): Promise<MailServer> {
  const server = await startDovecot({ users: { ada: password }, ...options });
  const proxy = await startCuttingProxy(server.port);
  onTestFinished(async () => {
    await proxy.stop();
    await server.stop();
  });
  for (const message of messages) server.deliver('ada', message);
  return { ...server, proxy, address: `imap://127.0.0.1:${proxy.port}` };
}

/** The words after `connectors`, and a secret that must not be seen anywhere. */
export function addWords(home: Connected, address: string, secret: string, ...more: readonly string[]) {
  const forms = [secret, `\0ada\0${secret}`, `user=ada\u0001auth=Bearer ${secret}\u0001\u0001`];
  home.guard(secret, ...forms.map((form) => Buffer.from(form).toString('base64')));
  return ['add', 'imap', address, '--user', 'ada', '--secret-file', home.secretFile(secret), ...more];
}

/** A program that is connected to the mailbox of Ada. */
export async function connectMail(
  { address }: Pick<MailServer, 'address'>,
  engine: EngineName = 'SQLite',
  ...more: readonly string[]
): Promise<Connected> {
  const home = await openConnected(engine);
  await home.ask('connectors', ...addWords(home, address, password, ...more));
  return home;
}
