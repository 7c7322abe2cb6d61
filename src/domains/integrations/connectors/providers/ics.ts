import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { outboundLimits } from '#kernel/outbound/outbound.ts';
import { integrationFaults } from '../../integration-faults.ts';
import { type Connector, type ConnectorDeps, defineConnector, type RemoteItem } from '../connector.ts';
import { decodeText } from '../decode-text.ts';
import { type DocumentSource, documentPages, type FetchedDocument, fetchDocument } from '../document-pages.ts';
import { readCalendarsTask } from '../reader-tasks.ts';
import { createServiceClient } from '../service-client.ts';

const headers = { accept: 'text/calendar, */*;q=0.5', 'user-agent': 'fourfold' };

async function readLocal(path: string): Promise<FetchedDocument> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile())
    throw faults.NOT_FOUND({ what: `the file ${path}` }, { field: 'address', fix: 'Name an existing calendar file.' });
  const limit = outboundLimits.outboundBytes;
  if (found.size > limit) throw faults.RESOURCE_LIMIT({ what: 'The file', limit, unit: 'bytes' });
  return { text: decodeText(await readFile(path)), url: path, validators: {} };
}

/** Until when an event is of interest; empty for a series, whose end would have to be computed. */
function toNote({ fields: { recurrence, date, end_date: end } }: RemoteItem): string {
  const last = end ?? date;
  return recurrence !== undefined || typeof last !== 'string' ? '' : last;
}

const dayMs = 86_400_000;

function openDocument(
  name: string,
  load: DocumentSource['load'],
  { now, readText }: Pick<ConnectorDeps, 'now' | 'readText'>,
): Connector {
  return {
    fetchPage: documentPages({
      load,
      async read({ text }, signal) {
        const [result] = await readText(readCalendarsTask, [text], signal);
        if (result === undefined || 'why' in result)
          throw integrationFaults.SYNC_FAILED({ why: `${name} is not as expected: ${result?.why}` });
        return {
          items: result.events.map(({ uid, instance, fields }) => ({
            kind: 'event' as const,
            id: instance === '' ? uid : `${uid} ${instance}`,
            fields,
          })),
          problems: result.problems,
        };
      },
      toNote,
      // Many calendars publish only the time ahead, so an event that is over and no longer there was not cancelled.
      toRemoved: (id, until) =>
        Date.parse(until) + dayMs < now() ? undefined : { kind: 'event', id, fields: { status: 'removed' } },
    }),
  };
}

const openUrl = (url: string, deps: ConnectorDeps): Connector => {
  const client = createServiceClient(deps.outbound, deps.now);
  return openDocument(
    new URL(url).host,
    (validators, signal) => fetchDocument(client, url, validators, { headers, signal }),
    deps,
  );
};

/** A calendar in one file, here or at an address. */
export const ics = defineConnector({
  options: z.strictObject({
    address: z
      .string({ error: 'pass the address or file of the calendar: connectors add ics https://example.org/team.ics' })
      .transform((address) => {
        const url = address.replace(/^webcals?:\/\//i, 'https://');
        return /^https?:\/\//i.test(url) ? url : resolve(url);
      }),
  }),
  open: ({ address }, _secret, deps) =>
    URL.canParse(address) && address.includes('://')
      ? openUrl(address, deps)
      : openDocument(address, () => readLocal(address), deps),
});

const secretAddress = z.url({ protocol: /^https?$/ });

/** The address of the calendar is its password. */
export const googleCalendar = defineConnector({
  options: z.strictObject({}, { error: 'write the secret address of the calendar into a file and pass --secret-file' }),
  secret: { what: 'the secret address of the calendar in iCal format' },
  open(_options, secret, deps) {
    if (!secretAddress.safeParse(secret).success)
      throw faults.VALIDATION_ERROR({ why: 'the secret is not the address of a calendar' }, { field: 'secretFile' });
    return openUrl(secret!, deps);
  },
});
