import { setTimeout as wait } from 'node:timers/promises';
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { z } from 'zod';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { integrationFaults } from '../../integration-faults.ts';
import { integrationLimits } from '../../integration-limits.ts';
import { type ConnectorDeps, defineConnector, type RemoteItem, type RemoteProblem } from '../connector.ts';
import {
  type ImapAccount,
  isMissingMailbox,
  openAccount,
  parseImapAddress,
  toMailFault,
} from '../mail/imap-account.ts';
import { type PartPage, type PartRequest, readParts } from '../parts.ts';

/** Numbers of messages grow, and are valid as long as the mailbox has the same `validity` (RFC 9051, 2.3.1.1). */
const placeForm = z.object({ validity: z.string(), uid: z.int() });

interface OpenMailbox {
  readonly name: string;
  readonly validity: string;
  /** The number of the last message that was read. */
  last: number;
  /** Messages to read, the next one last: taking some does not copy the others. */
  readonly rest: number[];
}

interface MailAccount extends ImapAccount {
  readonly mailboxes: readonly string[];
  readonly secret: string;
}

const sameMailbox = (a: string, b: string): boolean => a === b || [a, b].every((name) => /^inbox$/i.test(name));

function createMailConnector(account: MailAccount, { outbound, readMail }: ConnectorDeps) {
  const { mailBytes, mailPageBytes, mailsInFlightCount, requestAttemptsCount, retryBaseMs } = integrationLimits;
  let client: ImapFlow | undefined;
  let mailbox: OpenMailbox | undefined;

  function disconnect(): void {
    client?.close();
    client = undefined;
    mailbox = undefined;
  }

  /** Shows a wrong name when the connector is added, and not when its turn comes. */
  async function checkMailboxes(imap: ImapFlow): Promise<void> {
    const paths = (await imap.list()).map(({ path }) => path);
    const missing = account.mailboxes.filter((name) => !paths.some((path) => sameMailbox(path, name)));
    if (missing.length === 0) return;
    const shown = paths.slice(0, integrationLimits.shownMailboxesCount).join(', ');
    throw faults.VALIDATION_ERROR(
      { why: `the account has no mailbox ${missing.join(', ')}; it has ${shown}` },
      { field: 'parts' },
    );
  }

  async function openMailbox(imap: ImapFlow, name: string, place: string | undefined): Promise<OpenMailbox> {
    const known = place === undefined ? undefined : placeForm.parse(JSON.parse(place));
    if (mailbox?.name === name && mailbox.validity === known?.validity && mailbox.last === known.uid) return mailbox;
    const { uidValidity } = await imap.mailboxOpen(name, { readOnly: true });
    const validity = String(uidValidity);
    // Other numbers: everything is read again, and what is stored already is not stored twice.
    const last = known?.validity === validity ? known.uid : 0;
    const found = await imap.search({ uid: `${last + 1}:*` }, { uid: true });
    if (!found) throw Object.assign(new Error('no answer to SEARCH'), { code: 'NoConnection' });
    // `*` is the last message, also if it has been read.
    const rest = found.filter((uid) => uid > last).sort((a, b) => b - a);
    mailbox = { name, validity, last, rest };
    return mailbox;
  }

  /** The next messages and their sizes: as many as fit into a page. */
  async function takeSome(imap: ImapFlow, { rest }: OpenMailbox, limit: number) {
    const some = rest.splice(-limit).toReversed();
    const sizes = new Map<number, number>();
    if (some.length === 0) return { some, sizes };
    for await (const { uid, size = 0 } of imap.fetch(`${some[0]}:${some.at(-1)}`, { size: true }, { uid: true }))
      sizes.set(uid, size);
    let bytes = 0;
    const count = some.findIndex((uid) => {
      bytes += Math.min(sizes.get(uid) ?? 0, mailBytes);
      return bytes > mailPageBytes;
    });
    if (count > 0) rest.push(...some.splice(count).toReversed());
    return { some, sizes };
  }

  async function toItem(message: FetchMessageObject, size: number, signal: AbortSignal): Promise<RemoteItem | string> {
    const { source, internalDate } = message;
    if (source === undefined || source.length === 0) return 'it is empty';
    try {
      const read = await readMail({ bytes: source, size: Math.max(size, source.length) }, signal);
      if (read.kind === 'missing_package')
        throw integrationFaults.SYNC_FAILED({ why: 'the optional package mailparser is not installed' });
      if (read.kind === 'unreadable') return 'it is not a mail that can be read';
      const arrivedAt = internalDate === undefined ? undefined : new Date(internalDate).getTime();
      return { kind: 'message', id: read.id, at: read.at ?? arrivedAt, fields: read.fields };
    } catch (error) {
      // This mail is too much for its reader; the next one may not be.
      if (error instanceof Fault && ['JOB_TIMEOUT', 'JOB_MEMORY'].includes(error.code)) return error.message;
      throw error;
    }
  }

  async function readMessages(imap: ImapFlow, open: OpenMailbox, limit: number, signal: AbortSignal) {
    const { some, sizes } = await takeSome(imap, open, limit);
    const items: RemoteItem[] = [];
    const problems: RemoteProblem[] = [];
    const parsing: (() => Promise<void>)[] = [];
    const range = `${some[0]}:${some.at(-1)}`;
    const query = { source: { maxLength: mailBytes }, internalDate: true };
    for await (const message of some.length === 0 ? [] : imap.fetch(range, query, { uid: true })) {
      const size = sizes.get(message.uid) ?? 0;
      const id = `${open.name} ${message.uid}`;
      const item = toItem(message, size, signal);
      // Its error is thrown when its turn comes.
      item.catch(() => {});
      parsing.push(async () => {
        const read = await item;
        if (typeof read === 'string') problems.push({ id, why: read });
        else items.push(read);
        if (size > mailBytes) problems.push({ id, why: `it has ${size} bytes; only the first ${mailBytes} were read` });
      });
      if (parsing.length >= mailsInFlightCount) await parsing.shift()!();
    }
    for (const parsed of parsing) await parsed();
    open.last = some.at(-1) ?? open.last;
    return { items, problems };
  }

  async function readPart({ part, place, limit, signal }: PartRequest): Promise<PartPage> {
    if (client === undefined) {
      client = await openAccount(account, account.secret, outbound, signal);
      if (place === undefined) await checkMailboxes(client);
    }
    let open: OpenMailbox;
    try {
      open = await openMailbox(client, part, place);
    } catch (error) {
      if (!isMissingMailbox(error)) throw error;
      const why = `the account has no mailbox ${part} any more`;
      if (account.mailboxes.length === 1) throw integrationFaults.SYNC_FAILED({ why });
      return { items: [], problems: [{ id: part, why }], place, hasMore: false };
    }
    const read = await readMessages(client, open, limit, signal);
    const next = JSON.stringify({ validity: open.validity, uid: open.last });
    return { ...read, place: next, hasMore: open.rest.length > 0 };
  }

  /** Reads a page again, with a new connection, if the connection was lost. */
  async function readPartOrRetry(request: PartRequest): Promise<PartPage> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await readPart(request);
      } catch (error) {
        disconnect();
        request.signal.throwIfAborted();
        if (error instanceof Fault) throw error;
        const { fault, isTemporary } = toMailFault(error, account.address);
        if (!isTemporary || attempts === requestAttemptsCount) throw fault;
      }
      const waitMs = retryBaseMs * 2 ** (attempts - 1) * (0.75 + Math.random() / 2);
      await wait(waitMs, undefined, { signal: request.signal });
    }
  }

  return {
    fetchPage: readParts(account.mailboxes, readPartOrRetry),
    async close() {
      disconnect();
    },
  };
}

const commonOptions = {
  user: z.string({ error: 'pass --user: the name that logs in, usually the mail address' }).max(320),
  parts: z.array(z.string().min(1).max(200)).min(1).default(['INBOX']),
  auth: z.enum(['password', 'token']).default('password'),
};
const secret = { what: 'a password, best an app password, or with --auth token an OAuth2 access token' };
const imapAddress = z.string({ error: 'pass the server: connectors add imap imap.example.org --user you@example.org' });

type MailOptions = Omit<ImapAccount, 'address'> & { readonly address: string; readonly parts: readonly string[] };

function openMail({ parts, ...account }: MailOptions, password: string | undefined, deps: ConnectorDeps) {
  parseImapAddress(account.address);
  return createMailConnector({ ...account, mailboxes: [...new Set(parts)], secret: password! }, deps);
}

export const imap = defineConnector({
  options: z.strictObject({ address: imapAddress, ...commonOptions }),
  secret,
  open: openMail,
});

export const gmail = defineConnector({
  options: z.strictObject({ address: z.string().default('imap.gmail.com'), ...commonOptions }),
  secret,
  open: openMail,
});
