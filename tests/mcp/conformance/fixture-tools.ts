import { createHmac, randomBytes } from 'node:crypto';
import {
  type CallToolResult,
  type ElicitRequestFormParams,
  type ElicitResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';

/** One red pixel, and a wave file without a sample. */
export const pngPixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const silentWave = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

type Answer = CallToolResult | InputRequiredResult;
type Run = (args: Readonly<Record<string, unknown>>, ctx: ServerContext) => Answer | Promise<Answer>;

interface FixtureTool {
  readonly tool: Tool;
  readonly run: Run;
}

const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });
const nothing: Tool['inputSchema'] = { type: 'object', properties: {} };
const texts = (...names: string[]): Tool['inputSchema'] => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});

const define = (name: string, run: Run, inputSchema = nothing): FixtureTool => ({
  tool: { name, description: `Wanted by the conformance suite: ${name}.`, inputSchema },
  run,
});

const stateKey = randomBytes(32);
const sign = (state: string) => `${state}.${createHmac('sha256', stateKey).update(state).digest('base64url')}`;

/** The original state; a modified one is rejected. */
function verified(ctx: ServerContext): string | undefined {
  const told = ctx.mcpReq.requestState<string>();
  if (told === undefined) return undefined;
  const state = told.split('.')[0] ?? '';
  if (told !== sign(state)) throw new ProtocolError(-32602, 'Invalid requestState');
  return state;
}

const asked = (message: string, name: string, schema: { type: 'string' } | { type: 'boolean' }) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: schema }, required: [name] },
  });
const form = (message: string, name: string) => asked(message, name, { type: 'string' });
const confirmation = asked('Please confirm', 'ok', { type: 'boolean' });

const sample = (said: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: said } }], maxTokens });

const given = (ctx: ServerContext, name: string) => ctx.mcpReq.inputResponses?.[name];

const pause = () => new Promise((resume) => setTimeout(resume, 20));

const contents: readonly FixtureTool[] = [
  define('test_simple_text', () => text('This is a simple text response for testing.')),
  define('test_image_content', () => ({ content: [{ type: 'image', data: pngPixel, mimeType: 'image/png' }] })),
  define('test_audio_content', () => ({ content: [{ type: 'audio', data: silentWave, mimeType: 'audio/wav' }] })),
  define('test_embedded_resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  define('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: pngPixel, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  })),
  define('test_error_handling', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
];

const streams: readonly FixtureTool[] = [
  define('test_tool_with_logging', async (_, ctx) => {
    for (const said of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.log('info', said);
      await pause();
    }
    return text('logged');
  }),
  define('test_logging_tool', async (_, ctx) => {
    await ctx.mcpReq.log('info', 'only for those who asked');
    return text('logged');
  }),
  define('test_tool_with_progress', async (_, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      await pause();
    }
    return text('done');
  }),
];

