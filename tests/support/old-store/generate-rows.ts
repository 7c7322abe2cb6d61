import { createHash } from 'node:crypto';
import type { Bound } from '#kernel/storage/sql.ts';

export type OldRow = Readonly<Record<string, Bound>>;

/** Rows of one table in the layout of schema 12. */
export interface OldRows {
  readonly table: string;
  /** Undefined if the rows name it themselves. */
  readonly tenant?: string;
  /** Hashes are added where they are missing. */
  readonly rows: readonly OldRow[];
}

/**
 * The rules of the version with schema 12, written down again and for simple names only: the current code may change,
 * and old stores do not.
 */
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const entityIdOf = (type: string, name: string): string => `ent_${sha(`${type}:${name}`).slice(0, 24)}`;
const observationIdOf = (entityId: string, key: string, role: string): string =>
  `obs_${sha([entityId, key, role].join('\u001f')).slice(0, 24)}`;
const nameKeyOf = (name: string): string =>
  `name=${name
    .replaceAll(/[^a-z0-9]/g, ' ')
    .split(' ')
    .sort()
    .join(' ')}`;

const dayMs = 86_400_000;
const firstDay = Date.UTC(2023, 0, 1);
/** All recorded after the documents were read. */
const recordedFrom = Date.UTC(2025, 0, 1);

export interface OldStoreSize {
  /** About so many; a store has a few more. */
  readonly observations: number;
  readonly seed: number;
}

