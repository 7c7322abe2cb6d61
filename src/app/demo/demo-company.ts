import { buyer, type CallAs, codingAgent, engineer, lead, supportAgent } from './demo-cast.ts';
import { changeRule, fillRules } from './demo-rules.ts';

const handbook = [
  {
    path: 'returns.md',
    content:
      '# Returns\n\nCustomers may return goods within 30 days.\n\n## Bicycles\n\nA bicycle that was ridden is returned to the workshop first. The workshop writes a report before the refund.\n\n## Parts\n\nParts in their package are refunded in full. Opened parts are refunded without shipping costs.\n',
  },
  {
    path: 'warehouse.md',
    content:
      '# Warehouse\n\n## Counting\n\nThe stock is counted on the first Monday of a month. Differences of more than five pieces are reported to purchasing.\n\n## Batteries\n\nBatteries of electric bicycles are stored below 30 degrees, at half charge, and apart from cardboard.\n',
  },
  {
    path: 'checkout-service.md',
    content:
      '# Checkout service\n\n## Retries\n\nThe checkout service retries a payment three times, after 1, 5 and 25 seconds. A payment that was declined is not retried.\n\n## Timeouts\n\nA call to the payment provider ends after eight seconds. The order then stays in the state `pending`, and a job asks again every minute.\n\n## Smoke test\n\nRun `npm run smoke -- --env production` after each deploy. It buys a bell for one cent and cancels the order.\n',
  },
] as const;

async function fillDocs(as: CallAs): Promise<void> {
  const library = 'handbook';
  const older = handbook.map(({ path, content }) => ({ path, content: content.replace('30 days', '14 days') }));
  await as(engineer, 'knowledge_ingest', { library, version: '2025.2', pages: older });
  await as(engineer, 'knowledge_ingest', { library, version: '2026.1', pages: handbook });
}

async function fillPads(as: CallAs): Promise<void> {
  await as(engineer, 'scratch_create', {
    scratch_id: 'incident-checkout-march',
    metadata: {
      title: 'Checkout incident of 3 March',
      namespace: 'operations',
      tags: ['incident', 'checkout'],
      summary: 'Payments hung for 40 minutes',
    },
    cells: [
      {
        cell_id: 'summary',
        language: 'md',
        content:
          '# Checkout incident\n\nFrom 10:12 to 10:52 payments stayed in the state **pending**. 61 orders were affected.\n\n| time | what |\n|---|---|\n| 10:12 | first alert |\n| 10:31 | provider confirms a fault |\n| 10:52 | queue is empty |',
      },
      {
        cell_id: 'query',
        language: 'py',
        content:
          'from datetime import timedelta\n\n\ndef late(orders):\n    """Orders that waited longer than five minutes."""\n    return [o for o in orders if o.waited > timedelta(minutes=5)]\n',
        tags: ['analysis'],
      },
      {
        cell_id: 'affected',
        language: 'json',
        content: '{\n  "orders": 61,\n  "refunded": 4,\n  "value_eur": 7318.4\n}',
        json_schema: { type: 'object', required: ['orders', 'refunded'] },
      },
      {
        cell_id: 'next',
        language: 'md',
        content:
          '## Next steps\n\n- [x] Alert after two minutes\n- [ ] Show customers that the payment is being checked',
        tags: ['todo'],
      },
    ],
  });
  await as(engineer, 'scratch_replace_cell', {
    scratch_id: 'incident-checkout-march',
    cell_id: 'next',
    cell: {
      language: 'md',
      content:
        '## Next steps\n\n- [x] Alert after two minutes\n- [x] Show customers that the payment is being checked\n- [ ] Ask the provider for a status page',
      tags: ['todo'],
    },
  });
  await as(lead, 'scratch_create', {
    scratch_id: 'cargo-bike-launch',
    metadata: { title: 'Launch of the cargo bicycle', namespace: 'product', tags: ['launch'] },
    cells: [
      {
        cell_id: 'plan',
        language: 'md',
        content:
          '# Launch of the cargo bicycle\n\n1. Photos by the end of April\n2. Prices agreed with Tallowmere Frames\n3. First deliveries in June',
      },
      {
        cell_id: 'variants',
        language: 'yaml',
        content: 'variants:\n  - name: short\n    price_eur: 3290\n  - name: long\n    price_eur: 3690\n',
      },
      {
        cell_id: 'banner',
        language: 'html',
        content:
          '<section class="banner">\n  <h2>Carry more</h2>\n  <p>The new cargo bicycle, from June.</p>\n</section>\n',
      },
    ],
  });
  await as(codingAgent, 'scratch_create', {
    scratch_id: 'stock-import',
    metadata: { title: 'Import of the stock count', namespace: 'operations', tags: ['code'] },
    cells: [
      {
        cell_id: 'parse',
        language: 'ts',
        content: "export const toPieces = (line: string): number => Number(line.split(';')[2] ?? '0');\n",
      },
      { cell_id: 'broken', language: 'json', content: '{ "pieces": 12, "place": "B4", }' },
      { cell_id: 'run', language: 'sh', content: 'set -eu\nnode import.mjs --file counts.csv --dry-run\n' },
    ],
  });
  await as(codingAgent, 'scratch_create', {
    scratch_id: 'old-ideas',
    metadata: { title: 'Old ideas', namespace: 'product' },
    cells: [{ language: 'txt', content: 'A bell that plays a melody.' }],
  });
  await as(codingAgent, 'scratch_delete', { scratch_id: 'old-ideas' });
  await as(supportAgent, 'remember', {
    text: 'the workshop has no phone between twelve and one',
    namespace: 'support',
  });
  await as(supportAgent, 'remember', {
    text: 'customers of the cargo bicycle often ask for a second battery',
    namespace: 'support',
  });
}

