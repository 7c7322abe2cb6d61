import { type Field, isJson, isSql, type ServicePlan } from '../service-plan.ts';
import { fileText, joinLines, quote, wrapList } from './code-text.ts';

/** Code for two different values and an invalid one. */
interface Sample {
  readonly first: string;
  readonly second: string;
  readonly wrong: string;
}

const plainSamples: Readonly<Record<Field['type'], Sample>> = {
  string: { first: "'a first text'", second: "'Zweiter Text ✓'", wrong: '5' },
  // Neither fits exactly into four bytes.
  number: { first: '0.1', second: '-123456789.25', wrong: "'five'" },
  boolean: { first: 'true', second: 'false', wrong: "'yes'" },
  date: { first: "'2024-02-29T12:34:56.789Z'", second: "'1969-07-20T20:17:40.000Z'", wrong: "'yesterday'" },
  objectId: { first: "'65a1b2c3d4e5f60718293a4b'", second: "'0123456789abcdef01234567'", wrong: "'65a1b2c3'" },
  array: { first: "['a', 2, { deep: [true, null] }]", second: '[]', wrong: '{ a: 1 }' },
  object: { first: "{ a: 1, deep: { list: ['x', null] } }", second: '{}', wrong: "['a']" },
};

const uniqueSamples: Readonly<Record<Field['type'], Pick<Sample, 'first' | 'second'>>> = {
  string: { first: `\`first \${run}\``, second: `\`second \${run}\`` },
  number: { first: 'seed + 0.1', second: 'seed + 0.2' },
  boolean: plainSamples.boolean,
  date: { first: 'new Date(seed).toISOString()', second: 'new Date(seed + 1).toISOString()' },
  objectId: { first: 'run', second: "run.slice(1) + (run[0] === 'a' ? 'b' : 'a')" },
  array: { first: '[run, 1]', second: '[run, 2]' },
  object: { first: '{ run, at: [1] }', second: '{ run, at: [2] }' },
};

const sampleOf = (field: Field): Sample =>
  field.unique ? { ...plainSamples[field.type], ...uniqueSamples[field.type] } : plainSamples[field.type];

const sampleText = (plan: ServicePlan, which: 'first' | 'second'): string =>
  joinLines(
    `const ${which} = {`,
    plan.fields.map((field) => `  ${field.name}: ${sampleOf(field)[which]},`),
    `} satisfies ${plan.pascal}Data;`,
  );

/** Undefined without such fields. */
function forFields(fields: readonly Field[], text: string): string | undefined {
  if (fields.length === 0) return undefined;
  const names = fields.map(({ name }) => quote(name));
  return joinLines(wrapList('for (const field of [', names, '] as const) {', '  '), text, '  }', '');
}

const methodText = ({ idName }: ServicePlan, { name }: Field): string => `\
  it('answers what it was given, and by its id again', async () => {
    const record = await create(first);

    assert.deepEqual(seen(record), { ${idName}: idOf(record), ...first });
    assert.deepEqual(seen(await service.get(idOf(record))), seen(record));
  });

  it('changes what patch names, and nothing else', async () => {
    const record = await create(first);

    assert.deepEqual(seen(await patch(record, second)), { ...seen(record), ...second });
    const change = { ${name}: first.${name} };
    const patched = await patch(record, change);
    assert.deepEqual(seen(patched), { ...seen(record), ...second, ...change });
    assert.deepEqual(seen(await service.get(idOf(record))), seen(patched));
  });

  it('removes a record, which is not found any more', async () => {
    const record = await create(first);

    assert.deepEqual(seen(await service.remove(idOf(record))), seen(record));
    await assert.rejects(service.get(idOf(record)), { code: 404 });
    await assert.rejects(patch(record, second), { code: 404 });
    await assert.rejects(service.remove(idOf(record)), { code: 404 });
  });

  it('finds nothing by an id that is none', async () => {
    await assert.rejects(service.get('none'), { code: 404 });
    await assert.rejects(service.patch('none', second), { code: 404 });
    await assert.rejects(service.remove('none'), { code: 404 });
  });
`;

const findText = ({ pascal, idName }: ServicePlan): string => `\
    it(\`finds by \${field}, alone, in a list and under $or\`, async () => {
      const record = await create(first);
      const find = async (query: ${pascal}Query) => {
        const found = await service.find({ query: { ...query, ${idName}: idOf(record) }, paginate: false });
        return found.length;
      };

      assert.equal(await find({ [field]: first[field] }), 1);
      assert.equal(await find({ [field]: { $in: [first[field]] } }), 1);
      assert.equal(await find({ $or: [{ [field]: second[field] }, { [field]: first[field] }] }), 1);
      assert.equal(await find({ [field]: second[field] }), 0);
      assert.equal(await find({ [field]: { $ne: first[field] } }), 0);
    });`;

const selectText = ({ pascal, idName }: ServicePlan, { name }: Field): string => `\
  it('answers only what $select names', async () => {
    const record = await create(first);
    const selected = await service.get(idOf(record), { query: { $select: ['${name}'] } });

    assert.deepEqual(seen(selected).${name}, first.${name});
    const names = Object.keys(selected).filter((field) => field !== '${idName}');
    assert.deepEqual(names, ['${name}']);
  });

  it('refuses a query by what is no field', async () => {
    await assert.rejects(service.find({ query: { __unknown: 1 } as ${pascal}Query }), { code: 400 });
  });
`;

