import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Json, md, type NotebookProgram, openOn } from './notebook-program.ts';

const mebibyte = 1024 * 1024;
const own = { scratch_id: 'firm' };
const half = 'a\ud800b';
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `t${n}`);
/** From JSON, so that it is the object's own property. */
const poisoned = JSON.parse(
  '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
) as Json;

/** The mistake, the tool, its arguments and the code. scratch_create treats each cell in the same way. */
const badCells: readonly (readonly [string, Json, string])[] = [
  ['an unknown language', { language: 'cobol', content: 'x' }, 'VALIDATION_ERROR'],
  ['no language', { content: 'x' }, 'VALIDATION_ERROR'],
  ['no content', { language: 'md' }, 'VALIDATION_ERROR'],
  ['content that is not a text', { language: 'json', content: { a: 1 } }, 'VALIDATION_ERROR'],
  ['content with half a surrogate pair', md(half), 'VALIDATION_ERROR'],
  ['content with NUL', md('a\0b'), 'VALIDATION_ERROR'],
  ['content over 5 MiB', md('m'.repeat(5 * mebibyte + 1)), 'CAPACITY_LIMIT_REACHED'],
  ['a field that is not known', md('x', { colour: 1 }), 'VALIDATION_ERROR'],
  ['a bad cell_id', md('x', { cell_id: '../x' }), 'INVALID_ID'],
  ['a cell_id that is not a text', md('x', { cell_id: 7 }), 'INVALID_ID'],
  ['validate that is not a flag', md('x', { validate: 'yes' }), 'VALIDATION_ERROR'],
  ['tags that are not a list', md('x', { tags: 'a' }), 'VALIDATION_ERROR'],
  ['an empty tag', md('x', { tags: [''] }), 'VALIDATION_ERROR'],
  ['a tag of 129 characters', md('x', { tags: ['t'.repeat(129)] }), 'VALIDATION_ERROR'],
  ['a tag with half a surrogate pair', md('x', { tags: [half] }), 'VALIDATION_ERROR'],
  ['65 tags', md('x', { tags: many(65) }), 'VALIDATION_ERROR'],
  ['bad tags inside of metadata', md('x', { metadata: { tags: [7] } }), 'VALIDATION_ERROR'],
  ['metadata over 16 KiB', md('x', { metadata: { a: 'x'.repeat(16 * 1024) } }), 'CAPACITY_LIMIT_REACHED'],
  ['metadata that is not a map', md('x', { metadata: [1] }), 'VALIDATION_ERROR'],
  ['a json_schema that is a number', md('x', { json_schema: 7 }), 'VALIDATION_ERROR'],
  ['a json_schema over 64 KiB', md('x', { json_schema: { title: 'x'.repeat(64 * 1024) } }), 'CAPACITY_LIMIT_REACHED'],
];

