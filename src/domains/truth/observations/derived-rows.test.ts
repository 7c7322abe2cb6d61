import { expect, test } from 'vitest';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { truthLimits } from '../truth-limits.ts';
import { eventsOf, lookupsOfFields, lookupsOfName } from './derived-rows.ts';
import { entityIdOf } from './entity-name.ts';

const schema: EntitySchema = {
  entity_type: 'trip',
  version: '1.0',
  fields: {
    code: { type: 'string', identifier: true },
    codes: { type: 'array', strategy: 'merge_array', identifier: true },
    stops: { type: 'date', strategy: 'merge_array' },
    left: { type: 'date' },
    note: { type: 'string' },
  },
};
const facts = { observationId: 'obs_1', entityId: 'ent_1', entityType: 'trip', sourceId: 'p1' };

test('[TR19] creates one event per distinct date of a list', () => {
  const fields = { stops: ['2025-01-01', '2025-01-02', '2025-01-01'], left: '2024-12-31', note: '2025-05-05' };
  const events = eventsOf(schema, { ...facts, fields });
  expect(events.map(({ event_type, value }) => `${event_type} ${value}`).sort()).toEqual([
    'trip_left 2024-12-31',
    'trip_stops 2025-01-01',
    'trip_stops 2025-01-02',
  ]);
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(3);
  expect(eventsOf(schema, { ...facts, fields })).toEqual(events);
});

test('creates identifiers from the fields that the schema marks, one per list item', () => {
  const { identifiers, matchKeys } = lookupsOfFields(schema, {
    ...facts,
    fields: { code: ' AB-12 ', codes: ['x', 7, {}, ''], note: 'not me' },
  });
  expect(identifiers.map(({ field, identifier }) => [field, identifier])).toEqual([
    ['code', 'ab-12'],
    ['codes', 'x'],
    ['codes', '7'],
    ['code=ab-12', '\u001ff:ab12'],
  ]);
  expect(matchKeys).toEqual([{ entity_type: 'trip', match_key: 'code=ab12', entity_id: 'ent_1' }]);
});

test('limits the number of rows per observation', () => {
  const codes = Array.from({ length: 5_000 }, (_, i) => `code ${i}`);
  const stops = Array.from({ length: 5_000 }, (_, i) => new Date(i * 86_400_000).toISOString());
  const aliases = Array.from({ length: 5_000 }, (_, i) => `alias ${i}`);
  const { identifiers } = lookupsOfFields(schema, { ...facts, fields: { codes, aliases } });
  expect(identifiers.filter(({ field }) => field === 'codes')).toHaveLength(truthLimits.identifiersCount);
  expect(identifiers.length).toBeLessThan(truthLimits.identifiersCount + truthLimits.aliasesCount * 5);
  expect(eventsOf(schema, { ...facts, fields: { stops } })).toHaveLength(truthLimits.eventsCount);
});

test('derives the same lookups from name and canonical name, and no match key from a hash', () => {
  expect(lookupsOfName('trip', 'ent_1', 'inv-1 acme')).toEqual(lookupsOfName('trip', 'ent_1', 'inv-1\u001facme'));
  const hash = `payload_${'0'.repeat(24)}`;
  expect(lookupsOfName('trip', 'ent_1', hash)).toEqual({
    identifiers: [{ identifier: hash, entity_type: 'trip', entity_id: 'ent_1', field: 'name' }],
    matchKeys: [],
  });
});

test('[TR60] creates lookups from other names, but not from the name that the id was made of', () => {
  const entityId = entityIdOf('company', 'acme');
  const { identifiers } = lookupsOfFields(
    { ...schema, entity_type: 'company' },
    { ...facts, entityType: 'company', entityId, fields: { name: 'ACME Corp.', aliases: ['Ajax GmbH', 'ajax', 7] } },
  );
  expect(identifiers).toEqual([
    { identifier: '\u001ff:ajax', entity_type: 'company', entity_id: entityId, field: 'alias=ajax' },
  ]);
});

test('the name of an entity with a key is an identifier, and so is the key', () => {
  const entityId = entityIdOf('person', 'ann lee\u001fann@x.org');
  const { identifiers } = lookupsOfFields(
    { ...schema, entity_type: 'person' },
    { ...facts, entityType: 'person', entityId, fields: { name: 'Ann Lee', email: 'Ann@x.org' } },
  );
  expect(identifiers).toContainEqual({
    identifier: 'ann lee',
    entity_type: 'person',
    entity_id: entityId,
    field: 'name',
  });
  expect(identifiers).toContainEqual({
    identifier: 'ann@x.org',
    entity_type: 'person',
    entity_id: entityId,
    field: 'key',
  });
});
