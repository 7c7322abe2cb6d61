import { describe, expect, test } from 'vitest';
import { readPlain } from '../read-page.ts';
import { readDeclarations, readStatements } from './read-declarations.ts';

const sectionsOf = (text: string) => {
  const found: Record<string, string> = {};
  let title = '';
  for (const block of readDeclarations(text).blocks) {
    if (block.kind === 'heading') title = block.title;
    else found[title] = [found[title], block.text].filter(Boolean).join('\n');
  }
  return found;
};
const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``;

describe('type declarations', () => {
  test('make each exported name a section with its doc comment and code', () => {
    const text = `
import { A } from './a';
/** File comment */

/**
 * Runs a hook.
 *
 * @param context the {@link HookContext}
 */
export declare function runHook<T extends { a: ';' }>(context: T): Promise<void>;
export declare function runHook(): void;
export interface HookContext {
  /** The app; with braces {} */
  app: string; // }
  path: '}' | \`\${string}}\`;
}
export type Union =
  | 'a'
  | { b: string; }
export declare const version = "1.0;0"
declare class Thing extends Base<{ a: 1 }> {
    method(): void;
}
export default Thing;
export { x } from './x';
export * from './y';
export declare enum Colour { Red = 1 }
`;
    expect(sectionsOf(text)).toEqual({
      runHook: `Runs a hook.\n\n@param context the {@link HookContext}\n${code("export declare function runHook<T extends { a: ';' }>(context: T): Promise<void>;")}\n${code('export declare function runHook(): void;')}`,
      HookContext: code(
        `export interface HookContext {\n  /** The app; with braces {} */\n  app: string; // }\n  path: '}' | \`\${string}}\`;\n}`,
      ),
      Union: code("export type Union =\n  | 'a'\n  | { b: string; }"),
      version: code('export declare const version = "1.0;0"'),
      Thing: code('declare class Thing extends Base<{ a: 1 }> {\n    method(): void;\n}'),
      Colour: code('export declare enum Colour { Red = 1 }'),
    });
  });

  test('prefix names with their namespace, but not with a module or the global scope', () => {
    const text =
      "declare namespace NodeJS { interface Env { a: string } namespace Deep { type T = 1; } }\ndeclare module 'x' { export function f(): void; }\ndeclare global { interface Window { b: 1 } }";
    expect(Object.keys(sectionsOf(text))).toEqual(['NodeJS.Env', 'NodeJS.Deep.T', 'f', 'Window']);
  });

  test('split a long declaration between lines, each part in a fence', () => {
    const members = Array.from({ length: 400 }, (_, i) => `  | 'member${i}'`).join('\n');
    const blocks = readDeclarations(`export type Long =\n${members};`).blocks.slice(1);
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks)
      expect(block).toMatchObject({ kind: 'code', text: expect.stringMatching(/^```ts\n[\s\S]*\n```$/) });
    const all = blocks.map((block) => (block.kind === 'code' ? block.text.slice(6, -4) : '')).join('\n');
    expect(all).toBe(`export type Long =\n${members};`);
  });

  const filler = `/** ${'Filler. '.repeat(300)}*/\n  filler: string;`;

  test('make the members of a long class sections of their own, with their comments and overloads', () => {
    const text = `
/** One request. */
export declare class Request<P extends string = '/', I extends { out: {} } = {}> extends Base<{ a: 1 }> implements X {
  #own: string;
  constructor(raw: string);
  /** Reads a value; of the \`query\`. */
  query(key: string): string | undefined
  query(): Record<string, string>
  private secret: number;
  readonly path: string;
  get url(): string;
  static of: <T>(a: T) => T
  [Symbol.dispose](): void;
  handler: (
    a: { b: string; c: number },
  ) => Promise<void>
    | undefined;
  ${filler}
}`;
    const sections = sectionsOf(text);
    expect(Object.keys(sections)).toEqual(
      ['', '.query', '.path', '.url', '.of', '.handler', '.filler'].map((name) => `Request${name}`),
    );
    expect(sections['Request.query']).toBe(
      `Reads a value; of the \`query\`.\n${code('query(key: string): string | undefined')}\n${code('query(): Record<string, string>')}`,
    );
    expect(sections['Request.handler']).toBe(
      code('handler: (\n    a: { b: string; c: number },\n  ) => Promise<void>\n    | undefined;'),
    );
    expect(sections['Request']).toBe(
      `One request.\n${code(
        `export declare class Request<P extends string = '/', I extends { out: {} } = {}> extends Base<{ a: 1 }> implements X {
  // Sections of their own: query, path, url, of, handler, filler
  #own: string;
  constructor(raw: string);
  private secret: number;
  [Symbol.dispose](): void;
}`,
      )}`,
    );
  });

  test('keep short declarations whole, and long ones without members', () => {
    const union = `export type Long = ${Array.from({ length: 300 }, (_, i) => `{ kind: ${i} }`).join(' | ')};`;
    expect(Object.keys(sectionsOf('export interface Short { /** One. */ a: 1; b: 2 }'))).toEqual(['Short']);
    expect(Object.keys(sectionsOf(union))).toEqual(['Long']);
    expect(Object.keys(sectionsOf(`export type Options = {\n  ${filler}\n};`))).toEqual(['Options', 'Options.filler']);
  });

  test('read a head with a comment between its type parameters', () => {
    const text = 'export interface Shape<\n/** @ts-ignore */\nout A = 1> {\n  a: A;\n}\nexport declare const x: 1;';
    expect(Object.keys(sectionsOf(text))).toEqual(['Shape', 'x']);
    expect(sectionsOf(text)['Shape']).toContain('a: A;');
  });

  test('end on malformed input', () => {
    for (const sign of [
      '{',
      '}',
      '<',
      '>',
      '=>',
      'a;',
      'a\n',
      ':\n',
      '"',
      '`',
      '/*',
      '\n',
      'export ',
      '(',
      'declare module "x" {',
      '/** */',
    ]) {
      expect(readStatements(sign.repeat(50_000))).toBeDefined();
      expect(readDeclarations(sign.repeat(20_000)).blocks).toBeDefined();
      expect(readDeclarations(`export class A {${sign.repeat(20_000)}}`).blocks).toBeDefined();
    }
  }, 60_000);
});

describe('plain text', () => {
  test('reads underlined titles as headings, one level per character, and paragraphs as text', () => {
    expect(readPlain('Title\n=====\n\nOne\ntwo.\n\nPart\n----\nThree.\n\n-----\n\nLast\n=====\nx')).toEqual({
      title: 'Title',
      blocks: [
        { kind: 'heading', level: 1, title: 'Title' },
        { kind: 'text', text: 'One\ntwo.' },
        { kind: 'heading', level: 2, title: 'Part' },
        { kind: 'text', text: 'Three.' },
        { kind: 'text', text: '-----' },
        { kind: 'heading', level: 1, title: 'Last' },
        { kind: 'text', text: 'x' },
      ],
    });
    expect(readPlain('just text').title).toBeUndefined();
  });
});
