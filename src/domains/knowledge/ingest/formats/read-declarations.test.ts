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
    const members = Array.from({ length: 400 }, (_, i) => `  member${i}: string;`).join('\n');
    const blocks = readDeclarations(`export interface Long {\n${members}\n}`).blocks.slice(1);
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks)
      expect(block).toMatchObject({ kind: 'code', text: expect.stringMatching(/^```ts\n[\s\S]*\n```$/) });
    const all = blocks.map((block) => (block.kind === 'code' ? block.text.slice(6, -4) : '')).join('\n');
    expect(all).toBe(`export interface Long {\n${members}\n}`);
  });

  test('end on malformed input', () => {
    for (const sign of ['{', '}', '"', '`', '/*', '\n', 'export ', '(', 'declare module "x" {', '/** */']) {
      expect(readStatements(sign.repeat(50_000))).toBeDefined();
      expect(readDeclarations(sign.repeat(20_000)).blocks).toBeDefined();
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
