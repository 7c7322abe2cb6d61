import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyPad } from '../portable-pads.fixture.ts';
import { fromJupyter } from './from-jupyter.ts';
import { renderJupyter, toJupyter } from './to-jupyter.ts';

const parsed = (text: string): unknown => JSON.parse(text);

test('restores any pad from its Jupyter notebook', () => {
  fc.assert(
    fc.property(anyPad, (pad) => {
      const { pad: back } = fromJupyter(parsed(renderJupyter(pad)));
      expect(back).toEqual(pad);
    }),
    { numRuns: 1_000 },
  );
});

test('writes notebooks that conform to nbformat 4.5', () => {
  fc.assert(
    fc.property(anyPad, (pad) => {
      const notebook = parsed(renderJupyter(pad)) as ReturnType<typeof toJupyter>;
      expect(notebook).toMatchObject({ nbformat: 4, nbformat_minor: 5 });
      const ids = notebook.cells.map((cell) => String(cell['id']));
      expect(new Set(ids).size).toBe(ids.length);
      for (const cell of notebook.cells) {
        expect(cell['id']).toMatch(/^[a-zA-Z0-9-_]{1,64}$/);
        expect(['code', 'markdown', 'raw']).toContain(cell['cell_type']);
        const isCode = cell['cell_type'] === 'code';
        const wanted = ['cell_type', 'id', 'metadata', 'source'];
        const known = isCode ? ['execution_count', 'outputs'] : 'attachments' in cell ? ['attachments'] : [];
        expect(Object.keys(cell).sort()).toEqual([...wanted, ...known].sort());
        for (const tag of (cell['metadata'] as { tags?: string[] }).tags ?? []) expect(tag).toMatch(/^[^,]+$/);
      }
    }),
    { numRuns: 300 },
  );
});

/** Markdown, code and raw cells, sources as lists and as texts, outputs, attachments, tags. */
const foreign = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {
    kernelspec: { display_name: 'Python 3 (ipykernel)', language: 'python', name: 'python3' },
    language_info: { name: 'python', version: '3.12.1', file_extension: '.py' },
    title: 'Sales',
  },
  cells: [
    {
      id: 'a1b2c3d4',
      cell_type: 'markdown',
      metadata: { tags: ['intro'] },
      attachments: { 'i.png': { 'image/png': 'AAAA' } },
      source: ['# Sales\n', 'of the year'],
    },
    {
      id: 'e5f6a7b8',
      cell_type: 'code',
      execution_count: 3,
      metadata: { tags: ['parameters'], collapsed: false },
      outputs: [{ output_type: 'stream', name: 'stdout', text: ['1\n'] }],
      source: 'print(1)\n',
    },
    { id: 'c9', cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: [] },
    { id: 'd0', cell_type: 'raw', metadata: { format: 'text/latex' }, source: ['\\alpha'] },
    {
      id: 'e1',
      cell_type: 'code',
      execution_count: null,
      metadata: { vscode: { languageId: 'javascript' } },
      outputs: [],
      source: ['let a = 1'],
    },
  ],
};

test('imports a notebook of Jupyter', () => {
  expect(fromJupyter(foreign)).toEqual({
    pad: {
      metadata: {
        title: 'Sales',
        jupyter: {
          metadata: {
            kernelspec: foreign.metadata.kernelspec,
            language_info: foreign.metadata.language_info,
          },
        },
      },
      cells: [
        {
          cell_id: 'a1b2c3d4',
          language: 'md',
          content: '# Sales\nof the year',
          tags: ['intro'],
          metadata: { jupyter: { attachments: { 'i.png': { 'image/png': 'AAAA' } } } },
        },
        {
          cell_id: 'e5f6a7b8',
          language: 'py',
          content: 'print(1)\n',
          tags: ['parameters'],
          metadata: {
            jupyter: {
              outputs: [{ output_type: 'stream', name: 'stdout', text: ['1\n'] }],
              execution_count: 3,
              metadata: { collapsed: false },
            },
          },
        },
        { cell_id: 'c9', language: 'py', content: '' },
        {
          cell_id: 'd0',
          language: 'txt',
          content: '\\alpha',
          metadata: { jupyter: { metadata: { format: 'text/latex' } } },
        },
        { cell_id: 'e1', language: 'js', content: 'let a = 1' },
      ],
    },
    warnings: [],
  });
});

