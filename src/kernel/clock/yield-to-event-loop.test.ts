import { expect, test } from 'vitest';
import { createPacer, yieldToEventLoop } from './yield-to-event-loop.ts';

test('lets others run before it resolves', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('other'));
  await yieldToEventLoop();
  order.push('self');
  expect(order).toEqual(['other', 'self']);
});

test('rejects with the reason of a signal that was aborted meanwhile', async () => {
  const controller = new AbortController();
  setImmediate(() => controller.abort(new Error('gone')));
  await expect(yieldToEventLoop(controller.signal)).rejects.toThrow('gone');
});

test('yields only when the slice of time is used up', async () => {
  expect(createPacer(60_000)()).toBeUndefined();
  const rest = createPacer(0)();
  expect(rest).toBeInstanceOf(Promise);
  await rest;
});
