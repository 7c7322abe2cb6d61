import fc from 'fast-check';
import { languages } from '../languages.ts';
import { type PortablePad, toPortableCell } from './portable-pad.ts';

const pieces = fc.constantFrom(
  '```',
  '````',
  '~~~',
  '`',
  '\n',
  '\r\n',
  '\r',
  '---',
  '---\n',
  '```py {"cell_id":"x"}\n',
  '    ',
  '\t',
  '# heading\n',
  '{"a": 1}',
  '\uFEFF',
);

/** Includes contents that look like the format around them. */
const content = fc
  .array(fc.oneof(pieces, fc.string({ unit: 'grapheme', maxLength: 12 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

const jsonMap = fc
  .dictionary(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((map) => JSON.parse(JSON.stringify(map)) as Record<string, unknown>);

const output = fc.record({ output_type: fc.constantFrom('stream', 'display_data'), text: fc.string() });

/** Includes imported Jupyter data, and other values in its place. */
const jupyter = fc.oneof(
  fc.record(
    {
      outputs: fc.array(output, { maxLength: 2 }),
      execution_count: fc.oneof(fc.nat(9), fc.string(), fc.constant(-1)),
      attachments: jsonMap,
      metadata: fc.oneof(
        jsonMap,
        fc.constantFrom({ vscode: { languageId: 'python' } }, { format: 'text/css' }, { tags: ['x'] }),
      ),
      cell_type: fc.constantFrom('code', 'raw', 'markdown', 'other'),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue({ maxDepth: 1 }),
);

const metadata = fc
  .tuple(jsonMap, fc.option(jupyter, { nil: undefined }))
  .map(([map, kept]) => (kept === undefined ? map : { ...map, jupyter: JSON.parse(JSON.stringify(kept)) as unknown }));

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/);
const tag = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });

const cell = fc
  .record({
    language: fc.constantFrom(...languages),
    content,
    validate: fc.boolean(),
    json_schema: fc.option(fc.oneof(jsonMap, fc.constantFrom('scratchpad://schemas/a', '{"type":"object"}')), {
      nil: null,
    }),
    metadata,
    tags: fc.array(fc.oneof(tag, fc.constant('a, b')), { maxLength: 3 }),
  })
  .map(toPortableCell);

export const anyPad: fc.Arbitrary<PortablePad> = fc
  .record({
    scratch_id: id,
    title: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
    tags: fc.option(fc.array(tag, { maxLength: 3 }), { nil: undefined }),
    extra: fc.oneof(jsonMap, fc.constant({ jupyter: { metadata: { kernelspec: { name: 'ir', language: 'R' } } } })),
    cells: fc.array(cell, { maxLength: 5 }),
    cellIds: fc.uniqueArray(id, { minLength: 5, maxLength: 5 }),
  })
  .map(({ scratch_id, title, tags, extra, cells, cellIds }) => ({
    scratch_id,
    metadata: {
      ...extra,
      ...(title === undefined ? {} : { title }),
      ...(tags === undefined ? {} : { tags }),
    },
    cells: cells.map((one, i) => ({ cell_id: cellIds[i]!, ...one })),
  }));
