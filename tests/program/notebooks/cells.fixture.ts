/** A valid and an invalid text per language, and the position of the first error. */
export interface CellFixture {
  readonly language: string;
  readonly type: 'data' | 'markup' | 'code' | 'text';
  readonly valid: string;
  readonly invalid: string;
  readonly line: number;
  readonly column: number;
}

const of = (
  language: string,
  type: CellFixture['type'],
  valid: string,
  invalid: string,
  [line, column]: readonly [number, number],
): CellFixture => ({ language, type, valid, invalid, line, column });

const yaml = ['a: 1\nlist:\n  - x\n  - &n {y: 2}\n  - *n\n', 'a: 1\nb: "open\n'] as const;
const html = ['<!doctype html>\n<ul><li>a<li>b</ul>\n<br>\n', '<main>\n  <b>x</i>\n</main>\n'] as const;
const c = [
  '#include <stdio.h>\nint main(void) {\n  printf("%d", 1);\n  return 0;\n}\n',
  'int f(void) {\n  return (1;\n}\n',
] as const;

export const cellFixtures: readonly CellFixture[] = [
  of('json', 'data', '{"a": [1, 2.5e3, null, "\\u00e4"]}', '{\n  "a": 1\n  "b": 2\n}', [3, 3]),
  of('yaml', 'data', ...yaml, [3, 1]),
  of('yml', 'data', ...yaml, [3, 1]),
  of('toml', 'data', 'a = 1\n[t]\nwhen = 2024-01-02\n[[rows]]\nx = "y"\n', 'a = 1\nb = \n', [2, 5]),
  of(
    'md',
    'markup',
    '# Title\n\nText with `code`.\n\n- a\n- b\n',
    '# Title\n\nSee (here)[https://example.org].\n',
    [3, 5],
  ),
  of('html', 'markup', ...html, [2, 3]),
  of('htm', 'markup', ...html, [2, 3]),
  of(
    'py',
    'code',
    'async def f(a, *, b=1):\n    return [x async for x in a if x] or b\n',
    'def f():\n    return (1\n',
    [2, 12],
  ),
  of('js', 'code', 'export const f = async (a) => a?.b ?? a;\n', 'const a = 1;\nfunction (x) {}\n', [2, 10]),
  of('jsx', 'code', 'export const A = () => <p a="b">{1}</p>;\n', 'const a = (\n  <p>text</b>\n);\n', [2, 10]),
  of(
    'ts',
    'code',
    'enum E { A }\nexport const f = <T extends E>(a: T): a is T => !!a;\n',
    'const a: number = 1;\nlet b: = 2;\n',
    [2, 8],
  ),
  of(
    'tsx',
    'code',
    'export const A = <T,>({ a }: { a: T }) => <p>{String(a)}</p>;\n',
    'const a = 1;\nconst b = <p>{</p>;\n',
    [2, 16],
  ),
  of(
    'rs',
    'code',
    'fn main() {\n    let v: Vec<i32> = vec![1];\n    println!("{:?}", v);\n}\n',
    'fn main() {\n    let x = 1\n    let y = 2;\n}\n',
    [2, 14],
  ),
  of('c', 'code', ...c, [2, 12]),
  of(
    'h',
    'code',
    '#ifndef A_H\n#define A_H\nstruct a { int b; };\n#endif\n',
    '#ifndef A_H\nstruct a { int b; };\n',
    [1, 1],
  ),
  of(
    'cpp',
    'code',
    '#include <vector>\ntemplate <class T> auto f(T t) { return std::vector<T>{t}; }\n',
    'int main() {\n  return (1;\n}\n',
    [2, 12],
  ),
  of('hpp', 'code', '#pragma once\nclass A { public: virtual ~A() = default; };\n', 'class A {\n  int b()\n', [1, 9]),
  of(
    'sh',
    'code',
    'for f in *.txt; do\n  [ -f "$f" ] && echo "$f" | tr a b\ndone\n',
    'echo a\nif true; then\n  echo b\n',
    [4, 1],
  ),
  of('css', 'code', '@media (min-width: 1px) {\n  a:hover { color: #fff; }\n}\n', 'a { color: red; }\n}\n', [2, 1]),
  of(
    'java',
    'code',
    'class A {\n  record P(int x) {}\n  int f(Object o) { return o instanceof P p ? p.x() : 0; }\n}\n',
    'class A {\n  int f() {\n    return 1\n  }\n}\n',
    [3, 13],
  ),
  of('go', 'code', 'package a\n\nfunc F[T any](t T) []T { return []T{t} }\n', 'package a\n\nfunc f() {\n', [3, 10]),
  of('rb', 'code', 'class A\n  def f(x) = x.map { |y| y * 2 }\nend\n', 'def a\n  1\nend\nend\n', [4, 1]),
  of('php', 'code', '<?php\nfunction f(?int $a): array { return [$a ?? 1]; }\n', '<?php\n$x = ;\n', [2, 6]),
  of(
    'cs',
    'code',
    'class A {\n  public int X { get; init; }\n  string F() => $"{X}";\n}\n',
    'class A {\n  int F() {\n    return (1;\n  }\n}\n',
    [3, 14],
  ),
  of('txt', 'text', 'anything', '{ (', [0, 0]),
];
