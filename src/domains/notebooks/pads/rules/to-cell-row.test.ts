import { expect, test } from 'vitest';
import { Fault } from '#kernel/fault/fault.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import { cellInput } from '../../notebook-model.ts';
import { refuseManyCellTags, toGivenCell } from './to-cell-row.ts';

const cell = (part: object) => cellInput.parse({ language: 'json', content: '{}', ...part });

const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof Fault ? error.code : error;
  }
};

test('[NB3] tags leave the metadata of a cell and are united', () => {
  const given = toGivenCell(cell({ tags: ['a'], metadata: { tags: ['b', 'a'], note: [1] } }), 0);
  expect(given).toMatchObject({ tags: '["a","b"]', metadata: '{"note":[1]}', json_schema: null, validate: 0 });
});

test('[NB6] bytes are counted, not characters, and 0 counts nothing', () => {
  expect(toGivenCell(cell({ content: 'éé' }), 4).content_bytes).toBe(4);
  expect(codeOf(() => toGivenCell(cell({ content: 'ééé' }), 5))).toBe('CAPACITY_LIMIT_REACHED');
  expect(toGivenCell(cell({ content: 'é'.repeat(100) }), 0).content_bytes).toBe(200);
});

test('[NB6] a content that no answer could hold is refused, however its escapes make it long', () => {
  const { cellJsonBytes } = notebookLimits;
  const five = 5 * 1024 * 1024;
  expect(codeOf(() => toGivenCell(cell({ content: '\n'.repeat(five) }), 0))).toBe('CAPACITY_LIMIT_REACHED');
  expect(codeOf(() => toGivenCell(cell({ content: '\u0001'.repeat(Math.ceil(cellJsonBytes / 6)) }), 0))).toBe(
    'CAPACITY_LIMIT_REACHED',
  );
  expect(codeOf(() => toGivenCell(cell({ content: 'x'.repeat(cellJsonBytes - 1) }), 0))).toBe('CAPACITY_LIMIT_REACHED');
  expect(toGivenCell(cell({ content: 'x'.repeat(cellJsonBytes - 2) }), 0).content_bytes).toBe(cellJsonBytes - 2);
  expect(toGivenCell(cell({ content: '"abc'.repeat(five / 4) }), 0).content_bytes).toBe(five);
});

test('[NB6] metadata, schema and tags of a cell have their bounds', () => {
  const { cellMetadataBytes, cellSchemaBytes, cellTagsCount } = notebookLimits;
  const long = (bytes: number) => ({ text: 'x'.repeat(bytes) });
  expect(codeOf(() => toGivenCell(cell({ metadata: long(cellMetadataBytes) }), 0))).toBe('CAPACITY_LIMIT_REACHED');
  expect(codeOf(() => toGivenCell(cell({ json_schema: long(cellSchemaBytes) }), 0))).toBe('CAPACITY_LIMIT_REACHED');
  expect(codeOf(() => refuseManyCellTags(Array.from({ length: cellTagsCount + 1 }, String)))).toBe(
    'CAPACITY_LIMIT_REACHED',
  );
  expect(codeOf(() => refuseManyCellTags(Array.from({ length: cellTagsCount }, String)))).toBeUndefined();
});

test('a schema is kept as it was given, a map or a text', () => {
  expect(toGivenCell(cell({ json_schema: { type: 'object' } }), 0).json_schema).toBe('{"type":"object"}');
  expect(toGivenCell(cell({ json_schema: 'scratchpad://schemas/s' }), 0).json_schema).toBe('"scratchpad://schemas/s"');
});
