import { createBoundedText, type ExtractedText } from './bounded-text.ts';
import { htmlToText } from './html-to-text.ts';
import { orDamaged, orMissing } from './unreadable.ts';

interface Addresses {
  readonly text: string;
}

const toLine = (name: string, value: Addresses | readonly Addresses[] | undefined): readonly string[] =>
  value === undefined
    ? []
    : [
        `${name}: ${[value]
          .flat()
          .map(({ text }) => text)
          .join(', ')}`,
      ];

export async function extractMail(bytes: Buffer): Promise<ExtractedText> {
  const { simpleParser } = await orMissing('mailparser', () => import('mailparser'));
  const mail = await orDamaged('message', () =>
    simpleParser(bytes, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true }),
  );
  const body = mail.text || (mail.html === false ? '' : htmlToText(mail.html).text);
  const date =
    mail.date !== undefined && !Number.isNaN(mail.date.getTime()) ? [`Date: ${mail.date.toISOString()}`] : [];
  const attached = mail.attachments.flatMap(({ filename }) =>
    filename === undefined ? [] : [`Attachment: ${filename}`],
  );
  const text = createBoundedText();
  const lines = [
    ...toLine('From', mail.from),
    ...toLine('To', mail.to),
    ...date,
    ...(mail.subject === undefined ? [] : [`Subject: ${mail.subject}`]),
    ...attached,
    '',
    ...body.split(/\r?\n/),
  ];
  for (const line of lines) if (!text.add(line)) break;
  const { subject } = mail;
  return { ...text.end(), ...(subject === undefined ? {} : { title: subject }) };
}
