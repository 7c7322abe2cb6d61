import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listUris } from '#tests/support/list-uris.ts';
import { engines, openTruth, payloadInput, type Submitted, type TruthProgram } from './truth-program.fixture.ts';

const soon = { timeout: 120_000, interval: 20 };

describe.each(engines)('entity resources through a real MCP client, on %s', (engine) => {
  let program: TruthProgram;
  let vendor: string;
  const updates: string[] = [];

  beforeAll(async () => {
    program = await openTruth(engine);
    program.client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void updates.push(params.uri),
    );
    const { entities } = await program.call<Submitted>('submit_payload', payloadInput());
    vendor = entities[1]!.entity_id;
  });
  afterAll(() => program.close());

  it('are listed and read as snapshots', async () => {
    const uris = await listUris(program.client);
    expect(uris.filter((uri) => uri.startsWith('entity://'))).toHaveLength(3);
    const { contents } = await program.client.readResource({ uri: `entity://${vendor}` });
    const [content] = contents as readonly { readonly mimeType: string; readonly text: string }[];
    expect(content?.mimeType).toBe('application/json');
    expect(JSON.parse(content?.text ?? '')).toEqual(await program.call('get_entity_snapshot', { entity_id: vendor }));
    await expect(program.client.readResource({ uri: 'entity://ent_0' })).rejects.toThrow('not found');
  });

  it('are completed by name', async () => {
    const complete = async (value: string) => {
      const ref = { type: 'ref/resource', uri: 'entity://{entity_id}' } as const;
      return (await program.client.complete({ ref, argument: { name: 'entity_id', value } })).completion.values;
    };
    expect(await complete('Acme Corp')).toEqual([vendor]);
    expect(await complete(vendor.slice(0, 12))).toEqual([vendor]);
    expect(await complete('unknown')).toEqual([]);
  });

  it('notify only subscribers, and only about new observations', async () => {
    const uri = `entity://${vendor}`;
    await program.client.subscribeResource({ uri });
    await program.call('submit_payload', payloadInput({ vendor_name: 'Somebody Else', invoice_number: 'E-1' }));
    await program.call('submit_payload', payloadInput({ invoice_number: 'E-2' }));
    await expect.poll(() => updates, soon).toEqual([uri]);
    // The same content again changes nothing.
    await program.call('submit_payload', payloadInput({ invoice_number: 'E-2' }));
    await program.call('correct_entity', { entity_id: vendor, fields: { address: 'Here 1' } });
    await expect.poll(() => updates, soon).toEqual([uri, uri]);
  });
});