const badCalls: readonly (readonly [string, string, Json, string])[] = [
  ...badCells.flatMap(([what, cell, code]) => [
    [`${what}, appended`, 'scratch_append_cell', { ...own, cell }, code] as const,
    [`${what}, in create`, 'scratch_create', { ...own, cells: [md('sound'), cell] }, code] as const,
    [`${what}, in replace`, 'scratch_replace_cell', { ...own, cell_id: 'one', cell, new_index: 1 }, code] as const,
  ]),
  ['a cell_id twice', 'scratch_create', { ...own, cells: [1, 2].map(() => md('x', { cell_id: 'c' })) }, 'CONFLICT'],
  [
    '1025 cells',
    'scratch_create',
    { ...own, cells: Array.from({ length: 1025 }, () => md('x')) },
    'CAPACITY_LIMIT_REACHED',
  ],
  ['cells that are not a list', 'scratch_create', { ...own, cells: md('x') }, 'VALIDATION_ERROR'],
  ['a title of 501 characters', 'scratch_create', { ...own, metadata: { title: 't'.repeat(501) } }, 'VALIDATION_ERROR'],
  ['a title that is a number', 'scratch_create', { ...own, metadata: { title: 7 } }, 'VALIDATION_ERROR'],
  ['a title with half a surrogate pair', 'scratch_create', { ...own, metadata: { title: half } }, 'VALIDATION_ERROR'],
  ['a name with half a surrogate pair', 'scratch_create', { ...own, metadata: { [half]: 1 } }, 'VALIDATION_ERROR'],
  ['a blank namespace', 'scratch_create', { ...own, metadata: { namespace: '  ' } }, 'VALIDATION_ERROR'],
  [
    'a namespace of 129 characters',
    'scratch_create',
    { ...own, metadata: { namespace: 'n'.repeat(129) } },
    'VALIDATION_ERROR',
  ],
  ['65 tags of a pad', 'scratch_create', { ...own, metadata: { tags: many(65) } }, 'VALIDATION_ERROR'],
  [
    'metadata of a pad over 64 KiB',
    'scratch_create',
    { ...own, metadata: { a: 'x'.repeat(65_536) } },
    'CAPACITY_LIMIT_REACHED',
  ],
  ['schemas that are not a map', 'scratch_create', { ...own, metadata: { schemas: [] } }, 'VALIDATION_ERROR'],
  ['a schema that is not an object', 'scratch_create', { ...own, metadata: { schemas: { a: 7 } } }, 'VALIDATION_ERROR'],
  [
    'a schema over 1 MiB',
    'scratch_create',
    { ...own, metadata: { schemas: { a: { title: 'x'.repeat(mebibyte) } } } },
    'CAPACITY_LIMIT_REACHED',
  ],
  ['an unknown if_exists', 'scratch_create', { ...own, if_exists: 'merge' }, 'VALIDATION_ERROR'],
  ['expected_revision 0', 'scratch_append_cell', { ...own, cell: md('x'), expected_revision: 0 }, 'VALIDATION_ERROR'],
  ['half an expected_revision', 'scratch_delete', { ...own, expected_revision: 1.5 }, 'VALIDATION_ERROR'],
  [
    'an index out of range',
    'scratch_replace_cell',
    { ...own, cell_id: 'one', cell: md('x'), new_index: 2 },
    'INVALID_INDEX',
  ],
  [
    'an index beyond all numbers',
    'scratch_replace_cell',
    { ...own, cell_id: 'one', cell: md('x'), new_index: 1e300 },
    'INVALID_INDEX',
  ],
  ['unknown cell_ids', 'scratch_read', { ...own, cell_ids: ['one', 'nine'] }, 'INVALID_ID'],
  ['unknown cell_ids', 'scratch_list_cells', { ...own, cell_ids: ['nine'] }, 'INVALID_ID'],
  ['unknown cell_ids', 'scratch_validate', { ...own, cell_ids: ['nine'] }, 'INVALID_ID'],
  ['an unknown cell', 'scratch_replace_cell', { ...own, cell_id: 'nine', cell: md('x') }, 'INVALID_ID'],
  ['2049 cell_ids', 'scratch_read', { ...own, cell_ids: many(2049) }, 'VALIDATION_ERROR'],
  ['101 tags to look for', 'scratch_list', { tags: many(101) }, 'VALIDATION_ERROR'],
  ['101 namespaces to look for', 'scratch_list_tags', { namespaces: many(101) }, 'VALIDATION_ERROR'],
  ['a namespace that does not exist', 'scratch_read', { ...own, namespaces: ['nowhere'] }, 'CONFLICT'],
  [
    'a namespace that does not exist',
    'scratch_namespace_rename',
    { old_namespace: 'nowhere', new_namespace: 'x' },
    'NOT_FOUND',
  ],
  [
    'a namespace that exists',
    'scratch_namespace_rename',
    { old_namespace: 'home', new_namespace: 'taken' },
    'VALIDATION_ERROR',
  ],
  ['a namespace that is not empty', 'scratch_namespace_delete', { namespace: 'home' }, 'VALIDATION_ERROR'],
  ['half a surrogate pair', 'scratch_namespace_create', { namespace: half }, 'VALIDATION_ERROR'],
  ['half a surrogate pair', 'scratch_search', { query: half }, 'VALIDATION_ERROR'],
];

describe.each(engines)('rejects invalid input with its code and changes nothing, on %s', (engine) => {
  let program: NotebookProgram;
  /** All that the tools can read. */
  const look = async (): Promise<readonly unknown[]> => [
    await program.read('firm'),
    await program.call('scratch_list'),
    await program.call('scratch_list_tags'),
    await program.call('scratch_namespace_list'),
    await program.call('scratch_list_schemas', own),
  ];
  let before: readonly unknown[];

  beforeAll(async () => {
    program = await openOn(engine);
    await program.call('scratch_create', {
      ...own,
      metadata: { title: 'Firm', namespace: 'home', tags: ['p'], schemas: { s: { type: 'object' } } },
      cells: [md('one', { cell_id: 'one', tags: ['c'] }), md('two', { cell_id: 'two' })],
    });
    await program.call('scratch_namespace_create', { namespace: 'taken' });
    before = await look();
  });
  afterAll(() => program.close());

  it.each(badCalls)('%s: %s', async (_what, name, args, code) => {
    expect((await program.fail(name, args)).code).toBe(code);
    expect(await look()).toEqual(before);
  });

  it('rejects a message that nests too deep with an error', async () => {
    let deep: Json = {};
    for (let i = 0; i < 200; i += 1) deep = { not: deep };
    const args = { ...own, cell: md('x', { json_schema: deep }) };
    await expect(program.call('scratch_append_cell', args)).rejects.toMatchObject({
      code: -32600,
      message: expect.stringContaining('may nest at most 64 levels'),
    });
    expect(await look()).toEqual(before);
  });

  it("treats names of JavaScript's prototypes as plain names", async () => {
    await program.call('scratch_create', {
      scratch_id: '__proto__',
      metadata: { ...poisoned, tags: ['__proto__', 'constructor'], schemas: poisoned },
      cells: [md('x', { cell_id: 'constructor', metadata: poisoned })],
    });
    const pad = await program.read('__proto__', { cell_ids: ['constructor'], tags: [] });
    expect(pad.tags).toEqual(['__proto__', 'constructor']);
    for (const name of ['constructor', '__proto__']) {
      expect(Object.hasOwn(pad.metadata ?? {}, name), `${name} of the pad`).toBe(true);
      expect(Object.hasOwn(pad.cells[0]?.metadata ?? {}, name), `${name} of the cell`).toBe(true);
    }
    expect(
      (await program.call<{ schemas: readonly Json[] }>('scratch_list_schemas', { scratch_id: '__proto__' })).schemas,
    ).toHaveLength(2);
    expect(await program.call('scratch_delete', { scratch_id: '__proto__' })).toMatchObject({ deleted: true });
    expect((await program.read('firm')).metadata).not.toHaveProperty('polluted');
  });
});
