import { compileFunction } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { toCommonJs } from './to-commonjs.ts';

const ofModules = `import './environment';
import fs from 'node:fs';
import knex, { Client } from 'knex';
import * as authentication from '@feathersjs/authentication';
import { default as client, hooks as localHooks } from '@feathersjs/authentication-client';

// Why it is so.
export const read = (name) => fs.readFileSync(name);

const hidden = [knex, Client, authentication, client, localHooks];

export class Box {}

export async function open() {
  return import('./box.js');
}
`;

const ofCommonJs = `require('./environment');
const fs = require('node:fs');
const knex = require('knex');
const { Client } = require('knex');
const authentication = require('@feathersjs/authentication');
const { default: client, hooks: localHooks } = require('@feathersjs/authentication-client');

// Why it is so.
const read = (name) => fs.readFileSync(name);

const hidden = [knex, Client, authentication, client, localHooks];

class Box {}

async function open() {
  return import('./box.js');
}

module.exports = { read, Box, open };
`;

describe('toCommonJs', () => {
  it('replaces imports by require and exports at the end', () => {
    expect(toCommonJs(ofModules)).toBe(ofCommonJs);
  });

  it('leaves a file without imports and exports unchanged', () => {
    const text = "describe('a', () => {\n  require('./b');\n});\n";
    expect(toCommonJs(text)).toBe(text);
    expect(toCommonJs('')).toBe('');
  });

  it('breaks a list that is too long for a line', () => {
    const names = Array.from({ length: 12 }, (_, at) => `aRatherLongName${at}`);
    const broken = names.map((name) => `  ${name},\n`).join('');
    expect(toCommonJs(`import { ${names.join(', ')} } from 'm';\n`)).toBe(`const {\n${broken}} = require('m');\n`);
    expect(toCommonJs(names.map((name) => `export const ${name} = 1;\n`).join(''))).toContain(
      `\n\nmodule.exports = {\n${broken}};\n`,
    );
  });

  it('behaves the same at run time', () => {
    const text = toCommonJs(ofModules.replace(/return import.*\n/, 'return hidden;\n'));
    const run = compileFunction(text, ['require', 'module']);
    const asked: string[] = [];
    const module = { exports: {} as Record<string, unknown> };
    run((name: string) => {
      asked.push(name);
      return { readFileSync: (file: string) => `${name} ${file}` };
    }, module);
    expect(Object.keys(module.exports)).toEqual(['read', 'Box', 'open']);
    expect((module.exports['read'] as (name: string) => string)('a')).toBe('node:fs a');
    expect(asked.slice(0, 3)).toEqual(['./environment', 'node:fs', 'knex']);
  });

  it.each([
    ['a default export', 'export default 1;', 'is exported where it is declared'],
    ['what another module exports', "export { a } from './a';", 'is exported where it is declared'],
    ['everything that another module exports', "export * from './a';", 'is exported where it is declared'],
    ['a variable that may change', 'export let a = 1;', 'is exported where it is declared'],
    ['the parts of a value', 'export const { a } = b;', 'is exported where it is declared'],
    ['waiting at the top', 'await a();', "'await' is only allowed"],
    ['the address of the module', 'const a = import.meta.url;', 'import.meta'],
  ])('rejects %s', (_what, text, why) => {
    expect(() => toCommonJs(text)).toThrow(why);
  });
});
