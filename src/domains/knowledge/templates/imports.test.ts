import { describe, expect, it } from 'vitest';
import { addImports } from './imports.ts';

const content = `import './first.js';
import { feathers } from '@feathersjs/feathers';
import type { Id } from '@feathersjs/feathers';
import { app } from './app.js';

app();
`;

describe('imports of several fragments', () => {
  it('name each module once, for its values and for its types', () => {
    const heads = [
      "import { once } from 'node:events';\nimport { default as a, feathers } from '@feathersjs/feathers';",
      "import type { Params } from '@feathersjs/feathers';\nimport knex, { Knex as K } from 'knex';\nimport * as all from './all.js';",
      '',
    ];
    expect(addImports(content, heads)).toBe(`import './first.js';
import { once } from 'node:events';
import { default as a, feathers } from '@feathersjs/feathers';
import type { Id, Params } from '@feathersjs/feathers';
import knex, { Knex as K } from 'knex';
import * as all from './all.js';
import { app } from './app.js';

app();
`);
  });

  it('are broken into lines where they are long', () => {
    const names = Array.from({ length: 12 }, (_, index) => `quiteLongName${index}`);
    expect(addImports('', [`import { ${names.join(', ')} } from 'a';`])).toMatch(
      /^import \{\n {2}quiteLongName0,\n.*\n\} from 'a';\n/s,
    );
  });

  it('leave a file alone to which nothing is added', () => {
    expect(addImports(content, ['', '// only a comment'])).toBe(content);
  });

  it('of types inside an import of values are refused', () => {
    expect(() => addImports(content, ["import { type A } from 'a';"])).toThrow('a statement of their own');
  });
});