const idOf = (answer: Readonly<Record<string, unknown>>): string => String(answer['entity_id']);

/** Its fields are read from the text, so each value has its place there as evidence. */
const scannedInvoice = [
  'Tallowmere Frames',
  'INVOICE',
  'Invoice number: F-2026-044',
  'Invoice date: 14 April 2026',
  'Due date: 14 May 2026',
  'Bill to:',
  'Brindlewick Bikes',
  'Description  Qty  Price',
  'Frame, cargo, long  12  640.00',
  'Total due: EUR 7,680.00',
].join('\n');

async function fillFacts(as: CallAs): Promise<void> {
  const frames = { type: 'company', name: 'Tallowmere Frames' };
  const state = (actor: string, fields: object, more: object = {}) =>
    as(actor, 'store_fact', { subject: frames, fields, ...more });
  const supplier = await state(
    buyer,
    { country: 'Portugal', payment_days: 14, contact: 'orders desk' },
    { source: 'contract of 2025', effective_at: '2025-02-01' },
  );
  await state(buyer, { payment_days: 30 }, { source: 'letter of 12 January 2026', effective_at: '2026-02-01' });
  await state(supportAgent, { lead_time_weeks: 6 }, { source: 'mail of 2 March 2026', effective_at: '2026-03-01' });
  await state(buyer, { lead_time_weeks: 9 }, { source: 'call of 4 March 2026', effective_at: '2026-03-01' });
  // The same company under another name: a possible duplicate.
  await as(supportAgent, 'store_fact', {
    subject: { type: 'company', name: 'Tallowmere Frames Lda' },
    fields: { country: 'Portugal' },
    source: 'web form',
  });
  const saddles = await as(buyer, 'store_fact', {
    subject: { type: 'company', name: 'Quillhaven Saddles' },
    fields: { country: 'Ireland', payment_days: 21 },
    source: 'contract of 2024',
    effective_at: '2024-05-01',
  });
  for (const [name, role, since] of [
    ['Mara Lindholm', 'team lead', '2023-04'],
    ['Jonas Beck', 'engineer', '2024-01'],
    ['Priya Raman', 'purchasing', '2022-09'],
  ] as const) {
    await as(lead, 'store_fact', {
      subject: { type: 'person', name },
      fields: { role },
      relations: [{ type: 'WORKS_AT', to: { type: 'company', name: 'Brindlewick Bikes' }, effective_at: since }],
      effective_at: since,
      source: 'staff list',
    });
  }
  const product = await as(lead, 'store_fact', {
    subject: { type: 'product', name: 'Cargo bicycle, long' },
    fields: { price_eur: 3490, battery_wh: 500 },
    effective_at: '2026-01-10',
    source: 'price list of January',
  });
  await as(lead, 'store_fact', {
    entity_id: idOf(product),
    fields: { price_eur: 3690 },
    effective_at: '2026-04-01',
    source: 'price list of April',
  });
  await as(lead, 'store_fact', {
    entity_id: idOf(product),
    relations: [
      { type: 'DEPENDS_ON', to: idOf(supplier) },
      { type: 'DEPENDS_ON', to: idOf(saddles) },
    ],
  });
  for (const [number, amount, vendor, date] of [
    ['F-2026-017', 12480, 'Tallowmere Frames', '2026-02-11'],
    ['F-2026-031', 9870.5, 'Tallowmere Frames', '2026-03-09'],
    ['S-4471', 2310, 'Quillhaven Saddles', '2026-03-20'],
  ] as const) {
    await as(buyer, 'submit_payload', {
      capability_id: 'neotoma:store_invoice:v1',
      body: {
        invoice_number: number,
        amount,
        currency: 'EUR',
        vendor_name: vendor,
        customer_name: 'Brindlewick Bikes',
        date,
      },
      provenance: {
        source_refs: [`inbox/${number}.pdf`],
        extracted_at: `${date}T09:00:00Z`,
        extractor_version: 'demo:v1',
        agent_id: supportAgent,
      },
    });
  }
  await as(supportAgent, 'upload_file', {
    file_name: 'F-2026-044.txt',
    content_base64: Buffer.from(scannedInvoice).toString('base64'),
  });
  await as(lead, 'correct_entity', {
    entity_id: idOf(saddles),
    fields: { payment_days: 28 },
    reason: 'The contract says 28, not 21',
  });
  await as(supportAgent, 'store_record', {
    type: 'ticket',
    properties: { number: 'T-1207', subject: 'Second battery for the cargo bicycle', status: 'open' },
  });
}