test('exports it to the same notebook, apart from our metadata and sources as lines', () => {
  const { pad } = fromJupyter(foreign);
  const back = toJupyter({ scratch_id: 'sales', ...pad });
  const cells = foreign.cells.map((cell) =>
    cell.source === 'print(1)\n' ? { ...cell, source: ['print(1)\n'] } : cell,
  );
  expect(back).toEqual({
    ...foreign,
    metadata: { ...foreign.metadata, fourfold: { scratch_id: 'sales', metadata: { title: 'Sales' } } },
    cells,
  });
});

test('imports code of a kernel with an unsupported language as txt and keeps its cells', () => {
  const notebook = {
    nbformat: 4,
    nbformat_minor: 2,
    metadata: { kernelspec: { name: 'ir', language: 'R', display_name: 'R' } },
    cells: [{ cell_type: 'code', metadata: {}, execution_count: 1, outputs: [], source: 'x <- 1' }],
  };
  const { pad, warnings } = fromJupyter(notebook);
  expect(pad.cells).toEqual([
    { language: 'txt', content: 'x <- 1', metadata: { jupyter: { cell_type: 'code', execution_count: 1 } } },
  ]);
  expect(warnings).toHaveLength(1);
  expect(toJupyter(pad).cells[0]).toMatchObject({ cell_type: 'code', execution_count: 1, metadata: {} });
});

test.each([
  ['python', 'py'],
  ['javascript', 'js'],
  ['rust', 'rs'],
  ['C++17', 'cpp'],
  ['bash', 'sh'],
  ['.net-csharp', 'cs'],
])('imports code of a %s kernel as %s', (name, language) => {
  const cells = [{ cell_type: 'code', source: 'x' }];
  expect(fromJupyter({ nbformat: 4, metadata: { language_info: { name } }, cells }).pad.cells).toEqual([
    { language, content: 'x' },
  ]);
});

test('assumes Python without a kernel, skips invalid cells, and keeps a repeated id only once', () => {
  const cells = [{ id: 'a', cell_type: 'code', source: 'x' }, 5, { id: 'a', cell_type: 'strange', source: ['y', 1] }];
  expect(fromJupyter({ nbformat: 4, cells })).toEqual({
    pad: {
      metadata: {},
      cells: [
        { cell_id: 'a', language: 'py', content: 'x' },
        { language: 'txt', content: 'y' },
      ],
    },
    warnings: ['two cells have the id a; the second gets a new one'],
  });
});

test('exports the kernel of the most frequent language and marks it as guessed', () => {
  const cells = [
    { cell_id: 'a', language: 'js', content: '1' },
    { cell_id: 'b', language: 'py', content: '2' },
    { cell_id: 'c', language: 'py', content: '3' },
  ];
  const notebook = toJupyter({ scratch_id: 'p', metadata: {}, cells });
  expect(notebook.metadata).toEqual({
    kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
    language_info: { name: 'python' },
    fourfold: { scratch_id: 'p', kernel: 'guessed', metadata: {} },
  });
  expect(notebook.cells.map(({ metadata }) => metadata)).toEqual([{ vscode: { languageId: 'javascript' } }, {}, {}]);
});

test.each([
  ['null', null],
  ['another version', { nbformat: 3, worksheets: [] }],
  ['no cells', { nbformat: 4 }],
])('rejects %s', (_, json) => {
  expect(() => fromJupyter(json)).toThrow('must be a Jupyter notebook of nbformat 4');
});