const schemaOfDefaults = {
  type: 'object' as const,
  properties: {
    name: { type: 'string' as const, default: 'John Doe' },
    age: { type: 'integer' as const, default: 30 },
    score: { type: 'number' as const, default: 95.5 },
    status: { type: 'string' as const, enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean' as const, default: true },
  },
};

const choices = (noun: string) =>
  ['First', 'Second', 'Third'].map((nth, i) => ({ const: `value${i + 1}`, title: `${nth} ${noun}` }));

const schemaOfEnums = {
  type: 'object' as const,
  properties: {
    untitledSingle: { type: 'string' as const, enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string' as const, oneOf: choices('Option') },
    legacyEnum: {
      type: 'string' as const,
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array' as const,
      items: { type: 'string' as const, enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: { type: 'array' as const, items: { anyOf: choices('Choice') } },
  },
};

type FormSchema = ElicitRequestFormParams['requestedSchema'];

/** On the stream of the call itself: the client's other stream may not be open yet. */
const elicit = (ctx: ServerContext, message: string, requestedSchema: FormSchema): Promise<ElicitResult> =>
  ctx.mcpReq.send({ method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } });

/** 2025 era: the server sends the client a request during a call. */
const questions: readonly FixtureTool[] = [
  define(
    'test_sampling',
    async ({ prompt }, ctx) => {
      const content = { type: 'text' as const, text: String(prompt) };
      const params = { messages: [{ role: 'user' as const, content }], maxTokens: 100 };
      const answer = await ctx.mcpReq.send({ method: 'sampling/createMessage', params });
      return text(`LLM response: ${JSON.stringify(answer.content)}`);
    },
    texts('prompt'),
  ),
  define(
    'test_elicitation',
    async ({ message }, ctx) => {
      const field = (description: string) => ({ type: 'string' as const, description });
      const requestedSchema = {
        type: 'object' as const,
        properties: { username: field("User's response"), email: field("User's email address") },
        required: ['username', 'email'],
      };
      return text(`User response: ${JSON.stringify(await elicit(ctx, String(message), requestedSchema))}`);
    },
    texts('message'),
  ),
  define('test_elicitation_sep1034_defaults', async (_, ctx) => {
    const answer = await elicit(ctx, 'Check the defaults', schemaOfDefaults);
    return text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
  }),
  define('test_elicitation_sep1330_enums', async (_, ctx) => {
    const answer = await elicit(ctx, 'Choose', schemaOfEnums);
    return text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
  }),
];

const needs = (name: string, key: string, request: ReturnType<typeof form>): FixtureTool =>
  define(name, (_, ctx) => {
    const answer = given(ctx, key);
    return answer === undefined
      ? inputRequired({ inputRequests: { [key]: request } })
      : text(`Got ${JSON.stringify(answer)}`);
  });

/** 2026 era: the server answers that it needs more, and the client repeats the call with it. */
const rounds: readonly FixtureTool[] = [
  define('test_input_required_result_elicitation', (_, ctx) => {
    const answer = given(ctx, 'user_name') as { content?: { name?: unknown } } | undefined;
    const name = answer?.content?.name;
    if (typeof name === 'string') return text(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });
  }),
  needs('test_input_required_result_sampling', 'capital_question', sample('What is the capital of France?', 100)),
  needs('test_input_required_result_list_roots', 'client_roots', inputRequired.listRoots()),
  needs('test_missing_capability', 'thought', sample('Think', 10)),
  needs('test_streaming_elicitation', 'answer', form('Say something', 'answer')),
  define('test_input_required_result_request_state', (_, ctx) => {
    if (verified(ctx) !== undefined && given(ctx, 'confirm') !== undefined) return text('state-ok');
    const inputRequests = { confirm: confirmation };
    return inputRequired({ inputRequests, requestState: sign('asked') });
  }),
  define('test_input_required_result_tampered_state', (_, ctx) => {
    if (verified(ctx) !== undefined) return text('state-ok');
    const inputRequests = { confirm: confirmation };
    return inputRequired({ inputRequests, requestState: sign('asked') });
  }),
  define('test_input_required_result_multiple_inputs', (_, ctx) => {
    const keys = ['user_name', 'greeting', 'client_roots'];
    if (verified(ctx) !== undefined && keys.every((key) => given(ctx, key) !== undefined)) return text('all there');
    const inputRequests = {
      user_name: form('What is your name?', 'name'),
      greeting: sample('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: sign('asked') });
  }),
  define('test_input_required_result_multi_round', (_, ctx) => {
    const state = verified(ctx);
    if (state === 'second' && given(ctx, 'step2') !== undefined) return text('both steps done');
    if (state === 'first' && given(ctx, 'step1') !== undefined) {
      const inputRequests = { step2: form('Step 2: What is your favorite color?', 'color') };
      return inputRequired({ inputRequests, requestState: sign('second') });
    }
    return inputRequired({
      inputRequests: { step1: form('Step 1: What is your name?', 'name') },
      requestState: sign('first'),
    });
  }),
  define('test_input_required_result_capabilities', (_, ctx) => {
    const envelope = ctx.mcpReq.envelope as Readonly<Record<string, Record<string, unknown> | undefined>> | undefined;
    const declared = envelope?.['io.modelcontextprotocol/clientCapabilities'];
    const inputRequests = {
      ...(declared?.['sampling'] !== undefined && { thought: sample('Think', 10) }),
      ...(declared?.['elicitation'] !== undefined && { answer: form('Say something', 'answer') }),
    };
    return Object.keys(inputRequests).length === 0 ? text('nothing to ask') : inputRequired({ inputRequests });
  }),
];

const schemaTool: FixtureTool = define('json_schema_2020_12_tool', () => text('ok'), {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, and what the suite looks for
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
});

export const fixtureTools: readonly FixtureTool[] = [...contents, ...streams, ...questions, ...rounds, schemaTool];
