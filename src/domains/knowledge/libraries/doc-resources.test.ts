import { describe, expect, it } from 'vitest';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import { docResources } from './doc-resources.ts';

/** Returns all libraries, or those with one name, and records its calls. */
function plantAsk() {
  const asked: unknown[] = [];
  const libraries = [
    { library: 'sea', version: '1.0' },
    { library: 'sea', version: '2.0' },
    { library: 'sky', version: '1.5' },
  ];
  const ask: Ask = async (name, args) => {
    const { library, prefix } = args as { readonly library?: string; readonly prefix?: string };
    asked.push([name, args]);
    const pages = ['guide.md', 'api.md'].filter((path) => path.startsWith(prefix ?? ''));
    return {
      libraries: libraries.filter((one) => library === undefined || one.library === library),
      pages: pages.map((path) => ({ path, title: path })),
    };
  };
  return { ask, asked };
}

describe('completing the URI of a page', () => {
  const complete = async (variable: string, typed: string, context: Readonly<Record<string, string>> = {}) => {
    const { ask, asked } = plantAsk();
    return { values: await docResources.complete!(variable, typed, ask, context), asked };
  };

  it('offers each matching library once', async () => {
    expect((await complete('library', 's')).values).toEqual(['sea', 'sky']);
    expect((await complete('library', 'sk')).values).toEqual(['sky']);
  });

  it('offers the versions of the chosen library, or of all libraries', async () => {
    expect((await complete('version', '1', { library: 'sea' })).values).toEqual(['1.0']);
    expect((await complete('version', '1')).values).toEqual(['1.0', '1.5']);
  });

  it('offers paths only after a library and a version are chosen', async () => {
    const chosen = { library: 'sea', version: '1.0' };
    expect(await complete('path', 'gu', chosen)).toEqual({
      values: ['guide.md'],
      asked: [['knowledge_pages', { ...chosen, prefix: 'gu' }]],
    });
    for (const context of [{}, { library: 'sea' }, { version: '1.0' }] as Readonly<Record<string, string>>[]) {
      expect(await complete('path', '', context)).toEqual({ values: [], asked: [] });
    }
    expect(await complete('other', '', chosen)).toEqual({ values: [], asked: [] });
  });
});

describe('reading a page', () => {
  const failing =
    (error: Error): Ask =>
    async () => {
      throw error;
    };
  const read = (ask: Ask) => docResources.read({ library: 'sea', version: '1.0', path: 'a.md' }, ask);

  it('returns its text, or undefined if it does not exist', async () => {
    expect(await read(async () => ({ text: '# A' }))).toEqual({ mimeType: 'text/markdown', text: '# A' });
    expect(await read(failing(faults.NOT_FOUND({ what: 'page' })))).toBeUndefined();
  });

  it.each([faults.VALIDATION_ERROR({ why: 'no' }), Object.assign(new Error('boom'), { code: 'NOT_FOUND' })])(
    'rethrows every other failure: %s',
    async (error) => {
      await expect(read(failing(error))).rejects.toBe(error);
    },
  );
});
