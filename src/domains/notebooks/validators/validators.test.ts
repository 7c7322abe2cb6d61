import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Language, languages } from '../languages.ts';
import { validateCells } from '../validation/validate-cells.ts';

const sample = (language: Language): string =>
  readFileSync(new URL(`../../../../tests/fixtures/cell-samples/${language}.txt`, import.meta.url), 'utf8');

async function check(language: Language, content: string) {
  const [result] = await validateCells({ cells: [{ cellId: 'c', index: 3, language, content }], shared: {} });
  return result!;
}

/** Their samples use macros in ways that the grammar of C does not know. */
const partly: readonly Language[] = ['c', 'h'];

describe('a valid text', () => {
  it.each(languages)('in %s has no errors', async (language) => {
    const { errors, warnings, valid, checked } = await check(language, sample(language));
    expect(errors).toEqual([]);
    const isPartly = partly.includes(language);
    expect({ valid, checked }).toEqual({ valid: isPartly ? null : true, checked: isPartly ? 'partly' : undefined });
    const code = isPartly ? 'SYNTAX_UNKNOWN' : 'VALIDATION_SKIPPED';
    expect(warnings.map((warning) => warning.code)).toEqual(isPartly || language === 'txt' ? [code] : []);
  });

  it.each(languages)('in %s may be empty, except for JSON', async (language) => {
    expect((await check(language, '')).valid).toBe(language !== 'json');
  });

  it.each(languages)('in %s may have CR LF line ends', async (language) => {
    expect((await check(language, sample(language).replaceAll('\n', '\r\n'))).errors).toEqual([]);
  });
});

