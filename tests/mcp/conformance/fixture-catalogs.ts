import type { ResourceCatalog, ResourceFamily } from '#kernel/tool/resource.ts';
import { pngPixel } from './media.ts';

const items = [
  { uri: 'test://static-text', name: 'static-text', description: 'A text that stays', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', description: 'A picture that stays', mimeType: 'image/png' },
  {
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'One to subscribe to',
    mimeType: 'text/plain',
  },
];

const fixed: ResourceFamily = {
  uriTemplate: 'test://{name}',
  name: 'fixed',
  title: 'Fixed',
  description: 'The fixed resources of the suite.',
  mimeType: 'text/plain',
  changes: { topic: 'fixed', variables: (name) => ({ name }) },
  list: async () => ({ items }),
  async read({ name }) {
    if (name === 'static-binary') return { mimeType: 'image/png', base64: pngPixel };
    if (name === 'static-text')
      return { mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
    return name === 'watched-resource' ? { mimeType: 'text/plain', text: 'watched' } : undefined;
  },
};

const templated: ResourceFamily = {
  uriTemplate: 'test://template/{id}/data',
  name: 'templated',
  title: 'Templated',
  description: 'A resource with a parameter.',
  mimeType: 'application/json',
  read: async ({ id }) => ({
    mimeType: 'application/json',
    text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  }),
};

/** What the suites read goes through our own catalog, not through a handler of theirs. */
export const fixtureResources: ResourceCatalog = { families: [fixed, templated] };
