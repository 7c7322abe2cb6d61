import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import {
  callToolHandler,
  type RoutedTool,
  Router,
  routerTimeoutMs,
  ToolRegistry,
  type ToolResult,
} from './tool-router.ts';

const toResult = (tool: string, payload: unknown): ToolResult => ({
  content: JSON.stringify(payload),
  metadata: { tool },
});

const echo: RoutedTool = {
  name: 'echo',
  description: 'Answers what it was given.',
  input: z.strictObject({ text: z.string(), times: z.int().max(3).default(1) }),
  execute: async (params) => toResult('echo', params),
};
const failing = (error: Error): RoutedTool => ({
  ...{ name: 'fail', description: 'Fails.', input: z.unknown() },
  async execute() {
    throw error;
  },
});
const registryOf = (...tools: RoutedTool[]) =>
  tools.reduce((registry, tool) => registry.register(tool), new ToolRegistry());

describe('Router.route', () => {
  const route = (request: { toolName: string; params?: unknown }, ...tools: RoutedTool[]) =>
    new Router(registryOf(echo, ...tools)).route(request);

  it('returns the result of the tool, with defaults filled in', async () => {
    expect(await route({ toolName: 'echo', params: { text: 'x' } })).toEqual({
      success: true,
      data: { content: '{"text":"x","times":1}', metadata: { tool: 'echo' } },
    });
  });

  it.each([
    ['a missing name', '', undefined, 'Missing tool name'],
    ['a name that is not a string', 7 as never, undefined, 'Missing tool name'],
    ['an unknown tool', 'none', {}, 'Unknown tool: none'],
    ['a missing argument', 'echo', {}, "Invalid params: must have required property 'text'"],
    ['an argument out of range', 'echo', { text: 'x', times: 4 }, 'Invalid params: /times must be <= 3'],
    [
      'an unknown argument',
      'echo',
      { text: 'x', more: 1 },
      "Invalid params: must NOT have additional properties ('more')",
    ],
    ['arguments that are not an object', 'echo', 7, 'Invalid params: must be object'],
  ])('reports %s as INVALID_PARAMS', async (_what, toolName, params, message) => {
    expect(await route({ toolName, params })).toMatchObject({
      success: false,
      error: { code: 'INVALID_PARAMS', message },
    });
  });

  it('says which argument is invalid', async () => {
    const answer = await route({ toolName: 'echo', params: { text: 7 } });
    expect(answer).toMatchObject({ error: { details: { errors: [{ instancePath: '/text', keyword: 'type' }] } } });
  });

  it('reports an input fault of the tool as INVALID_PARAMS and any other failure as INTERNAL_ERROR', async () => {
    expect(await route({ toolName: 'fail' }, failing(faults.VALIDATION_ERROR({ why: 'No such name' })))).toEqual({
      success: false,
      error: { code: 'INVALID_PARAMS', message: 'No such name', details: { fault: 'VALIDATION_ERROR' } },
    });
    expect(await route({ toolName: 'fail' }, failing(faults.INVALID_PARAMS({ why: 'No such id' })))).toMatchObject({
      error: { code: 'INVALID_PARAMS', message: 'Invalid params: No such id' },
    });
    expect(await route({ toolName: 'fail' }, failing(faults.NOT_FOUND({ what: 'page' })))).toMatchObject({
      error: { code: 'INTERNAL_ERROR', message: 'Not found: page' },
    });
    expect(await route({ toolName: 'fail' }, failing(new Error('boom')))).toStrictEqual({
      success: false,
      error: { code: 'INTERNAL_ERROR', message: 'boom', details: {} },
    });
  });

  it('stops a tool that takes too long', async () => {
    let stopped = false;
    const waiting: RoutedTool = {
      ...{ name: 'wait', description: 'Waits until it is stopped.', input: z.unknown() },
      execute: (_params, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            stopped = true;
            reject(new Error('stopped'));
          });
        }),
    };
    const answer = await new Router(registryOf(waiting), { timeoutMs: 5 }).route({ toolName: 'wait' });
    expect(answer).toEqual({
      success: false,
      error: { code: 'TIMEOUT', message: 'wait took longer than 5 ms and was stopped', details: { timeoutMs: 5 } },
    });
    expect(stopped).toBe(true);
  });

  it('gives a tool 30 seconds by default', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const waiting: RoutedTool = {
      ...{ name: 'wait', description: 'Waits.', input: z.unknown() },
      execute: () => new Promise(() => {}),
    };
    const answer = new Router(registryOf(waiting)).route({ toolName: 'wait' });
    expect(routerTimeoutMs).toBe(30_000);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toMatchObject({ error: { code: 'TIMEOUT', details: { timeoutMs: 30_000 } } });
  });
});

describe.each([
  ['Router', () => new Router(registryOf(echo, failing(new Error('boom'))))],
  ['ToolRegistry', () => registryOf(echo, failing(new Error('boom')))],
] as const)('callToolHandler over a %s', (_name, make) => {
  const call = callToolHandler(make());

  it('returns a ToolResult', async () => {
    expect(await call({ name: 'echo', arguments: { text: 'x' } })).toEqual({
      content: '{"text":"x","times":1}',
      metadata: { tool: 'echo' },
    });
  });

  it.each([
    [{ name: '' }, 'Missing tool name'],
    [{ name: 'none' }, 'Unknown tool: none'],
    [{ name: 'fail' }, 'boom'],
    [{ name: 'echo', arguments: {} }, "Invalid params: must have required property 'text'"],
  ])('throws on %j: %s', async (request, message) => {
    await expect(call(request)).rejects.toThrow(new Error(message));
  });
});

it('rejects a second tool with the same name', () => {
  const registry = registryOf(echo);
  expect(registry.get('echo')).toBe(echo);
  expect(() => registry.register(echo)).toThrow('a tool named echo is already registered');
});
