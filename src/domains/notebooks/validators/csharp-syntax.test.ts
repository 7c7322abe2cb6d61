import { describe, expect, it } from 'vitest';
import { checkCells } from './check-cells.ts';

const check = async (content: string) => {
  const [result] = await checkCells({ cells: [{ cellId: 'c', index: 0, language: 'cs', content }], shared: {} });
  return result!;
};

/** What the language has gained in its last editions. */
const modern: Readonly<Record<string, string>> = {
  records:
    'record P(string A);\nreadonly record struct Q(int X);\nclass R { public required string N { get; init; } }\n',
  'primary constructors': 'class S(ILogger<S> log, int n = 3) : Base(n), IS\n{\n  void Run() => log.Log("x");\n}\n',
  'raw strings': 'var s = """\n  { "a": 1 }\n  """;\nvar t = $$"""\n  {"x": {{v}} }\n  """;\nvar u = """a "b" c""";\n',
  'collection expressions': 'int[] a = [1, 2];\nList<int> b = [..a, 4, .. c];\nSpan<char> s = [];\nFoo([1, 2]);\n',
  patterns:
    'var r = x switch { > 0 and < 10 => 1, { A.B: 3 } p => 2, [1, ..] => 3, [var f, .. var rest] => 4, not null => 5 };\n',
  'types of a file': 'namespace A.B;\nfile class Hidden { }\n',
  'aliases of any type': 'global using System;\nusing Alias = (int X, int Y);\n',
  'static members of interfaces': 'interface I<T> where T : I<T> { static abstract T operator +(T a, T b); }\n',
  'defaults of lambdas': 'var f = (int x = 1, params int[] ys) => x;\nvar g = [Attr] static async (x) => await x;\n',
  'the field of a property': 'class A { int Y { get => field; set => field = value; } }\n',
  'references that stay': 'ref struct S { public ref readonly int Q; }\nclass C { void M(scoped ref int x) { } }\n',
  'constraints of ref structs': 'class C { void M<T>(T t) where T : notnull, allows ref struct { } }\n',
  'assignments that may be left out': 'a?.B = 3;\na?.C += 4;\nif (a?.D == 5) { }\n',
  extensions:
    'static class E { extension(string s) { public bool Is => s == ""; } extension<T>(List<T> e) { int N() => 1; } }\n',
  'programs of one file': '#!/usr/bin/env dotnet\n#:package Humanizer@2\nusing System;\nConsole.WriteLine(1);\n',
};

describe('modern C#', () => {
  it.each(Object.entries(modern))('raises no alarm: %s', async (_, content) => {
    const { valid, errors, warnings } = await check(content);
    expect({ valid, errors, warnings }).toEqual({ valid: true, errors: [], warnings: [] });
  });

  it('is still told what is wrong with it, and where', async () => {
    const { errors } = await check('#:package A@1\nif (r is [var f, .. var rest]) { }\nvar x = ;\n');
    expect(errors.map(({ line, column }) => [line, column])).toEqual([[3, 9]]);
  });

  it('may call its own methods what a younger word is called', async () => {
    expect((await check('class A { void F() { extension(1); var allows = 2; } }\n')).valid).toBe(true);
  });
});
