import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Json, openTruth, payloadInput, type TruthProgram } from './truth-program.fixture.ts';

/** Each story needs at most so many calls and bytes of answers, with the tools that a client sees by default. */
const callsMax = 3;
const bytesMax = 2_048;

interface Relation {
  readonly type: string;
  readonly direction: string;
  readonly name: string;
  readonly entity_id: string;
}

interface Shown {
  readonly entity_id: string;
  readonly canonical_name: string;
  readonly snapshot: Json;
  readonly relations?: readonly Relation[];
}

interface Found {
  readonly entities: readonly Shown[];
}

interface Stored {
  readonly entity_id: string;
  readonly changes: readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[];
  readonly possible_duplicates?: readonly { readonly entity_id: string }[];
}

describe.each(engines)('ten stories of truth on %s', (engine) => {
  let program: TruthProgram;
  let listed: ReadonlySet<string>;

  beforeAll(async () => {
    program = await openTruth(engine);
    listed = new Set((await program.client.listTools()).tools.map(({ name }) => name));
  });
  afterAll(() => program?.close());

  /** Runs a story with a counted client. What was there before is not part of it. */
  async function story(tell: (ask: <T>(tool: string, input: Json) => Promise<T>) => Promise<void>): Promise<void> {
    let calls = 0;
    let bytes = 0;
    await tell(async <T>(tool: string, input: Json) => {
      expect(listed).toContain(tool);
      const answer = await program.call<T>(tool, input);
      calls += 1;
      bytes += Buffer.byteLength(JSON.stringify(answer));
      return answer;
    });
    expect(calls).toBeLessThanOrEqual(callsMax);
    expect(bytes).toBeLessThanOrEqual(bytesMax);
  }

  const prepare = (tool: string, input: Json) => program.call<Stored>(tool, input);
  const namesOf = ({ relations = [] }: Pick<Shown, 'relations'>, type: string) =>
    relations.filter((one) => one.type === type).map(({ name }) => name);

  it('a person changes jobs and returns', () =>
    story(async (ask) => {
      const acme = { type: 'company', name: 'Acme' };
      const { entity_id } = await ask<Stored>('store_fact', {
        subject: { type: 'person', name: 'Alice Ng' },
        relations: [
          { type: 'works at', to: acme, effective_at: '2024', effective_until: '2026-03' },
          {
            type: 'works at',
            to: { type: 'company', name: 'Globex' },
            effective_at: '2026-03',
            effective_until: '2026-09',
          },
          { type: 'works at', to: acme, effective_at: '2026-09' },
        ],
      });
      const may = await ask<Shown>('get_entity_snapshot', { entity_id, at: '2026-05', include_relations: true });
      expect(namesOf(may, 'WORKS_AT')).toEqual(['globex']);
      const now = await ask<Shown>('get_entity_snapshot', { entity_id, include_relations: true });
      expect(namesOf(now, 'WORKS_AT')).toEqual(['acme']);
    }));

  it('an invoice is paid', async () => {
    await prepare('submit_payload', payloadInput({ invoice_number: 'P-1', vendor_name: 'Initech', status: 'open' }));
    await story(async (ask) => {
      const { entities } = await ask<Found>('retrieve_entities', { query: 'P-1', entity_type: 'invoice' });
      const { changes } = await ask<Stored>('store_fact', {
        entity_id: entities[0]!.entity_id,
        fields: { status: 'paid' },
        source: 'bank statement of May',
      });
      expect(changes).toEqual([{ field: 'status', before: 'open', after: 'paid' }]);
    });
  });

  it('what do we owe Acme?', async () => {
    for (const [number, amount, status, vendor_name] of [
      ['A-1', 100, 'open', 'Acme Tools'],
      ['A-2', 250.5, 'open', 'Acme Tools'],
      ['A-3', 999, 'paid', 'Acme Tools'],
      ['A-4', 777, 'open', 'Umbrella'],
    ] as const) {
      const body = { invoice_number: number, amount, status, vendor_name };
      await prepare('submit_payload', payloadInput(body));
    }
    await story(async (ask) => {
      const { entities } = await ask<Found>('retrieve_entities', {
        query: 'Acme Tools',
        entity_type: 'invoice',
        fields: { status: 'open' },
      });
      const amounts = entities.map(({ snapshot }) => snapshot['amount'] as number);
      expect(amounts.reduce((sum, one) => sum + one, 0)).toBe(350.5);
    });
  });

  it('a preference is kept and found again in other words', () =>
    story(async (ask) => {
      await ask('store_fact', {
        subject: { type: 'preference', name: 'language of reports' },
        fields: { value: 'German' },
      });
      const { entities } = await ask<Found>('retrieve_entities', { query: 'which language for the report' });
      expect(entities[0]!.snapshot['value']).toBe('German');
    }));

  it('who works where?', async () => {
    for (const name of ['Bob Ray', 'Cem Koç']) {
      await prepare('store_fact', {
        subject: { type: 'person', name },
        relations: [{ type: 'WORKS_AT', to: { type: 'company', name: 'Hooli' } }],
      });
    }
    await story(async (ask) => {
      const { entities } = await ask<Found>('retrieve_entities', { query: 'Hooli', entity_type: 'company' });
      const { entity_id } = entities[0]!;
      const hooli = await ask<Shown>('get_entity_snapshot', { entity_id, include_relations: true });
      expect(namesOf(hooli, 'WORKS_AT').toSorted()).toEqual(['bob ray', 'cem koç']);
    });
  });

  it('what did we believe then?', async () => {
    const fact = { subject: { type: 'project', name: 'Apollo' }, effective_at: '2026-01' };
    const { entity_id } = await prepare('store_fact', { ...fact, fields: { status: 'on track' } });
    const then = Date.now();
    await expect.poll(() => Date.now()).toBeGreaterThan(then);
    await prepare('store_fact', { ...fact, fields: { status: 'late' }, source: 'review' });
    await story(async (ask) => {
      const known = await ask<Shown>('get_entity_snapshot', { entity_id, as_known_at: new Date(then).toISOString() });
      const now = await ask<Shown>('get_entity_snapshot', { entity_id });
      expect([known.snapshot['status'], now.snapshot['status']]).toEqual(['on track', 'late']);
    });
  });

  it('a project and its decisions', () =>
    story(async (ask) => {
      const zeus = { type: 'project', name: 'Zeus' };
      await ask('store_fact', {
        subject: { type: 'decision', name: 'Use PostgreSQL' },
        fields: { reason: 'the team knows it' },
        relations: [{ type: 'about', to: zeus }],
      });
      const { entity_id } = await ask<Stored>('store_fact', { subject: zeus, fields: { owner: 'Dana' } });
      const shown = await ask<Shown>('get_entity_snapshot', { entity_id, include_relations: true });
      expect(shown.snapshot['owner']).toBe('Dana');
      expect(shown.relations).toMatchObject([{ type: 'ABOUT', direction: 'inbound', name: 'use postgresql' }]);
    }));

  it('what is due this week?', async () => {
    for (const [title, due_date] of [
      ['Send the offer', '2026-06-03'],
      ['Renew the domain', '2026-06-05'],
      ['Plan the party', '2026-07-01'],
    ] as const) {
      await prepare('store_fact', { subject: { type: 'task', name: title }, fields: { due_date } });
    }
    await story(async (ask) => {
      const { entities } = await ask<Found>('retrieve_entities', {
        entity_type: 'task',
        fields: { due_date: { min: '2026-06-01', max: '2026-06-07' } },
      });
      const names = entities.map(({ canonical_name }) => canonical_name);
      expect(names.toSorted()).toEqual(['renew the domain', 'send the offer']);
    });
  });

  it('two companies are one', async () => {
    const fields = { phone: '+49 30 1234' };
    await prepare('store_fact', { subject: { type: 'company', name: 'Müller Bau' }, fields });
    await story(async (ask) => {
      const stored = await ask<Stored>('store_fact', {
        subject: { type: 'company', name: 'Mueller Bau GmbH' },
        fields: { city: 'Berlin' },
      });
      const [same] = stored.possible_duplicates!;
      const merge = { source_entity_id: stored.entity_id, target_entity_id: same!.entity_id };
      await ask('tools_call', { name: 'merge_entities', arguments: merge });
      const { snapshot } = await ask<Shown>('get_entity_snapshot', { entity_id: stored.entity_id });
      expect(snapshot).toMatchObject({ ...fields, city: 'Berlin' });
    });
  });

  it('where did this number come from?', async () => {
    const text = 'INVOICE\nInvoice number: W-77\nDate: 2026-02-03\nVendor: Wayne GmbH\nTotal: 412.50 EUR\n';
    const content_base64 = Buffer.from(text).toString('base64');
    const { file_url } = await program.call<{ file_url: string }>('upload_file', {
      file_name: 'w77.txt',
      content_base64,
    });
    await story(async (ask) => {
      const { entities } = await ask<Found>('retrieve_entities', { query: 'W-77', entity_type: 'invoice' });
      const { entity_id, snapshot } = entities[0]!;
      expect(snapshot['amount']).toBe(412.5);
      const source = await ask<Json>('get_field_provenance', { entity_id, field: 'amount' });
      expect(source).toMatchObject({
        source_record: { file_urls: [file_url] },
        source_text: { text: expect.stringContaining('412.50') as string },
      });
    });
  });
});
