import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCommitSignal } from './commit-signal.ts';

function createScene() {
  const events: string[] = [];
  let hear = () => {};
  const watchers = createCommitSignal({
    listen(wake) {
      events.push('listen');
      hear = wake;
      return () => events.push('unlisten');
    },
  });
  return { watchers, events, hear: () => hear() };
}

test('calls each subscriber once for all wake-ups of one event-loop turn', async () => {
  const { watchers, hear } = createScene();
  const woken: string[] = [];
  watchers.subscribe(() => woken.push('a'));
  watchers.subscribe(() => woken.push('b'));
  watchers.wake();
  hear();
  watchers.wake();
  expect(woken).toEqual([]);
  await nextTurn();
  expect(woken).toEqual(['a', 'b']);
});

test('listens to other processes only while there is a subscriber', () => {
  const { watchers, events } = createScene();
  const leave = [watchers.subscribe(() => {}), watchers.subscribe(() => {})];
  leave[0]?.();
  expect(events).toEqual(['listen']);
  leave[1]?.();
  leave[1]?.();
  expect(events).toEqual(['listen', 'unlisten']);
  watchers.subscribe(() => {});
  expect(events).toEqual(['listen', 'unlisten', 'listen']);
  watchers.stop();
  expect(events.at(-1)).toBe('unlisten');
});

test('treats the same function passed twice as two subscribers', async () => {
  const { watchers } = createScene();
  let count = 0;
  const wake = () => {
    count += 1;
  };
  const leave = watchers.subscribe(wake);
  watchers.subscribe(wake);
  leave();
  watchers.wake();
  await nextTurn();
  expect(count).toBe(1);
});

test('calls no subscriber after stop, even for a wake-up that was pending', async () => {
  const { watchers } = createScene();
  let count = 0;
  watchers.subscribe(() => {
    count += 1;
  });
  watchers.wake();
  watchers.stop();
  await nextTurn();
  expect(count).toBe(0);
});