/** Language, text, and each error as `line:column message`. */
const invalid: readonly (readonly [Language, string, readonly string[]])[] = [
  ['json', '{\n  "a": 1,\n}', ['3:1 expected a property name in double quotes, found "}"; remove the comma before it']],
  ['json', "{'a': 1}", ['1:2 expected a property name in double quotes or "}", found "\'"; use double quotes']],
  ['json', '[1, 02]', ['1:5 "02" is not a JSON number']],
  ['json', '["a\tb"]', ['1:4 control character U+0009 in a string; write it as an escape']],
  ['json', '{"é": tru}', ['1:7 expected a value, found "tru"']],
  ['json', '', ['1:1 expected a value, found the end of the text']],
  [
    'yaml',
    'a: 1\nb: [1, 2\nc: 3\n',
    ['3:1 Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ],
  ['yaml', 'a: 1\na: 2\n', ['2:1 the key "a" occurs twice']],
  // Lines of a block scalar count, even if the scalar is unexpected.
  [
    'yaml',
    '*x |\n  a\n  b\n{',
    [
      '1:1 no anchor "x" precedes this alias',
      '1:4 Unexpected block-scalar-header at node end',
      '2:1 Unexpected scalar at node end',
      '4:1 Unexpected flow-map-start at node end',
    ],
  ],
  ['yml', 'a: *nowhere\n', ['1:4 no anchor "nowhere" precedes this alias']],
  ['toml', 'a = 1\na = 2\n', ['2:1 trying to redefine an already defined table or value']],
  [
    'md',
    'See (this)[https://example.org].\n',
    ['1:5 the brackets of the link (this)[https://example.org] are the wrong way round: [text](address)'],
  ],
  ['md', '| a | b |\n| --- | --- |\n| 1 |\n', ['3:5 the table has 2 columns and this row 1 cells']],
  ['md', 'text\n\n  ```js\ncode\n', ['3:3 the code that begins with ``` is never closed']],
  ['md', '> - see [this]( )\n', ['1:9 the link [this]( ) has no target']],
  ['py', 'x = 1\nprint("a"\n', ['2:6 "(" is never closed']],
  ['py', 'é = "ü"; x = )\n', ['1:14 unexpected ")"']],
  ['py', 'def f():\nreturn 1\n', ['1:1 expected an indented block in function definition']],
  [
    'py',
    'class A:\n  def f(self):\n    return 1\n   x = 2\n',
    ['4:4 the indentation does not match that of the lines before'],
  ],
  [
    'py',
    'def f(a):\n  x = [1, 2\n  return x\n',
    ['3:3 unexpected "return" in function definition; "[" on line 2 is still open'],
  ],
  ['js', 'const a = 1;\nconst b = ;\n', ['2:11 Unexpected token']],
  ['js', 'let a = 1;\nlet a = 2;\n', ["2:5 Identifier 'a' has already been declared."]],
  ['js', 'return 1;\n', ["1:1 'return' outside of function."]],
  ['jsx', 'const a = <b>text</c>;\n', ['1:18 Expected corresponding JSX closing tag for <b>.']],
  ['ts', 'const x: = 1;\n', ['1:10 Unexpected token']],
  ['ts', 'const x: number;\nfoo();\n', ['1:16 Missing initializer in const declaration.']],
  ['tsx', 'const a = <b>{</b>;\n', ['1:16 Unexpected token']],
  ['rs', 'fn main() {\n    let x = 1\n    let y = 2;\n}\n', ['2:14 missing ";" in let declaration']],
  ['rs', 'fn a() {\n  foo(;\n}\n', ['2:7 unexpected ";" in expression statement; "(" on line 2 is still open']],
  ['c', 'int main() { return (1; }\n', ['1:23 missing ")" in parenthesized expression']],
  ['c', 'char *s = "abc;\nint x;\n', ['1:16 missing "\\"" in string literal']],
  ['c', 'int main() {\n  return 1; }\n}\n', ['3:1 unexpected "}": nothing is open']],
  ['c', '#include "own.h"\nint f(void) {\n  return OWN(1;\n}\n', ['3:15 missing ")" in argument list']],
  ['c', '#if 1\nint x;\n', ['1:1 "#if" is never closed with "#endif"']],
  ['h', 'struct a { int b[3; };\n', ['1:19 missing "]" in array declarator']],
  ['cpp', 'int main() {\n  int v[] = {1, 2, 3;\n}\n', ['2:21 missing "}" in initializer list']],
  ['hpp', 'class A { public: void f() { }\n', ['1:9 "{" is never closed']],
  ['sh', 'foo() {\n  echo a\n', ['1:7 "{" is never closed']],
  ['sh', 'if true; then\n  echo a\n', ['3:1 missing "fi" in if statement']],
  ['sh', 'echo a\nfi\n', ['2:1 unexpected "fi": nothing is open that it ends']],
  ['css', 'a { color: red }\nb { color blue; }\n', ['2:5 expected a declaration, found "color": it has no ":"']],
  ['css', 'a {\n  color: red\n  margin: 0;\n}\n', ['2:13 missing ";" before "margin"']],
  ['css', 'a { color: red; }\n}\n', ['2:1 unexpected "}": no block is open']],
  ['css', 'a { content: "x\n}\n', ['1:14 the string is not closed on its line']],
  ['css', 'a { width: calc(1px; }\n', ['1:22 unexpected "}": "(" of line 1, column 16 is still open']],
  ['html', '<div>\n  <span>a\n</div>\n', ['2:3 <span> is not closed before </div>']],
  ['html', '<p>a</p>\n</ul>\n', ['2:1 </ul> closes nothing that is open']],
  ['htm', '<a href="x>\n', ['1:9 the value of href is never closed']],
  ['html', '<b>a</b>\n<!-- x\n', ['2:1 the comment is never closed']],
  [
    'java',
    'class A {\n  void f() {\n    int x = 1\n    int y = 2;\n  }\n}\n',
    ['3:14 missing ";" in local variable declaration'],
  ],
  ['go', 'package a\n\nfunc f() {\n\tif x = {\n\t}\n}\n', ['4:9 unexpected "{" in function declaration']],
  ['go', 'package a\nfunc f() {\n', ['2:10 "{" is never closed']],
  ['rb', 'x = [1, 2\ny = 3\n', ['1:5 "[" is never closed']],
  ['rb', 'def a\n  1\nend\nend\n', ['4:1 unexpected "end": nothing is open that it ends']],
  ['php', '<?php\n$x = ;\n', ['2:6 unexpected ";" in expression statement']],
  ['php', 'if ($a) {\n  echo 1;\n', ['1:9 "{" is never closed']],
  [
    'cs',
    'class A {\n  void F() {\n    int x = (1;\n    int y = 2;\n  }\n}\n',
    ['3:15 missing ")" in parenthesized expression'],
  ],
];

describe('an invalid text', () => {
  it.each(invalid)('in %s is reported with position and message: %j', async (language, content, expected) => {
    const { errors, valid } = await check(language, content);
    expect(errors.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual(expected);
    expect(valid).toBe(false);
    for (const { code } of errors) expect(code).toMatch(/^\w+$/);
  });

  it('has a case for every language but plain text', () => {
    const missing = languages.filter((language) => !invalid.some(([known]) => known === language));
    expect(missing).toEqual(['txt']);
  });

  it('lists its first errors and counts the others', async () => {
    const { errors } = await check('css', 'a { b }\n'.repeat(60));
    expect(errors).toHaveLength(51);
    expect(errors.at(-1)).toEqual({ message: '10 more errors', code: 'MORE_ERRORS' });
  });
});

describe('a text that the grammar does not accept', () => {
  it.each<[Language, string, string]>([
    ['c', 'OWN_TABLE(a, b) c d e;\n', 'line 1, column 19'],
    ['c', 'int main() { return 1 }\n', 'line 1, column 22'],
    ['c', '#ifdef A\nint f(int a) {\n#else\nint f(void) {\n#endif\n  return 1;\n}\n', 'line 2, column 14'],
    ['c', '#if 0\nnot C at all {{{\n#endif\n', 'line 2, column 16'],
    ['h', 'struct a { int b }\n', 'line 1, column 18'],
    ['cpp', 'int main() {\n  return 1\n}\n', 'line 2, column 11'],
    ['cs', 'class A { int x = y ~ z; }\n', 'line 1, column 21'],
    ['cs', 'a?.B = 3;\n', 'line 1, column 6'],
    ['cs', 'class C { void M<T>(T t) where T : notnull, allows ref struct { } }\n', 'line 1, column 52'],
    ['sh', 'select choice in a b; do break; done <<< "1"\n', 'line 1, column 40'],
  ])(
    'in %s is neither valid nor invalid while its brackets and quotes match: %j',
    async (language, content, position) => {
      const { valid, checked, errors, warnings } = await check(language, content);
      expect({ valid, checked, errors }).toEqual({ valid: null, checked: 'partly', errors: [] });
      expect(warnings.map(({ code }) => code)).toEqual(['SYNTAX_UNKNOWN']);
      expect(warnings[0]?.message).toMatch(position);
    },
  );
});

describe('a warning', () => {
  it('reports duplicate names in JSON with their position and counts the rest', async () => {
    const { valid, warnings } = await check('json', '{"a": {"b": 1,\n "b": 2}}');
    expect(valid).toBe(true);
    expect(warnings).toEqual([{ message: 'line 2, column 2: the name /a/b occurs twice', code: 'DUPLICATE_KEY' }]);
    const many = await check('json', `{${'"a":1,'.repeat(70)}"b":1}`);
    expect(many.warnings.at(-1)).toEqual({ message: '20 more duplicate names', code: 'DUPLICATE_KEY' });
  });

  it('reports unknown tags in YAML', async () => {
    const { valid, warnings } = await check('yaml', 'a: !mine 1\n');
    expect(valid).toBe(true);
    expect(warnings).toEqual([{ message: 'line 1, column 4: Unresolved tag: !mine', code: 'TAG_RESOLVE_FAILED' }]);
  });

  it('reports malformed and duplicate headings and undefined references in Markdown', async () => {
    const { valid, warnings } = await check('md', '# a\n\n## b\n\n## b\n\n#c\n\n[x][nowhere] and table[i][j]\n');
    expect(valid).toBe(true);
    expect(warnings).toEqual([
      { message: 'line 5: the heading "b" is already on line 3', code: 'MD024' },
      { message: 'line 7: "#" needs a space after it to make a heading', code: 'MD018' },
      { message: 'line 9: nothing defines the reference [nowhere]', code: 'MD052' },
    ]);
  });

  it('is not given for the style of Markdown', async () => {
    const { warnings } = await check(
      'md',
      `Title\n=====\n* a\n+ b\n   1) c\n# x\ntrailing  \n\n\n${'long '.repeat(80)}`,
    );
    expect(warnings).toEqual([]);
  });
});
