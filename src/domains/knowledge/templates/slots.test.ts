import { describe, expect, it } from 'vitest';
import { fillSlots, readContribution } from './slots.ts';

const read = (content: string) => readContribution(content) ?? expect.unreachable();

describe('slots', () => {
  it('are filled in order', () => {
    const base = 'start();\nif (a) {\n  // <<inside>>\n}\n// <<end>>\n';
    const filled = fillSlots(base, [
      read("import { b } from './b.js';\n\n// <<inside>>\nb({\n  c,\n});\n\n// <<end>>\nlast();\n"),
      read('// <<inside>>\nd();\n'),
    ]);
    expect(filled).toBe('start();\nif (a) {\n  b({\n    c,\n  });\n  d();\n}\nlast();\n');
  });

  it('disappear if nothing fills them, with one of two blank lines', () => {
    expect(fillSlots('a\n\n# <<b>>\n\nc\n<!-- <<d>> -->\n', [])).toBe('a\n\nc\n');
  });

  it('keep a blank line before their text', () => {
    expect(fillSlots('a\n<!-- <<b>> -->\n', [read('<!-- <<b>> -->\n\n## C\n')])).toBe('a\n\n## C\n');
  });

  it('separate the head of a contribution', () => {
    expect(read("import a from 'a';\n\n// <<b>>\nc\n")).toEqual({
      head: "import a from 'a';",
      sections: [{ slot: 'b', text: 'c' }],
    });
  });

  it('are absent from other files', () => {
    expect(readContribution('const a = `// <<b>>`;\n')).toBeUndefined();
  });

  it('must exist to be filled', () => {
    expect(() => fillSlots('a\n', [read('// <<b>>\nc\n')])).toThrow('the file has no slot b');
  });
});