/** Small, fast and the same everywhere. */
function createRandom(seed: number): (below: number) => number {
  let state = (seed * 2654435761 + 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Entity {
  readonly type: string;
  readonly name: string;
  count: number;
  lastObserved: number;
  lastRecorded: number;
  readonly created: number;
  mergedInto: string;
  /** The last fields, for a state that looks like one. */
  fields: OldRow;
  observation: string;
}

const chunkCount = 2_000;

function* inChunks(tenant: string, table: string, rows: readonly OldRow[]): Generator<OldRows> {
  for (let i = 0; i < rows.length; i += chunkCount) yield { tenant, table, rows: rows.slice(i, i + chunkCount) };
}

const vehicleSchema = (version: string, more: object) => ({
  entity_type: 'vehicle',
  version,
  definition: JSON.stringify({
    entity_type: 'vehicle',
    fields: { mileage: { type: 'number' }, plate: { identifier: true, type: 'string' }, ...more },
    version,
  }),
});

/**
 * Invoices with vendors and customers, corrections, merges, schemas, relationships and records of one tenant. The states are
 * placeholders: a migration makes them outdated.
 */
export function* generateTenant(tenant: string, { observations, seed }: OldStoreSize): Generator<OldRows> {
  const random = createRandom(seed);
  const payloadCount = Math.ceil(observations / 3);
  const vendorCount = Math.max(4, Math.ceil(observations / 200));
  const entities = new Map<string, Entity>();
  const identifiers: OldRow[] = [];
  const keys = new Map<string, Set<string>>();
  const totals = new Map<string, number>();
  const corrections: OldRow[] = [];
  let clock = recordedFrom;
  const tick = (ms: number): number => {
    clock += ms;
    return clock;
  };
  let payloads: OldRow[] = [];
  let rows: OldRow[] = [];
  let events: OldRow[] = [];
  const add = (kind: string, key: string, count = 1): void => {
    totals.set(`${kind}\u0000${key}`, (totals.get(`${kind}\u0000${key}`) ?? 0) + count);
  };
  function addKey(type: string, key: string, entityId: string): void {
    const place = `${type}\u0000${key}`;
    const known = keys.get(place);
    if (known === undefined) keys.set(place, new Set([entityId]));
    else known.add(entityId);
  }
  function addIdentifier(entity_type: string, entity_id: string, identifier: string, field: string): void {
    identifiers.push({ identifier, entity_type, entity_id, field });
  }

  interface Statement {
    readonly type: string;
    readonly name: string;
    readonly role: string;
    readonly fields: Readonly<Record<string, string | number>>;
    readonly raw?: Readonly<Record<string, string>>;
    readonly observedAt: number;
    readonly kind: string;
    readonly sourceId: string;
    readonly key: string;
    readonly priority: number;
    readonly specificity: number;
    readonly version?: string;
  }

  function observe(one: Statement): string {
    const entityId = entityIdOf(one.type, one.name);
    const id = observationIdOf(entityId, one.key, one.role);
    rows.push({
      entity_id: entityId,
      observed_at: one.observedAt,
      observation_id: id,
      entity_type: one.type,
      schema_version: one.version ?? '1.0',
      source_kind: one.kind,
      source_id: one.sourceId,
      role: one.role,
      specificity: one.specificity,
      priority: one.priority,
      created_at: clock,
      fields: JSON.stringify(one.fields),
      raw_fragments: JSON.stringify(one.raw ?? {}),
    });
    let entity = entities.get(entityId);
    if (entity === undefined) {
      entity = {
        ...{ type: one.type, name: one.name, count: 0, lastObserved: one.observedAt, lastRecorded: clock },
        ...{ created: clock, mergedInto: '', fields: {}, observation: id },
      };
      entities.set(entityId, entity);
      addIdentifier(one.type, entityId, one.name.replaceAll('\u001f', ' '), 'name');
      addKey(one.type, nameKeyOf(one.name), entityId);
    }
    entity.count += 1;
    entity.lastObserved = Math.max(entity.lastObserved, one.observedAt);
    entity.lastRecorded = clock;
    entity.fields = { ...entity.fields, ...one.fields };
    entity.observation = id;
    add('observations', '');
    return id;
  }

  function addEvent(statement: Statement, observation_id: string, field: string, value: string): void {
    const { type, name, sourceId } = statement;
    events.push({
      event_at: Date.parse(value),
      event_id: `evt_${sha([observation_id, field, value].join('\u001f')).slice(0, 24)}`,
      event_type: `${type}_${field}`,
      entity_id: entityIdOf(type, name),
      ...{ entity_type: type, field, value, source_id: sourceId, observation_id, created_at: clock },
    });
    add('events', `${type}_${field}`);
  }

  const vendorName = (i: number): string => `vendor ${sha(`${seed} ${i}`).slice(0, 6)} shipping`;

  function submitInvoice(i: number): void {
    clock += 1 + random(50);
    const number = `inv-${String(random(payloadCount)).padStart(7, '0')}`;
    const vendor = vendorName(random(vendorCount));
    const customer = `customer ${random(50)} works`;
    const day = random(700);
    const date = new Date(firstDay + day * dayMs).toISOString().slice(0, 10);
    const due = new Date(firstDay + (day + 30) * dayMs).toISOString().slice(0, 10);
    const amount = 100 + random(100_000) / 4;
    const payloadId = `01a00000-0000-7000-8000-${String(i).padStart(12, '0')}`;
    const contentId = `payload_${sha(`${seed} ${i}`).slice(0, 24)}`;
    const observedAt = firstDay + day * dayMs + random(dayMs);
    const fields = {
      ...{ invoice_number: number, amount, currency: 'EUR', vendor_name: vendor, customer_name: customer },
      ...{ date, due_date: due, status: random(2) === 0 ? 'open' : 'paid' },
    };
    const common = {
      ...{ observedAt, kind: 'payload', sourceId: payloadId, key: contentId, priority: 100 },
    };
    const own: Statement = {
      type: 'invoice',
      name: `${number}\u001f${vendor}`,
      role: 'self',
      fields,
      ...common,
      specificity: 0.5714,
    };
    const entityId = entityIdOf(own.type, own.name);
    const isFirst = !entities.has(entityId);
    const observation = observe({ ...own, raw: random(4) === 0 ? { terms: 'thirty days, free of charge' } : {} });
    addEvent(own, observation, 'date', date);
    addEvent(own, observation, 'due_date', due);
    if (isFirst) addIdentifier('invoice', entityId, number, 'invoice_number');
    addKey('invoice', `invoice_number=${number.replace('-', '')}`, entityId);
    observe({
      type: 'company',
      name: vendor,
      role: 'vendor_name',
      fields: { name: vendor, address: `${random(90)} Quay` },
      ...common,
      specificity: 0.1667,
    });
    observe({
      type: 'company',
      name: customer,
      role: 'customer_name',
      fields: { name: customer },
      ...common,
      specificity: 0.0833,
    });
    payloads.push({
      ...{ payload_id: payloadId, content_id: contentId, submission_id: `sub_${payloadId}` },
      ...{ capability_id: 'neotoma:store_invoice:v1', primary_type: 'invoice', entity_id: entityId },
      ...{
        extracted_at: observedAt,
        extractor_version: 'reader:v1',
        agent_id: random(2) === 0 ? null : `agent-${random(5)}`,
      },
      ...{ client_request_id: random(9) === 0 ? `request ${i}` : null, created_at: clock },
      source_refs:
        i > 0 && random(10) === 0
          ? JSON.stringify([`01a00000-0000-7000-8000-${String(random(i)).padStart(12, '0')}`])
          : '[]',
      ...{ file_urls: '[]', body: JSON.stringify({ ...fields, vendor_address: '1 Quay' }) },
    });
    add('payloads', '');
  }

  function correct(i: number): void {
    clock += 1 + random(50);
    const id = `01b00000-0000-7000-8000-${String(i).padStart(12, '0')}`;
    const name = vendorName(0);
    const statement = {
      kind: 'correction',
      sourceId: id,
      key: id,
      priority: 1000,
      specificity: 0.0833,
      role: 'correction',
    };
    observe({ type: 'company', name, ...statement, observedAt: clock, fields: { address: `${i} Corrected Street` } });
    corrections.push({
      correction_id: id,
      entity_id: entityIdOf('company', name),
      reason: 'Moved',
      actor: 'ada',
      created_at: clock,
    });
  }

  function* flush(): Generator<OldRows> {
    yield { tenant, table: 'truth_payloads', rows: payloads };
    yield { tenant, table: 'truth_observations', rows };
    yield { tenant, table: 'truth_events', rows: events };
    payloads = [];
    rows = [];
    events = [];
  }

  for (let i = 0; i < payloadCount; i += 1) {
    submitInvoice(i);
    if (i % 500 === 499) correct(i);
    if (rows.length >= chunkCount) yield* flush();
  }
  correct(payloadCount);

  // A record that is the source of an observation, of a type with a schema of its own.
  const schemas: OldRow[] = [
    { ...vehicleSchema('1.1', {}), is_active: 0, created_at: recordedFrom, activated_at: recordedFrom + 1 },
    {
      ...vehicleSchema('1.2', { colour: { type: 'string' } }),
      is_active: 1,
      created_at: recordedFrom + 2,
      activated_at: clock + 1,
    },
  ];
  clock += 5;
  const record = {
    record_id: `01c00000-0000-7000-8000-${tenant.length}00000000000`,
    type: 'vehicle',
    created_at: clock,
    updated_at: clock,
  };
  const properties = { plate: 'hh 12', mileage: 7, colour: 'red' };
  const source = { kind: 'record', sourceId: record.record_id, key: record.record_id, priority: 50, version: '1.2' };
  observe({
    type: 'vehicle',
    name: 'hh 12 van',
    role: 'self',
    ...source,
    fields: properties,
    observedAt: clock,
    specificity: 1,
  });
  const van = entityIdOf('vehicle', 'hh 12 van');
  addIdentifier('vehicle', van, 'hh 12', 'plate');
  addKey('vehicle', 'plate=hh12', van);
  yield* flush();
  yield { tenant, table: 'truth_schemas', rows: schemas };
  yield {
    tenant,
    table: 'truth_records',
    rows: [{ ...record, file_urls: '[]', embedding: null, properties: JSON.stringify(properties) }],
  };
  yield* inChunks(tenant, 'truth_corrections', corrections);

  // Every tenth company is merged into the one before it.
  const companies = [...entities].filter(([, { type }]) => type === 'company');
  const merges: OldRow[] = [];
  for (let i = 9; i < companies.length; i += 10) {
    const [source_entity_id, entity] = companies[i]!;
    const [target_entity_id, target] = companies[i - 1]!;
    entity.mergedInto = target_entity_id;
    target.count += entity.count;
    target.lastObserved = Math.max(target.lastObserved, entity.lastObserved);
    target.lastRecorded = Math.max(target.lastRecorded, entity.lastRecorded);
    merges.push({ source_entity_id, merged_at: tick(1), target_entity_id, actor: 'ada', unmerged_at: null });
  }
  yield* inChunks(tenant, 'truth_merges', merges);
  const relationships = companies.slice(0, 200).flatMap(([target], i) => {
    const [from] = companies[i + 1] ?? [];
    if (from === undefined) return [];
    const rootOf = (id: string): string => entities.get(id)!.mergedInto || id;
    return {
      ...{ relationship_id: sha(`${from} ${target}`).slice(0, 32), relationship_type: 'REFERS_TO' },
      ...{
        source_entity_id: from,
        target_entity_id: target,
        source_root_id: rootOf(from),
        target_root_id: rootOf(target),
      },
      ...{ created_at: tick(1), metadata: i % 2 === 0 ? null : '{"page":2}' },
    };
  });
  yield* inChunks(tenant, 'truth_relationships', relationships);

  for (const { type, mergedInto } of entities.values()) if (mergedInto === '') add('entities', type);
  yield* inChunks(
    tenant,
    'truth_entities',
    [...entities].map(([entity_id, one]) => ({
      ...{
        entity_id,
        entity_type: one.type,
        canonical_name: one.name.replaceAll('\u001f', ' '),
        merged_into: one.mergedInto,
      },
      ...{ root_id: one.mergedInto || entity_id, observation_count: one.count, last_observed_at: one.lastObserved },
      ...{
        last_recorded_at: one.lastRecorded,
        created_at: one.created,
        schema_version: one.type === 'vehicle' ? '1.2' : '1.0',
      },
      state: JSON.stringify({
        f: Object.fromEntries(Object.entries(one.fields).map(([name, value]) => [name, [0, value]])),
        o: [[one.observation, one.lastObserved, 100, 0.5]],
      }),
    })),
  );
  yield* inChunks(tenant, 'truth_identifiers', identifiers);
  const shared: OldRow[] = [];
  const matchKeys: OldRow[] = [];
  for (const [place, ids] of keys) {
    const [entity_type, match_key] = place.split('\u0000') as [string, string];
    if (ids.size > 1) shared.push({ entity_type, match_key });
    for (const entity_id of ids) matchKeys.push({ entity_type, match_key, entity_id });
  }
  yield* inChunks(tenant, 'truth_match_keys', matchKeys);
  yield* inChunks(tenant, 'truth_shared_keys', shared);
  yield {
    tenant,
    table: 'truth_totals',
    rows: [...totals].map(([place, count]) => {
      const [kind, key] = place.split('\u0000') as [string, string];
      return { kind, key, count };
    }),
  };
}
