import type { Client } from '@modelcontextprotocol/client';

/** The URIs of all listed resources, page by page. */
export async function listUris(client: Client): Promise<readonly string[]> {
  const uris: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor });
    uris.push(...page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return uris;
}
