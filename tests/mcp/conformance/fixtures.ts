import { type GetPromptResult, inputRequired, type Prompt, ProtocolError } from '@modelcontextprotocol/server';
import type { ResourceCatalog, ResourceFamily } from '#kernel/tool/resource.ts';
import type { Fixtures } from '#surfaces/mcp/mcp-deps.ts';
import { fixtureTools, pngPixel } from './fixture-tools.ts';

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

/** The suites read these through our own catalog, not through a special handler. */
export const fixtureResources: ResourceCatalog = { families: [fixed, templated] };

const says = (text: string): GetPromptResult['messages'][number] => ({ role: 'user', content: { type: 'text', text } });
const argument = (name: string) => ({ name, description: `The ${name}`, required: true });

const prompts: readonly Prompt[] = [
  { name: 'test_simple_prompt', description: 'A prompt without arguments' },
  { name: 'test_prompt_with_arguments', description: 'With two', arguments: [argument('arg1'), argument('arg2')] },
  { name: 'test_prompt_with_embedded_resource', description: 'With a resource', arguments: [argument('resourceUri')] },
  { name: 'test_prompt_with_image', description: 'With a picture' },
  { name: 'test_input_required_result_prompt', description: 'Needs more' },
];

function getPrompt(name: string, args: Readonly<Record<string, string>>): GetPromptResult {
  switch (name) {
    case 'test_simple_prompt':
      return { messages: [says('This is a simple prompt for testing.')] };
    case 'test_prompt_with_arguments':
      return { messages: [says(`Prompt with arguments: arg1='${args['arg1']}', arg2='${args['arg2']}'`)] };
    case 'test_prompt_with_embedded_resource': {
      const text = 'Embedded resource content for testing.';
      const resource = { uri: args['resourceUri'] ?? '', mimeType: 'text/plain', text };
      return {
        messages: [
          { role: 'user', content: { type: 'resource', resource } },
          says('Please process the embedded resource above.'),
        ],
      };
    }
    case 'test_prompt_with_image':
      return {
        messages: [
          { role: 'user', content: { type: 'image', data: pngPixel, mimeType: 'image/png' } },
          says('Please analyze the image above.'),
        ],
      };
    default:
      throw new ProtocolError(-32602, `Unknown prompt: ${name}`);
  }
}

const askForContext = inputRequired({
  inputRequests: {
    user_context: inputRequired.elicit({
      message: 'What context should the prompt use?',
      requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
    }),
  },
});

/** The names that the official suites use. */
export const conformanceFixtures: Fixtures = (server) => {
  server.registerCapabilities({ prompts: {}, completions: {} });
  server.setRequestHandler('tools/list', () => ({ tools: fixtureTools.map(({ tool }) => tool) }));
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const found = fixtureTools.find(({ tool }) => tool.name === params.name);
    if (found === undefined) throw new ProtocolError(-32602, `Unknown tool: ${params.name}`);
    return found.run(params.arguments ?? {}, ctx);
  });
  server.setRequestHandler('prompts/list', () => ({ prompts: [...prompts] }));
  server.setRequestHandler('prompts/get', ({ params }, ctx) => {
    if (params.name !== 'test_input_required_result_prompt') return getPrompt(params.name, params.arguments ?? {});
    const answer = ctx.mcpReq.inputResponses?.['user_context'];
    return answer === undefined ? askForContext : { messages: [says(`In the context ${JSON.stringify(answer)}`)] };
  });
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }));
};
