import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Json, openTruth, payloadInput, type TruthProgram } from './truth-program.fixture.ts';

interface Found {
  readonly total: number;
  readonly entities: readonly {
    readonly canonical_name: string;
    readonly match?: string;
    readonly matched_text?: string;
  }[];
}

interface Duplicates {
  readonly duplicates: readonly {
    readonly entity_type: string;
    readonly reason: { readonly text: string };
    readonly entities: readonly { readonly canonical_name: string }[];
  }[];
  readonly next_cursor?: string;
}

describe.each(engines)('similar names on %s', (engine) => {
  let program: TruthProgram;
  let count = 0;

  const sendInvoice = (body: Json) => {
    count += 1;
    return program.call('submit_payload', payloadInput({ invoice_number: `R-${count}00`, amount: count, ...body }));
  };

  beforeAll(async () => {
    program = await openTruth(engine);
    for (const vendor_name of [
      'Müller Bau GmbH',
      'Mueller Bau',
      'Micosoft',
      'Microsoft',
      'Smith & Sons',
      'Smith and Sons',
    ])
      await sendInvoice({ vendor_name, customer_name: 'Kund 1' });
    await sendInvoice({ vendor_name: 'Globex', vendor_aliases: ['Global Exports'], customer_name: 'Kund 2' });
    await sendInvoice({ invoice_number: 'INV-7', vendor_name: 'Globex', customer_name: 'Kund 2' });
    await sendInvoice({ invoice_number: 'INV-7', vendor_name: undefined, customer_name: 'Kund 2' });
  });
  afterAll(() => program?.close());

  const find = async (identifier: string, more: Json = {}) => {
    const { entities } = await program.call<Found>('get_entity_by_identifier', { identifier, ...more });
    return entities.map(({ canonical_name, match = 'exact' }) => `${canonical_name}: ${match}`).sort();
  };

  it('[TR60] finds aliases, folded and near names and marks them', async () => {
    expect(await find('Müller Bau')).toEqual(['müller bau: exact']);
    expect(await find('Muller Bau', { entity_type: 'company' })).toEqual(['mueller bau: folded', 'müller bau: folded']);
    expect(await find('Global Exports')).toEqual(['globex: alias']);
    expect(await find('Microsotf')).toEqual(['microsoft: near']);
    expect(await find('Smith und Sons')).toEqual(['smith & sons: folded', 'smith and sons: folded']);
    expect(await find('Initech')).toEqual([]);
  });

  it('[TR63] lists duplicates page by page and says why', async () => {
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Duplicates = await program.call<Duplicates>('list_potential_duplicates', {
        limit: 1,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const { entity_type, reason, entities } of page.duplicates)
        listed.push(`${entity_type} × ${entities.length}: ${reason.text}`);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(listed.sort()).toEqual([
      'company × 2: same name apart from “&” or “and”',
      'company × 2: same name without accents',
      'company × 2: similar spelling: micosoft and microsoft',
      'invoice × 2: same invoice_number inv-7, one without vendor',
    ]);
  });
});
