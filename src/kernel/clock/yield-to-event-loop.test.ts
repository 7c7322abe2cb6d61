import { expect, test } from 'vitest';
import {
  createPacer,
  noteRequest,
  type RequestClock,
  requestClock,
  yieldToEventLoop,
  yieldToRequests,
} from './yield-to-event-loop.ts';

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

test('background work lets others run while requests arrive, and goes on although they do not stop', async () => {
  const order: string[] = [];
  const requests = setInterval(noteRequest, 1);
  noteRequest();
  setTimeout(() => order.push('timer'), 5);
  await yieldToRequests();
  order.push('background');
  clearInterval(requests);
  expect(order).toEqual(['timer', 'background']);
});

test('another thread waits for the requests of the clock that it was given', async () => {
  const never: RequestClock = new Float64Array(new SharedArrayBuffer(8));
  const order: string[] = [];
  noteRequest();
  const waiting = yieldToRequests(undefined, requestClock).then(() => order.push('waits for requests'));
  await yieldToRequests(undefined, never).then(() => order.push('has none'));
  await waiting;
  expect(order).toEqual(['has none', 'waits for requests']);
});

test('background work ends when its signal is aborted', async () => {
  const controller = new AbortController();
  noteRequest();
  setTimeout(() => controller.abort(new Error('gone')), 1);
  await expect(yieldToRequests(controller.signal)).rejects.toThrow('gone');
});
