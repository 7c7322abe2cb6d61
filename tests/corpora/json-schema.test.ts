import { describe, expect, it } from 'vitest';
import { validateCells } from '#domains/notebooks/validation/validate-cells.ts';
import type { SharedSchemas } from '#domains/notebooks/validators/schema/apply.ts';
import { hasCorpora, listCorpus, readCorpus } from '../support/corpora.ts';

const suite = 'JSON-Schema-Test-Suite';
const drafts = {
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
} as const;

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const readJson = (path: string): unknown => JSON.parse(readCorpus(`${suite}/${path}`).toString());

const listFiles = (path: string): readonly string[] =>
  listCorpus(`${suite}/${path}`).flatMap((name) =>
    name.endsWith('.json') ? [`${path}/${name}`] : listFiles(`${path}/${name}`),
  );

/** The schemas that the suite serves over HTTP. */
const readRemotes = (draft: string): SharedSchemas =>
  Object.fromEntries(
    listFiles('remotes')
      .filter((path) => !/^remotes\/(?:draft|v1)/.test(path) || path.startsWith(`remotes/${draft}/`))
      .map((path) => [path.replace('remotes/', 'http://localhost:1234/'), readJson(path)]),
  );

const withDialect = (schema: unknown, dialect: string): unknown =>
  typeof schema === 'object' && schema !== null && !('$schema' in schema) ? { $schema: dialect, ...schema } : schema;

async function findWrong(draft: keyof typeof drafts): Promise<{ wrong: readonly string[]; count: number }> {
  const shared = readRemotes(draft);
  const wrong: string[] = [];
  let count = 0;
  for (const file of listCorpus(`${suite}/tests/${draft}`).filter((name) => name.endsWith('.json')))
    for (const group of readJson(`tests/${draft}/${file}`) as readonly Group[]) {
      const schema = { kind: 'schema', schema: withDialect(group.schema, drafts[draft]) } as const;
      const cells = group.tests.map(({ data }, index) => ({
        cellId: String(index),
        index,
        language: 'json' as const,
        content: JSON.stringify(data),
        schema,
      }));
      const results = await validateCells({ cells, shared });
      for (const [index, { valid, errors }] of results.entries()) {
        count += 1;
        const isRefused = errors.some(({ code }) => code === 'INVALID_SCHEMA');
        if (isRefused || valid !== group.tests[index]!.valid)
          wrong.push(
            `${file}: ${group.description}: ${group.tests[index]!.description}${isRefused ? ` (${errors[0]!.message})` : ''}`,
          );
      }
    }
  return { wrong, count };
}

describe.skipIf(!hasCorpora)('the required cases of the JSON-Schema-Test-Suite', () => {
  it.each([
    ['draft7', 900],
    ['draft2019-09', 1200],
    ['draft2020-12', 1250],
  ] as const)('pass for %s', async (draft, atLeast) => {
    const { wrong, count } = await findWrong(draft);
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(atLeast);
  });
});