/** Agents at work: their recalls are the first receipts. */
async function workWithIt(as: CallAs): Promise<void> {
  const recalls = [
    [codingAgent, 'deploy the checkout service', ['services/checkout/retry.ts']],
    [supportAgent, 'answer a complaint about a late cargo bicycle and refund the customer', []],
    [codingAgent, 'add a column to the orders table', ['migrations/0042.sql']],
    [supportAgent, 'when does Tallowmere Frames deliver, and when do we pay?', []],
  ] as const;
  for (const [actor, task, files] of recalls) await as(actor, 'recall', { task, ...(files.length > 0 && { files }) });
  for (const [actor, id, signal] of [
    [codingAgent, 'deploy-window', 'applied'],
    [codingAgent, 'no-names-in-logs', 'helpful'],
    [supportAgent, 'refunds-need-two', 'applied'],
    [supportAgent, 'british-english', 'not-relevant'],
  ] as const) {
    await as(actor, 'usage/track', { id, action: 'applied', signal });
  }
  await as(codingAgent, 'search_docs', { query: 'payment retries', library: 'handbook' });
  await changeRule(as);
  await as(codingAgent, 'recall', { task: 'add a column to the orders table', files: ['migrations/0042.sql'] });
}

/** A bicycle shop with its rules, docs, notes and facts. The company and its people are invented. */
export async function fillCompany(as: CallAs): Promise<void> {
  await fillRules(as);
  await fillDocs(as);
  await fillPads(as);
  await fillFacts(as);
  await workWithIt(as);
}
