import { expect, test } from 'vitest';
import { Fault } from '#kernel/fault/fault.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { cellInput } from '../notebook-model.ts';
import { limitCellTags } from './pad-faults.ts';
import { toCellFields } from './to-cell-row.ts';

const cell = (part: object) => cellInput.parse({ language: 'json', content: '{}', ...part });

const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof Fault ? error.code : error;
  }
};

test('[NB3] moves tags out of the metadata of a cell and unites them', () => {
  const given = toCellFields(cell({ tags: ['a'], metadata: { tags: ['b', 'a'], note: [1] } }), 0);
  expect(given).toMatchObject({ tags: '["a","b"]', metadata: '{"note":[1]}', json_schema: null, validate: 0 });
});

test('[NB6] limits bytes, not characters; 0 is unlimited', () => {
  expect(toCellFields(cell({ content: 'éé' }), 4).content_bytes).toBe(4);
  expect(codeOf(() => toCellFields(cell({ content: 'ééé' }), 5))).toBe('CAPACITY_LIMIT_REACHED');
  expect(toCellFields(cell({ content: 'é'.repeat(100) }), 0).content_bytes).toBe(200);
});

test('[NB6] rejects content whose JSON would exceed an answer', () => {
  const { cellJsonBytes } = notebookLimits;
  const five = 5 * 1024 * 1024;
  expect(codeOf(() => toCellFields(cell({ content: '\n'.repeat(five) }), 0))).toBe('CAPACITY_LIMIT_REACHED');
  expect(codeOf(() => toCellFields(cell({ content: '\u0001'.repeat(Math.ceil(cellJsonBytes / 6)) }), 0))).toBe(
    'CAPACITY_LIMIT_REACHED',
  );
  expect(codeOf(() => toCellFields(cell({ content: 'x'.repeat(cellJsonBytes - 1) }), 0))).toBe(
    'CAPACITY_LIMIT_REACHED',
  );
  expect(toCellFields(cell({ content: 'x'.repeat(cellJsonBytes - 2) }), 0).content_bytes).toBe(cellJsonBytes - 2);
  expect(toCellFields(cell({ content: '"abc'.repeat(five / 4) }), 0).content_bytes).toBe(five);
});

test('[NB6] limits metadata, schema and tags of a cell', () => {
  const { cellMetadataBytes, cellSchemaBytes, cellTagsCount } = notebookLimits;
  const long = (bytes: number) => ({ text: 'x'.repeat(bytes) });
  expect(codeOf(() => toCellFields(cell({ metadata: long(cellMetadataBytes) }), 0))).toBe('CAPACITY_LIMIT_REACHED');
  expect(codeOf(() => toCellFields(cell({ json_schema: long(cellSchemaBytes) }), 0))).toBe('CAPACITY_LIMIT_REACHED');
  expect(codeOf(() => limitCellTags(Array.from({ length: cellTagsCount + 1 }, String)))).toBe('CAPACITY_LIMIT_REACHED');
  expect(codeOf(() => limitCellTags(Array.from({ length: cellTagsCount }, String)))).toBeUndefined();
});

test('stores a schema as given, a map or a text', () => {
  expect(toCellFields(cell({ json_schema: { type: 'object' } }), 0).json_schema).toBe('{"type":"object"}');
  expect(toCellFields(cell({ json_schema: 'scratchpad://schemas/s' }), 0).json_schema).toBe('"scratchpad://schemas/s"');
});
