import { z } from 'zod';
import { integrationFaults } from '../../integration-faults.ts';
import { defineConnector } from '../connector.ts';
import { documentPages, fetchDocument } from '../document-pages.ts';
import { readFeedTask } from '../reader-tasks.ts';
import { createServiceClient } from '../service-client.ts';

const headers = {
  accept: 'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5',
  'user-agent': 'fourfold',
};

/** A feed has its newest entries only. Those that are no longer in it stay as they are. */
export const feed = defineConnector({
  options: z.strictObject({
    address: z.url({
      protocol: /^https?$/,
      error: 'pass the address of the feed: connectors add rss https://example.org/feed.xml',
    }),
  }),
  open({ address }, _secret, { outbound, now, readText }) {
    const client = createServiceClient(outbound, now);
    return {
      fetchPage: documentPages({
        load: (validators, signal) => fetchDocument(client, address, validators, { headers, signal }),
        async read({ text, url }, signal) {
          const result = await readText(readFeedTask, { text, address, url }, signal);
          if ('why' in result)
            throw integrationFaults.SYNC_FAILED({
              why: `${new URL(url).host} did not answer with a feed: ${result.why}`,
            });
          return result;
        },
      }),
    };
  },
});
