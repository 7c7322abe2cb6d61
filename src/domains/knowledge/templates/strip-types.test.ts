import { describe, expect, it } from 'vitest';
import { stripTypes } from './strip-types.ts';

const typed = `import assert from 'node:assert';
import type { Knex } from 'knex';

// What a thing is.
// It is small.
export interface Thing<T = unknown> {
  name: string;
}

declare module './declarations.js' {
  interface Configuration {
    thing: Thing;
  }
}

export type { Knex };

export const names = ['a', 'b'] as const;
export type Name = (typeof names)[number];
export const first = (things: readonly Thing[], at?: number): Thing | undefined => things[at ?? 0];

class Box<T extends Thing> extends Map<string, T> implements Iterable<T>, Disposable {
  label: string = 'box';

  put(this_: T): void {
    assert((this_ as Thing).name!);
    const { name }: Thing = (await_() as unknown) as Thing;
    this.set<string>(name satisfies string, this_);
  }
}

const text = \`three


lines\`;
`;

const plain = `import assert from 'node:assert';

export const names = ['a', 'b'];
export const first = (things, at) => things[at ?? 0];

class Box extends Map {
  label = 'box';

  put(this_) {
    assert(this_.name);
    const { name } = await_();
    this.set(name, this_);
  }
}

const text = \`three


lines\`;
`;

describe('stripTypes', () => {
  it('leaves JavaScript without gaps', () => {
    expect(stripTypes(typed)).toBe(plain);
  });

  it('returns an empty text for a file with only types', () => {
    expect(stripTypes("import type { A } from './a.js';\n\n// Why.\nexport interface B extends A {}\n")).toBe('');
  });

  it('keeps JavaScript unchanged', () => {
    expect(stripTypes(plain)).toBe(plain);
  });

  it('keeps the parentheses that an expression needs', () => {
    expect(stripTypes('const a = ((await b()) as C).d;\nconst e = (f || g as H).i;\n')).toBe(
      'const a = (await b()).d;\nconst e = (f || g).i;\n',
    );
  });

  it.each([
    ['an enum', 'enum Colour { red }', 'TSEnumDeclaration cannot be converted'],
    [
      'a parameter property',
      'class A { constructor(private b: string) {} }',
      'TSParameterProperty cannot be converted',
    ],
    ['a modifier', 'class A { private b = 1 }', 'Unexpected token'],
    ['a parameter called this', 'function a(this: B) {}', 'Unexpected keyword'],
    ['invalid syntax', 'const = 1', 'Unexpected token'],
  ])('rejects %s', (_what, text, why) => {
    expect(() => stripTypes(text)).toThrow(why);
  });
});
