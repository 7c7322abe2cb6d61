import { createHash } from 'node:crypto';
import type { AddressObject, EmailAddress, ParsedMail } from 'mailparser';
import { integrationLimits } from '../../integration-limits.ts';
import type { MailInput, MailOutput } from './mail-task.ts';

const { itemTextChars, mailAddressesCount, mailAttachmentsCount, mailHeaderChars, mailIdChars, mailReferencesCount } =
  integrationLimits;

/** PostgreSQL stores no NUL, and no store half of a surrogate pair. */
const clean = (text: string, charsMax: number): string => text.replaceAll('\0', '').slice(0, charsMax).toWellFormed();

const header = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : clean(text.trim(), mailHeaderChars);

const toLine = ({ name, address = '' }: EmailAddress): string =>
  clean(name === '' ? address : address === '' ? name : `${name} <${address}>`, mailHeaderChars);

/** The members of a group are listed without its name. */
const toAddresses = (found: AddressObject | readonly AddressObject[] | undefined): string[] =>
  (found === undefined ? [] : [found].flat())
    .flatMap(({ value }) => value)
    .flatMap((one) => one.group ?? [one])
    .slice(0, mailAddressesCount)
    .map(toLine)
    .filter((line) => line !== '');

function startOfBody(bytes: Buffer): number {
  const ends = ['\r\n\r\n', '\n\n'].map((blank) => ({ at: bytes.indexOf(blank), length: blank.length }));
  const first = ends.filter(({ at }) => at !== -1).sort((a, b) => a.at - b.at)[0];
  return first === undefined ? bytes.length : first.at + first.length;
}

/** What the sender wrote; headers that servers add on the way differ between two copies of a message. */
const writtenHeaders: ReadonlySet<string> = new Set(['message-id', 'from', 'date', 'subject']);

/**
 * A Message-ID alone does not identify a message: anyone can send another message with it. The hash of the text keeps
 * them apart, and copies of one message in several mailboxes have the same.
 */
function toId({ headerLines, messageId }: ParsedMail, bytes: Buffer, size: number): string {
  const hash = createHash('sha256');
  for (const { key, line } of headerLines)
    if (writtenHeaders.has(key)) hash.update(`${line.replaceAll(/\s+/g, ' ')}\n`);
  hash.update(bytes.length < size ? String(size) : bytes.subarray(startOfBody(bytes)));
  const digest = hash.digest('hex').slice(0, 32);
  return messageId === undefined ? digest : `${clean(messageId, mailIdChars)} ${digest}`;
}

const toTime = (date: Date | undefined): number | undefined =>
  date === undefined || Number.isNaN(date.getTime()) ? undefined : date.getTime();

async function loadParser() {
  try {
    return (await import('mailparser')).simpleParser;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Runs only in an extraction process: anyone can send a mail, and a third-party parser reads it here. */
export const createMailParser =
  (htmlToText: (html: string) => string) =>
  async (input: MailInput): Promise<MailOutput> => {
    const parse = await loadParser();
    if (parse === undefined) return { kind: 'missing_package' };
    const bytes = Buffer.from(input.bytes);
    let mail: ParsedMail;
    try {
      mail = await parse(bytes, {
        skipHtmlToText: true,
        skipTextToHtml: true,
        skipImageLinks: true,
        skipTextLinks: true,
      });
    } catch {
      return { kind: 'unreadable' };
    }
    if (mail.headerLines.length === 0) return { kind: 'unreadable' };
    const at = toTime(mail.date);
    const text = mail.text || (mail.html === false ? '' : htmlToText(mail.html));
    const references = [mail.references ?? []].flat().slice(-mailReferencesCount);
    return {
      kind: 'mail',
      id: toId(mail, bytes, input.size),
      at,
      fields: {
        subject: header(mail.subject),
        from: toAddresses(mail.from)[0],
        to: toAddresses(mail.to),
        cc: toAddresses(mail.cc),
        date: at === undefined ? undefined : new Date(at).toISOString(),
        // One character more than is kept, so that a longer text is marked as cut.
        text: clean(text.trim(), itemTextChars + 1),
        message_id: header(mail.messageId),
        in_reply_to: header(mail.inReplyTo),
        references: references.flatMap((reference) => header(reference) ?? []),
        attachments: mail.attachments.slice(0, mailAttachmentsCount).map(({ filename, size, contentType }) => ({
          name: header(filename || undefined) ?? '',
          bytes: size,
          type: clean(contentType, mailHeaderChars),
        })),
        is_truncated: bytes.length < input.size || undefined,
      },
    };
  };