const optionalText = `\
    it(\`lets \${field} be left out and taken away: it is null then\`, async () => {
      const record = await create({ ...first, [field]: undefined } as never);

      assert.equal(seen(record)[field], null);
      const given = await patch(record, { [field]: first[field] });
      assert.deepEqual(seen(given)[field], first[field]);
      const emptied = await patch(record, { [field]: null });
      assert.equal(seen(emptied)[field], null);
      assert.equal(seen(await create({ ...second, [field]: null }))[field], null);
    });`;

const requiredText = `\
    it(\`refuses a record without \${field}\`, async () => {
      await assert.rejects(create({ ...first, [field]: undefined } as never), { code: 400 });
      await assert.rejects(create({ ...first, [field]: null } as never), { code: 400 });
      const record = await create(first);
      await assert.rejects(patch(record, { [field]: null } as never), { code: 400 });
    });`;

const uniqueText = `\
    it(\`lets no two records have the same \${field}\`, async () => {
      const taken = { [field]: first[field] };
      const refusal = { code: 409, data: { fields: [field] } };
      await create(first);

      await assert.rejects(create({ ...second, ...taken }), refusal);
      const other = await create(second);
      await assert.rejects(patch(other, taken), refusal);
      assert.deepEqual(seen(await service.get(idOf(other))), seen(other));
    });`;

const refusalText = ({ fields, pascal }: ServicePlan): string => `\
  const wrong = {
${fields.map((field) => `    ${field.name}: ${sampleOf(field).wrong},`).join('\n')}
  };
  for (const [field, value] of Object.entries(wrong)) {
    it(\`refuses \${field} of another type\`, async () => {
      await assert.rejects(create({ ...first, [field]: value } as never), { code: 400 });
      const record = await create(first);
      await assert.rejects(patch(record, { [field]: value } as never), { code: 400 });
      assert.deepEqual(seen(await service.get(idOf(record))), seen(record));
    });
  }

  it('refuses a field that it does not know, and a patch of nothing or of a list', async () => {
    await assert.rejects(create({ ...first, __unknown: 1 } as ${pascal}Data), { code: 400 });
    const record = await create(first);
    await assert.rejects(patch(record, { __unknown: 1 } as ${pascal}Patch), { code: 400 });
    await assert.rejects(patch(record, {}), { code: 400 });
    await assert.rejects(service.patch(idOf(record), [second] as never), { code: 400 });
  });`;

const frameText = ({ name, pascal, database }: ServicePlan): string => `\
describe('the ${name} service', () => {
  const service = app.service('${name}');
  const made: ${pascal}Record[] = [];

  const idOf = ${isSql(database) ? `({ id }: ${pascal}Record) => id` : `({ _id }: ${pascal}Record) => String(_id)`};
  // As it arrives at a client.
  const seen = (record: unknown) => JSON.parse(JSON.stringify(record));
  const create = async (data: ${pascal}Data) => {
    const record = await service.create({ ...data });
    made.push(record);
    return record;
  };
  const patch = (record: ${pascal}Record, data: ${pascal}Patch) => service.patch(idOf(record), { ...data });

  afterEach(async () => {
    for (const record of made.splice(0)) await service.remove(idOf(record)).catch(() => undefined);
  });
`;

/** The generated test runs in any application with the service, on its real database, and removes its records. */
export function writeTest(plan: ServicePlan): string {
  const { name, pascal, fields } = plan;
  const samples = fields.map((field) => sampleOf(field).first);
  const usesRun = samples.some((sample) => /\brun\b/.test(sample));
  const usesSeed = samples.some((sample) => /\bseed\b/.test(sample));
  const types = ['Data', 'Patch', 'Query', 'Record'].map((part) => `${pascal}${part}`);
  const [first] = fields;
  if (first === undefined) throw new Error('bug: a service plan without fields');
  return fileText(
    "import assert from 'node:assert/strict';",
    usesRun && "import { randomBytes } from 'node:crypto';",
    "import { app } from '../../../src/app.js';",
    wrapList('import type { ', types, ` } from '../../../src/services/${name}/${name}.schema.js';`),
    '',
    (usesRun || usesSeed) && '// Unique values are new in each run: other records may be there.',
    usesRun && "const run = randomBytes(12).toString('hex');",
    usesSeed && 'const seed = Math.floor(Math.random() * 1e12);',
    (usesRun || usesSeed) && '',
    sampleText(plan, 'first'),
    sampleText(plan, 'second'),
    '',
    frameText(plan),
    methodText(plan, first),
    forFields(
      fields.filter((field) => !isJson(field)),
      findText(plan),
    ),
    selectText(plan, fields.find(isJson) ?? first),
    forFields(
      fields.filter(({ required }) => !required),
      optionalText,
    ),
    forFields(
      fields.filter(({ required }) => required),
      requiredText,
    ),
    forFields(
      fields.filter(({ unique }) => unique),
      uniqueText,
    ),
    refusalText(plan),
    '});',
  );
}
