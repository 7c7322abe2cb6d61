import { describe, expect, it } from 'vitest';
import { addImports } from './module-imports.ts';

const content = `import './first.js';
import { feathers } from '@feathersjs/feathers';
import type { Id } from '@feathersjs/feathers';
import { app } from './app.js';

app();
`;

describe('merging imports', () => {
  it('imports each module once for values and once for types', () => {
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

  it('breaks long imports into lines', () => {
    const names = Array.from({ length: 12 }, (_, index) => `quiteLongName${index}`);
    expect(addImports('', [`import { ${names.join(', ')} } from 'a';`])).toMatch(
      /^import \{\n {2}quiteLongName0,\n.*\n\} from 'a';\n/s,
    );
  });

  it('leaves a file unchanged if nothing is added', () => {
    expect(addImports(content, ['', '// only a comment'])).toBe(content);
  });

  it('rejects inline type imports', () => {
    expect(() => addImports(content, ["import { type A } from 'a';"])).toThrow('a statement of their own');
  });
});
