import type { ServiceRequest } from '#domains/knowledge/services/service-plan.ts';

/** A service for values at the edge of what databases store. */
export const edges: Pick<ServiceRequest, 'name' | 'fields'> = {
  name: 'edges',
  fields: [
    { name: 'text', type: 'string', unique: true },
    { name: 'count', type: 'number' },
    { name: 'at', type: 'date', unique: true },
    { name: 'ref', type: 'objectId', unique: true },
    { name: 'list', type: 'array', unique: true },
    { name: 'doc', type: 'object', unique: true },
  ],
};

/** A test in the application: every database must give the same answers. */
export const edgesTest = `import assert from 'node:assert/strict';
import { app } from '../src/app.js';
import type { EdgesQuery, EdgesRecord } from '../src/services/edges/edges.schema.js';

describe('values at the edge', () => {
  const service = app.service('edges');
  const seen = (record: unknown) => JSON.parse(JSON.stringify(record));
  const idOf = (record: EdgesRecord) => seen(record).id ?? seen(record)._id;
  const count = async (query: EdgesQuery) => (await service.find({ query: { ...query }, paginate: false })).length;
  // As many objects in one another.
  const nested = (levels: number): Record<string, unknown> => {
    let value = {};
    for (let level = 1; level < levels; level += 1) value = { inner: value };
    return value;
  };
  const refused = (data: object, code: number) => assert.rejects(service.create(data as never), { code });

  afterEach(async () => {
    for (const record of await service.find({ paginate: false })) await service.remove(idOf(record));
  });

  it('are kept as they are', async () => {
    for (const count of [0, -1.5, 9007199254740991, 1e-300, 1.7976931348623157e308, 0.1 + 0.2])
      assert.equal((await service.create({ count })).count, count);
    for (const text of ['', ' ', "'; drop table edges; --", '%_', '\\u{1F600} é', 'x'.repeat(255), 'null', '\\\\'])
      assert.equal((await service.create({ text })).text, text);
    const doc = { '': 1, 'a.b': { c: [[], {}, null, 'x'] }, é: '\\n', big: 'y'.repeat(20000) };
    assert.deepEqual(seen(await service.create({ doc })).doc, doc);
    assert.deepEqual(seen(await service.create({ doc: nested(50) })).doc, nested(50));
  });

  it('are the same moment in whatever zone they are written', async () => {
    const { at } = await service.create({ at: '2024-03-01T01:30:00+02:00' });
    assert.equal(at, '2024-02-29T23:30:00.000Z');
    await refused({ at: '2024-02-29T23:30:00Z' }, 409);
    assert.equal(await count({ at: '2024-02-29T18:30:00-05:00' }), 1);
    assert.equal(await count({ at: { $gte: '2024-03-01T00:30:00+01:00' } }), 1);
    assert.equal(await count({ at: { $gt: '2024-02-29T23:30:00Z' } }), 0);
  });

  it('are refused as dates that no calendar or not every database has', async () => {
    for (const at of ['0000-01-01T00:00:00Z', '2024-02-30T00:00:00Z', '2024-01-01', '2024-01-01T00:00:00', '1e3'])
      await refused({ at }, 400);
    await assert.rejects(count({ at: '0000-06-01T00:00:00Z' }), { code: 400 });
    assert.equal((await service.create({ at: '0001-06-01T00:00:00Z' })).at, '0001-06-01T00:00:00.000Z');
    assert.equal((await service.create({ at: '9999-12-31T23:59:59.999Z' })).at, '9999-12-31T23:59:59.999Z');
  });

  it('are the same id in capitals', async () => {
    assert.equal(seen(await service.create({ ref: 'ABCDEF0123456789ABCDEF01' })).ref, 'abcdef0123456789abcdef01');
    await refused({ ref: 'abcdef0123456789abcdef01' }, 409);
    assert.equal(await count({ ref: 'ABCDEF0123456789ABCDEF01' }), 1);
    for (const ref of ['', 'x'.repeat(24), 'abcdef0123456789abcdef012']) await refused({ ref }, 400);
  });

  it('are the same value when they are the same as a whole', async () => {
    await service.create({ list: [1, { a: 1, b: [2] }], doc: { x: 1, y: { p: 1, q: 2 } } });
    await refused({ list: [1, { b: [2], a: 1 }] }, 409);
    await refused({ doc: { y: { q: 2, p: 1 }, x: 1 } }, 409);
    for (const list of [[1], [{ a: 1, b: [2] }, 1], []]) await service.create({ list });
    for (const doc of [{ x: 1 }, { x: 1, y: { p: 1, q: '2' } }, {}]) await service.create({ doc });
    await service.create({ list: ['z'.repeat(20000)] });
    await refused({ list: ['z'.repeat(20000)] }, 409);
  });

  it('do not collide with themselves, nor where there are none', async () => {
    const record = await service.create({ text: 'own', list: [1], doc: {} });
    await service.patch(idOf(record), { text: 'own', list: [1], doc: {}, count: 2 });
    await service.create({});
    await service.create({ text: null, at: null, ref: null, list: null, doc: null });
    await service.patch(idOf(record), { text: null, list: null, doc: null });
    await service.create({ text: 'own', list: [1], doc: {} });
    assert.equal(await count({ text: null }), 3);
    assert.equal(await count({ text: { $ne: null } }), 1);
  });

  it('that are too long, or that a column cannot keep, are the fault of the caller', async () => {
    await refused({ text: 'x'.repeat(256) }, 400);
    await refused({ count: Number.NaN }, 400);
    for (const doc of [{ _bsontype: 'ObjectId' }, { a: [{ 'a\\0b': 1 }] }, nested(51)]) await refused({ doc }, 400);
    await refused({ list: [nested(3000)] }, 400);
    for (const data of [{ text: 'a\\0b' }, { doc: { a: 'a\\0b' } }]) {
      const code = await service.create(data).then(() => 201, (error) => error.code);
      assert.ok(code === 201 || code === 400, String(code));
    }
    const record = await service.create({});
    const code = await service.patch(idOf(record), { text: 'c\\0d' }).then(() => 200, (error) => error.code);
    assert.ok(code === 200 || code === 400, String(code));
  });
});
`;
