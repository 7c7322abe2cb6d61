import { Fault } from '#kernel/fault/fault.ts';
import { type Ask, type ResourceFamily, toUri } from '#kernel/tool/resource.ts';

interface PagesAnswer {
  readonly libraries: readonly { readonly library: string; readonly version: string }[];
  readonly pages: readonly { readonly path: string; readonly title: string }[];
}

const template = 'doc://{library}/{version}/{+path}';
const mimeType = 'text/markdown';
/** Only the pages of this library are listed: a tenant's libraries may have any number of pages. */
const listedLibrary = 'feathers';

const askPages = async (ask: Ask, args: Readonly<Record<string, string>>): Promise<PagesAnswer> =>
  (await ask('knowledge_pages', args)) as PagesAnswer;

/** Undefined if the page does not exist. */
async function askPage(ask: Ask, args: Readonly<Record<string, string>>): Promise<string | undefined> {
  try {
    return ((await ask('knowledge_read', args)) as { readonly text: string }).text;
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

const beginning = (values: readonly string[], typed: string): readonly string[] =>
  [...new Set(values)].filter((value) => value.startsWith(typed));

export const docResources: ResourceFamily = {
  uriTemplate: template,
  name: 'doc',
  title: 'Docs page',
  description: 'One page of the docs of a library in one version, as Markdown.',
  mimeType,
  async list(ask) {
    const { libraries } = await askPages(ask, { library: listedLibrary });
    const items = [];
    for (const { library, version } of libraries) {
      const { pages } = await askPages(ask, { library, version });
      for (const { path, title } of pages) {
        const name = `${library}/${version}/${path}`;
        items.push({ uri: toUri(template, { library, version, path }), name, title, mimeType });
      }
    }
    return { items };
  },
  async read({ library = '', version = '', path = '' }, ask) {
    const text = await askPage(ask, { library, version, path });
    return text === undefined ? undefined : { mimeType, text };
  },
  async complete(variable, typed, ask, { library, version }) {
    if (variable === 'library')
      return beginning(
        (await askPages(ask, {})).libraries.map((name) => name.library),
        typed,
      );
    if (variable === 'version')
      return beginning(
        (await askPages(ask, library === undefined ? {} : { library })).libraries.map((name) => name.version),
        typed,
      );
    if (variable !== 'path' || library === undefined || version === undefined) return [];
    return (await askPages(ask, { library, version, prefix: typed })).pages.map(({ path }) => path);
  },
};
