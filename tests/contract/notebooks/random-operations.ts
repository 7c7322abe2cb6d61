import fc from 'fast-check';
import type { Args } from './model.ts';

export interface Operation {
  readonly name: string;
  readonly args: Args;
}

/** Few names, the same in every tenant, to provoke collisions. Every tenant marks what it writes. */
export function arbitraryOperation(mark: string): fc.Arbitrary<Operation> {
  const scratch_id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const cell_id = fc.constantFrom('1', '2', '3', '4', '5', '6');
  const namespace = fc.constantFrom('one', 'two', `own ${mark}`);
  const tag = fc.constantFrom('red', 'blue', 'green', `tag ${mark}`);
  const tags = fc.array(tag, { maxLength: 3 });
  const text = fc.constantFrom('', 'x', '"\n', 'é𝄞', ' long'.repeat(30)).map((tail) => `${mark}${tail}`);
  const given = { language: fc.constantFrom('md', 'json', 'py', 'txt'), content: text, tags };
  const cell = fc.record({ ...given, cell_id });
  const revision = fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined, freq: 4 });
  const names = fc.option(fc.array(namespace, { maxLength: 2 }), { nil: undefined });
  const filter = {
    cell_ids: fc.option(fc.array(cell_id, { maxLength: 2 }), { nil: undefined, freq: 2 }),
    tags: fc.option(tags, { nil: undefined }),
  };
  const flag = fc.boolean();
  const of = (name: string, args: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Operation> =>
    args.map((made) => ({
      name,
      args: Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)),
    }));
  const metadata = fc.record({ title: fc.option(text), namespace: fc.option(namespace), tags });
  const if_exists = fc.constantFrom('reset', 'reset', 'fail');
  const new_index = fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined });
  return fc.oneof(
    {
      weight: 3,
      arbitrary: of(
        'scratch_create',
        fc.record({ scratch_id, metadata, if_exists, cells: fc.array(cell, { maxLength: 4 }) }),
      ),
    },
    { weight: 6, arbitrary: of('scratch_append_cell', fc.record({ scratch_id, cell, expected_revision: revision })) },
    {
      weight: 5,
      arbitrary: of(
        'scratch_replace_cell',
        fc.record({ scratch_id, cell_id, cell: fc.record(given), new_index, expected_revision: revision }),
      ),
    },
    { weight: 1, arbitrary: of('scratch_delete', fc.record({ scratch_id, expected_revision: revision })) },
    { weight: 1, arbitrary: of('restore', fc.record({ scratch_id })) },
    {
      weight: 9,
      arbitrary: of('scratch_read', fc.record({ scratch_id, ...filter, namespaces: names, include_metadata: flag })),
    },
    { weight: 3, arbitrary: of('scratch_list_cells', fc.record({ scratch_id, ...filter })) },
    {
      weight: 4,
      arbitrary: of('scratch_list', fc.record({ namespaces: names, tags: fc.option(tags, { nil: undefined }) })),
    },
    { weight: 2, arbitrary: of('scratch_list_tags', fc.record({ namespaces: names })) },
    { weight: 2, arbitrary: of('scratch_namespace_list', fc.record({})) },
    { weight: 1, arbitrary: of('scratch_namespace_create', fc.record({ namespace })) },
    {
      weight: 1,
      arbitrary: of(
        'scratch_namespace_rename',
        fc.record({ old_namespace: namespace, new_namespace: namespace, migrate_scratchpads: flag }),
      ),
    },
    { weight: 1, arbitrary: of('scratch_namespace_delete', fc.record({ namespace, delete_scratchpads: flag })) },
  );
}
