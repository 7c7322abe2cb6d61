import { expect, test } from 'vitest';
import { createManualClock } from '../../clock/clock.ts';
import { createPatience } from './patience.ts';

const overdue = () => new Error('overdue');

test('it ends when the signal is aborted, with the reason, and only once', () => {
  const clock = createManualClock();
  const controller = new AbortController();
  let actCount = 0;
  const patience = createPatience({ signal: controller.signal, deadlineAt: clock.now() + 60_000 }, clock, overdue);
  patience.whenOver(() => {
    actCount += 1;
  });
  expect(patience.over).toBeUndefined();
  controller.abort(new Error('cancelled'));
  expect(patience.over).toEqual(new Error('cancelled'));
  expect(actCount).toBe(1);
  patience.end();
});

test('it is over from the start when the signal was aborted before', () => {
  const clock = createManualClock();
  const patience = createPatience(
    { signal: AbortSignal.abort('why'), deadlineAt: clock.now() + 60_000 },
    clock,
    overdue,
  );
  expect(patience.over).toMatchObject({ message: 'the call was cancelled', cause: 'why' });
  patience.end();
});

test('it ends at the deadline of the clock it was given', async () => {
  const clock = createManualClock();
  const patience = createPatience(
    { signal: new AbortController().signal, deadlineAt: clock.now() + 5 },
    clock,
    overdue,
  );
  await new Promise<void>((resolve) => patience.whenOver(() => resolve()));
  expect(patience.over).toEqual(new Error('overdue'));
  patience.end();
});

test('a deadline further away than a timer reaches does not end it', async () => {
  const clock = createManualClock();
  const patience = createPatience(
    { signal: new AbortController().signal, deadlineAt: clock.now() + 2 ** 40 },
    clock,
    overdue,
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(patience.over).toBeUndefined();
  patience.end();
});

test('after its end nothing is done any more', () => {
  const clock = createManualClock();
  const controller = new AbortController();
  let actCount = 0;
  const patience = createPatience({ signal: controller.signal, deadlineAt: clock.now() + 60_000 }, clock, overdue);
  patience.whenOver(() => {
    actCount += 1;
  });
  patience.end();
  controller.abort();
  expect(actCount).toBe(0);
});
